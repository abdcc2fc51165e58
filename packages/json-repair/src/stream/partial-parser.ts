import { extractJson, extractSoFar } from "../extract.js";
import type { RepairKind } from "../repairs.js";
import type { ExtractOptions, ExtractResult, ExtractSuccess } from "../result.js";
import { fit, settle } from "../schema/fit.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";
import { Lookout } from "./lookout.js";
import { type Path, StrictReader } from "./strict-reader.js";

/** A value of which parts may still be missing. */
export type Partially<T> = T extends readonly (infer Item)[]
  ? Partially<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Partially<T[Key]> }
    : T;

/** What is asked of a value that arrives in pieces. */
export interface PartialParserOptions<T> {
  /** Any Standard Schema that validates synchronously. Default: any object or list. */
  schema?: StandardSchemaV1<unknown, T>;
}

/** What has become of the value. */
export interface PartialUpdate<T> {
  /** See {@link PartialParser.value}. */
  value: Partially<T> | undefined;
  /**
   * The paths of the values that have ended since the last push, inner ones first. They do not change any more. The empty
   * path is the value itself. A value that is nested deeper than 32 levels is named together with the one around it.
   */
  finished: Path[];
  /**
   * The value shown before had ended, but is given up: it does not fit the schema, it was a thought, or another value came
   * behind it. Paths that were named before are void.
   */
  restarted: boolean;
  /** See {@link PartialParser.complete}. */
  complete: boolean;
}

/** A value that is read while its text arrives. */
export interface PartialParser<T = unknown> {
  /** Adds what has arrived. */
  push(chunk: string): PartialUpdate<T>;
  /** No more will arrive: what `extractJson` says of the whole text. */
  end(): ExtractResult<T>;
  /**
   * The object or list so far; undefined before it starts. With a schema, what has ended is coerced as the schema asks.
   * A string in progress is there as far as it goes, a number once it has ended.
   */
  readonly value: Partially<T> | undefined;
  /** Whether the value is whole. `extractJson` would say the same of the text so far, and give the same value. */
  readonly complete: boolean;
  /** All that was pushed. */
  readonly text: string;
}

/**
 * Reads a value while it arrives, each character once: prose, thoughts and a fence before it are passed over. A draft in
 * the model's thoughts is never shown. When the text leaves the grammar of JSON, and when the value has ended, `value` is
 * what `extractJson` makes of the text, found anew now and then: of all of it, or where the text is long, of all but the
 * last part.
 */
export function createPartialParser<T = unknown>(options: PartialParserOptions<T> = {}): PartialParser<T> {
  return new Incremental(options.schema);
}

/** Readings of a damaged text may cost so many characters, and so often its length; more where it may have ended. */
const READ = { free: 100_000, times: 0.5, timesAtEnds: 1 };
/** As may checks of a sound one by a schema. */
const CHECKED = { free: 4_000_000, times: 16 };

