/** What a quote in a string may be (its end, content, or the start of the next string), and what a backslash means. */
import * as s from "../decode/signs.js";
import { utf8Of, written } from "../decode/strict.js";
import * as t from "./ahead.js";
import { type Frame, KEY, OBJECT, type Reading, VALUE } from "./reading.js";

const MAX_CLOSERS = 64;
/** `'a',,, 'b'`: some may be too many. */
const COMMAS = /.[\s,]{0,40}/y;

/** Whether what stands at `from`, behind a quote, can only follow the end of the string. */
export function endsSurely(r: Reading, from: number, role = r.string.role): boolean {
  const { text, limit } = r;
  let at = s.skipBlanks(text, from, limit);
  if (role === KEY) return t.colonEnd(text, at) >= 0;
  let frame = r.top;
  for (let seen = 0; seen < MAX_CLOSERS; seen++) {
    const closer = r.sign(at) === s.COMMA ? s.skipBlanks(text, at + 1, limit) : at;
    if (!t.isClosingSign(r.sign(closer))) break;
    if (r.sign(closer) - s.CLOSE_OBJECT !== frame?.kind) return false;
    frame = frame.up;
    at = s.skipBlanks(text, closer + 1, limit);
  }
  if (r.sign(at) === s.COMMA) {
    const next = s.skipBlanks(text, at + 1, limit);
    const behind = r.sign(next) === s.COMMA ? t.sticky(COMMAS, text, at) : next;
    return frame !== undefined && memberAhead(r, behind, frame, text.charAt(from - 1));
  }
  return at >= limit || (frame === undefined && text.charCodeAt(at) !== 34);
}

/** Whether a member of the frame starts at `at`, where one is awaited; its key may end with the closer as well. */
function memberAhead(r: Reading, at: number, { kind }: Frame, closer: string): boolean {
  if (r.sign(at) === s.QUOTE) return t.keyAhead(r.text, at, r.limit, closer) === (kind === OBJECT);
  return kind === OBJECT ? r.bareKeys && t.nameAhead(r.text, at, r.limit) : t.valueAhead(r, at);
}

const MAX_COLUMN = 120;
/** Where the next member starts, so that this string must have ended before it: with the quote at `at`, or with the bracket before that; else -1. */
export function startsNext(r: Reading, at: number): number {
  const { text, limit, top } = r;
  const { role, content } = r.string;
  if (role === KEY) return -1;
  const last = s.behindBlanks(text, content, at) - 1;
  if (r.sign(last) === s.COMMA) return role !== VALUE || t.keyAhead(text, at, limit) ? at : -1;
  // Without a comma, where the line begins as the members do.
  const { member } = top && at > last + 1 ? t.columnsOf(text, top) : {};
  if (member && r.sign(last) < s.OPEN_OBJECT && text.startsWith(`\n${member}`, at - member.length - 1))
    return role === VALUE && t.keyAhead(text, at, limit) ? at : -1;
  const comma = s.behindBlanks(text, content, last) - 1;
  const isOpen = r.sign(last) === s.OPEN_OBJECT || r.sign(last) === s.OPEN_LIST;
  if (!isOpen || comma < content || r.sign(comma) !== s.COMMA) return -1;
  // `"b}, {"a": "c"}`: brackets before the comma lack their partners in the string.
  const ends = closersBefore(r, s.behindBlanks(text, content, comma));
  const end = s.skipBlanks(text, ends[Math.min(ends.length, r.depth) - 1] as number, limit);
  return ends.length > 1 && r.sign(end) - s.CLOSE_OBJECT === top?.kind ? last : -1;
}

/** Where the content ends without the closing brackets at its end that lack partners in it: with all, without one, two … */
export function closersBefore(r: Reading, end: number): number[] {
  const { text } = r;
  const { content } = r.string;
  const ends = [end];
  let at = s.behindBlanks(text, content, end) - 1;
  while (ends.length <= MAX_CLOSERS && at >= content && t.isClosingSign(r.sign(at))) {
    if (t.openBefore(text, content, at, text.charCodeAt(at)) >= 0) break;
    ends.push(s.behindBlanks(text, content, at));
    at = (ends.at(-1) as number) - 1;
  }
  return ends;
}

