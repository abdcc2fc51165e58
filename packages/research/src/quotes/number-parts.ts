import { magnitudeAt } from "./magnitudes.js";

/** What one number may still hold beside its digits: fractions, powers of ten, the other end of a range, its sign for a unit. */

const FRACTION = /^[ \u00a0\u202f]?(?:[¼-¾⅐-⅞]|\d{1,2}[/⁄]\d{1,2}(?!\d))/u;
const PRODUCT = /^\s?[×✕·⋅]\s?\d/u;
const RANGE = /^[ \u00a0\u202f\u2009][-–—−][ \u00a0\u202f\u2009]\d/u;
/** `18+`, `5 %`, `14 €`; a sign before another number is that one's. */
const SIGN = /^(?:\+(?!\d)|[ \u00a0\u202f]?(?:[%‰]|\p{Sc}(?!\s?\d))|[°′″](?!\p{L}))/u;
/** Characters behind a number that are looked at. */
const REACH = 16;

const FRACTION_BEGINS = /^(?:[¼-¾⅐-⅞]|\d{1,2}[/⁄]\d{1,2}(?!\d))/u;
const BEFORE_FRACTION = /\d[ \u00a0\u202f]?$/u;
const BEFORE_FACTOR = /\d\s?[×✕·⋅]\s?$/u;
const BEFORE_RANGE_END = /\d[ \u00a0\u202f\u2009][-–—−][ \u00a0\u202f\u2009]$/u;
const BEFORE_MAGNITUDE = /\d[ \u00a0\u202f-]?$/u;

/** Whether a number that has digits before `at` goes on there: `1½`, `1.5 × 10³`, `10 – 20`, `5 million`, `5 %`, `18+`. */
export function numberGoesOn(text: string, at: number): boolean {
  const behind = text.slice(at, at + REACH);
  if ([FRACTION, PRODUCT, RANGE, SIGN].some((pattern) => pattern.test(behind))) return true;
  return !behind.startsWith("\n") && magnitudeAt(text, at).length > 0;
}

/** Whether a number that `start` stands in began before: the same from the other side. */
export function numberBegan(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  if (BEFORE_FACTOR.test(before) || BEFORE_RANGE_END.test(before)) return true;
  return BEFORE_FRACTION.test(before) && FRACTION_BEGINS.test(text.slice(start, start + REACH));
}

/** Whether the word at `start` is a million of a number before it. */
export function isMagnitudeOfNumber(text: string, start: number): boolean {
  return BEFORE_MAGNITUDE.test(text.slice(Math.max(0, start - REACH), start)) && magnitudeAt(text, start).length > 0;
}
