import { isWhole } from "./boundaries.js";
import { isDigit } from "./characters.js";
import { foldTypography } from "./fold-typography.js";
import { PART_BOUNDARY } from "./part-boundary.js";
import type { QuotationPart } from "./quotation.js";
import { holdsMarks } from "./same-marks.js";
import type { SearchablePage, Span } from "./searchable-page.js";
import { SEQUENCE } from "./word-index.js";

/** Characters beside a place that are looked at. */
const BESIDE = 40;
/** Sequences of a quotation of which the rarest is looked for. */
const MAX_SEQUENCES = 60;
/** What stands between two words of cells beside each other, or of two lines, is shorter. */
const MAX_GAP = 200;
/** Between cells or lines of the page: from the first bar or line end to the last one, with the mark of the next line. */
const BOUNDARY = /(?<!\\)[|\n](?:[\s\S]{0,160}[|\n])?(?:[ \t>]{0,40}(?:[-*+•]|#{1,6})[ \t])?/u;
/** What a quotation may write for it, loosely folded. */
const JOINT = /^(?:\s|\s?[|,;·•=→]\s?|:\s|\s\/\s|-)$/u;
const JOINTS = /[\s|,;:·•=→/–—-]+/gu;
const EMPHASIS = /\*\*|`/g;
const LINE_BEGINS = /(?:^|[\n|])[ \t>]{0,20}(?:(?:[-*+•]|#{1,6})[ \t])?[*`]{0,2}$/u;
const LINE_ENDS = /^[*`]{0,2}[ \t]{0,20}(?:$|[\n|])/u;
const GROUP = /^\d{3}(?!\d)/;

/**
 * Looks for a quotation that joins cells of a row, or lines that follow each other, by marks of its own: a comma, a colon, a
 * blank between two figures. The words are the page's, and between them stands the same, but where a cell or a line ends.
 */
export function findJoined(part: QuotationPart, page: SearchablePage, from: number): Span | undefined {
  if (part.words.hashes.length < SEQUENCE) return undefined;
  const { at, places } = rarestSequence(part, page);
  for (const place of places) {
    const span = place < at ? undefined : spanOf(part, page, place - at);
    if (span !== undefined && span.start >= from && counts(part, page, span)) return span;
  }
  return undefined;
}

/** The three words of the quotation that stand at the fewest places. */
function rarestSequence({ words }: QuotationPart, page: SearchablePage): { at: number; places: readonly number[] } {
  let best = { at: 0, places: page.index.placesOf(words, 0) };
  for (let at = 1; at + SEQUENCE <= words.hashes.length && at < MAX_SEQUENCES; at++) {
    const places = page.index.placesOf(words, at);
    if (places.length < best.places.length) best = { at, places };
  }
  return best;
}

/** Where the words of a quotation stand that begin with the page's word `first`; `undefined` where they do not. */
function spanOf(part: QuotationPart, page: SearchablePage, first: number): Span | undefined {
  const { words, loose } = part;
  const folded = page.folded("loose");
  const { starts, ends } = page.words;
  const last = first + words.starts.length - 1;
  if (folded === undefined || last >= starts.length) return undefined;
  const joints = new Joints();
  for (let at = 0; first + at <= last; at++) {
    const word = folded.text.slice(starts[first + at], ends[first + at]);
    if (word !== loose.slice(words.starts[at], words.ends[at])) return undefined;
    if (first + at < last && !isJoined(part, page, at, first + at, joints)) return undefined;
  }
  // Signs at either end belong to the words: a quotation mark, a bracket, a percent.
  const [before, behind] = [loose.slice(0, words.starts[0]), loose.slice(words.ends.at(-1))];
  const [from, to] = [(starts[first] as number) - before.length, ends[last] as number];
  const areThere = folded.text.startsWith(before, from) && folded.text.startsWith(behind, to);
  if (!joints.areClear || from < 0 || !areThere) return undefined;
  return page.originalSpan(folded.from[from] as number, folded.from[to + behind.length - 1] as number);
}

/** Whether behind a word of the quotation stands the same as behind one of the page, or a joint where the page has a boundary. */
function isJoined(
  { words, loose }: QuotationPart,
  page: SearchablePage,
  at: number,
  there: number,
  joints: Joints,
): boolean {
  const folded = page.folded("loose");
  const [end, next] = [page.words.ends[there] as number, page.words.starts[there + 1] as number];
  const [from, to] = [words.ends[at] as number, words.starts[at + 1] as number];
  const quoted = loose.slice(from, to);
  if (folded === undefined || folded.text.slice(end, next) === quoted) return folded !== undefined;
  const start = (folded.from[end - 1] as number) + 1;
  const gap = page.text.slice(start, folded.from[next]);
  const boundary = gap.length > MAX_GAP || gap.includes(PART_BOUNDARY) ? null : BOUNDARY.exec(gap);
  if (boundary === null) return false;
  const goesOn = start + boundary.index + boundary[0].length;
  // What belongs to the word before the boundary, and to the one behind.
  let [left, right] = ["", ""];
  for (let unit = end; unit < next; unit++) {
    if ((folded.from[unit] as number) < start + boundary.index) left += folded.text[unit];
    else if ((folded.from[unit] as number) >= goesOn) right += folded.text[unit];
  }
  const joint = jointOf(quoted, left.trim(), right.trim());
  const areFigures = right.trim() === "" && isDigitAt(loose, from - 1) && isDigitAt(loose, to);
  return joint !== undefined && joints.take(joint, areFigures, GROUP.test(loose.slice(to, to + 4)));
}

/** What a quotation writes for a boundary; `undefined` when that is more than a joint. */
function jointOf(quoted: string, left: string, right: string): string | undefined {
  if (!quoted.startsWith(left) || !quoted.endsWith(right)) return undefined;
  const joint = quoted.slice(left.length, Math.max(left.length, quoted.length - right.length));
  return JOINT.test(joint) ? joint : undefined;
}

/** The joints of one quotation. */
class Joints {
  #figures = 0;
  #groups = 0;

  /** Takes one; `false` when it makes one number of two figures. */
  take(joint: string, areFigures: boolean, isGroup: boolean): boolean {
    if (!areFigures) return true;
    this.#figures++;
    if (isGroup && joint === " ") this.#groups++;
    return /[\s|;]/.test(joint);
  }

  /** One blank before three digits makes one number of two figures: of more figures a reader sees a row. */
  get areClear(): boolean {
    return this.#groups === 0 || this.#figures > 1;
  }
}

/** Whether what was found begins and ends as words do, and holds the marks; what is short must be whole cells or lines. */
function counts({ needles, size }: QuotationPart, { text }: SearchablePage, { start, end }: Span): boolean {
  const passage = text.slice(start, end);
  if (!isWhole(text, start, end) || !holdsMarks(needles.exact, passage, text.slice(end, end + BESIDE))) return false;
  if (size !== "short") return true;
  const bare = (said: string) => foldTypography(said.replace(EMPHASIS, "")).text.replace(JOINTS, " ").trim();
  const [before, behind] = [text.slice(Math.max(0, start - BESIDE), start), text.slice(end, end + BESIDE)];
  return LINE_BEGINS.test(before) && LINE_ENDS.test(behind) && bare(passage) === bare(needles.exact);
}

function isDigitAt(text: string, at: number): boolean {
  return isDigit(text.charCodeAt(at));
}
