import { runWithout } from "../find/strict.js";
import { MAX_DEPTH } from "../options.js";

/** Where a value stands in another one. */
export type Path = readonly (string | number)[];

type Awaited = "value" | "first-value" | "key" | "first-key" | "colon" | "after" | "done" | "broken";
type Container = Record<string, unknown> | unknown[];

/** An open bracket, and the key or the index of the member that is being read. */
interface Level {
  readonly container: Container;
  key: string | number | undefined;
}

const PLAIN = runWithout('"');
const SCALAR = /[^\s,\]}]*/y;
const VALID_SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const LONGEST_SCALAR = 400;
/** What is nested deeper is finished with the bracket around it. */
const MAX_PATH = 32;
/** A value has ended once so many tokens have followed: `"a "b", "c": 1` shows its quote at the third. */
const CONFIRMING = 3;

/** Builds the value of JSON that arrives in pieces, each character read once. */
export class StrictReader {
  /** The end of the text that is still to be read: what was read is not copied again with every piece. */
  #rest = "";
  #at = 0;
  /** So many characters were read before it. */
  #before = 0;
  #root: Container | undefined;
  readonly #levels: Level[] = [];
  /** The string that is being read, decoded; and whether it is a key. */
  #string: { decoded: string; key: boolean } | undefined;
  #awaited: Awaited = "value";
  /** Values that have ended, and how many tokens ago: what follows may show that they had not. */
  #ended: { path: Path; tokens: number }[] = [];
  #tokens = 0;

  /** What was read so far; a string in progress as far as it goes. */
  get value(): Container | undefined {
    if (this.#string && !this.#string.key) this.#put(this.#string.decoded);
    return this.#root;
  }

  /** The value has ended. */
  get done(): boolean {
    return this.#awaited === "done";
  }

  /** How many characters were read. */
  get length(): number {
    return this.#before + this.#at;
  }

  /** The text is no JSON any more. */
  get broken(): boolean {
    return this.#awaited === "broken";
  }

  /** From the outermost bracket to the innermost one that is open: the member that is being read. */
  get #path(): Path {
    return this.#levels.map(({ key }) => key ?? -1);
  }

  /**
   * The values that have ended since this was asked for, inner ones first: those behind which the text has gone on as
   * JSON for a while.
   */
  takeFinished(): Path[] {
    const sure = this.done ? Number.POSITIVE_INFINITY : this.#tokens - CONFIRMING;
    const held = this.#ended.findIndex(({ tokens }) => tokens > sure);
    const told = this.#ended.splice(0, held < 0 ? this.#ended.length : held);
    return told.map(({ path }) => path);
  }

  /** Whether what stands at the path has ended. */
  hasEnded(path: readonly PropertyKey[]): boolean {
    if (this.done) return true;
    const at = this.#levels.findIndex(({ key }, depth) => key !== path[depth]);
    return at >= 0 && at < path.length;
  }

