import { extractJson } from "./extract.js";
import { runWithout } from "./strict.js";

export interface PartialParser {
  /** Adds what has arrived. */
  push(chunk: string): void;
  /**
   * The object or list so far, or undefined before it starts. It is the same object that grows with every chunk; a
   * string in progress is there as far as it goes, a number once it has ended.
   */
  readonly value: unknown;
  /** Whether the value is whole. What comes after it is ignored. */
  readonly complete: boolean;
  /** All that was pushed. */
  readonly text: string;
}

/**
 * Reads a value while it arrives, each character once: prose, thoughts and a fence before it are passed over. When the
 * text leaves the grammar of JSON, or does not start by it, `value` is what `extractJson` makes of all the text so far,
 * found anew when asked for.
 */
export function createPartialParser(): PartialParser {
  return new Incremental();
}

type Expected = "start" | "value" | "first-value" | "key" | "first-key" | "colon" | "after" | "done" | "broken";
type Container = Record<string, unknown> | unknown[];

const PLAIN = runWithout('"');
/** A tag of thoughts, or a bracket that starts as JSON does; a list of numbers only on its own line: `[1]` is a citation. */
const START =
  /<(\/?)(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b[^<>]{0,60}>|\{\s*["}]|\[\s*["{[\]]|\[(?<=\n[ \t]{0,40}\[)\s*(?:[\d-]|true|false|null)/gi;
/** The end of a text in which a start or a tag may be cut. */
const TAIL = 100;
const SCALAR = /[^\s,\]}]*/y;
const VALID_SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

class Incremental implements PartialParser {
  #text = "";
  /** The end of the text that is still to be read: what was read is not copied again with every chunk. */
  #rest = "\n";
  #at = 0;
  #thought = false;
  #bracket = false;
  /** Before this index of the rest there is no start. */
  #from = 0;
  #root: Container | undefined;
  readonly #stack: Container[] = [];
  #key: string | undefined;
  /** The string that is being read, decoded; and whether it is a key. */
  #string: { decoded: string; key: boolean } | undefined;
  #expect: Expected = "start";
  #guess: { length: number; value: unknown; complete: boolean } | undefined;

  get text(): string {
    return this.#text;
  }

  get complete(): boolean {
    return this.#expect === "done" || (this.#guesses && this.#guessed().complete);
  }

  get value(): unknown {
    if (this.#guesses) return this.#guessed().value;
    if (this.#string && !this.#string.key) this.#put(this.#string.decoded);
    return this.#root;
  }

  get #over(): boolean {
    return this.#expect === "done" || this.#expect === "broken";
  }

  /** Whether the text so far is not JSON that could be read strictly, and yet may hold some. */
  get #guesses(): boolean {
    return this.#expect === "broken" || (this.#expect === "start" && this.#bracket && !this.#thought);
  }

  push(chunk: string): void {
    this.#text += chunk;
    if (this.#over) return;
    this.#bracket ||= /[{[]/.test(chunk);
    this.#rest = this.#rest.slice(this.#at) + chunk;
    this.#at = 0;
    if (this.#expect === "start" && !this.#begin()) return;
    while (!this.#over && this.#at < this.#rest.length) {
      if (!this.#step()) return;
    }
  }

  #guessed() {
    if (this.#guess?.length !== this.#text.length) {
      const result = extractJson(this.#text);
      this.#guess = {
        length: this.#text.length,
        value: result.ok ? result.value : this.#guess?.value,
        complete: result.ok && result.complete,
      };
    }
    return this.#guess;
  }

  #begin(): boolean {
    START.lastIndex = this.#from;
    for (let start = START.exec(this.#rest); start; start = START.exec(this.#rest)) {
      this.#from = START.lastIndex;
      if (start[1] !== undefined) this.#thought = start[1] === "";
      else if (!this.#thought) {
        this.#at = start.index;
        this.#expect = "value";
        return true;
      }
    }
    const cut = Math.max(0, this.#rest.length - TAIL);
    this.#at = cut;
    this.#from = Math.max(0, this.#from - cut);
    return false;
  }

  /** Reads one token; false when it has not arrived whole. */
  #step(): boolean {
    if (this.#string) return this.#continueString();
    const text = this.#rest;
    const c = text[this.#at] as string;
    if (c === " " || c === "\n" || c === "\r" || c === "\t") {
      this.#at++;
      return true;
    }
    switch (this.#expect) {
      case "colon":
        return this.#take(c === ":", "value");
      case "after":
        if (c === ",") return this.#take(true, Array.isArray(this.#stack.at(-1)) ? "value" : "key");
        return this.#close(c);
      case "first-key":
        if (c === "}") return this.#close(c);
        break;
      case "first-value":
        if (c === "]") return this.#close(c);
        break;
    }
    const key = this.#expect === "key" || this.#expect === "first-key";
    if (c === '"') {
      this.#string = { decoded: "", key };
      this.#at++;
      return true;
    }
    if (key) return this.#take(false, "broken");
    if (c === "{" || c === "[") {
      const container: Container = c === "{" ? {} : [];
      if (this.#root === undefined) this.#root = container;
      else this.#put(container);
      this.#stack.push(container);
      return this.#take(true, c === "{" ? "first-key" : "first-value");
    }
    SCALAR.lastIndex = this.#at;
    const scalar = SCALAR.exec(text)?.[0] ?? "";
    const end = this.#at + scalar.length;
    if (end >= text.length && scalar.length < 400) return false;
    if (!VALID_SCALAR.test(scalar)) return this.#take(false, "broken");
    this.#put(JSON.parse(scalar));
    this.#at = end;
    this.#ended();
    return true;
  }

  #take(right: boolean, next: Expected): boolean {
    this.#expect = right ? next : "broken";
    this.#at++;
    return true;
  }

  #close(c: string): boolean {
    const container = this.#stack.at(-1);
    if (c !== (Array.isArray(container) ? "]" : "}")) return this.#take(false, "broken");
    this.#stack.pop();
    return this.#take(true, this.#stack.length === 0 ? "done" : "after");
  }

  #continueString(): boolean {
    const string = this.#string as { decoded: string; key: boolean };
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
        this.#key = string.decoded;
        this.#expect = "colon";
      } else {
        this.#put(string.decoded);
        this.#open = undefined;
        this.#ended();
      }
      return true;
    }
    const short = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(end, end + 6))?.[0];
    if (short === undefined) {
      // An escape that has not arrived whole, or none that JSON knows.
      if (c === "\\" && /^\\(?:u[\da-fA-F]{0,3})?$/.test(text.slice(end, end + 6))) return false;
      return this.#take(false, "broken");
    }
    string.decoded += JSON.parse(`"${short}"`) as string;
    this.#at = end + short.length;
    return true;
  }

  #ended() {
    this.#expect = "after";
    this.#key = undefined;
  }

  #put(value: unknown) {
    const container = this.#stack.at(-1);
    if (Array.isArray(container)) {
      // A string in progress is put again, longer, in the same place.
      if (this.#open === container) container[container.length - 1] = value;
      else container.push(value);
      this.#open = this.#string && !this.#string.key ? container : undefined;
    } else if (container && this.#key !== undefined) {
      // Defined, not assigned: `__proto__` is a key like any other.
      Object.defineProperty(container, this.#key, { value, enumerable: true, configurable: true, writable: true });
    }
  }

  /** The list whose last member is the string in progress. */
  #open: unknown[] | undefined;
}