/** Nothing, or what does not go on with a value that has ended. */
const OTHER_TEXT = /^\s*(?:$|[\p{L}\p{N}`~*#-])/u;
/** What changes which value is meant, when it comes behind one, has one of these. */
const SIGN = /[[\]{}<>◁▷｛｝［］]/;

/** A list of numbers, which words may follow. */
const CITATION = /^\[[\d\s.,+-]*\]$/;
const MAX_CITATION = 1_000;
/** Repairs that do not change how a value is read. */
const BESIDE: readonly RepairKind[] = ["coercion", "surroundings"];

/** What the text so far gives as a whole. */
interface Guess {
  /** Of the text. */
  readonly length: number;
  readonly value: unknown;
  readonly complete: boolean;
  /** Where the value ends. */
  readonly end: number;
}

class Incremental<T> implements PartialParser<T> {
  readonly #schema: StandardSchemaV1<unknown, unknown> | undefined;
  readonly #options: ExtractOptions<T>;
  #text = "";
  readonly #lookout = new Lookout();
  /** Reads the value while it is JSON; what it has read stays when it is no more. */
  #reader: StrictReader | undefined;
  #start = 0;
  /** Whether the text so far is not JSON that could be read strictly, and yet may hold some. */
  #whole = false;
  #guess: Guess | undefined;
  /** What the whole text gave when it was read last. */
  #lastRead: { length: number; found: ExtractSuccess<unknown> | undefined } = { length: 0, found: undefined };
  readonly #brackets = new Brackets();
  #read = 0;
  #checked = 0;
  #held: Path[] = [];
  #restarted = false;

  constructor(schema: StandardSchemaV1<unknown, T> | undefined) {
    this.#options = schema ? { schema } : {};
    this.#schema = schema && asItIs(schema);
  }

  get text(): string {
    return this.#text;
  }

  get complete(): boolean {
    return this.#guesses ? this.#latestGuess().complete : (this.#reader?.done ?? false);
  }

  get value(): Partially<T> | undefined {
    return (this.#guesses ? this.#latestGuess().value : this.#reader?.value) as Partially<T> | undefined;
  }

  end(): ExtractResult<T> {
    // By a schema, a value in progress is shown without what the schema makes of it.
    const { length, found } = this.#lastRead;
    if (!this.#schema && found && length === this.#text.length) return found as ExtractSuccess<T>;
    return extractJson(this.#text, this.#options);
  }

  push(chunk: string): PartialUpdate<T> {
    this.#text += chunk;
    this.#brackets.push(chunk);
    this.#restarted = false;
    if (!this.#whole) this.#readOn(chunk);
    const finished = this.#take();
    const { value, complete } = this;
    return { value, finished: this.#restarted ? [] : finished, restarted: this.#restarted, complete };
  }

  #readOn(chunk: string): undefined {
    let rest = chunk;
    if (!this.#reader) {
      const sight = this.#lookout.push(rest);
      this.#whole = sight?.strict === false;
      if (!sight?.strict) return;
      this.#reader = new StrictReader();
      this.#start = this.#text.length - sight.text.length;
      rest = sight.text;
    }
    const reader = this.#reader;
    reader.push(rest);
    this.#held.push(...reader.takeFinished());
    // Whether the value that has ended is the one that is meant, what stands around it tells.
    this.#whole = reader.broken || reader.done;
    if (reader.done && this.#schema && !fit(this.#schema, reader.value).fits) this.#giveUp();
  }

  /** The value that was shown is not the one that is meant. */
  #giveUp(): undefined {
    this.#reader = undefined;
    this.#held = [];
    this.#whole = true;
    this.#restarted = true;
  }

  /** What has ended; with a schema, once it has been checked. */
  #take(): Path[] {
    const reader = this.#reader;
    if (this.#held.length === 0 || !reader) return [];
    if (this.#schema) {
      const length = this.#text.length;
      if (!reader.done && this.#checked > CHECKED.free + CHECKED.times * length) return [];
      this.#checked += length;
      settle(this.#schema, reader.value, (path) => reader.hasEnded(path));
    }
    const finished = this.#held;
    this.#held = [];
    return finished;
  }

  /** Whether the value is what the whole text gives so far. */
  get #guesses(): boolean {
    return this.#whole || (!this.#reader && this.#lookout.passed);
  }

  #latestGuess(): Guess {
    const last = this.#guess;
    const { length } = this.#text;
    if (last && (last.length === length || (last.complete && this.#reader?.done && this.#isOver(last.end))))
      return last;
    // What stands in a thought that has not ended is a draft.
    if (!this.#whole && this.#lookout.thinking)
      return last ?? { length, value: undefined, complete: false, end: length };
    const times = this.#brackets.paired ? READ.timesAtEnds : READ.times;
    if (last && this.#read > READ.free + times * length) return { ...last, complete: false };
    this.#read += length;
    const found = extractSoFar(this.#text, this.#schema ? { schema: this.#schema } : {});
    this.#lastRead = { length, found };
    this.#guess = this.#guessOf(found, length);
    return this.#guess;
  }

  #guessOf(found: ExtractSuccess<unknown> | undefined, length: number): Guess {
    const { end, complete } = { end: found?.range[1] ?? length, complete: found?.complete ?? false };
    const reader = this.#reader;
    if (reader?.done) {
      // Found in the same place, as it stands there, it is the same value.
      const [start] = found?.range ?? [];
      const same = start === this.#start && end === start + reader.length;
      if (same && found?.repairs.every(({ kind }) => BESIDE.includes(kind)))
        return { length, value: this.#coerced(found.value), complete, end };
      this.#giveUp();
    } else if (reader && !(found && reader.agrees(found.value)))
      return { length, value: this.#guess?.value ?? reader.value, complete: false, end: length };
    return { length, value: found?.value, complete, end };
  }

  /** The value that has ended, as the whole text gives it: what the schema makes of it may be more than what has settled. */
  #coerced(found: unknown): unknown {
    const shown = this.#guess && this.#reader?.done ? this.#guess.value : this.#reader?.value;
    const json = JSON.stringify(found);
    if (JSON.stringify(shown) === json) return shown;
    if (JSON.stringify(this.#reader?.value) === json) return this.#reader?.value;
    this.#held = [];
    this.#restarted = true;
    return found;
  }

  /** Whether nothing stands behind the value's bracket that may go on with it, or be or show another one. */
  #isOver(end: number): boolean {
    const behind = this.#text.slice(end);
    // What looks like a citation is none only as long as it stands alone.
    const isCitation = CITATION.test(this.#text.slice(this.#start, end).slice(0, MAX_CITATION));
    return !isCitation && "}]".includes(this.#text[end - 1] as string) && OTHER_TEXT.test(behind) && !SIGN.test(behind);
  }
}

/** The schema's word on a value, without what it makes of it: what was shown as finished stays as it is. */
function asItIs(schema: StandardSchemaV1<unknown, unknown>): StandardSchemaV1<unknown, unknown> {
  const standard = schema["~standard"];
  const validate = (value: unknown) => {
    const result = standard.validate(value);
    return result instanceof Promise || result.issues ? result : { value };
  };
  return { "~standard": { version: 1, vendor: standard.vendor, validate } };
}

/** Brackets that are open, outside and inside of double quotes. */
class Brackets {
  #side: 0 | 1 = 0;
  #escaped = false;
  readonly #open: [number, number] = [0, 0];

  push(chunk: string): void {
    for (let at = 0; at < chunk.length; at++) {
      const c = chunk.charCodeAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (c === 92) this.#escaped = true;
      else if (c === 34) this.#side = this.#side === 0 ? 1 : 0;
      else if (c === 123 || c === 91) this.#open[this.#side]++;
      else if (c === 125 || c === 93) this.#open[this.#side]--;
    }
  }

  /** As many close as open. */
  get paired(): boolean {
    return this.#open[0] <= 0 && this.#open[1] <= 0;
  }
}
