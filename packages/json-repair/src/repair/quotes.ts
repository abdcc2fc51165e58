/** What a quote in a string may be (its end, content, or the start of the next string), and what a backslash means. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import { type Frame, KEY, OBJECT, type Reading, VALUE } from "./reading.js";

const MAX_CLOSERS = 64;

/** Whether what stands at `from`, behind a quote, can only follow the end of the string. */
export function endsSurely(r: Reading, from: number, role = r.string.role): boolean {
  const { text, limit } = r;
  let at = behindLastComma(r, from);
  if (role === KEY) return t.colonEnd(text, at) >= 0;
  let frame = r.top;
  for (let seen = 0; seen < MAX_CLOSERS && t.isClosingSign(r.sign(at)); seen++) {
    // One more than is open: whatever it is, the string has ended.
    if (frame === undefined) return true;
    if (r.sign(at) - s.CLOSE_OBJECT !== frame.kind) return false;
    frame = frame.up;
    at = behindLastComma(r, at + 1);
  }
  const sign = r.sign(at);
  const next = t.skipBlanks(text, at + 1, limit);
  if (sign === s.COMMA) return next >= limit || (frame !== undefined && memberAhead(r, next, frame));
  return at >= limit || (frame === undefined && text.charCodeAt(at) !== 34 && sign !== s.COLON);
}

/** The next sign from `from` on; of a comma before a closing bracket, that bracket. */
function behindLastComma(r: Reading, from: number): number {
  const at = t.skipBlanks(r.text, from, r.limit);
  const next = r.sign(at) === s.COMMA ? t.skipBlanks(r.text, at + 1, r.limit) : at;
  return t.isClosingSign(r.sign(next)) ? next : at;
}

/** Whether a member of the frame starts at `at`, where one is awaited. */
function memberAhead(r: Reading, at: number, { kind }: Frame): boolean {
  const sign = r.sign(at);
  if (sign === s.QUOTE) return t.keyAheadOf(r, at) === (kind === OBJECT);
  if (kind === OBJECT) return r.bareKeys && t.nameAhead(r.text, at, r.limit, r.wordyKeys);
  return t.isOpeningSign(sign) || t.literalAhead(r.text, at);
}

/** Whether the next member starts with the quote at `at`, so that this string must have ended before it. */
export function startsNext(r: Reading, at: number): boolean {
  const { text, limit } = r;
  const { role, content } = r.string;
  if (role === KEY) return false;
  const back = behindBlanks(text, content, at);
  const comma = r.sign(back - 1) === s.COMMA;
  if (!comma && !t.lineEndBetween(text, Math.max(back, at - 80), at)) return false;
  if (role === VALUE) return t.keyAhead(text, at, limit);
  return comma && t.shortStringEnd(text, at, limit) >= 0;
}

