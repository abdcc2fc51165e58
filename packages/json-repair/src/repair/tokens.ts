/** Tells what stands at a place outside of strings, behind blanks and comments. */
import * as s from "../decode/signs.js";
import { isQuote } from "../decode/signs.js";
import {
  behindPrefix,
  bulletEnd,
  closesOrSeparates,
  colonEnd,
  isWordSign,
  keyAhead,
  lineEndBetween,
  literalAhead,
  nameAhead,
  noticeAhead,
  quotesPaired,
  shortStringEnd,
  skipBlanks,
} from "./ahead.js";
import {
  AFTER_ITEM,
  AFTER_MEMBER,
  COLON,
  FIRST_ITEM,
  FIRST_KEY,
  ITEM,
  KEY,
  OBJECT,
  type Reading,
  VALUE,
} from "./reading.js";

export * from "./ahead.js";

export const END = 0;
/** A string, behind which no colon stands. */
export const TEXT = 1;
/** A string and a colon behind it. */
export const KEY_TEXT = 2;
/** A word without quotes, and a colon behind it. */
export const NAME = 3;
export const WORD = 4;
/** A number, or a word that is a literal. */
export const LITERAL = 5;
export const BRACE = 6;
export const BRACKET = 7;
export const ROUND = 8;
export const CURLY = 9;
export const SQUARE = 10;
export const PAREN = 11;
export const COMMA = 12;
export const COLON_SIGN = 13;
export const ODD = 14;
export const TOKENS = 15;

const OF_SIGN: readonly (number | undefined)[] = [];
const table = OF_SIGN as number[];
table[s.OPEN_OBJECT] = BRACE;
table[s.OPEN_LIST] = BRACKET;
table[s.OPEN_ROUND] = ROUND;
table[s.CLOSE_OBJECT] = CURLY;
table[s.CLOSE_LIST] = SQUARE;
table[s.CLOSE_ROUND] = PAREN;
table[s.COMMA] = COMMA;
table[s.COLON] = COLON_SIGN;

export function isCloser(token: number): boolean {
  return token >= CURLY && token <= PAREN;
}

/** The token at `pos`. */
export function tokenAt(r: Reading): number {
  const { text, pos, limit, state } = r;
  if (pos >= limit) return END;
  const code = text.charCodeAt(pos);
  const sign = s.signOf(code);
  if (sign === s.QUOTE) {
    if (code === 96 && text.startsWith("```", pos)) return END;
    return keyAhead(text, pos, limit) ? KEY_TEXT : TEXT;
  }
  const token = OF_SIGN[sign];
  if ((token === undefined || token === BRACKET || token === ROUND) && noticeAhead(text, pos, limit)) return END;
  if (token !== undefined) return token;
  if (code === 126 && text.startsWith("~~~", pos)) return END;
  if (state === COLON && colonEnd(text, pos) > 0) return COLON_SIGN;
  const item = state === ITEM || state === FIRST_ITEM;
  if ((item || state === KEY || state === FIRST_KEY) && bulletEnd(text, pos, item) >= 0) return ODD;
  if (isWordSign(code)) {
    // A word is a value there, whatever stands behind it.
    if (state === VALUE && behindPrefix(text, pos) === pos) return WORD;
    const after = state === AFTER_MEMBER || state === AFTER_ITEM;
    const quote = after ? pos : behindPrefix(text, pos);
    if (quote > pos) return keyAhead(text, quote, limit) ? KEY_TEXT : TEXT;
    if (nameAhead(text, pos, limit, r.wordyKeys)) return NAME;
    return literalAhead(text, pos) ? LITERAL : WORD;
  }
  return literalAhead(text, pos) ? LITERAL : ODD;
}

/** Moves behind blanks and comments, which JSON does not know. */
export function skipSpace(r: Reading): undefined {
  const { text, limit } = r;
  r.lineEnds = false;
  for (;;) {
    const code = text.charCodeAt(r.pos);
    if (code === 32 || code === 13 || code === 9) r.pos++;
    else if (code === 10) {
      r.lineEnds = true;
      r.pos++;
      r.lineStart = r.pos;
    } else if (r.pos >= limit || code === 34 || (code > 47 && code !== 60 && code < 127)) break;
    else {
      const end = oddSpaceEnd(r, code);
      if (end < 0) break;
      r.pos = end;
    }
  }
  r.pos = Math.min(r.pos, limit);
}

