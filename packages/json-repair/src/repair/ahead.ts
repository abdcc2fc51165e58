/** What stands at a place of the text, told from a few characters; no look goes farther than some hundred. */
import * as s from "../decode/signs.js";

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
  const stop = Math.min(to, from + 200);
  for (let at = from; at < stop; at++) if (text.charCodeAt(at) === 10) return true;
  return false;
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
const NAME_LENGTH = 60;
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
    else if (code === opener) {
      if (code !== 39 || !isLetter(text, end - 1) || !isLetter(text, end + 1)) return end + 1;
    } else if (code > 127 ? closers.includes(text[end] as string) : code === 34 && opener > 127) return end + 1;
  }
  return -1;
}

/** Whether a quoted key starts at `at`: a string, and a colon behind it. */
export function keyAhead(text: string, at: number, limit: number): boolean {
  if (at >= limit || s.signOf(text.charCodeAt(at)) !== s.QUOTE) return false;
  const end = shortStringEnd(text, at, limit);
  return end >= 0 && colonEnd(text, skipBlanks(text, end, Math.min(limit, end + GAP))) >= 0;
}

/** Whether a word and a colon stand at `at`: a key without quotes, or with the last one alone. */
export function nameAhead(text: string, at: number, limit: number, wordy = false): boolean {
  const first = text.charCodeAt(at);
  if (!isWordSign(first)) return false;
  let end = at + 1;
  const stop = Math.min(limit, at + NAME_LENGTH);
  for (; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (!isWordSign(code) && code !== 45 && code !== 46 && !(wordy && code === 32)) break;
  }
  while (text.charCodeAt(end - 1) === 32) end--;
  const code = text.charCodeAt(end);
  const quoted = s.signOf(code) === s.QUOTE || code === 0x201d;
  const colon = skipBlanks(text, quoted ? end + 1 : end, Math.min(limit, end + GAP));
  if (s.signOf(text.charCodeAt(colon)) !== s.COLON) return false;
  const behind = text.charCodeAt(colon + 1);
  // `http://x`, `12:30`
  return behind !== 47 && (!isDigit(first) || quoted || !isDigit(behind));
}

const GROUP_BEFORE = /(?<![\d.])\d{1,3}$/;
const GROUP = /^\d{3}(?![\d.eE])/;

/** Whether the number before `end` and the one at `at` may be groups of digits of one. */
export function groupAhead(text: string, end: number, at: number): boolean {
  return GROUP.test(text.slice(at, at + 4)) && GROUP_BEFORE.test(text.slice(Math.max(0, end - 5), end));
}

const LITERAL = /(?:true|false|null|None|True|False|NaN|undefined)(?![\p{L}\p{N}_$])/uy;

export function literalAhead(text: string, at: number): boolean {
  let code = text.charCodeAt(at);
  if (code > 64) return sticky(LITERAL, text, at) >= 0;
  let next = at + 1;
  if (code === 43 || code === 45) code = text.charCodeAt(next++);
  if (code === 46) code = text.charCodeAt(next);
  return isDigit(code);
}

/** Where a key ends that has nothing strange in it and its colon right behind it: behind its quote; else -1. */
export function plainKeyEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let end = at + 1; ; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) return text.charCodeAt(end + 1) === 58 && end > at + 1 ? end + 1 : -1;
    if (!(code > 34 && code < 127) || code === 92 || code === 39 || code === 58) return -1;
  }
}

