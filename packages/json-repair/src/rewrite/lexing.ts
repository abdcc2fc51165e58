import { OBJECT, type ParserState } from "./state.js";

/** Where the sticky pattern ends if it matches at `at`, else -1. */
export function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Which quotes end a string that was opened by the key. */
export const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"”',
  "'": "'’",
  "`": "`'",
  "“": '”"“',
  "”": '”"“',
  "„": '“”"',
  "‘": "’'‘",
  "’": "’'",
  "«": "»",
  "»": "«",
  "‹": "›",
  "‚": "‘’",
  "「": "」",
  "『": "』",
  "〝": "〞〟",
  "″": "″",
  "´": "´",
  "＂": '＂"',
  "＇": "＇'",
};

const QUOTES = new Set(Object.keys(CLOSERS));

/** Whether the sign opens a string. */
export function isQuote(c: string | undefined): boolean {
  if (c === undefined) return false;
  const code = c.charCodeAt(0);
  // Most signs are letters.
  return code < 128 ? code === 34 || code === 39 || code === 96 : QUOTES.has(c);
}

/** Commas and semicolons of other scripts. */
export function isForeignComma(c: string): boolean {
  switch (c) {
    case "，":
    case "、":
    case "､":
    case "،":
    case "؛":
    case "；":
      return true;
    default:
      return false;
  }
}

