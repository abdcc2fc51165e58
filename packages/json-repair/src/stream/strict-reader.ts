import { isEscaped, quoteAfter } from "../decode/strict.js";
import { MAX_DEPTH } from "../result.js";
import { define, valueAt } from "../schema/standard-schema.js";

/** Where a value stands in another one. */
export type Path = readonly (string | number)[];

/** An open bracket, and the key or the index of the member that is being read. */
interface Level {
  readonly container: Record<string, unknown> | unknown[];
  key: string | number | undefined;
}

/** A sign, a number or a literal, behind blanks. */
const TOKEN = /[ \n\r\t]*([[\]{}:,"]|[\w.+-]+(?=[\s\]},]))?/y;
const CUT_WORD = /^[\w.+-]{0,400}$/;
const CUT_ESCAPE = /\\(?:u[\da-fA-F]{0,3})?$/;
/** What may come next, by its first sign; 0 stands for numbers and literals. */
const VALUE = '{["0';
const KEY = '"';
/** What is nested deeper is finished with the bracket around it. */
const MAX_PATH = 32;
/** A value has ended once so many tokens have followed: `"a "b", "c": 1` shows its quote at the third. */
const CONFIRMING = 3;

/** Builds the value of JSON that arrives in pieces, each character read once. */
export class StrictReader {
  /** What was read so far; a string in progress as far as it goes. */
  value: unknown;
  /** The value has ended. */
  done = false;
  /** The text is no JSON any more, or writes a key twice. */
  broken = false;
  #awaits = VALUE;
  /** The string in progress, as far as it goes. */
  #string: string | undefined;
  /** The end of the text that is still to be read: what was read is not copied again with every piece. */
  #rest = "";
  #at = 0;
  readonly #levels: Level[] = [];
  /** Values that have ended, and after how many tokens: what follows may show that they had not. */
  readonly #ended: { path: Path; tokens: number }[] = [];
  /** Values that were told to have ended, without those inside of them. */
  readonly #told: Path[] = [];
  #tokens = 0;

  push(text: string): void {
    this.#rest = this.#rest.slice(this.#at) + text;
    this.#at = 0;
    try {
      while (!this.done && (this.#string === undefined ? this.#readToken() : this.#readString()));
    } catch {
      this.broken = true;
    }
  }

  /**
   * The values that have ended since this was asked for, inner ones first: those behind which the text has gone on as
   * JSON for a while.
   */
  takeFinished(): Path[] {
    const sure = this.done ? Number.POSITIVE_INFINITY : this.#tokens - CONFIRMING;
    const held = this.#ended.findIndex(({ tokens }) => tokens > sure);
    const finished = this.#ended.splice(0, held < 0 ? this.#ended.length : held).map(({ path }) => path);
    for (const path of finished) {
      while (this.#told.length > 0 && path.every((key, depth) => this.#told.at(-1)?.[depth] === key)) this.#told.pop();
      this.#told.push(path);
    }
    return finished;
  }

  /** Whether what stands at the path has ended. */
  hasEnded(path: readonly PropertyKey[]): boolean {
    const at = this.#levels.findIndex(({ key }, depth) => key !== path[depth]);
    return this.done || (at >= 0 && at < path.length);
  }

  /** Whether another reading of the text has all that was told, as it was told. */
  agrees(other: unknown): boolean {
    const json = (value: unknown, path: Path) => JSON.stringify(valueAt(value, path));
    return this.#told.every((path) => json(other, path) === json(this.value, path));
  }

  /** Whether one has arrived. Throws where the text is no JSON, here and below. */
  #readToken(): boolean {
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#rest)?.[1];
    this.#at = TOKEN.lastIndex;
    if (token !== undefined) this.#take(token, /\w/.test(token) ? "0" : token);
    else if (!CUT_WORD.test(this.#rest.slice(this.#at))) throw new SyntaxError();
    return token !== undefined;
  }

  #take(token: string, sign: string): void {
    this.#tokens++;
    if (!this.#awaits.includes(sign)) throw new SyntaxError();
    if (sign === '"') this.#string = "";
    else if (sign === ":") this.#awaits = VALUE;
    else if (sign === ",") this.#awaits = this.#levels.at(-1)?.key === undefined ? KEY : VALUE;
    else if (sign === "0") this.#end(JSON.parse(token));
    else if (sign === "{" || sign === "[") this.#open(sign === "{" ? {} : []);
    else this.#end(this.#levels.pop()?.container);
  }

  /** Reads a string on; whether its end has arrived. */
  #readString(): boolean {
    const end = quoteAfter(this.#rest, this.#at);
    let content = this.#rest.slice(this.#at, end < 0 ? undefined : end);
    const cut = end < 0 ? content.search(CUT_ESCAPE) : -1;
    if (cut >= 0 && !isEscaped(content, cut)) content = content.slice(0, cut);
    const string = `${this.#string}${JSON.parse(`"${content}"`)}`;
    const isValue = this.#awaits.includes("0");
    this.#at += content.length + (end < 0 ? 0 : 1);
    this.#string = end < 0 ? string : undefined;
    if (isValue && end >= 0) this.#end(string);
    else if (isValue) this.#put(string);
    else if (end >= 0) {
      const level = this.#levels.at(-1) as Level;
      // Written twice: what was told of the first one is to be taken back.
      if (Object.hasOwn(level.container, string)) throw new SyntaxError();
      level.key = string;
      this.#awaits = ":";
    }
    return end >= 0;
  }

  #open(container: Level["container"]): void {
    if (this.#levels.length >= MAX_DEPTH) throw new SyntaxError();
    this.#put(container);
    const isList = Array.isArray(container);
    this.#levels.push({ container, key: isList ? 0 : undefined });
    this.#awaits = isList ? `${VALUE}]` : `${KEY}}`;
  }

  /** The member that is being read, as far as it goes. */
  #put(value: unknown): void {
    const level = this.#levels.at(-1);
    if (level) define(level.container, level.key as string | number, value);
    else this.value = value;
  }

  #end(value: unknown): void {
    this.#put(value);
    const path = () => this.#levels.map(({ key }) => key as string | number);
    if (this.#levels.length <= MAX_PATH) this.#ended.push({ path: path(), tokens: this.#tokens });
    const level = this.#levels.at(-1);
    this.done = level === undefined;
    if (!level) return;
    const isList = Array.isArray(level.container);
    level.key = isList ? (level.container.length as number) : undefined;
    this.#awaits = isList ? ",]" : ",}";
  }
}
