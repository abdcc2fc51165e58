import { findAltered, findAlteredNear } from "./altered.js";
import { foldTypography } from "./fold-typography.js";
import { findJoined } from "./joined.js";
import { PART_BOUNDARY } from "./part-boundary.js";
import { type QuotationPart, readQuotation } from "./quotation.js";
import { holdsMarks } from "./same-marks.js";
import type { Level, SearchablePage, Span } from "./searchable-page.js";
import { otherSpellings, type Spelling } from "./spellings.js";
import { SEQUENCE } from "./word-index.js";

/** How a quotation stands to the pages that were read. */
type Found = Level | "elsewhere" | "altered" | "not-found";

/** Where a quotation was found, and how. */
export interface QuoteMatch {
  found: Found;
  /** Which page it was found on, by its place in the list; missing for `not-found`. */
  page?: number;
  /** What the page says there; for `altered` the true text. */
  span?: Span;
  /** With `elsewhere`: how alike it is there. */
  level?: Level;
  /** The quotation is too short to tell anything, or what an ellipsis leaves of it is, or it is longer than a quotation is. */
  unusable?: "too-short" | "too-short-parts" | "too-long";
}

/** The parts of a quotation with an ellipsis stand at most so far apart, in characters. */
const MAX_GAP = 600;
/** Places of the first part from which the others are looked for. */
const MAX_STARTS = 20;
const LEVELS: readonly Level[] = ["exact", "typography", "loose"];

/**
 * Looks for a quotation: on the pages that it names, then on the others; as it stands, then without differences of
 * typography, then loosely. Nothing is matched that differs in a word, a number, or the digits of one.
 *
 * @param named Which of the pages the quotation names.
 */
export function findQuote(quote: string, pages: readonly SearchablePage[], named: readonly number[]): QuoteMatch {
  const { text, whole, parts } = readQuotation(quote);
  const unusable = [whole, ...parts]
    .map(({ size }) => size)
    .find((size) => size === "too-long" || size === "too-short");
  if (unusable === "too-long" || parts.length === 0) return { found: "not-found", unusable: unusable ?? "too-short" };
  const others = pages.map((_, page) => page).filter((page) => !named.includes(page));
  const own = ownSpellings(whole, parts);
  const here = searchNamed(own, pages, named);
  if (here !== undefined) return { ...here, found: here.level };
  const written = otherSpellings(text);
  const hereToo = searchNamed(written, pages, named);
  if (hereToo !== undefined) return { ...hereToo, found: hereToo.level };
  const there = searchOthers([...own, ...written], pages, others);
  if (there !== undefined) return { ...there, found: "elsewhere" };
  if (unusable !== undefined) {
    return { found: "not-found", unusable: whole.size === "too-short" ? "too-short" : "too-short-parts" };
  }
  return alteration(parts, pages, named, others);
}

/** With its dots as they stand, and with what they leave out. */
function ownSpellings(whole: QuotationPart, parts: readonly QuotationPart[]): Spelling[] {
  const spelling = { parts, level: "exact" } as const;
  return parts.length === 1 && parts[0] === whole ? [spelling] : [{ parts: [whole], level: "exact" }, spelling];
}

function searchNamed(
  spellings: readonly Spelling[],
  pages: readonly SearchablePage[],
  named: readonly number[],
): Place | undefined {
  return firstOf(spellings, (parts, isOwn) =>
    search(parts, pages, named, (level, page) => (isOwn && level === "exact") || mayHold(parts, page)),
  );
}

/** On pages that are not named a short quotation stands by chance. */
function searchOthers(
  spellings: readonly Spelling[],
  pages: readonly SearchablePage[],
  others: readonly number[],
): Place | undefined {
  const long = spellings.filter(({ parts }) => parts.every(({ size }) => size !== "short"));
  return firstOf(long, (parts) => search(parts, pages, others, (_, page) => mayHold(parts, page)));
}