/** Words in round brackets, which explain what stands before or behind them. */
export const REMARK = /\([^()"'\d\n][^()"\n]{0,120}\)/y;
const PREFIX = /[urbfURBF]{1,2}(?=["'](?!\s{0,20}[:：,\]}]))/y;

/** Behind the letters that Python puts before a quote: `u'…'`, `rb"…"`. */
export function behindPrefix(text: string, at: number): number {
  // u, r, b, f, in either case: most calls are for a quote.
  const letter = text.charCodeAt(at) | 32;
  if (letter !== 117 && letter !== 114 && letter !== 98 && letter !== 102) return at;
  const end = sticky(PREFIX, text, at);
  return end < 0 ? at : end;
}

/** What a backslash outside of strings means, by the sign behind it. */
export function backslashBefore(c = ""): "escaped" | "markdown" | "not-json" {
  if (/["nrt\\ux]/.test(c)) return "escaped";
  return /[[\]{}]/.test(c) ? "markdown" : "not-json";
}

/** What starts a number in JSON. */
export function isDigitOrMinus(c: string): boolean {
  return c === "-" || (c >= "0" && c <= "9");
}

/** The blanks of JSON. */
export function isJsonBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/**
 * Blanks that JSON does not know: control characters, no-break and typographic spaces, signs without a width or for
 * the direction of writing, byte order mark.
 */
function isOddBlank(code: number): boolean {
  if (code < 127) return code < 32;
  return (
    code <= 0xa0 ||
    code === 0xad ||
    code === 0x180e ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff
  );
}

/** The next index from `at` on that is not blank. */
export function skipBlanks(s: ParserState, at: number): number {
  const { text, limit } = s;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (!isJsonBlank(code) && !isOddBlank(code)) break;
  }
  return at;
}

/** Whether a line ends between the two places; looks at the first 200 characters. */
export function lineEndBetween(s: ParserState, from: number, to: number): boolean {
  const { text } = s;
  const stop = Math.min(to, from + 200);
  for (let at = from; at < stop; at++) if (text.charCodeAt(at) === 10) return true;
  return false;
}

/** The mark of an item before a member; a sign with more blanks behind it may be that of a patch. */
const BULLET = /(?:[-*•]|\d{1,4}[.):]) (?=["'{[])/y;

/** Behind the mark of an item that stands at `at`, -1 if none does. */
export function bulletEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // `*`, `-`, a digit or `•`: most calls are for something else.
  const starts = code === 42 || code === 45 || (code >= 48 && code <= 57) || code === 0x2022;
  return starts ? sticky(BULLET, text, at) : -1;
}

/** Moves behind blanks and comments, which JSON does not know. */
export function skipSpace(s: ParserState): void {
  const { text, limit } = s;
  while (s.pos < limit && isJsonBlank(text.charCodeAt(s.pos))) s.pos++;
  const code = text.charCodeAt(s.pos);
  // No quote, bracket, comma or word starts so.
  if (code === 35 || code === 45 || code === 47 || code === 60 || code < 32 || code > 126) skipOddSpace(s);
}

function skipOddSpace(s: ParserState): void {
  const { text, limit } = s;
  for (; s.pos < limit; ) {
    const code = text.charCodeAt(s.pos);
    // A quote, a digit, a letter, a bracket: most often what comes next.
    if (code === 34 || (code > 47 && code !== 60 && code < 127)) return;
    if (isJsonBlank(code)) s.pos++;
    else if (code === 47 || code === 35 || (code === 45 && text.charCodeAt(s.pos + 1) === 45)) {
      const end = commentEnd(s, s.pos, code);
      if (end < 0) return;
      s.edit(s.pos, end, "", "comment", quotesPaired(s, s.pos, end));
      s.pos = end;
    } else if (code === 60 && text.startsWith("<!--", s.pos)) {
      const close = s.source.next("-->", s.pos);
      if (close < 0 || close + 3 > limit) return;
      s.edit(s.pos, close + 3, "", "comment");
      s.pos = close + 3;
    } else if (code === 0x2190 || (code === 60 && text.charCodeAt(s.pos + 1) === 45)) {
      // `<-- this`, `← this`
      const close = s.source.next("\n", s.pos);
      if (close < 0 || close >= limit) return;
      s.edit(s.pos, close, "", "comment", quotesPaired(s, s.pos, close));
      s.pos = close;
    } else if (isOddBlank(code)) {
      s.edit(s.pos, s.pos + 1, "", "whitespace");
      s.pos++;
    } else return;
  }
}

/** A quote without its partner in a comment may have been that of a string. */
export function quotesPaired({ text, source }: ParserState, from: number, to: number): boolean {
  let paired = true;
  for (let at = source.next('"', from); at >= 0 && at < to; at = text.indexOf('"', at + 1)) paired = !paired;
  return paired;
}

/** Where the comment at `at` ends, -1 if there is none. */
function commentEnd(s: ParserState, at: number, code: number): number {
  const { text, limit } = s;
  const second = text.charCodeAt(at + 1);
  if (code === 35 || code === 45) {
    const marks = code === 35 && second !== 35 ? 1 : 2;
    // `#fff` may be a value, where one is awaited.
    const awaited = s.keyAt >= 0 || s.top !== OBJECT || code === 45;
    if (awaited && second !== 35 && !isJsonBlank(text.charCodeAt(at + marks))) return -1;
    const close = s.source.next("\n", at);
    return close < 0 || close > limit ? limit : close;
  }
  if (second === 42) {
    const close = s.source.next("*/", at + 2);
    return close < 0 || close > limit ? limit : Math.min(close + 2, limit);
  }
  if (second !== 47) return -1;
  const close = s.source.next("\n", at + 2);
  if (close >= 0 && close <= limit) return close;
  return s.depth === 0 ? limit : remarkEnd(s, at);
}

/** On the last line, a remark ends where the brackets go on, since else they would never close. */
function remarkEnd(s: ParserState, at: number): number {
  const sign = /[}\]]|,\s*"/g;
  sign.lastIndex = at;
  const found = sign.exec(s.text);
  return found && found.index < s.limit ? found.index : s.limit;
}

/** What follows a text that was cut: `... [output truncated]`, `--- cut off ---`, the mark of a model's end. */
const NOTICE =
  /(?:<\/s>|<\|\w{1,30}\|>|(?:\.\.\.|…)?[ \t]{0,4}(?:[[(<]{1,3}|-{2,8}|\*{2,8}|={2,8})[^[\](){}"\n]{0,60}\b(?:truncated|truncation|cut[ -]?off|omitted|snip(?:ped)?|interrupted|tokens?|finish_reason|length|limit|continued?|continues|elided|trimmed|more)\b[^[\](){}"\n]{0,60}[\])>*=-]{0,8})[\s`]{0,40}$/iy;
/** A few words in brackets on a line of their own. */
const BRACKETED_LINE = /^[[(<]\p{L}[\p{L}\d _:.,-]{0,60}[\])>]\s{0,40}$/u;
/** A longer rest of the text is no notice. */
export const NOTICE_LENGTH = 220;
const NOTICE_START = /[[(<.…*=-]/;

/** Whether nothing is left from `at` on but a notice that the text was cut. */
export function noticeAhead(s: ParserState, at: number): boolean {
  const { text, limit } = s;
  if (limit - at > NOTICE_LENGTH || at >= limit || !NOTICE_START.test(text[at] as string)) return false;
  const rest = text.slice(at, limit);
  NOTICE.lastIndex = 0;
  return (
    NOTICE.test(rest) || (BRACKETED_LINE.test(rest) && /\n[ \t]{0,20}$/.test(text.slice(Math.max(0, at - 24), at)))
  );
}

/** `...`, `. . .`, `… (3 omitted)`, `... 47 more items`. */
const ELLIPSIS =
  /(?:\.{3,12}|\. \. \.|…)(?:[ \t]{0,4}\(?(?:and )?\d{0,9}\+?[ \t]?(?:[a-z]{1,12} )?(?:more|others?|omitted|truncated|remaining|additional|similar|etc)\b[\w \t]{0,40}\.{0,3}\)?(?=\s{0,80}(?:[,}\]"{[]|$)))?/y;

/** Where `...` or `…` ends that stands at `at`, with what it says of itself; -1 if neither does. */
export function ellipsisEnd(text: string, at: number): number {
  return sticky(ELLIPSIS, text, at);
}

/** `...` in place of members, and the comma behind it. */
export function skipEllipsis(s: ParserState, end: number, by: string): void {
  s.edit(s.pos, end, by, "ellipsis", false);
  s.pos = end;
  const comma = skipBlanks(s, s.pos);
  if (by !== "" || s.text[comma] !== ",") return;
  s.edit(comma, comma + 1, "", undefined);
  s.pos = comma + 1;
}
