/** What stands at a place of the text, told from a few characters; no look goes farther than some hundred. */
import * as s from "../decode/signs.js";
import type { Reading } from "./reading.js";

/** Where the sticky pattern ends if it matches at `at`, else -1. */
export function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The next index from `at` on that is not blank. */
export function skipBlanks(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && s.isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a line ends between the two places; looks at the first 200 characters. */
export function lineEndBetween(text: string, from: number, to: number): boolean {
  return text.slice(Math.max(0, from), Math.min(to, from + 200)).includes("\n");
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const LETTER = /[\p{L}\p{N}\p{M}\p{Cs}]/u;

/** A letter, a digit, `_` or `$`. */
export function isWordSign(code: number): boolean {
  const lower = code | 32;
  if (code < 128) return (lower >= 97 && lower <= 122) || isDigit(code) || code === 95 || code === 36;
  return s.signOf(code) === s.OTHER && LETTER.test(String.fromCharCode(code));
}

export function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isWordSign(code) && code !== 95 && code !== 36 && !isDigit(code);
}

export function isOpeningSign(sign: number): boolean {
  return sign >= s.OPEN_OBJECT && sign <= s.OPEN_ROUND;
}

export function isClosingSign(sign: number): boolean {
  return sign >= s.CLOSE_OBJECT && sign <= s.CLOSE_ROUND;
}

/** Whether a comma or a closing bracket stands at `at`. */
export function closesOrSeparates(text: string, at: number): boolean {
  const sign = s.signOf(text.charCodeAt(at));
  return sign === s.COMMA || isClosingSign(sign);
}

/** Behind a colon, or what stands for one, at `at`; -1 if there is none. */
export function colonEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (s.signOf(code) === s.COLON) return next === 61 ? at + 2 : at + 1;
  if (code === 61) return next === 62 ? at + 2 : at + 1;
  return code === 45 && next === 62 ? at + 2 : -1;
}

/** A longer string is no key. */
export const KEY_LENGTH = 120;
const GAP = 40;

/** Where the string ends that opens at `at`, if it is short and stands on one line: behind its quote; else -1. */
export function shortStringEnd(text: string, at: number, limit: number, length = KEY_LENGTH): number {
  const opener = text.charCodeAt(at);
  const closers = opener === 34 ? "" : s.closersOf(text[at] as string);
  const stop = Math.min(limit, at + 2 + length);
  for (let end = at + 1; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (code === 92) end++;
    else if (code === 10) return -1;
    else if (code === opener || closers.includes(text[end] as string)) return end + 1;
  }
  return -1;
}

/** Whether a quoted key starts at `at`: a string, and a colon behind it. */
export function keyAhead(text: string, at: number, limit: number): boolean {
  if (at >= limit || s.signOf(text.charCodeAt(at)) !== s.QUOTE) return false;
  const end = shortStringEnd(text, at, limit);
  return end >= 0 && colonEnd(text, skipBlanks(text, end, Math.min(limit, end + GAP))) >= 0;
}

/** The same for a reading, which asks before the string ahead of the key ends, and again behind that. */
export function keyAheadOf({ source, text, limit }: Reading, at: number): boolean {
  const { asked } = source;
  if (asked.at === at && asked.limit === limit) return asked.isKey;
  asked.at = at;
  asked.limit = limit;
  asked.isKey = keyAhead(text, at, limit);
  return asked.isKey;
}