function firstOf(
  spellings: readonly Spelling[],
  find: (parts: readonly QuotationPart[], isOwn: boolean) => Place | undefined,
): Place | undefined {
  for (const { parts, level } of spellings) {
    if (parts.some(({ size }) => size === "too-short")) continue;
    const found = find(parts, level === "exact");
    if (found !== undefined) return { ...found, level: looser(found.level, level) };
  }
  return undefined;
}

function looser(one: Level, other: Level): Level {
  return LEVELS[Math.max(LEVELS.indexOf(one), LEVELS.indexOf(other))] ?? one;
}

interface Place {
  page: number;
  span: Span;
  level: Level;
}

function search(
  parts: readonly QuotationPart[],
  pages: readonly SearchablePage[],
  where: readonly number[],
  isWorthwhile: (level: Level, page: SearchablePage) => boolean,
): Place | undefined {
  for (const level of LEVELS) {
    for (const page of where) {
      const at = pages[page];
      if (at === undefined || !isWorthwhile(level, at)) continue;
      const span = findParts(parts, at, level);
      if (span !== undefined) return { page, span, level };
    }
  }
  return undefined;
}

/** Whether the page has every three words in a row that the parts have. */
function mayHold(parts: readonly QuotationPart[], page: SearchablePage): boolean {
  return parts.every(({ words }) => {
    for (let at = 0; at + SEQUENCE <= words.hashes.length; at++) {
      if (!page.index.mayHold(words, at)) return false;
    }
    return true;
  });
}

/** The parts in their order, each near the one before. */
function findParts(parts: readonly QuotationPart[], page: SearchablePage, level: Level): Span | undefined {
  if (parts.some(({ needles }) => needles[level] === "")) return undefined;
  const find = (part: QuotationPart, from = 0) =>
    page.find(part.needles[level], level, from, (passage, behind) => {
      if (level !== "loose") return true;
      // What is short may stand by chance in other words: it counts as it stands, but for the marks of cells and of emphasis.
      if (part.size === "short" && withoutCells(passage) !== part.needles.typography) return false;
      return holdsMarks(part.needles.exact, passage, behind);
    }) ?? (level === "loose" ? findJoined(part, page, from) : undefined);
  const [first, ...rest] = parts;
  if (first === undefined) return undefined;
  let start = find(first);
  for (let tries = 0; start !== undefined && tries < MAX_STARTS; tries++) {
    let end: number | undefined = start.end;
    for (const part of rest) {
      const next: Span | undefined = find(part, end);
      end = next !== undefined && isNear(page.text, end, next.start) ? next.end : undefined;
      if (end === undefined) break;
    }
    if (end !== undefined) return { start: start.start, end };
    start = rest.length === 0 ? undefined : find(first, start.start + 1);
  }
  return undefined;
}

function withoutCells(passage: string): string {
  return foldTypography(passage.replaceAll(/\*\*|`/g, "").replaceAll(/\s?\|\s?/g, " ")).text.trim();
}

/** Whether what an ellipsis leaves out is short, and of the same part of the page. */
function isNear(text: string, from: number, to: number): boolean {
  return to - from <= MAX_GAP && !text.slice(from, to).includes(PART_BOUNDARY);
}

function alteration(
  parts: readonly QuotationPart[],
  pages: readonly SearchablePage[],
  named: readonly number[],
  others: readonly number[],
): QuoteMatch {
  const [longest] = parts.toSorted((a, b) => b.loose.length - a.loose.length);
  if (longest === undefined) return { found: "not-found" };
  const here = named.flatMap((page) => {
    const altered = pages[page] && findAltered(longest, pages[page]);
    return altered === undefined ? [] : [{ page, ...altered }];
  });
  const [best] = here.sort((a, b) => b.likeness - a.likeness);
  const found =
    best ??
    findAlteredNear(
      longest,
      others.flatMap((at) => (pages[at] ? [{ at, page: pages[at] }] : [])),
    );
  return found === undefined ? { found: "not-found" } : { found: "altered", page: found.page, span: found.span };
}
