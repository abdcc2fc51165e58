import { PART_BOUNDARY } from "../quotes/part-boundary.js";
import type { Passage } from "./find-passages.js";

/** What the model is shown of a page that it reads from a place on. */
export interface Window extends Passage {
  /** Where to go on; `undefined`: nothing follows. */
  next: number | undefined;
  /** The main part was shown to its end: the whole page follows, which holds it again. */
  isMainPart: boolean;
  /** Only a look at a long page. */
  isBeginning: boolean;
  /** Headings of what follows, one a line, each with its place; empty for none. */
  outline: string;
}

/**
 * What is shown of a page when neither words nor a place were asked for: no more than a model's own words of a page come to,
 * as Gemini CLI's tool gives them. A main part that is no longer is shown whole.
 */
const FIRST_LOOK = 4_500;
/** Of a longer one this much, and its headings. */
const BEGINNING = 3_000;
const OUTLINE = 1_000;
const HEADING = /^(#{1,6}) (\S[^\n]{0,99})/gm;

/** From a place on, to the end of a paragraph or line where there is one near; never over the end of the main part. */
export function windowAt(text: string, offset: number, size: number): Window {
  const start = Math.min(Math.max(0, Math.floor(offset)), text.length);
  const limit = partEnd(text, start);
  const end = limit - start <= size ? limit : start + cutIn(text.slice(start, start + size));
  const isMainPart = end === limit && limit < text.length;
  const next = isMainPart ? limit + 1 : end < text.length ? end : undefined;
  return { start, end, next, isMainPart, isBeginning: false, outline: "" };
}

/** A look at a page: its main part when that is short, else its beginning and its headings. */
export function beginningOf(text: string, size: number): Window {
  const main = partEnd(text, 0);
  if (main <= Math.min(FIRST_LOOK, size)) return windowAt(text, 0, size);
  const window = windowAt(text, 0, Math.min(BEGINNING, size));
  return { ...window, isBeginning: true, outline: outlineOf(text.slice(window.end, main), window.end) };
}

/** Passages as far as there is room for them. */
export function firstOf(passages: readonly Passage[], size: number): Passage[] {
  let left = size;
  return passages.filter(({ start, end }) => {
    left -= end - start;
    return left >= 0;
  });
}

/** Where the part of the page ends that a place stands in. */
function partEnd(text: string, from: number): number {
  const boundary = text.indexOf(PART_BOUNDARY, from);
  return boundary === -1 ? text.length : boundary;
}

function cutIn(part: string): number {
  const cuts = [part.lastIndexOf("\n\n"), part.lastIndexOf("\n"), part.lastIndexOf(" ")];
  return cuts.find((at) => at > part.length / 2) ?? part.length;
}

/** Headings of a text with their places: of as many levels as there is room for, else the first of the highest. */
function outlineOf(text: string, place: number): string {
  const headings = Array.from(text.matchAll(HEADING), ({ index, 1: marks = "", 2: words = "" }) => {
    return { level: marks.length, line: `[at ${place + index}] ${marks} ${words.trim()}` };
  });
  const upTo = (level: number) => headings.filter((heading) => heading.level <= level).map(({ line }) => line);
  const all = [6, 5, 4, 3, 2, 1].map((level) => upTo(level).join("\n"));
  const fitting = all.find((lines) => lines !== "" && lines.length <= OUTLINE);
  if (fitting !== undefined) return fitting;
  const highest = all.findLast((lines) => lines !== "") ?? "";
  return highest.slice(0, highest.lastIndexOf("\n", OUTLINE) + 1).trimEnd();
}