const NAME = /[\p{L}\p{N}\p{M}\p{Cs}_$][\p{L}\p{N}\p{M}\p{Cs}_$.-]{0,60}["'”’`»]?\s{0,40}[:：]/uy;
const WORDY_NAME = /[\p{L}\p{N}\p{M}\p{Cs}_$][\p{L}\p{N}\p{M}\p{Cs}_$. -]{0,60}["'”’`»]?\s{0,40}[:：]/uy;

/** Whether a word and a colon stand at `at`: a key without quotes, or with the last one alone. */
export function nameAhead(text: string, at: number, limit: number, wordy = false): boolean {
  const end = sticky(wordy ? WORDY_NAME : NAME, text, at);
  return end >= 0 && end <= limit;
}

const LITERAL = /(?:true|false|null|None|True|False|NaN)(?![\p{L}\p{N}_$])|[+-]?\.?\d/uy;

export function literalAhead(text: string, at: number): boolean {
  return sticky(LITERAL, text, at) >= 0;
}

const PREFIX = /[urbfURBF]{1,2}(?=["'](?!\s{0,20}[:：,\]}]))/y;

/** Behind the letters that Python puts before a quote: `u'…'`, `rb"…"`. */
export function behindPrefix(text: string, at: number): number {
  const letter = text.charCodeAt(at) | 32;
  if (letter !== 117 && letter !== 114 && letter !== 98 && letter !== 102) return at;
  const end = sticky(PREFIX, text, at);
  return end < 0 ? at : end;
}

/** So far back the partner of a bracket is looked for. */
const PARTNER_DISTANCE = 400;

/** Where the opening bracket stands between `from` and `to` that the closing one at `to` would belong to; -1 if none does. */
export function openBefore(text: string, from: number, to: number, close: number): number {
  const open = close === 41 ? 40 : close - 2;
  let closed = 0;
  for (let at = to - 1; at >= Math.max(from, to - PARTNER_DISTANCE); at--) {
    const code = text.charCodeAt(at);
    if (code === close) closed++;
    else if (code === open && closed-- === 0) return at;
  }
  return -1;
}

/** So much of an object is searched for a key. */
const OBJECT_LENGTH = 2_000;
const KEY_NAME = /[\p{L}\p{N}_$][^"'”’:]{0,60}/u;

/** Whether the part of the text has the key that stands at `at`. */
export function hasKey(text: string, from: number, to: number, at: number): boolean {
  const key = KEY_NAME.exec(text.slice(at, at + 80))?.[0].trim() ?? "";
  const parts = key === "" ? [] : text.slice(from, Math.min(to, from + OBJECT_LENGTH)).split(key);
  return parts.slice(1).some((behind) => /^["'”’]?\s{0,8}[:：=]/.test(behind.slice(0, 12)));
}

/** Words in round brackets, which explain what stands before or behind them. */
export const REMARK_WORDS = /\([^()"'\d\n][^()"\n]{0,120}\)/y;

/** What follows a text that was cut: `... [output truncated]`, `--- cut off ---`, the mark of a model's end. */
const NOTICE =
  /(?:<\/s>|<\|\w{1,30}\|>|(?:\.\.\.|…)?[ \t]{0,4}(?:[[(<]{1,3}|-{2,8}|\*{2,8}|={2,8})[^[\](){}"\n]{0,60}\b(?:truncated|truncation|cut[ -]?off|omitted|snip(?:ped)?|interrupted|tokens?|finish_reason|length|limit|continued?|continues|elided|trimmed|more)\b[^[\](){}"\n]{0,60}[\])>*=-]{0,8})[\s`]{0,40}$/iy;
/** A few words in brackets on a line of their own. */
const BRACKETED_LINE = /^[[(<]\p{L}[\p{L}\d _:.,-]{0,60}[\])>]\s{0,40}$/u;
/** A longer rest of the text is no notice. */
const NOTICE_LENGTH = 220;

/** Whether nothing is left from `at` on but a notice that the text was cut. */
export function noticeAhead(text: string, at: number, limit: number): boolean {
  if (limit - at > NOTICE_LENGTH || at >= limit) return false;
  const rest = text.slice(at, limit);
  NOTICE.lastIndex = 0;
  return (
    NOTICE.test(rest) || (BRACKETED_LINE.test(rest) && /\n[ \t]{0,20}$/.test(text.slice(Math.max(0, at - 24), at)))
  );
}

const MAX_SIGNS = 6;

/** What it costs that the value ends before `from`: signs behind it that look like a part of it. */
export function leftover(r: Reading, from: number): number {
  const { text, limit } = r;
  let cost = 0;
  let at = from;
  for (let signs = 0; signs < MAX_SIGNS; signs++) {
    const next = skipBlanks(text, at, limit);
    if (next >= limit) return cost;
    const line = lineEndBetween(text, at, next);
    const sign = r.sign(next);
    at = next + 1;
    if (sign === s.CLOSE_OBJECT || sign === s.CLOSE_LIST) cost += 3;
    else if (sign === s.COLON) cost += 4;
    else if (sign === s.COMMA) {
      const member = skipBlanks(text, at, limit);
      if (keyAhead(text, member, limit) || (r.bareKeys && nameAhead(text, member, limit))) return cost + 8;
    } else if (text.charCodeAt(next) === 34) return cost + (keyAhead(text, next, limit) ? 8 : 3) + restOfLine(r, at);
    else if (sign === s.OPEN_OBJECT || sign === s.OPEN_LIST) return cost === 0 ? restOfLine(r, next) : cost;
    else return line || sign !== s.OTHER || text[next] === "<" ? cost : cost + restOfLine(r, next);
  }
  return cost;
}

/** Brackets and quotes without a partner on the rest of the line. */
function restOfLine({ text, limit }: Reading, from: number): number {
  const end = Math.min(limit, from + 160);
  let quotes = 0;
  let open = 0;
  for (let at = from; at < end && text.charCodeAt(at) !== 10; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) quotes++;
    else if (code === 123 || code === 91) open++;
    else if (code === 125 || code === 93) open--;
  }
  return Math.min(9, 3 * Math.max(0, -open) + (quotes % 2 === 1 ? 2 : 0) + quotes / 2);
}
