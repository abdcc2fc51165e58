import { depthBehind, isQuotedMark, MARK_LENGTH, QUOTED_WITHIN, thoughtMark } from "../decode/marks.js";
import { extractJson, extractSoFar } from "../extract.js";
import { plausible } from "../find/starts.js";
import type { ExtractOptions, ExtractResult, ExtractSuccess } from "../result.js";
import { settle } from "../schema/fit.js";
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
   * The paths of the values that have ended since the last push, inner ones first. They do not change any more. The empty
   * path is the value itself. A value that is nested deeper than 32 levels is named together with the one around it.
   */
  finished: Path[];
  /**
   * What was shown before had ended, but is given up: it does not fit the schema, it was a thought, it is read in another
   * way, or another value came behind it. Paths that were named before are void.
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

/** Readings of the whole may cost so many characters, and its length; half of that where brackets are open. */
const READ = { free: 100_000, times: 1 };
/** As may checks of a sound one by a schema. */
const CHECKED = { free: 4_000_000, times: 16 };
/** What may stand behind a value that has ended. */
const OTHER_TEXT = /^[\p{L}\p{N}`~*#-]?$/u;
/** What changes which value is meant, when it comes behind one, has one of these. */
const SIGN = /[[\]{}<>◁▷｛｝［］]/;

class Incremental<T> implements PartialParser<T> {
  text = "";
  value: Partially<T> | undefined;
  complete = false;
  readonly #options: ExtractOptions<T>;
  readonly #optionsSoFar: ExtractOptions<unknown>;
  readonly #lookout = lookout();
  /** Reads the value while it is JSON; what it has read stays when it is no more. */
  #reader: StrictReader | undefined;
  /** Whether the value is what the whole text gives: it has left the grammar of JSON, or has ended. */
  #whole = false;
  /** Whether nothing stands behind the value that may go on with it, or be or show another one; and the first sign there. */
  #isOver = false;
  #behind = "";
  /** Brackets that are open, or stand in strings. */
  #open = 0;
  #read = 0;
  #checked = 0;

  constructor(schema: StandardSchemaV1<unknown, T> | undefined) {
    this.#options = schema ? { schema } : {};
    this.#optionsSoFar = schema ? { schema: asItIs(schema) } : {};
    this.#lookout.next("");
  }

  end(): ExtractResult<T> {
    return extractJson(this.text, this.#options);
  }

  push(chunk: string): PartialUpdate<T> {
    this.text += chunk;
    for (const [sign] of chunk.matchAll(/[[\]{}]/g)) this.#open += "[{".includes(sign) ? 1 : -1;
    if (!this.#whole) this.#readOn(chunk);
    const finished = this.#takeFinished();
    const restarted = this.#whole && !(this.#isOver && this.#passes(chunk)) && this.#readWhole();
    const { value, complete } = this;
    return { value, finished: restarted ? [] : finished, restarted, complete };
  }

  #readOn(chunk: string): void {
    const start = this.#reader ? { value: chunk } : this.#lookout.next(chunk);
    if (start.value === undefined) return;
    this.#reader ??= new StrictReader();
    this.#reader.push(start.value);
    this.value = this.#reader.value as Partially<T>;
    // Whether the value that has ended is the one that is meant, what stands around it tells.
    this.#whole = this.#reader.broken || this.#reader.done;
  }

  /** What has ended; with a schema, once it has been checked. */
  #takeFinished(): Path[] {
    const reader = this.#reader;
    const { schema } = this.#optionsSoFar;
    const { length } = this.text;
    if (!reader || (schema && !reader.done && this.#checked > CHECKED.free + CHECKED.times * length)) return [];
    const finished = reader.takeFinished();
    if (!schema || finished.length === 0) return finished;
    this.#checked += length;
    settle(schema, reader.value, (path) => reader.hasEnded(path));
    return finished;
  }

  /** Whether the text goes on with words behind the value. */
  #passes(chunk: string): boolean {
    this.#behind ||= chunk.trimStart().slice(0, 1);
    return OTHER_TEXT.test(this.#behind) && !SIGN.test(chunk);
  }

  /** Takes what the text so far gives as a whole; whether what was shown is not what is meant. */
  #readWhole(): boolean {
    const { length } = this.text;
    this.#isOver = false;
    this.complete = false;
    const times = this.#open > 0 ? READ.times / 2 : READ.times;
    if (this.#read > READ.free + times * length) return false;
    this.#read += length;
    const found = extractSoFar(this.text, this.#optionsSoFar);
    // A part may not fit the schema yet: what was shown stays. What has ended is given up, unless it is what was found.
    if (!found && this.#reader?.done === false) return false;
    const restarted = this.#reader?.agrees(found?.value) === false;
    if (restarted) this.#reader = undefined;
    if (!this.#reader?.done) this.value = found?.value as Partially<T>;
    if (!found) return restarted;
    this.complete = found.complete;
    this.#behind = "";
    this.#isOver = isClosed(found, this.text) && this.#passes(this.text.slice(found.range[1]));
    return restarted;
  }
}

/** Whether words may follow. With them a list of numbers is a citation, and what was repaired may be something else. */
function isClosed({ value, range, repairs, complete }: ExtractSuccess<unknown>, text: string): boolean {
  const isCitation = Array.isArray(value) && value.every((one) => typeof one === "number");
  const isSound = repairs.every(({ kind }) => kind === "coercion") && "}]".includes(text[range[1] - 1] as string);
  return complete && isSound && !isCitation;
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

/** What a mark of thoughts or a value may begin with. */
const START_SIGN = /[[{<◁｛［]|^T(?=hinking)|\n(?=\.{3}done)/g;
/** A bracket, and nothing behind it yet that tells what it is; with more blanks it is decided. */
const UNDECIDED = /^[[{]\s{0,900}$|^\[\/?[a-z]{1,5}$/i;
/** A list of numbers only on its own line: `[1]` is a citation. */
const START = /[{｛]|[[［]\s*[^\s\d+-]|\[(?<=^[ \t]{0,40}\[)/my;

/** Looks in text that arrives for where a value may begin outside of the model's thoughts; gives the text from there. */
function* lookout(): Generator<undefined, string, string> {
  let text = yield;
  /** From where on something may begin. */
  let from = 0;
  /** Thoughts in which the text stands, one in the other. */
  let depth = 0;
  for (;;) {
    /** Where the looking goes on when more has arrived. */
    let waits = text.length;
    START_SIGN.lastIndex = from;
    for (let sign = START_SIGN.exec(text); sign; sign = START_SIGN.exec(text)) {
      const at = sign.index;
      const mark = thoughtMark(text, at);
      const quoted = mark !== undefined && depth > 0 && isQuotedMark(text, at, mark.end);
      const isBracket = !mark && depth === 0 && "[{｛［".includes(sign[0]);
      if (quoted === undefined || (isBracket && UNDECIDED.test(text.slice(at, at + 1_000)))) {
        waits = at;
        break;
      }
      if (mark && !quoted) depth = depthBehind(depth, mark);
      if (mark) from = START_SIGN.lastIndex = mark.end;
      START.lastIndex = at;
      if (isBracket && START.test(text) && plausible(text, at, sign[0])) return text.slice(at);
    }
    // What may become a mark is looked at again, and a quote that may stand before it.
    const seen = Math.min(waits, text.length - MARK_LENGTH);
    const cut = Math.max(0, seen - QUOTED_WITHIN);
    from = Math.max(0, Math.max(from, seen) - cut);
    text = text.slice(cut) + (yield);
  }
}
