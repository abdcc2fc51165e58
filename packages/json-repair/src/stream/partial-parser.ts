import { MARK_LENGTH, thoughtMark } from "../decode/marks.js";
import { extractJson } from "../extract.js";
import { plausible } from "../find/starts.js";
import type { ExtractOptions, ExtractResult } from "../result.js";
import { fit, settle } from "../schema/fit.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";
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
   * The paths of the values that have ended since the last push, inner ones first, the empty path for the value itself:
   * what they hold does not change any more. What is nested deeper than 32 levels is told with the value around it.
   */
  finished: Path[];
  /** The value shown before was not what the schema asks for, and was given up: paths that were told are void. */
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
   * The object or list so far, or undefined before it starts; with a schema, what has ended is coerced as it asks. A
   * string in progress is there as far as it goes, a number once it has ended.
   */
  readonly value: Partially<T> | undefined;
  /** Whether the value is whole. What comes after it is ignored, but by `end`. */
  readonly complete: boolean;
  /** All that was pushed. */
  readonly text: string;
}

/**
 * Reads a value while it arrives, each character once: prose, thoughts and a fence before it are passed over. When the
 * text leaves the grammar of JSON, `value` is what `extractJson` makes of the text, found anew now and then: of all of
 * it, or where the text is long, of all but the last part.
 */
export function createPartialParser<T = unknown>(options: PartialParserOptions<T> = {}): PartialParser<T> {
  return new Incremental(options.schema);
}

/** What a mark of thoughts or a value may begin with. */
const SIGN = /[<[◁{]/g;
/** A bracket that starts as JSON does; a list of numbers only on its own line: `[1]` is a citation. */
const START = /\{\s*["}]|\[\s*["{[\]]|\[(?<=\n[ \t]{0,40}\[)\s*(?:[\d-]|true|false|null)/y;
/** What a citation, a placeholder or a list of numbers does not begin with. */
const STRANGE = /^(?:\{|\[\s*[^\s\d+-])/;
/** Readings of a damaged text may cost so many characters, and so often its length; more where it may have ended. */
const READ = { free: 200_000, times: 1, timesAtEnds: 2 };
/** As may checks of a sound one by a schema. */
const CHECKED = { free: 4_000_000, times: 16 };

class Incremental<T> implements PartialParser<T> {
  readonly #schema: StandardSchemaV1<unknown, unknown> | undefined;
  readonly #options: ExtractOptions<T>;
  #text = "";
  /** Before the value starts: the end of the text, in which it may. */
  #rest = "\n";
  #from = 0;
  #thought = false;
  #bracket = false;
  /** Reads the value while it is JSON; what it has read stays when it is no more. */
  #reader: StrictReader | undefined;
  #whole = false;
  #guess: { length: number; value: unknown; complete: boolean } | undefined;
  readonly #brackets = new Brackets();
  #read = 0;
  #checked = 0;
  #held: Path[] = [];

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
    return extractJson(this.#text, this.#options);
  }

  push(chunk: string): PartialUpdate<T> {
    this.#text += chunk;
    this.#brackets.push(chunk);
    this.#bracket ||= /[{[]/.test(chunk);
    let restarted = false;
    if (!this.#whole) {
      if (this.#reader) this.#reader.push(chunk);
      else this.#begin(chunk);
      const reader = this.#reader;
      if (reader) {
        this.#held.push(...reader.takeFinished());
        this.#whole = reader.broken;
        if (reader.done && this.#schema && !fit(this.#schema, reader.value).fits) {
          this.#reader = undefined;
          this.#held = [];
          this.#whole = true;
          restarted = true;
        }
      }
    }
    const finished = this.#take();
    return { value: this.value, finished, restarted, complete: this.complete };
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

  /** Whether the text so far is not JSON that could be read strictly, and yet may hold some. */
  get #guesses(): boolean {
    return this.#whole || (!this.#reader && this.#bracket && !this.#thought);
  }

  #latestGuess() {
    const { length } = this.#text;
    if (this.#guess?.length === length) return this.#guess;
    const times = this.#brackets.paired ? READ.timesAtEnds : READ.times;
    if (this.#guess && this.#read > READ.free + times * length) return this.#guess;
    this.#read += length;
    const result = extractJson(this.#text, this.#schema ? { schema: this.#schema } : {});
    const before = this.#guess?.value ?? this.#reader?.value;
    const keeps = result.ok && (this.#reader?.agrees(result.value) ?? true);
    this.#guess = keeps
      ? { length, value: result.value, complete: result.complete }
      : { length, value: before, complete: false };
    return this.#guess;
  }

  /** Looks for the start of the value. */
  #begin(chunk: string): void {
    const text = this.#rest + chunk;
    SIGN.lastIndex = this.#from;
    for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
      const at = sign.index;
      const mark = thoughtMark(text, at);
      if (mark) {
        this.#thought = mark.opens;
        this.#from = SIGN.lastIndex = mark.end;
      } else if (!this.#thought) {
        START.lastIndex = at;
        if (START.test(text)) {
          this.#reader = new StrictReader();
          this.#reader.push(text.slice(at));
          return;
        }
        // It may start a value, but none that can be read strictly; what stands in it is not the value.
        this.#whole = STRANGE.test(text.slice(at, at + 80)) && plausible(text, at, sign[0]);
        if (this.#whole) return;
      }
    }
    const cut = Math.max(0, text.length - MARK_LENGTH);
    this.#rest = text.slice(cut);
    this.#from = Math.max(0, this.#from - cut);
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
