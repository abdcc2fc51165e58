import { Kind, kindOf, WIDE_FROM } from "./characters.js";

/** Blanks in a row that are looked at together; more of them are a gap. */
const MAX_BLANKS = 20;
/** Chinese and Japanese figures, that a blank may keep apart. */
const FIGURES = "〇零一二三四五六七八九两十百千万亿億兆";
const MAGNITUDES = "十百千万亿億兆";

/** Where blanks end that begin at a place. */
export function endOfBlanks(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from <= MAX_BLANKS && kindOf(text.charCodeAt(end)) === Kind.white) end++;
  return end;
}

/**
 * Whether blanks say nothing: beside a Chinese or Japanese character they come from the end of a line, or from the habit of
 * setting them around Latin words. Between figures they do, and so do empty lines.
 */
export function areNothing(text: string, start: number, end: number): boolean {
  if (start === 0 || end >= text.length || end - start > MAX_BLANKS) return false;
  const [left, right] = [text.charCodeAt(start - 1), text.charCodeAt(end)];
  if (!(isWide(left) || isWide(right)) || !isInLine(left) || !isInLine(right)) return false;
  if (isFigure(left) && isFigure(right)) {
    return kindOf(left) === Kind.digit && MAGNITUDES.includes(String.fromCharCode(right));
  }
  const first = text.indexOf("\n", start);
  return first === -1 || first >= end || text.lastIndexOf("\n", end - 1) === first;
}

/** A Chinese or Japanese character, or a sign of their own. */
function isWide(unit: number): boolean {
  if (unit < WIDE_FROM) return false;
  return kindOf(unit) === Kind.unspaced || (unit > 0x3000 && unit <= 0x303f);
}

function isInLine(unit: number): boolean {
  const kind = kindOf(unit);
  return kind === Kind.letter || kind === Kind.digit || isWide(unit) || (unit >= 0xff01 && unit <= 0xff60);
}

function isFigure(unit: number): boolean {
  return kindOf(unit) === Kind.digit || FIGURES.includes(String.fromCharCode(unit));
}