/** Behind the last sign before `to` that is not blank. */
export function behindBlanks(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && s.isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * Where the content ends without the closing brackets at its end that have no partners in it: without none, the last one,
 * the last two …
 */
export function closersBefore(r: Reading, end: number): number[] {
  const { text } = r;
  const { content } = r.string;
  const ends = [end];
  for (let at = behindBlanks(text, content, end); ends.length <= MAX_CLOSERS; ) {
    if (at <= content || !t.isClosingSign(r.sign(at - 1))) break;
    if (t.openBefore(text, content, at - 1, text.charCodeAt(at - 1)) >= 0) break;
    at = behindBlanks(text, content, at - 1);
    ends.push(at);
  }
  return ends;
}

/** Whether `at` stands in an object within the string: its brace is open, and a key follows that. */
export function inInnerObject(r: Reading, at: number): boolean {
  const brace = t.openBefore(r.text, r.string.content, at, 125);
  return brace >= 0 && r.string.role !== KEY && t.keyAhead(r.text, t.skipBlanks(r.text, brace + 1, r.limit), r.limit);
}

/** The first colon in the key so far, -1 if there is none. */
export function colonInside(r: Reading, until: number): number {
  const { content } = r.string;
  const stop = Math.min(until, content + t.KEY_LENGTH);
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
  const at = t.skipBlanks(r.text, from, r.limit);
  const sign = r.sign(at);
  return sign === s.QUOTE || sign === s.OPEN_OBJECT || sign === s.OPEN_LIST || t.literalAhead(r.text, at);
}

/** So many signs of its first key tell the outermost object from others. */
const SAME_KEY = 4;

/** Whether the outermost object begins again with the quote at `at`: a brace, and the same first key. */
export function restarts({ text, start, string }: Reading, at: number): boolean {
  const brace = behindBlanks(text, string.content, at) - 1;
  if (brace <= string.content || text.charCodeAt(brace) !== 123) return false;
  if (string.role !== KEY && !t.lineEndBetween(text, brace - 40, brace)) return false;
  const first = t.skipBlanks(text, start + 1, at);
  return text.startsWith(text.slice(first, first + SAME_KEY), at);
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

/**
 * `the "big" one`: a quote before a word or, if another one is open, behind one, where words follow and no key. To try all
 * ways at each of many such quotes takes ten times as long.
 */
export function goesOnInWords(r: Reading, at: number): boolean {
  const { text, limit, string } = r;
  const next = text.charCodeAt(at + 1);
  if (string.role === KEY || at === string.content) return false;
  if (!string.open) {
    // Behind a colon it may begin a value.
    const begins = t.isWordSign(next) && opens(r, at) && !/:\s?$/.test(text.slice(at - 2, at));
    return begins && !t.nameAhead(text, at + 1, limit) && !t.keyAhead(text, at, limit) && !startsNext(r, at);
  }
  const word = t.skipBlanks(text, at + 1, limit);
  if (word === at + 1 || s.isBlank(text.charCodeAt(at - 1)) || t.lineEndBetween(text, at + 1, word)) return false;
  return t.isWordSign(text.charCodeAt(word)) && !t.nameAhead(text, word, limit) && !t.literalAhead(text, word);
}

/** Whether no sign of JSON stands beside the quote. */
export function isBetweenWords(r: Reading, at: number): boolean {
  const before = behindBlanks(r.text, r.string.content, at) - 1;
  return r.sign(before) < s.OPEN_OBJECT && r.sign(t.skipBlanks(r.text, at + 1, r.limit)) < s.OPEN_OBJECT;
}

/** `5'11"`, `„so"`: a quote that needs no partner of its kind. */
export function standsAlone({ text, string, source }: Reading, at: number): boolean {
  if (t.isDigit(text.charCodeAt(at - 1)) && /'\d\d?$/.test(text.slice(Math.max(string.content, at - 3), at)))
    return true;
  return source.opensOtherwise && /[„“«][^„“«”»"]*$/.test(text.slice(Math.max(string.content, at - 80), at));
}

/** What it costs that the quote at `at` is content: few keys have any. */
export function contentCost(r: Reading, at: number): number {
  const { text, string } = r;
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const inKey = string.role !== KEY ? 0 : string.open ? 1 : 2;
  if (at === string.content) return 4 + inKey;
  // `""word""`
  if (string.open || before === code) return 1 + inKey;
  return (opens(r, at) || t.isDigit(before) || text.charCodeAt(at + 1) === code ? 2 : 4) + inKey;
}

/** Whether a string that lost its quote before `end` does not seem to hold more than its own content. */
export function surelyWhole(r: Reading, end: number): boolean {
  return (
    r.sign(end - 1) < s.OPEN_OBJECT && (r.string.role === VALUE || !r.text.slice(r.string.content, end).includes(","))
  );
}

/** Whether the content up to `end` is a number or a literal, which one quote too many may stand before. */
export function isLiteral({ text, string }: Reading, end: number): boolean {
  return /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(
    text.slice(string.content, Math.min(end, string.content + 40)).trim(),
  );
}

/** The line that closes a Markdown fence, at the end of the text. */
const FENCE = /\n[ \t]{0,8}(?:```|~~~)\s{0,40}$/;
const FENCE_LENGTH = 60;

/** Where the text ends that an open string may have: before the line that closes the fence around it. */
export function endOfText({ text, limit, fenced, string }: Reading): number {
  const from = Math.max(string.content, limit - FENCE_LENGTH);
  const fence = fenced ? FENCE.exec(text.slice(from, limit)) : null;
  return fence ? from + fence.index : limit;
}

/** The first half of a pair of surrogates, as an escape, at the end of the text. */
const HALF_PAIR = /(?<!\\)\\u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?$/;

export function withoutHalfPair({ text, string }: Reading, end: number): number {
  return end - (HALF_PAIR.exec(text.slice(Math.max(string.content, end - 12), end))?.[0].length ?? 0);
}

/** Commands of LaTeX that start as an escape of JSON does. */
const LATEX =
  /(?:n(?:u|e|eq|abla|ot|otin|i|leq|geq|mid|eg|ewline|exists)|t(?:heta|au|imes|o|ext[a-z]*|an|anh|ilde|op|riangle|frac|binom|ag)|r(?:ho|ight[a-z]*|angle|floor|ceil|m|e)|[bf][a-zA-Z]*)(?![a-zA-Z])/y;
/** `C:\new`, up to a backslash in it. */
const PATH = /(?:^|[^A-Za-z])[A-Za-z]:(?:\\[^\s\\"]+)*$|^\\\\[^"]*$|\s\\\\[^\s"]*$/;
/** What JSON knows; a character by its number, as others write it; the end of a line, which goes on on the next one. */
const ESCAPE = /\\(?:(["\\/bfnrt]|u[\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{2})|\r?\n|\r)/y;
const CUT = /^\\(?:u[\da-fA-F]{0,3})?$/;
const MAX_CODE_POINT = 0x10ffff;

/** At a backslash in a string, `pos` is behind the escape then; false when the text ends in it. */
export function readEscape(r: Reading): boolean {
  const { text, limit, pos: at, string } = r;
  // Most are such.
  if (text.charCodeAt(at + 1) === 34 && at + 1 < limit) {
    r.pos += 2;
    return true;
  }
  if (CUT.test(text.slice(at, Math.min(limit, at + 6)))) {
    r.edit(at, limit, "");
    r.pos = limit;
    return false;
  }
  ESCAPE.lastIndex = at;
  const [whole = "", known, point, byte] = ESCAPE.exec(text) ?? [];
  const code = Number.parseInt(point ?? byte ?? "", 16);
  const next = text[at + 1] as string;
  r.pos += Math.max(2, whole.length);
  if (known !== undefined) {
    if (r.log && "bfnrt".includes(known)) string.suspects.push(at);
  } else if (code <= MAX_CODE_POINT && !(byte && inPath(r, at))) {
    r.edit(at, r.pos, written(String.fromCodePoint(code)), "escape");
  } else if (next === "\n" || next === "\r") r.edit(at, r.pos, "\\n", "escape", false);
  else if ("'`’".includes(next) || next.charCodeAt(0) === string.quote || string.role === KEY)
    r.edit(at, at + 1, "", "escape");
  else if ((next === "_" || next === "$") && r.source.escapesNames) r.edit(at, at + 1, "", "escape", next === "_");
  else {
    // JSON does not know it: the backslash is content, and what follows is read as what it is.
    r.edit(at, at, "\\", "escape");
    string.foreign = true;
    r.pos = at + 1;
  }
  return true;
}

/** At the end of a string, where backslashes are content: `\beta` and `C:\new` are not control characters. */
export function settleEscapes(r: Reading): undefined {
  const { suspects, foreign } = r.string;
  r.foreign ||= foreign;
  if (!r.foreign) return;
  for (const at of suspects) {
    const path = inPath(r, at);
    if (path || t.sticky(LATEX, r.text, at + 1) >= 0)
      r.edit(at, at, "\\", "escape", foreign || "bf".includes(r.text[at + 1] as string));
  }
}

/** Whether the backslash at `at` is one of `C:\…` or `\\host\…`. */
export function inPath({ text, string }: Reading, at: number): boolean {
  return PATH.test(text.slice(Math.max(string.content, at - 200), at));
}

/** The characters as JSON writes them in a string. */
export function written(characters: string): string {
  return JSON.stringify(characters).slice(1, -1);
}