const PREFIX = /[urbfURBF]{1,2}(?=["'](?!\s{0,20}[:：,\]}]))/y;

/** Behind the letters that Python puts before a quote: `u'…'`, `rb"…"`. */
export function behindPrefix(text: string, at: number): number {
  const letter = text.charCodeAt(at) | 32;
  if (letter !== 117 && letter !== 114 && letter !== 98 && letter !== 102) return at;
  const end = sticky(PREFIX, text, at);
  return end < 0 ? at : end;
}

/** A quote without its partner between two places may be that of a string. */
export function quotesPaired(text: string, from: number, to: number): boolean {
  let paired = true;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 34) paired = !paired;
  return paired;
}

/** So far back the partner of a bracket is looked for. */
const PARTNER_DISTANCE = 400;

/** Where an opening bracket stands between `from` and `to` that nothing closes there; -1 if none does. */
export function openBefore(text: string, from: number, to: number, open: number, close: number): number {
  let closed = 0;
  for (let at = to - 1; at >= Math.max(from, to - PARTNER_DISTANCE); at--) {
    const code = text.charCodeAt(at);
    if (code === close) closed++;
    else if (code === open && closed-- === 0) return at;
  }
  return -1;
}

/** Whether the closing bracket at `at` has a partner behind `from`. */
export function hasPartner(text: string, from: number, at: number): boolean {
  const close = text.charCodeAt(at);
  return openBefore(text, from, at, close === 125 ? 123 : close === 93 ? 91 : 40, close) >= 0;
}

/** So much of an object is searched for a key. */
const OBJECT_LENGTH = 2_000;
const KEY_NAME = /[\p{L}\p{N}_$][^"'”’:]{0,60}/u;

function nameOfKey(text: string, at: number): string {
  return KEY_NAME.exec(text.slice(at, at + 80))?.[0].trim() ?? "";
}

/** Whether the object between two places has the key that stands at `at`. */
export function hasKey(text: string, from: number, to: number, at: number): boolean {
  const key = nameOfKey(text, at);
  const object = text.slice(from, Math.min(to, from + OBJECT_LENGTH));
  for (let found = object.indexOf(key); found >= 0 && key !== ""; found = object.indexOf(key, found + 1)) {
    const end = found + key.length;
    if (/[\s"'“‘{,]/.test(object[found - 1] ?? " ") && /^["'”’]?\s{0,8}[:：=]/.test(object.slice(end, end + 12)))
      return true;
  }
  return false;
}

/** Whether the key that stands at `at` comes again behind it. */
export function keyComesAgain(text: string, at: number): boolean {
  return text.slice(at + 1, at + OBJECT_LENGTH).includes(`"${nameOfKey(text, at)}"`);
}

/** `["key"] = `, as Lua writes it. */
const BRACKETED_KEY = /\[\s{0,8}(?:"[^"\n\\]{0,100}"|'[^'\n\\]{0,100}')\s{0,8}\](?=\s{0,8}[=:])/y;

export function bracketedKeyEnd(text: string, at: number): number {
  return sticky(BRACKETED_KEY, text, at);
}

/** Words in round brackets, which explain what stands before or behind them. */
const REMARK = /\([^()"'\d\n][^()"\n]{0,120}\)/y;

export function remarkEnd(text: string, at: number): number {
  return sticky(REMARK, text, at);
}

/** The mark of an item before a member; a sign with more blanks behind it may be that of a patch. */
const BULLET = /(?:[-*•]|\d{1,4}[.)]) (?=["'{[])/y;
/** The same in a list, where it is no key. */
const NUMBERED = /\d{1,4}: (?=["'{[])/y;

/** Behind the mark of an item that stands at `at`, -1 if none does. */
export function bulletEnd(text: string, at: number, list: boolean): number {
  const code = text.charCodeAt(at);
  if (code !== 42 && code !== 45 && !isDigit(code) && code !== 0x2022) return -1;
  const end = sticky(BULLET, text, at);
  return end < 0 && list ? sticky(NUMBERED, text, at) : end;
}

/** `/^[a-z]+$/i`, as JavaScript writes it. */
const REGULAR_EXPRESSION =
  /\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,300}\/[a-z]{0,8}(?=\s{0,40}(?:[,}\]]|$))/y;

export function regularExpressionEnd(text: string, at: number): number {
  return sticky(REGULAR_EXPRESSION, text, at);
}

/** What a backslash outside of strings means, by the sign behind it. */
export function backslashBefore(c: string): "escaped" | "markdown" | "not-json" {
  if (/["nrt\\ux]/.test(c)) return "escaped";
  return /[[\]{}]/.test(c) ? "markdown" : "not-json";
}

/** `...`, `. . .`, `… (3 omitted)`, `... 47 more items`. */
const ELLIPSIS =
  /(?:\.{3,12}|\. \. \.|…)(?:[ \t]{0,4}\(?(?:and )?\d{0,9}\+?[ \t]?(?:[a-z]{1,12} )?(?:more|others?|omitted|truncated|remaining|additional|similar|etc)\b[\w \t]{0,40}\.{0,3}\)?(?=\s{0,80}(?:[,}\]"{[]|$)))?/y;

/** Where `...` or `…` ends that stands at `at`, with what it says of itself; -1 if neither does. */
export function ellipsisEnd(text: string, at: number): number {
  return sticky(ELLIPSIS, text, at);
}

/** What follows a text that was cut: `... [output truncated]`, `--- cut off ---`, the mark of a model's end. */
const NOTICE =
  /(?:<\/s>|<\|\w{1,30}\|>|(?:\.\.\.|…)?[ \t]{0,4}(?:[[(<]{1,3}|-{2,8}|\*{2,8}|={2,8})[^[\](){}"\n]{0,60}\b(?:truncated|truncation|cut[ -]?off|omitted|snip(?:ped)?|interrupted|tokens?|finish_reason|length|limit|continued?|continues|elided|trimmed|more)\b[^[\](){}"\n]{0,60}[\])>*=-]{0,8})[\s`]{0,40}$/iy;
/** A few words in brackets on a line of their own. */
const BRACKETED_LINE = /^[[(<]\p{L}[\p{L}\d _:.,-]{0,60}[\])>]\s{0,40}$/u;
/** A longer rest of the text is no notice. */
const NOTICE_LENGTH = 220;
const NOTICE_START = /[[(<.…*=-]/;

/** Whether nothing is left from `at` on but a notice that the text was cut. */
export function noticeAhead(text: string, at: number, limit: number): boolean {
  if (limit - at > NOTICE_LENGTH || at >= limit || !NOTICE_START.test(text[at] as string)) return false;
  const rest = text.slice(at, limit);
  NOTICE.lastIndex = 0;
  return (
    NOTICE.test(rest) || (BRACKETED_LINE.test(rest) && /\n[ \t]{0,20}$/.test(text.slice(Math.max(0, at - 24), at)))
  );
}
