import { beginsInside, endsInside } from "./boundaries.js";
import { PART_BOUNDARY } from "./part-boundary.js";
import type { QuotationPart } from "./quotation.js";
import type { SearchablePage, Span } from "./searchable-page.js";
import { SEQUENCE } from "./word-index.js";

/** The place of a page that a quotation was made of, with other words. */
export interface Alteration {
  span: Span;
  /** Share of the quotation's words that stand there, in their order: 0 to 1. */
  likeness: number;
}

/** Below this the place is another statement, not an altered one. */
const MIN_LIKENESS = 0.65;
const MIN_WORDS = 4;
/** Share of the words that stand there in another order, where two parts of a sentence changed places. */
const SWAPPED = 0.9;
/** Words of a quotation that are compared; the rest of a longer one is not looked at. */
const MAX_WORDS = 400;
/** Words that may have been put in or left out at either end. */
const MARGIN = 6;
/** Places that a quotation is laid beside. */
const MAX_COMPARED = 5;

/** Looks through the whole page for the place that is most like the quotation. */
export function findAltered(part: QuotationPart, page: SearchablePage): Alteration | undefined {
  const count = Math.min(part.words.hashes.length, MAX_WORDS);
  if (count < MIN_WORDS) return undefined;
  const start = densestWindow(part.words.hashes.subarray(0, count), page.words.hashes);
  return start === undefined ? undefined : compare(part, count, page, start);
}

/**
 * The same on several pages, where one has three words of the quotation in a row: enough to find what came from there.
 * Gives the page by its place in the list.
 */
export function findAlteredNear(
  part: QuotationPart,
  pages: readonly { at: number; page: SearchablePage }[],
): (Alteration & { page: number }) | undefined {
  const count = Math.min(part.words.hashes.length, MAX_WORDS);
  const starts = pages.flatMap(({ at, page }) =>
    likelyStarts(part, count, page).map((likely) => ({ at, page, ...likely })),
  );
  const best = starts.sort((a, b) => b.votes - a.votes).slice(0, MAX_COMPARED);
  const found = best.flatMap(({ at, page, start }) => {
    const altered = compare(part, count, page, start);
    return altered === undefined ? [] : [{ ...altered, page: at }];
  });
  return found.sort((a, b) => b.likeness - a.likeness)[0];
}

