/** The one table of signs: what counts as a quote, bracket, comma, colon or blank, in every script and width. */

/** A letter, a digit, or a sign without a meaning in JSON. */
const OTHER = 0;
const BLANK = 1;
/** Blank to the eye, and unknown to JSON. */
export const ODD_BLANK = 2;
export const QUOTE = 3;
export const OPEN_OBJECT = 4;
export const OPEN_LIST = 5;
export const OPEN_ROUND = 6;
export const CLOSE_OBJECT = 7;
export const CLOSE_ROUND = 9;
export const COMMA = 10;
export const COLON = 11;

/** Each quote, followed by the signs that may close it. */
const QUOTES = `""” ''’ \`\`'´ “”"“ ””"“ „“”" ‘’'‘ ’’' «» »« ‹› ‚‘’ 「」 『』 〝〞〟 ″″ ´´ ＂＂" ＇＇'`;
const CLOSERS = new Map(QUOTES.split(" ").map((row) => [row.charAt(0), row.slice(1)] as const));

const COLON_SIGNS = ":：";
/** All others: those of each sign. */
const SIGNS = ["", " \n\r\t", "", "", "{｛", "[［【", "(（", "}｝", "]］】", ")）", ",，、､،؛；;|", COLON_SIGNS];

/** What stands between a key and its value, as patterns: a colon, and what others write for it; a row each. */
export const COLONS = [`[${COLON_SIGNS}]=?`, "=>", "->", "={1,3}"].join("|");

/** Control characters, odd blanks, signs without a width, byte order mark: first and last code of each range. */
const ODD_BLANKS = [
  0x00, 0x1f, 0x7f, 0xa0, 0xad, 0xad, 0x180e, 0x180e, 0x2000, 0x200f, 0x2028, 0x202f, 0x205f, 0x206f, 0x3000, 0x3000,
  0xfe00, 0xfe0f, 0xfeff, 0xfeff,
];

const SIGN_OF = new Uint8Array(0x10000);
for (let nth = 0; nth < ODD_BLANKS.length; nth += 2)
  SIGN_OF.fill(ODD_BLANK, ODD_BLANKS[nth], (ODD_BLANKS[nth + 1] as number) + 1);
for (const [sign, signs] of SIGNS.entries()) for (const c of signs) SIGN_OF[c.charCodeAt(0)] = sign;
for (const quote of CLOSERS.keys()) SIGN_OF[quote.charCodeAt(0)] = QUOTE;

/** What a code unit is outside of strings; `OTHER` behind the end of a text, where there is none. */
export function signOf(code: number): number {
  return code >= 0 ? (SIGN_OF[code] as number) : OTHER;
}

/** The signs that may end a string which this quote has opened. */
export function closersOf(quote: string): string {
  return CLOSERS.get(quote) ?? quote;
}

/** Every sign that ends a string of some quote. */
export const ALL_CLOSERS = [...CLOSERS.values()].join("");

/** What may stand around a value without being a part of it. */
export function isBlank(code: number): boolean {
  const sign = signOf(code);
  return sign === BLANK || sign === ODD_BLANK;
}

/** The next index from `at` on that is not blank. */
export function skipBlanks(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Behind the last sign before `to` that is not blank. */
export function behindBlanks(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}