  /** Whether another reading of the text has all that was told, as it was told. */
  agrees(other: unknown): boolean {
    const untold = new Set(this.#ended.map(({ path }) => JSON.stringify(path)));
    const open = this.#path;
    for (let depth = 0; depth <= open.length && depth <= MAX_PATH; depth++)
      untold.add(JSON.stringify(open.slice(0, depth)));
    return holds(other, this.#root, [], untold);
  }

  push(text: string): void {
    this.#rest = this.#rest.slice(this.#at) + text;
    this.#before += this.#at;
    this.#at = 0;
    while (!this.done && !this.broken && this.#at < this.#rest.length) {
      if (this.#string) {
        if (!this.#readString(this.#string)) return;
      } else if (!this.#readToken()) return;
    }
  }

  /** False when the token has not arrived whole. */
  #readToken(): boolean {
    const c = this.#rest[this.#at] as string;
    if (c === " " || c === "\n" || c === "\r" || c === "\t") {
      this.#at++;
      return true;
    }
    this.#tokens++;
    switch (this.#awaited) {
      case "colon":
        return this.#go(c === ":" ? "value" : "broken");
      case "after":
        if (c !== ",") return this.#close(c);
        return this.#go(Array.isArray(this.#levels.at(-1)?.container) ? "value" : "key");
      case "first-key":
        if (c === "}") return this.#close(c);
        break;
      case "first-value":
        if (c === "]") return this.#close(c);
        break;
    }
    const key = this.#awaited === "key" || this.#awaited === "first-key";
    if (c === '"') {
      if (!key) this.#begin();
      this.#string = { decoded: "", key };
      return this.#go(this.#awaited);
    }
    if (key) return this.#go("broken");
    return c === "{" || c === "[" ? this.#openBracket(c === "{") : this.#readScalar();
  }

  #go(awaited: Awaited): true {
    this.#awaited = awaited;
    this.#at++;
    return true;
  }

  #openBracket(object: boolean): true {
    const container: Container = object ? {} : [];
    if (this.#root === undefined) this.#root = container;
    else {
      this.#begin();
      this.#put(container);
    }
    if (this.#levels.length >= MAX_DEPTH) return this.#go("broken");
    this.#levels.push({ container, key: undefined });
    return this.#go(object ? "first-key" : "first-value");
  }

  #close(c: string): true {
    const container = this.#levels.at(-1)?.container;
    if (c !== (Array.isArray(container) ? "]" : "}")) return this.#go("broken");
    this.#levels.pop();
    this.#go("after");
    this.#end();
    return true;
  }

  #readScalar(): boolean {
    const text = this.#rest;
    SCALAR.lastIndex = this.#at;
    const scalar = SCALAR.exec(text)?.[0] ?? "";
    const end = this.#at + scalar.length;
    if (end >= text.length && scalar.length < LONGEST_SCALAR) return false;
    if (!VALID_SCALAR.test(scalar.slice(0, LONGEST_SCALAR))) return this.#go("broken");
    this.#begin();
    this.#put(JSON.parse(scalar));
    this.#at = end;
    this.#end();
    return true;
  }

  #readString(string: { decoded: string; key: boolean }): boolean {
    const text = this.#rest;
    PLAIN.lastIndex = this.#at;
    PLAIN.test(text);
    const end = PLAIN.lastIndex;
    string.decoded += text.slice(this.#at, end);
    this.#at = end;
    const c = text[end];
    if (c === undefined) return false;
    if (c === '"') {
      this.#at++;
      this.#string = undefined;
      if (string.key) {
        (this.#levels.at(-1) as Level).key = string.decoded;
        this.#awaited = "colon";
      } else {
        this.#put(string.decoded);
        this.#end();
      }
      return true;
    }
    const sign = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(end, end + 6))?.[0];
    if (sign === undefined) {
      // An escape that has not arrived whole, or none that JSON knows.
      if (c === "\\" && /^\\(?:u[\da-fA-F]{0,3})?$/.test(text.slice(end, end + 6))) return false;
      return this.#go("broken");
    }
    string.decoded += JSON.parse(`"${sign}"`) as string;
    this.#at = end + sign.length;
    return true;
  }

  /** A member begins: in a list it has the next index. */
  #begin(): void {
    const level = this.#levels.at(-1);
    if (level && Array.isArray(level.container)) level.key = level.container.length;
  }

  /** The member so far; a string in progress is put again, longer, in the same place. */
  #put(value: unknown): void {
    const level = this.#levels.at(-1);
    if (level?.key === undefined) return;
    // Defined, not assigned: `__proto__` is a key like any other.
    Object.defineProperty(level.container, level.key, { value, enumerable: true, configurable: true, writable: true });
  }

  #end(): void {
    const levels = this.#levels;
    this.#awaited = levels.length === 0 ? "done" : "after";
    if (levels.length <= MAX_PATH) this.#ended.push({ path: this.#path, tokens: this.#tokens });
    const level = levels.at(-1);
    if (level) level.key = undefined;
  }
}

/** Whether the other value holds what this one does at each place; those at the paths may hold more, or something else. */
function holds(other: unknown, value: unknown, path: (string | number)[], but: ReadonlySet<string>): boolean {
  const free = but.has(JSON.stringify(path));
  if (typeof value !== "object" || value === null || path.length >= MAX_PATH)
    return free || JSON.stringify(other) === JSON.stringify(value);
  const keys = Object.keys(value);
  if (typeof other !== "object" || other === null || Array.isArray(other) !== Array.isArray(value))
    return free && keys.length === 0;
  if (!free && Object.keys(other).length !== keys.length) return false;
  return keys.every((key) => {
    const at = Array.isArray(value) ? Number(key) : key;
    return holds(ownPart(other, key), ownPart(value, key), [...path, at], but);
  });
}

function ownPart(container: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(container, key)?.value;
}
