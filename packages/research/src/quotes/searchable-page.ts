import { isWhole } from "./boundaries.js";
import { compose, type Exchanged } from "./compose.js";
import type { Folded } from "./fold.js";
import { foldLoose } from "./fold-loose.js";
import { foldTypography } from "./fold-typography.js";
import { MAIN_PART_END } from "./part-boundary.js";
import { WordIndex, type Words, wordsOf } from "./word-index.js";

/** A part of a page's text, in its own code units. */
export interface Span {
  start: number;
  end: number;
}

/** How alike a quotation and the page are, at each level. */
export type Level = "exact" | "typography" | "loose";

/** Places of one text that are looked at, before it is taken for cut off everywhere. */
const MAX_PLACES = 100;

/** Characters behind a place that are looked at. */
const BEHIND = 40;

/** A page's text, and what is computed of it when it is first needed. */
export class SearchablePage {
  /** What quotations are looked for in: all but the main part, where a page has one. */
  readonly text: string;
  #exchanged: Exchanged | undefined;
  #typography: Folded | undefined;
  #loose: Folded | undefined;
  #words: Words | undefined;
  #index: WordIndex | undefined;

  constructor(text: string) {
    const mainEnd = text.indexOf(MAIN_PART_END);
    this.text = mainEnd === -1 ? text : text.slice(mainEnd + MAIN_PART_END.length);
  }

  /** The text without differences that the level does not count. */
  folded(level: Level): Folded | undefined {
    if (level === "exact") return undefined;
    if (level === "loose") {
      this.#loose ??= foldLoose(this.text, this.#composed);
      return this.#loose;
    }
    this.#typography ??= foldTypography(this.text, this.#composed);
    return this.#typography;
  }

  get #composed(): Exchanged {
    this.#exchanged ??= compose(this.text);
    return this.#exchanged;
  }

  /** The words of the loosely folded text. */
  get words(): Words {
    this.#words ??= wordsOf(this.folded("loose") as Folded);
    return this.#words;
  }

  /** Where sequences of these words stand. */
  get index(): WordIndex {
    this.#index ??= new WordIndex(this.words);
    return this.#index;
  }

  /**
   * The first place of `needle` at or after `from` that begins and ends with its words; the needle is folded alike.
   *
   * @param accepts Whether what stands there may be taken, with some characters behind it.
   */
  find(
    needle: string,
    level: Level,
    from = 0,
    accepts: (passage: string, behind: string) => boolean = () => true,
  ): Span | undefined {
    const folded = this.folded(level);
    const haystack = folded?.text ?? this.text;
    let at = haystack.indexOf(needle, folded === undefined ? from : firstAt(folded.from, from));
    for (let places = 0; at !== -1 && places < MAX_PLACES; places++) {
      const span =
        folded === undefined ? { start: at, end: at + needle.length } : this.#spanOf(folded, at, needle.length);
      const { start, end } = span;
      const [passage, behind] = [this.text.slice(start, end), this.text.slice(end, end + BEHIND)];
      if (isWhole(this.text, start, end) && accepts(passage, behind)) return span;
      at = haystack.indexOf(needle, at + 1);
    }
    return undefined;
  }

  #spanOf({ from }: Folded, at: number, length: number): Span {
    return this.originalSpan(from[at] as number, from[at + length - 1] as number);
  }

  /** From one character to another, with the marks that belong to the last one. */
  originalSpan(first: number, last: number): Span {
    let end = last + 1;
    while (end < this.text.length && COMBINING.test(this.text[end] as string)) end++;
    return { start: first, end };
  }
}

const COMBINING = /[\p{M}\udc00-\udfff]/u;

/** The first folded unit that stands at or after a place of the original. */
function firstAt(from: Uint32Array, place: number): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((from[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
