import { isQuotedMark, MARK_LENGTH, QUOTED_WITHIN, thoughtMark } from "../decode/signs.js";
import { define, isEscaped, quoteAfter, valueAt } from "../decode/strict.js";
import { asExtractError, extractJson, extractSoFar } from "../extract.js";
import { plausible } from "../find/scan.js";
import { sticky } from "../repair/ahead.js";
import { checkOptions, checkText, type ExtractResult, type ExtractSuccess, MAX_DEPTH } from "../result.js";
import { MAX_PATH, type StandardSchemaV1, settle } from "../schema/fit.js";

/** Where a value stands in another one. */
export type Path = readonly (string | number)[];

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
export interface PartialUpdate<T> extends Pick<PartialParser<T>, "value" | "complete"> {
  /** Paths of what has ended since the last push and stays; inner ones first (`[]`: the value), 32 levels. None once it is no JSON. */
  finished: Path[];
  /** What was shown before had ended, but is given up: paths that were named are void. The README says why it may be. */
  restarted: boolean;
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
  /** Whether the value is whole. `extractJson` would say the same of the text so far, and give the same value, before the schema makes another one of it. */
  readonly complete: boolean;
  /** All that was pushed. */
  readonly text: string;
}

/**
 * Reads a value while it arrives, each character once; prose, thoughts and a fence before it are passed over. When the text
 * is no longer JSON, and when the value has ended, `value` is what `extractJson` makes of the text, found anew now and then.
 * Throws a `JsonExtractError` for wrong options, and `push` for what is no string and a schema that validates asynchronously.
 */
export function createPartialParser<T = unknown>(options: PartialParserOptions<T> = {}): PartialParser<T> {
  checkOptions(options, "stream");
  return new Incremental(options.schema);
}

