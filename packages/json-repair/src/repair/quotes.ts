/** What a quote in a string may be: its end, content, or the start of the next string behind a quote that was lost. */
import * as s from "../decode/signs.js";
import {
  colonEnd,
  isClosingSign,
  isDigit,
  isOpeningSign,
  isWordSign,
  KEY_LENGTH,
  keyAhead,
  lineEndBetween,
  literalAhead,
  nameAhead,
  openBefore,
  shortStringEnd,
  skipBlanks,
} from "./ahead.js";
import { type Frame, KEY, OBJECT, type Reading, VALUE } from "./reading.js";

const MAX_CLOSERS = 64;

/** Whether what stands at `from`, behind a quote, can only follow the end of the string. */
export function endsSurely(r: Reading, from: number, role = r.string.role): boolean {
  const { text, limit } = r;
  const at = skipBlanks(text, from, limit);
  if (at >= limit) return true;
  if (role === KEY) return colonEnd(text, at) >= 0;
  const sign = r.sign(at);
  if (sign === s.COMMA) {
    const next = skipBlanks(text, at + 1, limit);
    return (
      next >= limit || memberAhead(r, next, r.top, at + 1) || (isClosingSign(r.sign(next)) && closersFollow(r, next))
    );
  }
  return isClosingSign(sign) && closersFollow(r, at);
}

/** Whether a member of the frame starts at `at`, where one is awaited. */
function memberAhead(r: Reading, at: number, frame: Frame | undefined, comma: number): boolean {
  const { text, limit } = r;
  const sign = r.sign(at);
  if (frame === undefined) return sign === s.OPEN_OBJECT;
  if (frame.kind === OBJECT) {
    if (sign === s.QUOTE) return keyAhead(text, at, limit);
    if (r.string.inner > 0 && !r.bareKeys) return false;
    return (r.bareKeys || lineEndBetween(text, comma, at)) && nameAhead(text, at, limit, r.wordyKeys);
  }
  if (sign === s.QUOTE) return !s.isBlank(text.charCodeAt(at + 1)) && !keyAhead(text, at, limit);
  return isOpeningSign(sign) || (literalAhead(text, at) && !nameAhead(text, at, limit));
}

/** Whether the closing brackets from `from` on close what is open, and the text goes on as it may behind them. */
function closersFollow(r: Reading, from: number): boolean {
  const { text, limit } = r;
  let frame = r.top;
  let at = from;
  for (let seen = 0; seen < MAX_CLOSERS && isClosingSign(r.sign(at)); seen++) {
    // One more than is open: whatever it is, the string has ended.
    if (frame === undefined) return true;
    if (r.sign(at) - s.CLOSE_OBJECT !== frame.kind) return false;
    frame = frame.up;
    at = skipBlanks(text, at + 1, limit);
    if (at >= limit) return true;
  }
  const sign = r.sign(at);
  if (sign === s.COMMA) {
    const next = skipBlanks(text, at + 1, limit);
    if (next >= limit || memberAhead(r, next, frame, at + 1)) return true;
    return isClosingSign(r.sign(next)) && frame !== undefined;
  }
  return frame === undefined && text.charCodeAt(at) !== 34 && sign !== s.COLON && !isClosingSign(sign);
}

/** Whether the next member starts with the quote at `at`, so that this string must have ended before it. */
export function startsNext(r: Reading, at: number): boolean {
  const { text, limit } = r;
  const { role, content } = r.string;
  if (role === KEY || at === content) return false;
  const back = behindBlanks(text, content, at);
  const comma = r.sign(back - 1) === s.COMMA;
  if (!comma && !lineEndBetween(text, Math.max(back, at - 80), at)) return false;
  if (role === VALUE) return keyAhead(text, at, limit);
  if (!comma || s.isBlank(text.charCodeAt(at + 1))) return false;
  const end = shortStringEnd(text, at, limit);
  if (end < 0) return false;
  const sign = r.sign(skipBlanks(text, end, limit));
  return sign === s.COMMA || sign === s.CLOSE_LIST || (sign === s.COLON && r.top?.up?.kind === OBJECT);
}