/** Behind a comment or a blank that JSON does not know; -1 if there is none. */
function oddSpaceEnd(r: Reading, code: number): number {
  const { text, pos, limit, source } = r;
  if (code === 47 || code === 35 || (code === 45 && text.charCodeAt(pos + 1) === 45))
    return comment(r, commentEnd(r, code));
  if (code === 60 && text.startsWith("<!--", pos)) {
    const close = source.next("-->", pos);
    return comment(r, close < 0 || close + 3 > limit ? -1 : close + 3);
  }
  if (code === 0x2190 || (code === 60 && text.charCodeAt(pos + 1) === 45)) {
    // `<-- this`, `← this`
    const close = source.next("\n", pos);
    return comment(r, close >= limit ? -1 : close);
  }
  if (s.signOf(code) !== s.ODD_BLANK) return -1;
  r.edit(pos, pos + 1, "", "whitespace");
  return pos + 1;
}

function comment(r: Reading, end: number): number {
  if (end < 0) return -1;
  // A quote without its partner in it may have been that of a string.
  const paired = quotesPaired(r.text, r.pos, end);
  r.edit(r.pos, end, "", "comment", paired);
  if (!paired) r.cost += 3;
  if (lineEndBetween(r.text, r.pos, end)) r.lineEnds = true;
  return end;
}

/** Where the comment at `pos` ends, -1 if there is none. */
function commentEnd(r: Reading, code: number): number {
  const { text, pos, limit, source } = r;
  const second = text.charCodeAt(pos + 1);
  if (code !== 47) {
    const marks = code === 35 && second !== 35 ? 1 : 2;
    // `#fff` may be a value, where one is awaited.
    const awaited = r.keyAt >= 0 || r.top?.kind !== OBJECT || code === 45;
    if (awaited && second !== 35 && !s.isJsonBlank(text.charCodeAt(pos + marks))) return -1;
    const close = source.next("\n", pos);
    return close < 0 ? limit : Math.min(close, limit);
  }
  if (second === 42) {
    const close = source.next("*/", pos + 2);
    return close < 0 ? limit : Math.min(close + 2, limit);
  }
  if (second !== 47) return -1;
  const close = source.next("\n", pos + 2);
  if (close >= 0 && close <= limit) return close;
  return r.top === undefined ? limit : lastRemarkEnd(r, pos);
}

/** A longer last line is a remark to its end. */
const LAST_LINE = 2_000;

/** On the last line, a remark ends where the brackets go on, since else they would never close. */
function lastRemarkEnd(r: Reading, from: number): number {
  const { text, limit } = r;
  for (let at = from; at < Math.min(limit, from + LAST_LINE); at++) {
    const sign = s.signOf(text.charCodeAt(at));
    if (sign === s.CLOSE_OBJECT || sign === s.CLOSE_LIST) return at;
    if (sign === s.COMMA && text.charCodeAt(skipBlanks(text, at + 1, limit)) === 34) return at;
  }
  return limit;
}

/** A longer string is not joined with the one before it. */
const PART_LENGTH = 400;

/** Python and C join strings that follow each other: a whole one, and an end or a next one behind it. */
export function partAhead({ text, pos, last, limit }: Reading): boolean {
  if (!isQuote(text[last - 1])) return false;
  const end = shortStringEnd(text, pos, limit, PART_LENGTH);
  if (end < 0) return false;
  const next = skipBlanks(text, end, limit);
  return closesOrSeparates(text, next) || (lineEndBetween(text, end, next) && isQuote(text[next]));
}

/** What a sign behind a value may be. */
export function kindOf(code: number): "closer" | "colon" | "comma" | "quote" | "opener" | "word" | "other" {
  const sign = s.signOf(code);
  if (sign === s.CLOSE_OBJECT || sign === s.CLOSE_LIST) return "closer";
  if (sign === s.COLON) return "colon";
  if (sign === s.COMMA) return "comma";
  if (code === 34) return "quote";
  if (sign === s.OPEN_OBJECT || sign === s.OPEN_LIST) return "opener";
  return sign === s.OTHER && code !== 60 ? "word" : "other";
}