/** So many characters may be read as a whole beside a quarter of the text, and checked by a schema beside 16 times it. */
const FREE = { read: 800_000, checked: 4_000_000 };
/** What a value, and a change, costs of that, besides its own characters; once half is spent, a text is read again when so much longer. */
const [VALUE_WORK, CHANGE_WORK, GROWTH] = [30, 2, 1.15];
/** What goes on with a value or changes which one is meant, when it comes behind one, has one of these; `["a"](b)` is a link. */
const SIGN = /[[\]{}<>◁▷｛｝［］"]|^\(|done|thinking/;
/** The end of an object or list, but none that may be a citation or a pair of brackets when words come behind it. */
const ENDS = /[^\s{]\s{0,9}\}$|[^\d\s[]\s{0,9}\]$/;

class Incremental<T> implements PartialParser<T> {
  text = "";
  value: Partially<T> | undefined;
  complete = false;
  readonly #schema: StandardSchemaV1<unknown, T> | undefined;
  readonly #startIn = lookout();
  #reader: StrictReader | undefined;
  /** Whether the value is what the whole text gives: it has left the grammar of JSON, or has ended. */
  #whole = false;
  /** Whether nothing stands behind the value that may go on with it, or be or show another one. */
  #isOver = false;
  /** Brackets that are open, or stand in strings. */
  #open = 0;
  #last = { length: 0, rate: 0, isOpen: false };
  #spent = { read: 0, checked: 0 };
  #wholeResult: ExtractSuccess<T> | undefined;
  /** With a schema: what has been named as finished. */
  readonly #told = new Set<string>();

  constructor(schema: StandardSchemaV1<unknown, T> | undefined) {
    this.#schema = schema;
  }

  end(): ExtractResult<T> {
    return this.#wholeResult ?? extractJson(this.text, this.#schema && { schema: this.#schema });
  }

  push(chunk: string): PartialUpdate<T> {
    checkText(chunk, Number.POSITIVE_INFINITY);
    this.text += chunk;
    this.#wholeResult = undefined;
    const start = this.#whole || this.#reader ? chunk : this.#startIn(chunk);
    for (const [sign] of start?.matchAll(/[[\]{}]/g) ?? []) this.#open += "[{".includes(sign) ? 1 : -1;
    if (!this.#whole && start !== undefined) {
      this.#reader ??= new StrictReader();
      // Whether the value that has ended is the one that is meant, what stands around it tells.
      this.#whole = !this.#reader.push(start);
      this.value = this.#reader.value as Partially<T>;
    }
    const [finished, isVoid] = this.#takeFinished();
    const isNew = this.#whole && (!this.#isOver || SIGN.test(chunk)) && this.#readWhole();
    return { value: this.value, finished: isNew ? [] : finished, restarted: isNew || isVoid, complete: this.complete };
  }

  /** What has ended; with a schema, once it has been checked. And whether what was told is changed by that. */
  #takeFinished(): [Path[], isVoid: boolean] {
    const [reader, schema, { length }] = [this.#reader, this.#schema, this.text];
    if (!reader || (schema && !reader.done && this.#spent.checked > FREE.checked + 16 * length)) return [[], false];
    const finished = reader.takeFinished();
    if (finished.length === 0 || !schema) return [finished, false];
    try {
      const { isSettled, isVoid, work } = settle(schema, reader.value, reader.path, this.#told);
      this.#spent.checked += length + CHANGE_WORK * work;
      return [finished.filter(isSettled), isVoid];
    } catch (error) {
      throw asExtractError(error, this.text);
    }
  }

  /** Takes what the text so far gives as a whole; whether what was shown is not what is meant. */
  #readWhole(): boolean {
    const [{ text }, whole] = [this, this.complete && JSON.stringify(this.value)];
    this.#isOver = this.complete = false;
    // Beside what may be spent, one reading is left for the end.
    const cost = (this.#open !== 0 || !this.#last.isOpen ? 1 : -1) * this.#last.rate * text.length;
    const isNear = this.#open !== 0 && this.#spent.read > FREE.read / 2 && text.length < GROWTH * this.#last.length;
    if (isNear || this.#spent.read + cost > FREE.read + text.length / 4) return false;
    const { found, work } = extractSoFar(text, this.#schema);
    const { repairs = [], candidates = 0, range: [start, end] = [0, 0], value, complete = false } = found ?? {};
    if (!this.#schema) this.#wholeResult = found as ExtractSuccess<T> | undefined;
    const rate = (found ? 1 : 4) + (work + VALUE_WORK * candidates) / text.length;
    this.#last = { length: text.length, rate, isOpen: this.#open !== 0 };
    this.#spent.read += rate * text.length;
    // A part may not fit the schema yet: what was shown stays. What has ended is given up, unless it is what was found.
    if (!found && this.#reader?.done === false) return false;
    const isAnother = whole !== false && whole !== JSON.stringify(value);
    const restarted = isAnother || this.#reader?.agrees(value) === false;
    if (restarted) this.#reader = undefined;
    this.value = value as Partially<T>;
    this.complete = complete;
    this.#isOver = complete && repairs.length === 0 && ENDS.test(text.slice(start, end)) && !SIGN.test(text.slice(end));
    return restarted;
  }
}

/** What a mark of thoughts or a value may begin with. */
const START_SIGN = /[[{<◁｛［]|^T(?=hinking)|\n(?=\.{3}done)/g;
/** A bracket, and nothing behind it yet that tells what it is; with more blanks it is decided. */
const UNDECIDED = /^[[{]\s{0,900}$|^\[\/?[a-z]{1,5}$/i;
/** A list of numbers only on its own line: `[1]` is a citation. */
const START = /[{｛]|[[［]\s*[^\s\d+-]|\[(?<=^[ \t]{0,40}\[)/my;

/** Looks in text that arrives for where a value may begin outside of the model's thoughts; gives the text from there. */
function lookout(): (chunk: string) => string | undefined {
  let text = "";
  /** From where on something may begin, and the thoughts in which that stands, one in the other. */
  let [from, depth] = [0, 0];
  return (chunk) => {
    text += chunk;
    // What may become a mark is looked at again, and a quote that may stand before it.
    let seen = text.length - MARK_LENGTH;
    for (const { 0: sign, index: at } of text.matchAll(START_SIGN)) {
      if (at < from) continue;
      const mark = thoughtMark(text, at, depth);
      const quoted = mark !== undefined && depth > 0 && isQuotedMark(text, at, mark.end);
      const isBracket = !mark && depth === 0 && "[{｛［".includes(sign);
      if (quoted === undefined || (isBracket && UNDECIDED.test(text.slice(at, at + 1_000)))) {
        seen = Math.min(at, seen);
        break;
      }
      if (mark && !quoted) depth = mark.depth;
      if (mark) from = mark.end;
      if (isBracket && sticky(START, text, at) >= 0 && plausible(text, at, sign)) return text.slice(at);
    }
    const cut = Math.max(0, seen - QUOTED_WITHIN);
    from = Math.max(0, from - cut, seen - cut);
    text = text.slice(cut);
    return undefined;
  };
}

/** A sign, a number or a literal, behind blanks. */
const TOKEN = /^[ \n\r\t]*([[\]{}:,"]|[\w.+-]+(?=[\s\]},]))?/;
const CUT_WORD = /^[\w.+-]{0,400}$/;
const CUT_ESCAPE = /\\(?:u[\da-fA-F]{0,3})?$/;
/** What a value may begin with; 0 stands for numbers and literals. */
const VALUE = '{["0';
/** A value has ended once so many tokens have followed: `"a "b", "c": 1` shows its quote at the third. */
const CONFIRMING = 3;

/** Builds the value of JSON that arrives in pieces, each character read once. */
class StrictReader {
  value: unknown;
  /** The value has ended. */
  done = false;
  /** The signs that may come next. */
  #awaits = VALUE;
  /** The string in progress, as far as it goes, and the text behind it. */
  #string: string | undefined;
  #rest = "";
  /** The key or the index of the member that is being read, of each of the open objects and lists. */
  readonly path: (string | number)[] = [];
  readonly #open: object[] = [];
  /** Values that have ended, and after how many tokens. So many as were told are not taken back without a word. */
  readonly #ended: { path: Path; tokens: number }[] = [];
  #told = 0;
  #tokens = 0;

  /** Whether the text is JSON that goes on: it has not ended, and no key was written twice. */
  push(text: string): boolean {
    this.#rest += text;
    try {
      while (!this.done && (this.#string === undefined ? this.#readToken() : this.#readString(this.#string)));
    } catch {
      return false;
    }
    return !this.done;
  }

  /** The values that have ended since this was asked for, inner ones first, if JSON has followed for a while. */
  takeFinished(): Path[] {
    const from = this.#told;
    const sure = this.done ? Number.POSITIVE_INFINITY : this.#tokens - CONFIRMING;
    while ((this.#ended[this.#told]?.tokens ?? Number.NaN) <= sure) this.#told++;
    return this.#ended.slice(from, this.#told).map(({ path }) => path);
  }

  /** Whether another reading of the text has all that was told, as it was told. */
  agrees(other: unknown): boolean {
    const json = (value: unknown, path: Path) => JSON.stringify(valueAt(value, path));
    return this.#ended.slice(0, this.#told).every(({ path }) => json(other, path) === json(this.value, path));
  }

  /** Whether one has arrived. Throws where the text is no JSON, here and below. */
  #readToken(): boolean {
    const [{ length }, token] = TOKEN.exec(this.#rest) as RegExpExecArray;
    this.#rest = this.#rest.slice(length);
    const sign = token !== undefined && /\w/.test(token) ? "0" : token;
    const isAllowed = sign === undefined ? CUT_WORD.test(this.#rest) : this.#awaits.includes(sign);
    if (!isAllowed || this.#open.length > MAX_DEPTH) throw new SyntaxError();
    if (token === undefined) return false;
    this.#tokens++;
    if (sign === '"') this.#string = "";
    else if (sign === ":") this.#awaits = VALUE;
    else if (sign === ",") this.#awaits = Array.isArray(this.#open.at(-1)) ? VALUE : '"';
    else if (sign === "0") this.#put(JSON.parse(token), true);
    else if (sign === "{" || sign === "[") {
      const container = sign === "{" ? {} : [];
      this.#put(container, false);
      this.path.push(sign === "{" ? "" : 0);
      this.#open.push(container);
      this.#awaits = sign === "{" ? '"}' : `${VALUE}]`;
    } else {
      this.path.pop();
      this.#put(this.#open.pop(), true);
    }
    return true;
  }

  /** Reads a string on; whether its end has arrived. */
  #readString(before: string): boolean {
    const quote = quoteAfter(this.#rest, 0);
    const hasEnded = quote >= 0;
    const end = hasEnded ? quote : this.#rest.search(CUT_ESCAPE);
    const content = this.#rest.slice(0, hasEnded || (end >= 0 && !isEscaped(this.#rest, end)) ? end : undefined);
    const string = `${before}${JSON.parse(`"${content}"`)}`;
    this.#rest = this.#rest.slice(content.length + Number(hasEnded));
    this.#string = hasEnded ? undefined : string;
    if (this.#awaits.includes("0")) this.#put(string, hasEnded);
    else if (hasEnded) {
      // Written twice: what was told of the first one is to be taken back.
      if (Object.hasOwn(this.#open.at(-1) ?? {}, string)) throw new SyntaxError();
      this.path[this.path.length - 1] = string;
      this.#awaits = ":";
    }
    return hasEnded;
  }

  /** The member that is being read, as far as it goes. */
  #put(value: unknown, hasEnded: boolean): void {
    const container = this.#open.at(-1);
    if (container) define(container, this.path.at(-1) ?? "", value);
    else this.value = value;
    if (!hasEnded) return;
    if (this.path.length <= MAX_PATH) this.#ended.push({ path: [...this.path], tokens: this.#tokens });
    this.done = container === undefined;
    const isList = Array.isArray(container);
    // No member is being read of an object before the next key.
    if (container) this.path[this.path.length - 1] = isList ? container.length : "";
    this.#awaits = isList ? ",]" : ",}";
  }
}