/** Behind the last sign before `to` that is not blank. */
export function behindBlanks(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && s.isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Whether `at` stands in an object within the string: its brace is open, and a key follows that. */
export function inInnerObject(r: Reading, at: number): boolean {
  if (r.string.role === KEY) return false;
  const first = r.source.next("{", r.string.content);
  if (first < 0 || first > at) return false;
  const brace = openBefore(r.text, r.string.content, at, 123, 125);
  return brace >= 0 && keyAhead(r.text, skipBlanks(r.text, brace + 1, r.limit), r.limit);
}

/** The first colon in the key so far, -1 if there is none. */
export function colonInside(r: Reading, until: number): number {
  const { content } = r.string;
  const stop = Math.min(until, content + KEY_LENGTH);
  for (let at = content + 1; at < stop; at++) if (r.sign(at) === s.COLON) return at;
  return -1;
}

/** `"key:" "value"`: the colon before the quote, between which nothing but blanks stands; -1 if there is none. */
export function colonBefore(r: Reading, quote: number): number {
  const colon = behindBlanks(r.text, r.string.content, quote) - 1;
  return colon > r.string.content && r.sign(colon) === s.COLON ? colon : -1;
}

/** Whether a value that is none of bare words starts behind `from`. */
export function valueAhead(r: Reading, from: number): boolean {
  const at = skipBlanks(r.text, from, r.limit);
  const sign = r.sign(at);
  return sign === s.QUOTE || sign === s.OPEN_OBJECT || sign === s.OPEN_LIST || literalAhead(r.text, at);
}

/** Whether the outermost object begins again with the quote at `at`: a brace, and the same first key. */
export function restarts(r: Reading, at: number): boolean {
  const { text, start, limit } = r;
  const { role, begin, content } = r.string;
  const brace = behindBlanks(text, content, at) - 1;
  if (text.charCodeAt(brace) !== 123 || text.charCodeAt(start) !== 123 || !keyAhead(text, at, limit)) return false;
  // `{"suc{"success": …`
  if (role === KEY && r.untouched) return brace > content && text.startsWith(text.slice(begin, brace), at);
  if (role !== KEY && !lineEndBetween(text, brace - 40, brace)) return false;
  const first = skipBlanks(text, start + 1, at);
  const end = shortStringEnd(text, first, at);
  return end - first > 2 && text.startsWith(text.slice(first, end), at);
}

/** Whether the quote stands as one that opens does: behind a blank or a bracket, and before a word. */
export function opens(r: Reading, at: number): boolean {
  const { text } = r;
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at + 1);
  // Chinese and Japanese have no blanks.
  const gap =
    at === r.string.content || s.isBlank(before) || before > 0x2e80 || "([{“—–-/=>".includes(text[at - 1] as string);
  return gap && at + 1 < r.limit && behind !== 34 && !s.isBlank(behind);
}

export function closes(r: Reading, at: number): boolean {
  return !s.isBlank(r.text.charCodeAt(at - 1));
}

/** What it costs that the quote at `at` is content. */
export function contentCost(r: Reading, at: number): number {
  const { text, string } = r;
  const before = text.charCodeAt(at - 1);
  if (before === 92) return 1;
  if (at === string.content) return 4;
  // Who forgets the backslashes of one pair forgets those of others.
  const habit = string.inner > 1 ? 0.5 : 1;
  if (string.open) return closes(r, at) ? habit : 3;
  if (opens(r, at) || isDigit(before) || inWord(text, at)) return 2 * habit;
  const code = text.charCodeAt(at);
  // `""word""`
  if (before === code) return 1;
  return text.charCodeAt(at + 1) === code && !endsSurely(r, at + 2) ? 2 : 4;
}

/** What a quote in a key costs beyond one in a value: few have any, and none behind a comma. */
export function keyContentCost(r: Reading, at: number): number {
  const sign = r.sign(behindBlanks(r.text, r.string.content, at) - 1);
  return (r.string.open ? 1 : 2) + (sign === s.COMMA || sign === s.OPEN_OBJECT ? 2 : 0);
}

