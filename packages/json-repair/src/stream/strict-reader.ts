import { runWithout } from "../decode/strict.js";
import { MAX_DEPTH } from "../result.js";
import { define, valueAt } from "../schema/parts.js";

/** Where a value stands in another one. */
export type Path = readonly (string | number)[];

/** An open bracket, and the key or the index of the member that is being read. */
interface Level {
  readonly container: Record<string, unknown> | unknown[];
  key: string | number | undefined;
}

const PLAIN = /* @__PURE__ */ runWithout('"');
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const CUT_ESCAPE = /\\(?:u[\da-fA-F]{0,3})?$/y;
const SCALAR = /[^\s,\]}]*/y;
const VALID_SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const LONGEST_SCALAR = 400;
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
  /** The text is no JSON any more. */
  broken = false;
  /** The end of the text that is still to be read: what was read is not copied again with every piece. */
  #rest = "";
  #at = 0;
  /** The last sign; of a string or a scalar that begins with it, what was read behind. */
  #sign = "";
  #string = "";
  readonly #levels: Level[] = [];
  /** Values that have ended, and how many tokens ago: what follows may show that they had not. */
  readonly #ended: { path: Path; tokens: number }[] = [];
  /** Values that were told to have ended, without those inside of them. */
  readonly #told: Path[] = [];
  #tokens = 0;
  readonly #reading = this.#read();

  push(text: string): void {
    this.#rest = this.#rest.slice(this.#at) + text;
    this.#at = 0;
    if (this.#reading.next().done && !this.done) this.broken = true;
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
      const isLastInside = () => path.every((key, depth) => this.#told.at(-1)?.[depth] === key);
      while (this.#told.length > 0 && isLastInside()) this.#told.pop();
      this.#told.push(path);
    }
    return finished;
  }

  /** Whether what stands at the path has ended. */
  hasEnded(path: readonly PropertyKey[]): boolean {
    if (this.done) return true;
    const at = this.#levels.findIndex(({ key }, depth) => key !== path[depth]);
    return at >= 0 && at < path.length;
  }

  /** Whether another reading of the text has all that was told, as it was told. */
  agrees(other: unknown): boolean {
    const json = (value: unknown, path: Path) => JSON.stringify(valueAt(value, path));
    return this.#told.every((path) => json(other, path) === json(this.value, path));
  }

  /** From the outermost bracket to the innermost one that is open: the member that is being read. */
  get #path(): Path {
    return this.#levels.map(({ key }) => key ?? -1);
  }

  /** Yields where the text has not arrived; ends where the value does, or where the text is no JSON. */
  *#read(): Generator<undefined, void, undefined> {
    let expected: "member" | "first-member" | "comma" = "member";
    while (!this.done) {
      while (this.#awaitsSign()) yield;
      const level = this.#levels.at(-1);
      const isList = Array.isArray(level?.container);
      if (level && expected !== "member" && this.#sign === (isList ? "]" : "}")) {
        this.#levels.pop();
        this.#end();
        expected = "comma";
        continue;
      }
      if (expected === "comma") {
        if (this.#sign !== ",") return;
        expected = "member";
        continue;
      }
      if (level && isList) level.key = (level.container as unknown[]).length;
      else if (level) {
        const isKey = this.#sign === '"';
        while (isKey && this.#awaitsString(false)) yield;
        if (!isKey || this.broken) return;
        const key = this.#string;
        while (this.#awaitsSign()) yield;
        if (this.#sign !== ":") return;
        level.key = key;
        while (this.#awaitsSign()) yield;
      }
      if (this.#sign === "{" || this.#sign === "[") {
        if (this.#levels.length >= MAX_DEPTH) return;
        const container = this.#sign === "{" ? {} : [];
        this.#put(container);
        this.#levels.push({ container, key: undefined });
        expected = "first-member";
        continue;
      }
      while (this.#sign === '"' ? this.#awaitsString(true) : this.#awaitsScalar()) yield;
      if (this.broken) return;
      this.#end();
      expected = "comma";
    }
  }

  /** Reads the next sign that is not blank; whether it has not arrived. */
  #awaitsSign(): boolean {
    while (" \n\r\t".includes(this.#rest[this.#at] ?? "-")) this.#at++;
    if (this.#at === this.#rest.length) return true;
    this.#sign = this.#rest[this.#at++] as string;
    this.#string = "";
    this.#tokens++;
    return false;
  }

  /** Reads a number or a literal from its first sign; whether it has not arrived whole. */
  #awaitsScalar(): boolean {
    SCALAR.lastIndex = this.#at;
    const more = SCALAR.exec(this.#rest)?.[0] ?? "";
    this.#at += more.length;
    this.#string += more;
    const scalar = this.#sign + this.#string;
    if (this.#at === this.#rest.length && scalar.length < LONGEST_SCALAR) return true;
    this.broken = !VALID_SCALAR.test(scalar);
    if (!this.broken) this.#put(JSON.parse(scalar));
    return false;
  }

  /** Reads a string behind its first quote; whether it has not arrived whole. */
  #awaitsString(isValue: boolean): boolean {
    let sign: string | undefined;
    do {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#rest);
      this.#string += this.#rest.slice(this.#at, PLAIN.lastIndex);
      this.#at = ESCAPE.lastIndex = CUT_ESCAPE.lastIndex = PLAIN.lastIndex;
      sign = ESCAPE.exec(this.#rest)?.[0];
      if (sign !== undefined) this.#string += JSON.parse(`"${sign}"`) as string;
      this.#at += sign?.length ?? 0;
    } while (sign !== undefined);
    if (isValue) this.#put(this.#string);
    const hasEnded = this.#rest[this.#at] === '"';
    if (hasEnded) this.#at++;
    else this.broken = this.#at < this.#rest.length && !CUT_ESCAPE.test(this.#rest);
    return !hasEnded && !this.broken;
  }

  /** The member so far; a string in progress is put again, longer, in the same place. */
  #put(value: unknown): void {
    const level = this.#levels.at(-1);
    if (level) define(level.container, level.key as string | number, value);
    else this.value = value;
  }

  #end(): void {
    this.done = this.#levels.length === 0;
    if (this.#levels.length <= MAX_PATH) this.#ended.push({ path: this.#path, tokens: this.#tokens });
    const level = this.#levels.at(-1);
    if (level) level.key = undefined;
  }
}
