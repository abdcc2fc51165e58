import { foldLoose } from "./fold-loose.js";
import { foldTypography } from "./fold-typography.js";
import type { Level } from "./searchable-page.js";
import { type Words, wordsOf } from "./word-index.js";

/** From so many words and characters on a quotation counts; in scripts without blanks from so many characters. */
const MIN_WORDS = 5;
const MIN_CHARACTERS = 35;
const MIN_UNSPACED = 12;
/** A quotation that is longer is a copy. */
const MAX_CHARACTERS = 5_000;

const ELLIPSIS = /\s?(?:\[\s?(?:\.{3,4}|(?:\.\s){2}\.|…)\s?\]|\(\s?(?:\.{3,4}|…)\s?\)|\.{3,4}|(?:\.\s){2,3}\.|…)\s?/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a page holds them between its parts, a quotation nowhere
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const EDGES = /^[\s.,;:!?'"“”‘’«»„]{1,9}|[\s.,;:!?'"“”‘’«»„]{1,9}$/gu;

/** How much of a quotation there is: what is too short may stand anywhere by chance. */
type QuotationSize = "full" | "short" | "too-short" | "too-long";

/** One unbroken part of a quotation, folded for each level. */
export interface QuotationPart {
  needles: Record<Level, string>;
  /** The words of the loosely folded part. */
  words: Words;
  /** The loosely folded part that `words` stand in. */
  loose: string;
  size: QuotationSize;
}

/** A quotation, as the model gave it, whole and in the parts that an ellipsis leaves. */
export interface Quotation {
  text: string;
  whole: QuotationPart;
  /** More than one, when the quotation leaves something out. */
  parts: readonly QuotationPart[];
}

/** Reads a quotation. Marks of Markdown, entities and quotation marks around it may be the model's. */
export function readQuotation(text: string): Quotation {
  const quote = text
    .slice(0, MAX_CHARACTERS + 1)
    .replace(CONTROL, " ")
    .trim();
  const parts = split(quote);
  const whole = partOf(quote);
  return { text: quote, whole, parts: parts.length === 1 && parts[0] === quote ? [whole] : parts.map(partOf) };
}

/** Reads the parts of a quotation that an ellipsis leaves. */
export function readParts(quote: string): readonly QuotationPart[] {
  return split(quote).map(partOf);
}

function split(quote: string): string[] {
  return quote
    .split(ELLIPSIS)
    .map((part) => part.trim())
    .filter((part) => part.replace(EDGES, "") !== "");
}

function partOf(quote: string): QuotationPart {
  const typography = foldTypography(quote).text.trim();
  const folded = foldLoose(quote.replace(EDGES, ""));
  const [loose, words] = [folded.text, wordsOf(folded)];
  return { needles: { exact: quote, typography, loose }, loose, words, size: sizeOf(quote, loose, words) };
}

function sizeOf(quote: string, loose: string, { starts }: Words): QuotationSize {
  if (quote.length > MAX_CHARACTERS) return "too-long";
  const unspaced = Array.from(loose.slice(0, 200)).filter((char) => UNSPACED.test(char)).length;
  if (unspaced >= MIN_UNSPACED) return "full";
  if (starts.length >= MIN_WORDS && loose.length >= MIN_CHARACTERS) return "full";
  return isTelling(quote, starts.length) ? "short" : "too-short";
}

/** Beside a number it says of what it is. */
const UNIT_SIGN = /\p{Nd}\s?[\p{Sc}%‰]|\p{Sc}\s?\p{Nd}/u;

/** A number with its unit, or a name with words that say what of it. */
function isTelling(quote: string, words: number): boolean {
  const numbered = /\p{Nd}/u.test(quote) && (words >= 2 || UNIT_SIGN.test(quote)) && quote.length >= 6;
  const named = /\P{L}\p{Lu}/u.test(quote) && /\p{Ll}{3}/u.test(quote) && words >= 3 && quote.length >= 15;
  return numbered || named;
}