/** `the "big" one`: a quote before a word or, if another one is open, behind one, where words follow and no key. */
export function goesOnInWords(r: Reading, at: number): boolean {
  const { text, limit, string } = r;
  if (string.role === KEY) return false;
  if (at === string.content) return startsQuotation(r, at);
  const next = text.charCodeAt(at + 1);
  if (!string.open) {
    if (!isWordSign(next) || !opens(r, at)) return false;
    return !keyAhead(text, at, limit) && !nameAhead(text, at + 1, limit) && !startsNext(r, at);
  }
  if (!closes(r, at) || !s.isJsonBlank(next)) return false;
  const word = skipBlanks(text, at + 1, limit);
  if (!isWordSign(text.charCodeAt(word)) || lineEndBetween(text, at + 1, word)) return false;
  return !nameAhead(text, word, limit) && !literalAhead(text, word);
}

/** `""Free" is a lure"`: the content begins with words in quotes, and goes on in words behind them. */
function startsQuotation({ text, limit, string }: Reading, at: number): boolean {
  if (text.charCodeAt(at) !== string.quote || !isWordSign(text.charCodeAt(at + 1))) return false;
  const end = shortStringEnd(text, at, limit);
  const word = end < 0 ? end : skipBlanks(text, end, limit);
  if (word <= end || !isWordSign(text.charCodeAt(word)) || lineEndBetween(text, end, word)) return false;
  return !nameAhead(text, word, limit) && !literalAhead(text, word);
}

/** A word that may be a key, and its colon. */
const KEY_BEFORE = /(?:^|[,;{["\n])\s*[\p{L}\p{N}_$-]{1,40}\s*[:：]$/u;

/** Whether a sign of JSON stands beside the quote at `at`, so that it may have been that of a string. */
export function besideSign(r: Reading, at: number): boolean {
  const { text, string } = r;
  const before = behindBlanks(text, string.content, at);
  const left = before > string.content ? r.sign(before - 1) : s.OTHER;
  const next = skipBlanks(text, at + 1, r.limit);
  const right = r.sign(next);
  // `he said: "so"`: a colon in a sentence, before which no key begins.
  const key = left !== s.COLON || KEY_BEFORE.test(text.slice(Math.max(string.content, before - 60), before));
  return (isStructure(left) && key) || (isStructure(right) && !(right === s.COMMA && sentenceAhead(r, next)));
}

/** Whether words follow the comma at `at`, as in a sentence. */
function sentenceAhead({ text, limit, string }: Reading, at: number): boolean {
  const word = skipBlanks(text, at + 1, limit);
  if (string.role !== VALUE) return false;
  if (text.charCodeAt(at) !== 44) return !keyAhead(text, word, limit) && !nameAhead(text, word, limit);
  if (word === at + 1) return false;
  return isWordSign(text.charCodeAt(word)) && !nameAhead(text, word, limit) && !literalAhead(text, word);
}

/** Where quotes of another kind have opened, and none has closed. */
const OPENED = /[„“«][^„“«”»"]*$/;
const OPENERS = ["„", "“", "«"];

/** `55"`, `„so"`, `צה"ל`: a quote without a partner of its kind. */
export function standsAlone({ text, source, string }: Reading, at: number): boolean {
  if (isDigit(text.charCodeAt(at - 1)) || inWord(text, at)) return true;
  const some = OPENERS.some((opener) => {
    const first = source.next(opener, string.begin);
    return first >= 0 && first < at;
  });
  return some && OPENED.test(text.slice(Math.max(0, at - 80), at));
}

function inWord(text: string, at: number): boolean {
  return isWordSign(text.charCodeAt(at - 1)) && isWordSign(text.charCodeAt(at + 1));
}

function isStructure(sign: number): boolean {
  return sign >= s.OPEN_OBJECT && sign !== s.OPEN_ROUND && sign !== s.CLOSE_ROUND;
}

/** `"b', "c": 1`: another quote stands where the string may have ended. */
export function endsInApostrophe({ text, string }: Reading, at: number): boolean {
  const comma = behindBlanks(text, string.content, at) - 1;
  const end = behindBlanks(text, string.content, comma);
  return string.quote === 34 && text.charCodeAt(comma) === 44 && text.charCodeAt(end - 1) === 39;
}

/** Whether a string that lost its quote before `end` does not seem to hold more than its own content. */
export function surelyWhole(r: Reading, end: number): boolean {
  return (
    r.sign(end - 1) < s.OPEN_OBJECT && (r.string.role === VALUE || !r.text.slice(r.string.content, end).includes(","))
  );
}
