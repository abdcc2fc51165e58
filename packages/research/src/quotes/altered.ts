import { beginsInside, endsInside } from "./boundaries.js";
import type { QuotationPart } from "./quotation.js";
import { PART_BOUNDARY, type SearchablePage, type Span } from "./searchable-page.js";
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
/** Words of a quotation that are compared; the rest of a longer one is not looked at. */
const MAX_WORDS = 400;
/** Words that may have been put in or left out at either end. */
const MARGIN = 6;

/** Looks through the whole page for the place that is most like the quotation. */
export function findAltered(part: QuotationPart, page: SearchablePage): Alteration | undefined {
  const count = Math.min(part.words.hashes.length, MAX_WORDS);
  if (count < MIN_WORDS) return undefined;
  const start = densestWindow(part.words.hashes.subarray(0, count), page.index.words.hashes);
  return start === undefined ? undefined : compare(part, count, page, start);
}

/** The same, where the page has three words of the quotation in a row: enough to find what came from there. */
export function findAlteredNear(part: QuotationPart, page: SearchablePage): Alteration | undefined {
  const count = Math.min(part.words.hashes.length, MAX_WORDS);
  const votes = new Map<number, number>();
  for (let at = 0; at + SEQUENCE <= count; at++) {
    for (const place of page.index.placesOf(part.words, at)) {
      const start = Math.max(0, place - at);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  const best = [...votes].sort(([, a], [, b]) => b - a).slice(0, 3);
  const found = best.flatMap(([start]) => compare(part, count, page, start) ?? []);
  return found.sort((a, b) => b.likeness - a.likeness)[0];
}

/** Where the window of the quotation's length begins that holds most of its words, in any order. */
function densestWindow(quote: Uint32Array, page: Uint32Array): number | undefined {
  const wanted = new Map<number, number>();
  for (const hash of quote) wanted.set(hash, (wanted.get(hash) ?? 0) + 1);
  const here = new Map<number, number>();
  let [held, best, start] = [0, 0, 0];
  for (let at = 0; at < page.length; at++) {
    held += change(here, wanted, page[at] as number, 1);
    if (at >= quote.length) held -= change(here, wanted, page[at - quote.length] as number, -1);
    if (held > best) [best, start] = [held, Math.max(0, at - quote.length + 1)];
  }
  return best >= Math.max(MIN_WORDS, quote.length * MIN_LIKENESS) ? start : undefined;
}

/** Notes that a word came into the window or left it; gives 1 when that word counts. */
function change(here: Map<number, number>, wanted: Map<number, number>, hash: number, by: 1 | -1): number {
  const most = wanted.get(hash);
  if (most === undefined) return 0;
  const before = here.get(hash) ?? 0;
  here.set(hash, before + by);
  return (by === 1 ? before : before - 1) < most ? 1 : 0;
}

/** Lays the quotation beside the page's words from about `start` on. */
function compare(part: QuotationPart, count: number, page: SearchablePage, start: number): Alteration | undefined {
  const { words } = page.index;
  const folded = page.folded("loose");
  if (folded === undefined) return undefined;
  const first = Math.max(0, start - MARGIN);
  const last = Math.min(words.starts.length, start + count + MARGIN);
  const quoted = Array.from({ length: count }, (_, i) => part.loose.slice(part.words.starts[i], part.words.ends[i]));
  const there: string[] = [];
  for (let i = first; i < last; i++) there.push(folded.text.slice(words.starts[i], words.ends[i]));
  const common = longestCommon(quoted, there);
  const likeness = common.length / Math.max(quoted.length, 1);
  const [begin, end] = [common[0], common.at(-1)];
  if (likeness < MIN_LIKENESS || common.length < MIN_WORDS || begin === undefined || end === undefined)
    return undefined;
  // A word that was changed at either end belongs to the passage too.
  const from = Math.max(0, begin.there - begin.quoted) + first;
  const to = Math.min(there.length - 1, end.there + (quoted.length - 1 - end.quoted)) + first;
  const span = wholeSpan(page, folded.from, from, to);
  return page.text.slice(span.start, span.end).includes(PART_BOUNDARY) ? undefined : { span, likeness };
}

/** From one word to another, with the words before and behind that these are only parts of. */
function wholeSpan(page: SearchablePage, origin: Uint32Array, from: number, to: number): Span {
  const { starts, ends } = page.index.words;
  const startOf = (word: number) => origin[starts[word] as number] as number;
  const endOf = (word: number) => origin[(ends[word] as number) - 1] as number;
  let span = page.originalSpan(startOf(from), endOf(to));
  for (let more = 1; more <= 2 && from - more >= 0 && beginsInside(page.text, span.start); more++) {
    span = { ...span, start: startOf(from - more) };
  }
  for (let more = 1; more <= 2 && to + more < ends.length && endsInside(page.text, span.end); more++) {
    span = { ...span, end: page.originalSpan(span.start, endOf(to + more)).end };
  }
  return span;
}

/** The longest common subsequence of two lists of words, as pairs of places. */
function longestCommon(quoted: readonly string[], there: readonly string[]): { quoted: number; there: number }[] {
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
