import { smallFigure } from "./loose-marks.js";
import { type QuotationPart, readParts } from "./quotation.js";
import type { Level } from "./searchable-page.js";

/** A quotation written in another way, and what it is at best when the page has it so. */
export interface Spelling {
  parts: readonly QuotationPart[];
  level: Level;
}

/** A dash inside of what may be one word. */
const DASH_IN_WORD = /(?<=[\p{L}\p{Nd}])(?:[‒–—―−]|-{2,3})(?=\p{L})/gu;
const ANY_IN_WORD = /(?<=\p{L})(?:[-‐‑‒–—―−]|-{2,3})(?=\p{L})/gu;
/** Between cells, as models set them apart. */
const BETWEEN_CELLS = /\s{0,3}\|\s{0,3}|[,;]\s{1,3}|\t/g;
const OUTER_BARS = /^\s{0,3}\|\s{0,3}|\s{0,3}\|\s{0,3}$/g;
const MIN_JOINTS = 2;
/** Raised and lowered text, as it is written in HTML. */
const SCRIPT = /<(su[bp])>([\d+−-]{1,12})<\/su[bp]>/gi;

/**
 * Other ways to write a quotation: loosely read, a hyphen joins two words and a dash parts them, and who copies takes one
 * for the other; cells of a file of values are parted by nothing but a comma or a semicolon.
 */
export function otherSpellings(quote: string): Spelling[] {
  const dashes = [quote.replace(DASH_IN_WORD, "-"), quote.replace(ANY_IN_WORD, " – ")];
  const scripts = quote.replace(SCRIPT, (_, name: string, figures: string) => smallFigures(figures, name));
  return [...different(quote, dashes, "typography"), ...different(quote, [scripts, ...cellsOf(quote)], "loose")];
}

function smallFigures(figures: string, name: string): string {
  return Array.from(figures, (figure) => smallFigure(figure, name.toLowerCase() === "sup")).join("");
}

function different(quote: string, spellings: readonly string[], level: Level): Spelling[] {
  const others = new Set(spellings.filter((spelling) => spelling !== quote));
  return [...others].map((spelling) => ({ parts: readParts(spelling), level }));
}

function cellsOf(quote: string): string[] {
  const joints = quote.match(BETWEEN_CELLS)?.length ?? 0;
  if (joints < MIN_JOINTS) return [];
  return [",", ";"].map((mark) => quote.replace(OUTER_BARS, "").replace(BETWEEN_CELLS, mark));
}