/** Where the quotation would begin, by the sequences of its words that stand on the page. */
function likelyStarts(part: QuotationPart, count: number, page: SearchablePage): { start: number; votes: number }[] {
  const votes = new Map<number, number>();
  for (let at = 0; at + SEQUENCE <= count; at++) {
    for (const place of page.index.placesOf(part.words, at)) {
      const start = Math.max(0, place - at);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  const all = [...votes].map(([start, count]) => ({ start, votes: count }));
  return all.sort((a, b) => b.votes - a.votes).slice(0, MAX_COMPARED);
}

/** Where the window of the quotation's length begins that holds most of its words, in any order. */
function densestWindow(quote: Uint32Array, page: Uint32Array): number | undefined {
  const words = new WordTable(quote);
  const { wanted } = words;
  const ids = words.idsOf(page);
  const { length } = quote;
  const here = new Int32Array(wanted.length);
  let [held, best, start] = [0, 0, 0];
  // Whether a word is wanted cannot be foreseen: a branch for it costs more than to count what is not wanted, too.
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    const before = here[id] as number;
    here[id] = before + 1;
    held += isLess(before, wanted[id] as number);
    if (at >= length) {
      const left = ids[at - length] as number;
      const behind = (here[left] as number) - 1;
      here[left] = behind;
      held -= isLess(behind, wanted[left] as number);
    }
    if (held > best) [best, start] = [held, Math.max(0, at - length + 1)];
  }
  return best >= Math.max(MIN_WORDS, length * MIN_LIKENESS) ? start : undefined;
}

/** 1 where a number is less than another, else 0. */
function isLess(number: number, other: number): number {
  return (number - other) >>> 31;
}

/** Slots of a table of a quotation's words: some ten times as many as it may have. */
const SLOTS = 4_096;

/** Gives each word of a quotation a number from 1 on. */
class WordTable {
  /** How often each stands in the quotation, by its number; 0 for all others. */
  readonly wanted: Uint16Array;
  /** Open addressing: the number of the word of a slot; 0 where there is none, as for most words of a page. */
  readonly #ids = new Uint16Array(SLOTS);
  readonly #words = new Uint32Array(SLOTS);

  constructor(words: Uint32Array) {
    this.wanted = new Uint16Array(words.length + 1);
    for (const [place, word] of words.entries()) {
      const slot = this.#slotOf(word);
      const id = this.#ids[slot] || place + 1;
      this.#ids[slot] = id;
      this.#words[slot] = word;
      (this.wanted[id] as number)++;
    }
  }

  /** The number of each word; 0 for one that does not stand in the quotation. */
  idsOf(words: Uint32Array): Uint16Array {
    const found = new Uint16Array(words.length);
    const [ids, own] = [this.#ids, this.#words];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      const slot = word & (SLOTS - 1);
      const id = ids[slot] as number;
      const other = (own[slot] as number) ^ word;
      // Seldom: another word has the slot.
      const isTaken = isLess(0, id) & ((other | -other) >>> 31);
      found[at] = isTaken === 0 ? id : (ids[this.#slotOf(word)] as number);
    }
    return found;
  }

  #slotOf(word: number): number {
    let slot = word & (SLOTS - 1);
    while (this.#ids[slot] !== 0 && this.#words[slot] !== word) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}

/** Lays the quotation beside the page's words from about `start` on. */
function compare(part: QuotationPart, count: number, page: SearchablePage, start: number): Alteration | undefined {
  const { words } = page;
  const folded = page.folded("loose");
  if (folded === undefined) return undefined;
  const first = Math.max(0, start - MARGIN);
  const quoted = part.words.hashes.subarray(0, count);
  const there = words.hashes.subarray(first, start + count + MARGIN);
  const common = longestCommon(quoted, there);
  const likeness = common.length / Math.max(count, 1);
  const [begin, end] = [common[0], common.at(-1)];
  if (common.length < MIN_WORDS || begin === undefined || end === undefined) return undefined;
  if (likeness < MIN_LIKENESS) {
    const isSwapped = heldBy(words.hashes.subarray(start, start + count), quoted) >= count * SWAPPED;
    const last = Math.min(start + count, words.hashes.length) - 1;
    return isSwapped ? shown(page, wholeSpan(page, folded.from, start, last, { before: 0, behind: 0 })) : undefined;
  }
  // A word that was changed at either end belongs to the passage too, and the one beside it may.
  const from = Math.max(0, begin.there - begin.quoted);
  const to = Math.min(there.length - 1, end.there + (count - 1 - end.quoted));
  const wordAt = (at: number) => folded.text.slice(words.starts[first + at], words.ends[first + at]);
  const quotedAt = (at: number) => part.loose.slice(part.words.starts[at], part.words.ends[at]);
  const before = begin.quoted > 0 && !wordAt(from).includes(quotedAt(0)) ? 1 : 0;
  const behind = end.quoted < count - 1 ? 1 : 0;
  const span = wholeSpan(page, folded.from, first + from, first + to, { before, behind });
  return shown(page, span, likeness);
}

function shown(page: SearchablePage, span: Span, likeness = MIN_LIKENESS): Alteration | undefined {
  return page.text.slice(span.start, span.end).includes(PART_BOUNDARY) ? undefined : { span, likeness };
}

/** How many of the words are among others, each as often as it stands there. */
function heldBy(words: Uint32Array, others: Uint32Array): number {
  const table = new WordTable(others);
  const left = table.wanted.slice();
  return table.idsOf(words).reduce((held, id) => {
    if (id === 0 || left[id] === 0) return held;
    (left[id] as number)--;
    return held + 1;
  }, 0);
}

/** From one word to another, with the words before and behind that these are only parts of, and some more of the sentence. */
function wholeSpan(
  page: SearchablePage,
  origin: Uint32Array,
  from: number,
  to: number,
  more: { before: number; behind: number },
): Span {
  const { starts, ends } = page.words;
  const startOf = (word: number) => origin[starts[word] as number] as number;
  const endOf = (word: number) => page.originalSpan(0, origin[(ends[word] as number) - 1] as number).end;
  const isApart = (word: number) => {
    const between = page.text.slice(endOf(word), startOf(word + 1));
    return between.includes(PART_BOUNDARY) || SENTENCE_END.test(between);
  };
  let [first, last] = [from, to];
  while (first > 0 && from - first < 2 && beginsInside(page.text, startOf(first))) first--;
  while (last + 1 < ends.length && last - to < 2 && endsInside(page.text, endOf(last))) last++;
  const beginsAt = (word: number) => word === 0 || isApart(word - 1);
  const endsAt = (word: number) => word + 1 === ends.length || isApart(word);
  first -= wordsUntil(beginsAt, first, -1) ?? (beginsAt(first) ? 0 : more.before);
  last += wordsUntil(endsAt, last, 1) ?? (endsAt(last) ? 0 : more.behind);
  return { start: startOf(first), end: endOf(last) };
}

/** So many words more are shown where the sentence begins or ends with them: the first may be a "not". */
const REST_OF_SENTENCE = 3;

/** How many words there are until one that begins or ends a sentence; `undefined` when there are too many. */
function wordsUntil(isEdge: (word: number) => boolean, from: number, step: 1 | -1): number | undefined {
  for (let count = 0; count <= REST_OF_SENTENCE; count++) if (isEdge(from + step * count)) return count;
  return undefined;
}

/** Between two words it ends what is said; a cell of a table and a line do as well. */
const SENTENCE_END = /[.!?。！？؟;:|\n]/u;

/** The longest common subsequence of two lists of words by their hashes, as pairs of places. */
function longestCommon(quoted: Uint32Array, there: Uint32Array): { quoted: number; there: number }[] {
  const width = there.length + 1;
  const lengths = new Uint16Array((quoted.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = quoted.length - 1; i >= 0; i--) {
    for (let j = there.length - 1; j >= 0; j--) {
      lengths[i * width + j] = quoted[i] === there[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  // The shortest place: it begins as late as it can, and ends as early as it then can.
  let first = 0;
  while (first < there.length && at(0, first + 1) === at(0, 0)) first++;
  const pairs: { quoted: number; there: number }[] = [];
  for (let i = 0, j = first; i < quoted.length && j < there.length; ) {
    if (quoted[i] === there[j]) pairs.push({ quoted: i++, there: j++ });
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
