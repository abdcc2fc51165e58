import {
  depthBehind,
  isQuotedMark,
  MARK_LENGTH,
  mayBecomeMark,
  PRINTED,
  QUOTED_WITHIN,
  thoughtMark,
} from "../decode/marks.js";
import { plausible } from "../find/starts.js";

/** What a mark of thoughts or a value may begin with. */
const SIGN = /[[{<◁｛［]/g;
/** A bracket that starts as JSON does; a list of numbers only on its own line: `[1]` is a citation. */
const START = /\{\s*["}]|\[\s*["{[\]]|\[(?<=\n[ \t]{0,40}\[)\s*(?:[\d-]|true|false|null)/y;
/** What a citation, a placeholder or a list of numbers does not begin with. */
const STRANGE = /^(?:[{｛]|[[［]\s*[^\s\d+-])/;
/** A bracket, and nothing behind it yet that tells what it is. */
const UNDECIDED = /^[[{]\s*$/;
/** A bracket with more blanks behind it is decided. */
const BLANKS = 1_000;
/** Where a value may begin: the text from there. */
export interface Sight {
  readonly text: string;
  /** Whether it begins as JSON does. */
  readonly strict: boolean;
}

/** Looks in text that arrives for where a value may begin outside of the model's thoughts. */
export class Lookout {
  /** The end of the text, in which something may begin. */
  #rest = "\n";
  #from = 0;
  /** Thoughts in which the text stands, one in the other. */
  #depth = 0;
  /** Thoughts that the text begins with, as Ollama prints them; undefined until that is known. */
  #printed: boolean | undefined;
  /** A bracket was passed over that may be a citation, and may be a list. */
  passed = false;

  /** Reads on, up to what may begin a value. */
  push(chunk: string): Sight | undefined {
    const text = this.#rest + chunk;
    if (this.#inPrinted(text)) return this.#keep(text, text.length);
    SIGN.lastIndex = this.#from;
    for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
      const at = sign.index;
      const mark = thoughtMark(text, at);
      if (mark) {
        const quoted = this.#depth > 0 && isQuotedMark(text, at, mark.end);
        if (quoted === undefined) return this.#keep(text, at);
        if (!quoted) this.#depth = depthBehind(this.#depth, mark);
        this.#from = SIGN.lastIndex = mark.end;
      } else if (!this.thinking && sign[0] !== "<" && sign[0] !== "◁") {
        const rest = text.slice(at, at + BLANKS);
        if (rest.length < BLANKS && (UNDECIDED.test(rest) || mayBecomeMark(rest))) return this.#keep(text, at);
        START.lastIndex = at;
        const strict = START.test(text);
        // What may start a value, but none that can be read strictly: what stands in it is not the value.
        if (!strict && !STRANGE.test(rest)) this.passed = true;
        else if (plausible(text, at, sign[0])) return { text: text.slice(at), strict };
      }
    }
    return this.#keep(text, text.length);
  }

  /** Whether the text ends in a thought. */
  get thinking(): boolean {
    return this.#depth > 0 || this.#printed === true;
  }

  /** Keeps what is to be looked at again: from `at`, what may become a mark, and a quote that may stand before it. */
  #keep(text: string, at: number): undefined {
    const seen = Math.min(at, text.length - MARK_LENGTH);
    const cut = Math.max(0, seen - QUOTED_WITHIN);
    this.#rest = text.slice(cut);
    this.#from = Math.max(0, Math.max(this.#from, seen) - cut);
  }

  /** Whether the text stands in thoughts that no mark began. */
  #inPrinted(text: string): boolean {
    if (this.#printed === undefined && text.length > PRINTED.opens.length)
      this.#printed = text.startsWith(`\n${PRINTED.opens}`);
    if (this.#printed !== true) return false;
    const end = text.indexOf(PRINTED.closes);
    if (end < 0) return true;
    this.#printed = false;
    this.#from = end + PRINTED.closes.length;
    return false;
  }
}
