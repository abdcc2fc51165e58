import { MARK_LENGTH, thoughtMark } from "./decode/marks.js";
import { extractJson } from "./extract.js";
import { plausible } from "./find/starts.js";
import { runWithout } from "./find/strict.js";

/** A value that is read while its text arrives. */
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
 * text leaves the grammar of JSON, or does not start by it, `value` is what `extractJson` makes of the text, found anew
 * when asked for: of all of it, or where that was asked often, of all but the last part.
 */
export function createPartialParser(): PartialParser {
  return new Incremental();
}

type Expected = "start" | "value" | "first-value" | "key" | "first-key" | "colon" | "after" | "done" | "broken";
type Container = Record<string, unknown> | unknown[];

const PLAIN = runWithout('"');
/** What a mark of thoughts or a value may begin with. */
const SIGN = /[<[◁{]/g;
/** A bracket that starts as JSON does; a list of numbers only on its own line: `[1]` is a citation. */
const START = /\{\s*["}]|\[\s*["{[\]]|\[(?<=\n[ \t]{0,40}\[)\s*(?:[\d-]|true|false|null)/y;
/** What a citation, a placeholder or a list of numbers does not begin with. */
const STRANGE = /^(?:\{|\[\s*[^\s\d+-])/;
/** All readings of a text that is not JSON may cost so often its length; and so often where it may have ended. */
const READINGS = 16;
const READINGS_AT_ENDS = 32;
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
  /** Brackets open at `at`, outside and inside of double quotes. */
  readonly #counted: { at: number; side: 0 | 1; open: [number, number] } = { at: 0, side: 0, open: [0, 0] };
  /** Characters that all guesses have read. */
  #guessed = 0;

  get text(): string {
    return this.#text;
  }

  get complete(): boolean {
    return this.#expect === "done" || (this.#guesses && this.#latestGuess().complete);
  }

  get value(): unknown {
    if (this.#guesses) return this.#latestGuess().value;
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

  #latestGuess() {
    const text = this.#text;
    if (this.#guess?.length === text.length) return this.#guess;
    const readings = this.#mayEnd() ? READINGS_AT_ENDS : READINGS;
    if (this.#guess && this.#guessed > readings * text.length) return this.#guess;
    this.#guessed += text.length;
    const result = extractJson(text);
    const { length } = text;
    this.#guess = result.ok
      ? { length, value: result.value, complete: result.complete }
      : { length, value: this.#guess?.value, complete: false };
    return this.#guess;
  }

  /** Whether as many brackets close as open. */
  #mayEnd(): boolean {
    const text = this.#text;
    const counted = this.#counted;
    for (; counted.at < text.length; counted.at++) {
      const c = text.charCodeAt(counted.at);
      if (c === 92) counted.at++;
      else if (c === 34) counted.side = counted.side === 0 ? 1 : 0;
      else if (c === 123 || c === 91) counted.open[counted.side]++;
      else if (c === 125 || c === 93) counted.open[counted.side]--;
    }
    return counted.open[0] <= 0 && counted.open[1] <= 0;
  }

  #begin(): boolean {
    const text = this.#rest;
    SIGN.lastIndex = this.#from;
    for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
      const mark = thoughtMark(text, sign.index);
      if (mark) {
        this.#thought = mark.opens;
        this.#from = SIGN.lastIndex = mark.end;
      } else if (!this.#thought) {
        const at = sign.index;
        START.lastIndex = at;
        const starts = START.test(text);
        // It may start a value, but none that can be read strictly; what stands in it is not the value.
        if (!starts && !(STRANGE.test(text.slice(at, at + 80)) && plausible(text, at, sign[0]))) continue;
        this.#at = at;
        this.#expect = starts ? "value" : "broken";
        return starts;
      }
    }
    const cut = Math.max(0, text.length - MARK_LENGTH);
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
