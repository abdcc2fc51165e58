import { missingParts } from "../claims/missing-parts.js";
import { findQuote } from "../quotes/find-quote.js";
import { PART_BOUNDARY } from "../quotes/part-boundary.js";
import { SearchablePage } from "../quotes/searchable-page.js";

/** Words of Google's, and the sources that it names for them. */
export interface Attribution {
  text: string;
  urls: string[];
}

/** What Google attributes to sources in one research, to be searched. */
export class Attributions {
  readonly #all: readonly Attribution[];
  readonly #starts: number[] = [];
  readonly #page: SearchablePage;

  constructor(all: readonly Attribution[]) {
    this.#all = all.filter(({ text, urls }) => text.trim() !== "" && urls.length > 0);
    let length = 0;
    for (const { text } of this.#all) {
      this.#starts.push(length);
      length += text.length + 1;
    }
    this.#page = new SearchablePage(this.#all.map(({ text }) => text).join(PART_BOUNDARY));
  }

  /**
   * The sources of the words that a claim stands on: those that it quotes, else its own. They must hold its numbers, dates
   * and names. Empty when Google names none.
   */
  sourcesOf(claim: string, quotes: readonly string[]): string[] {
    if (this.#all.length === 0) return [];
    const found = [...quotes, claim].flatMap((words) => this.#find(words) ?? []);
    const held = found.filter(({ text }) => missingParts(claim, [{ text }]).length === 0);
    return held.flatMap(({ urls }) => urls);
  }

  #find(words: string): Attribution | undefined {
    const { found, span } = findQuote(words, [this.#page], [0]);
    if (span === undefined || (found !== "exact" && found !== "typography" && found !== "loose")) return undefined;
    return this.#all[this.#starts.findLastIndex((start) => start <= span.start)];
  }
}