/** `'a",'`: whether the string's own quote stands behind another one on its line, and ends it surely, with no key between. */
export function ownBehind(r: Reading, at: number): boolean {
  const { quote, role } = r.string;
  const [between = "", ...rest] = r.text.slice(at, at + 200).split(String.fromCharCode(quote), 2);
  const isOne = role !== KEY && rest.length > 0 && !/\n|["'`],? ?["'`]?\w+["'`]?\s?:/.test(between);
  return isOne && endsSurely(r, at + between.length + 1);
}

/** The first colon in the key so far, -1 if there is none. */
export function colonInside(r: Reading, until: number): number {
  const begin = r.string.content + 1;
  const at = r.text.slice(begin, Math.min(until, begin + t.KEY_LENGTH - 1)).search(/[:：]|=(?=")/);
  return at < 0 ? -1 : begin + at;
}

/** Whether the quote stands as one that opens does: behind a blank or a bracket, and before no sign that ends words. */
export function opens({ text }: Reading, at: number): boolean {
  // Chinese and Japanese have no blanks.
  return (
    (text.charCodeAt(at - 1) > 0x2e80 || !t.isLetter(text, at - 1)) && !" \n\t\r,;:.!?".includes(text[at + 1] ?? " ")
  );
}

/** Whether nothing but blanks stands in the string before `at`, and its quote is no doubled one. */
export const isBlankSoFar = ({ text, string }: Reading, at: number) =>
  text[string.begin - 1] !== '"' &&
  s.behindBlanks(text, Math.max(string.content, at - MAX_COLUMN), at) === string.content;

/** Whether it neither opens nor closes: it may end the string, and the next one have lost its first quote. */
export const isLone = (r: Reading, at: number) =>
  !r.string.open && !opens(r, at) && (r.string.role === KEY || contentCost(r, at) > 2);

/** `the "big" one`: a quote before words or, if one is open, behind them. To try all ways would take ten times as long. */
export function goesOnInWords(r: Reading, at: number): boolean {
  const { text, string } = r;
  if (string.role === KEY || at === string.content || isBlankSoFar(r, at)) return false;
  if (text[at + 1] === " ") return string.open && t.isLetter(text, at + 2);
  return t.isLetter(text, at + 1) && opens(r, at) && startsNext(r, at) < 0;
}

/** Whether the quote at `at` closes one of German, which stands low. */
export function closesLow({ text, string }: Reading, at: number): boolean {
  const isLow = /[„‚][^"“”„]*$/.test(text.slice(Math.max(string.content, at - 200), at));
  return isLow && !/^[^"„\n]*[“”]/.test(text.slice(at + 1, at + 200));
}

/** What it costs that the quote at `at` is content: few keys have any. */
export function contentCost(r: Reading, at: number): number {
  const { text, string } = r;
  const inKey = string.role === KEY ? 2 : 0;
  if (at === string.content) return 4 + inKey;
  // `the \"big""`: one of the two closes what was opened with a backslash.
  const escaped =
    text[at + 1] === text[at] ? text.slice(Math.max(string.content, at - 200), at).split('\\"').length : 1;
  if (escaped % 2 === 0) return 0;
  if (closesLow(r, at)) return 0;
  // `""word""`
  if (string.open || (text[at - 1] === text[at] && text[at - 2] !== "\\")) return 1 + inKey;
  // `27" wide`
  if (/^\d" \p{L}/u.test(text.slice(at - 1, at + 3))) return 0;
  // `5/8""`, `6'2""`, `48""`: inches.
  const before = text.slice(Math.max(string.content, at - 6), at);
  const isOne = /^\d{1,3}(?:\.\d)?$/.test(before) && at - string.content < 6 && text[string.content - 2] !== '"';
  if (text[at + 1] === text[at] && (isOne || (string.inner > 0 ? /\d$/ : /[/'’]\d{1,3}$/).test(before))) return 0;
  return (opens(r, at) || text[at + 1] === text[at] ? 2 : 4) + inKey;
}

/** A key within a string, and no brace before it: the string may have ended before that. */
const MEMBER_IN = /^[^{]{0,400},\s{0,8}(["'`])[^"'`\n]{1,60}\1\s{0,8}:/;

/** Whether a string that lost its quote before `end` does not seem to hold more than its own content, a literal, or nothing. */
export function surelyWhole(r: Reading, end: number): boolean {
  const { role, content } = r.string;
  const sign = r.sign(end - 1);
  // What opens, and any sign of JSON right before the colon of a key, stands for the quote.
  const isReplaced = sign >= s.OPEN_OBJECT && (role === KEY || sign < s.OPEN_ROUND);
  const held = r.text.slice(content, isReplaced ? end - 1 : end);
  const ends = isReplaced ? /[\p{L}\p{N}_]$/u.test(held) : sign < s.OPEN_OBJECT;
  const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?)?$/.test(held.slice(0, 40).trim());
  // Blanks behind it may be its own. `"list,",,name": 1`: the next string begins with what stands between two.
  if (
    /^[ \t]+,/.test(r.text.slice(end, end + 20)) ||
    !ends ||
    literal ||
    /[`´]$|\\"[,\s]*$|\s(?:\/\/|#)\s/.test(held.slice(-200)) ||
    MEMBER_IN.test(held) ||
    (r.bareKeys && /,\s{0,8}[\p{L}\p{N}_$.-]{1,60}\s?:/u.test(held)) ||
    (role !== KEY && r.sign(r.pos + 1) >= s.OPEN_OBJECT)
  )
    return false;
  return !(role === VALUE ? /\n/ : role === KEY ? /[,[{"]/ : /[,\n]/).test(held);
}

/** What may stand behind the last bracket: the end of a statement, of code, of an element or of a turn. */
const BEHIND_LAST = /(?<=[}\]])(?:[;)`' \t]|<[/|][\w|]{1,20}>){1,40}$/;

/** Where a string that has lost its quote ends before brackets that close all that is open, and end the text; -1 if none do. */
export function lostAtEnd(r: Reading, stop: number): number {
  const from = Math.max(r.string.content, stop - 40);
  const tail = r.text.slice(from, stop).search(BEHIND_LAST);
  const ends = closersBefore(r, tail < 0 ? stop : from + tail);
  return ends.length > r.depth ? (ends.at(-1) as number) : -1;
}

/** What shows that a line behind brackets is no content: it is free, or ends a fence. */
const NO_CONTENT = /^\n[ \t]{0,8}(?:\r?\n|```|~~~)/;

/** Or that end a line, behind which the text goes on as something else; of one bracket alone, only if the next line shows it. */
export function lostAtLine(r: Reading, stop: number): number {
  const { text, depth } = r;
  let [open, alone] = [0, 0];
  for (let at = r.string.content; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) open++;
    else if (code === 125 || code === 93) open > 0 ? open-- : alone++;
    else if (code !== 10 || open > 0 || alone !== depth) continue;
    else if (depth > 1 || NO_CONTENT.test(text.slice(at, at + 13))) return closersBefore(r, at)[depth] ?? -1;
  }
  return -1;
}

/** `C:\new`, up to a backslash in it. */
const PATH =
  /(?:^|[^A-Za-z])[A-Za-z]:(?:\\{1,2}(?:[^\s\\"]+|Program Files(?: \(x86\))?|Documents and Settings|My \w{1,20}|\w{1,40} \d{1,4}(?=\\)))*$|^\\\\[^"]*$|\s\\\\[^\s"${}()]*$/;
/** What JSON knows; a character by its number, as others write it; the end of a line, which goes on on the next one. */
const ESCAPE =
  /\\(?:(["\\/bfnrt]|u[\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|U(00(?:0[1-9a-fA-F]|10)[\da-fA-F]{4})|x([\da-fA-F]{2})|\r?\n|\r)/y;
/** Bytes of UTF-8, as Python and logs write them. */
const BYTES =
  /\\x(?:(?:[cC][2-9a-fA-F]|[dD][\da-fA-F])(?=\\)|[eE][\da-fA-F](?:\\x[89abAB][\da-fA-F])|[fF][0-4](?:\\x[89abAB][\da-fA-F]){2})\\x[89abAB][\da-fA-F]/y;
const CUT = /^\\(?:u[\da-fA-F]{0,3})?$/;

/** At a backslash in a string, `pos` is behind the escape then; false when the text ends in it. */
export function readEscape(r: Reading): boolean {
  const { text, limit, pos: at, string } = r;
  if (limit - at < 6 && CUT.test(text.slice(at, limit))) {
    r.edit(at, limit, "");
    r.pos = limit;
    return false;
  }
  ESCAPE.lastIndex = at;
  const [whole = "", known, point, long, byte] = ESCAPE.exec(text) ?? [];
  const code = Number.parseInt(point ?? long ?? byte ?? "", 16);
  const bytes = byte ? text.slice(at, Math.max(at, t.sticky(BYTES, text, at))) : "";
  const character = utf8Of(bytes.replaceAll("\\x", "%"));
  const next = text[at + 1] as string;
  // `bin\x64\Release` is a path, `'\''` an apostrophe in a string of a shell.
  const isName = r.source.hasForeign && /^x(?:3\d|[4-7][\da-fA-F])/.test(text.slice(at + 1, at + 4));
  const isOfShell = string.quote === 34 && text.slice(at - 1, at + 3) === "'\\''";
  if ((string.raw && next.charCodeAt(0) !== string.quote) || isName || isOfShell) {
    keepBackslash(r, at);
    return true;
  }
  r.pos += Math.max(2, character ? bytes.length : whole.length);
  if (known !== undefined) return true;
  if (code <= 0x10ffff && !((byte || long) && inPath(r, at))) {
    // It may be a name behind that of its domain.
    const sure = !character && (long ? code > 0x1efff || !/\w/.test(text.charAt(at - 1)) : !r.source.hasForeign);
    r.edit(at, r.pos, written(character ?? String.fromCodePoint(code)), "escape", sure);
  } else if (next === "\n" || next === "\r") {
    // In JSON5 the line goes on; others mean its end.
    const goesOn = string.quote !== 34 || r.bareKeys || text[at - 1] === " ";
    r.edit(at, r.pos, goesOn ? "" : "\\n", "escape", false);
  } else if (s.signOf(next.charCodeAt(0)) === s.QUOTE || (string.role === KEY && !/[a-z\d]/i.test(next)))
    r.edit(at, at + 1, "", "escape", next === "_" || s.signOf(next.charCodeAt(0)) === s.QUOTE);
  else if (("_$".includes(next) && r.source.escapesNames) || (next === "$" && r.source.next("\\`", r.start) >= 0))
    r.edit(at, at + 1, "", "escape", next === "_");
  else keepBackslash(r, at);
  return true;
}

/** The backslash at `at` is content, and what follows is read as what it is. */
export function keepBackslash(r: Reading, at: number): undefined {
  // A shell or a script writes `\$` for a dollar, and Markdown `\*` for a star; `\0`, `\a` are signs elsewhere.
  const isSign = /^(?:[$_*#!]|[0aev](?![a-zA-Z\d]))/.test(r.text.slice(at + 1, at + 3));
  r.edit(at, at, "\\", "escape", (!isSign || inPath(r, at)) && r.string.role !== KEY);
  r.foreign = true;
  r.pos = at + 1;
}

/** `src\\test.cs`: words, backslashes between them, and nothing else. */
const NAMES = /^[\w.%~-]*(?:\\[\w.%~-]{2,})+$/;

/** `bin\net8.0\Release debug`: whether others in the same word are content. */
function isAmongForeign(held: string, at: number): boolean {
  if (!/\w/.test(held.charAt(at - 1))) return false;
  return (
    /\\[^"\\/bfnrtu\s]\S*$/.test(held.slice(Math.max(0, at - 80), at)) ||
    /^\S*?\\[^"\\/bfnrtu\s]/.test(held.slice(at, at + 80))
  );
}

/** At the end of a string, where backslashes are content: `\beta` and `C:\new` are not control characters. */
export function settleEscapes(r: Reading, pos = r.pos): undefined {
  const { text, string } = r;
  const first = r.log && !string.raw ? r.source.next("\\", string.content) : -1;
  if (first < 0 || first >= pos) return;
  const isForeign = r.foreign || r.source.hasForeign;
  const held = text.slice(string.content, pos);
  // `\\host\share`: there are two.
  if (isForeign && /^\\\\\w[\w.-]{0,60}\\(?![\\"])/.test(held.slice(0, 70)))
    r.edit(string.content, string.content, "\\\\", "escape");
  const areNames = isForeign && held.length < 200 && NAMES.test(held);
  const isFile = areNames && /\\[^"\\/bfnrtu]|\.[a-z]{1,4}$/.test(held);
  const isRows = /(?<!\\)\\begin\{/.test(held);
  for (const { 0: short, index } of held.matchAll(/\\./gs)) {
    const at = string.content + index;
    // `sed \s\/`; the end of a row of LaTeX; `C:\Users\u123456`
    const isRow = short === "\\\\" && isRows;
    const isUser = /^u[\da-fA-F]{4}[\da-zA-Z]/.test(text.slice(at + 1, at + 7)) && inPath(r, at);
    if (isForeign && (isRow || isUser || short === "\\/"))
      r.edit(at, at, isRow ? "\\\\" : isUser ? "\\" : "", "escape", false);
    if (!"bfnrt".includes(short.charAt(1))) continue;
    // In other quotes than JSON's a path may have one backslash each.
    const isPath = (isForeign || string.quote !== 34) && inPath(r, at);
    const isLatex = t.sticky(isForeign ? s.LATEX : s.LATEX_ALONE, text, at + 1) >= 0;
    // `C:\data\nNext`: a line may end there.
    const mayEnd = /^\\[nrt][A-Z]/.test(text.slice(at, at + 3));
    if (isPath || isLatex || isFile) r.edit(at, at, "\\", "escape", isForeign && (isLatex || (isPath && !mayEnd)));
    else if (areNames || (isForeign && isAmongForeign(held, index))) r.edit(at, at, "", "escape", false);
  }
}

/** Whether the backslash at `at` is one of `C:\…` or `\\host\…`. */
export function inPath({ text, string }: Reading, at: number): boolean {
  return PATH.test(text.slice(Math.max(string.content, at - 200), at));
}
