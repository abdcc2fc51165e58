/** Tells what stands at a place outside of strings, and skips what is no part of the value. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import {
  AFTER_ITEM,
  AFTER_MEMBER,
  COLON,
  FIRST_ITEM,
  FIRST_KEY,
  ITEM,
  KEY,
  LIST,
  type Reading,
  START,
  VALUE,
} from "./reading.js";

export * from "./ahead.js";

/** The signs of JSON, however they are written, are tokens themselves; so is a backslash. Nothing is the end. */
const SIGNS = "{[(}]),:";
export const END = "";
/** A string, behind which no colon stands. */
export const TEXT = '"';
/** A string and a colon behind it. */
export const KEY_TEXT = "k";
/** A word without quotes, and a colon behind it. */
export const NAME = "n";
export const WORD = "w";
/** A number, or a word that is a literal. */
export const LITERAL = "0";
/** A sign that JSON does not have outside of strings. */
export const ODD = "?";

export function tokenAt(r: Reading): string {
  const { text, pos, limit, state } = r;
  const code = text.charCodeAt(pos);
  // A sign whose digits are cut off is no value.
  const mayEnd = code === 43 || code === 45 || code === 96 || code === 126;
  if (pos >= limit || (mayEnd && /^(?:[+-]$|```|~~~|---\n\s*[{[])/.test(text.slice(pos, Math.min(limit, pos + 9)))))
    return END;
  // Right behind a string the letter is what goes on in words: `f("a", "b")`.
  const isBehind = (state === AFTER_MEMBER || state === AFTER_ITEM) && r.last === pos;
  const quote = isBehind ? pos : t.behindPrefix(text, pos);
  if (r.isQuote(quote)) return t.keyAhead(text, quote, limit) ? KEY_TEXT : TEXT;
  const token = SIGNS[r.sign() - s.OPEN_OBJECT];
  const mayBeNotice = state !== START && (token === undefined || token === "[" || token === "(");
  if (mayBeNotice && t.noticeAhead(r, pos)) return END;
  if (token === "[" && (state === FIRST_KEY || state === KEY) && t.sticky(t.BRACKET_KEY, text, pos) >= 0) return NAME;
  if (token !== undefined) return token;
  if (state === COLON && t.colonEnd(text, pos) > 0) return ":";
  const word = t.isLetter(text, pos);
  // A word is a value where one is awaited, whatever stands behind it.
  if (word && state !== VALUE && t.nameAhead(text, pos, limit)) return NAME;
  if (!(word && state === VALUE) && t.literalAhead(text, pos)) return LITERAL;
  return word ? WORD : code === 92 ? "\\" : ODD;
}

/** Moves behind blanks, comments and marks. */
export function skipSpace(r: Reading): undefined {
  const { text, limit } = r;
  for (;;) {
    const code = text.charCodeAt(r.pos);
    const isAside =
      code === 60 || code === 96 || code === 92 || (code === 91 && (r.state === AFTER_MEMBER || r.lineEnds));
    if (code === 32 || code === 13 || code === 9) r.pos++;
    else if (code === 10) r.lineStart = ++r.pos;
    else if (r.pos >= limit || code === 34 || code === 39 || (code > 57 && code < 127 && !isAside)) break;
    else if (s.signOf(code) === s.ODD_BLANK) r.edit(r.pos, ++r.pos, "", "whitespace");
    else if (t.sticky(ASIDE, text, r.pos) < 0 || !skipsAside(r)) break;
  }
  r.pos = Math.min(r.pos, limit);
}

/** `...`, `. . .`, `… (3 omitted)`, `... 47 more items`, `+more`. */
const DOTS =
  /\+ ?(?:\d{1,9} )?(?:more|others)(?: \w{1,20})?(?=\s{0,8}[\])}])|(?:\.{3,12}|\. \. \.|…)(?:[ \t]{0,4}\(?[\w+ ]{0,40}\b(?:more|omitted|truncated)\b(?:[\w \t,]{0,40}\)|[\w \t]{0,40}\.{0,3}))?/y;
/** Bold signs, and what breaks or marks text in HTML. */
const MARKUP = "(?:\\*\\*|&nbsp;|<\\/?(?:br|b|i|p|em|strong|span|code)\\b[^<>\\n]{0,60}>)";
const MARKUP_BEFORE = new RegExp(`${MARKUP}(?=\\s{0,40}(?:["'{[\\d<&*-]|true|false|null))`, "y");
const MARKUP_BEHIND = new RegExp(`${MARKUP}(?=\\s{0,40}[,:}\\])<&])`, "y");

/** What stands beside the members, by how it begins: a comment up to its end, or a mark; with the states where it is none. */
const ASIDES: readonly { begin: RegExp; end?: string; kind?: "ellipsis" | "escape"; not?: readonly number[] }[] = [
  { begin: /\/\*/y, end: "*/" },
  { begin: /<!--/y, end: "-->" },
  { begin: /\/\+/y, end: "+/" },
  { begin: /\/\/|##|<-|←|(?:#|--)(?=\s)/y, end: "\n" },
  // `#fff` and Erlang's `#{a => 1}` may be values.
  { begin: /#(?!\{[^:\n]{0,80}=>)/y, end: "\n", not: [VALUE] },
  // A thought before a value or a key: it may tell of another one.
  { begin: /<think(?:ing)?>[^<]{0,2000}<\/think(?:ing)?>(?=\s{0,40}["{[\d-])/y },
  // A fence that opens before the value of a key, and one that closes behind a bracket.
  { begin: /(?<=: ?)`{3}\w{0,10}\s{0,40}(?=[{[])/y },
  { begin: /(?<=[}\]]\s?)`{3}(?=[,}])/y },
  { begin: DOTS, kind: "ellipsis" },
  // A line end that is written out, or one of a string of a program.
  { begin: /\\(?:[nrt](?=[\s\\"{}[\]])|\s)/y, kind: "escape", not: [VALUE] },
  { begin: /(?:\\[nrt]\s{0,9}){1,9}(?=["{[\d-]|true\b|false\b|null\b)/y, kind: "escape" },
  { begin: MARKUP_BEFORE, not: [COLON, AFTER_MEMBER, AFTER_ITEM] },
  { begin: MARKUP_BEHIND, not: [VALUE, FIRST_ITEM, ITEM] },
  // Words in round brackets explain what stands before or behind them.
  { begin: /\([^()"'\d\n][^()"\n]{0,120}\)/y, not: [VALUE] },
  // The mark of an item; a sign with more blanks behind it may be that of a patch.
  { begin: /[-*•] (?=["'{[])/y, not: [VALUE] },
  { begin: /\d{1,4}[.):] (?=["'{[])/y, not: [FIRST_KEY, KEY, COLON, VALUE, AFTER_MEMBER] },
];
/** So much of a comment is looked at. */
const MOST_OF_COMMENT = 2_000;
/** What a comment says in the place of members. */
const LEFT_OUT = /\.{3}|…|\b(?:\d+ more|rest unchanged|omitted|truncated)\b/;
/** And of the value before it. */
const IS_WRONG = /^\W{0,6}(?:wrong|should be|use instead)\b/;
/** Behind a value it may be a part of that, as in `5 -- 10,`; or it holds the next member, as in `// the name "c": true`. */
const [HAS_COMMA, HAS_MEMBER] = [/,[ \t\r]*$/, /^[^{]*(?:["\w] "[^"\n]{1,40}"\s?:\s?[^{\s]|"[^"\n]{1,40}",\s*$)/];
/** A number is none of them, but the mark of an item. */
const ASIDE = /\D|\d{1,4}[.):-]/y;

/** Takes out what stands beside the members at `pos`. */
function skipsAside(r: Reading): boolean {
  const { text, pos, state, limit, source } = r;
  for (const { begin, end = "", kind = "comment", not } of ASIDES) {
    const from = not?.includes(state) ? -1 : t.sticky(begin, text, pos);
    if (from < 0) continue;
    const close = source.next(end, from);
    r.pos = close < 0 ? limit : close + (end === "\n" ? 0 : end.length);
    // A quote without its partner in a comment may have been that of a string.
    const comment = text.slice(pos, r.pos);
    const paired = comment.split('"').length % 2 === 1;
    const mayHold = state === AFTER_MEMBER || state === AFTER_ITEM ? HAS_COMMA : HAS_MEMBER;
    const holdsMore = end === "\n" && !r.lineEnds && mayHold.test(comment.slice(0, MOST_OF_COMMENT));
    const isItem = r.top?.kind === LIST && /^(?:#[^\s#]|--\s)/.test(comment);
    const isOdd = isItem || LEFT_OUT.test(comment.slice(0, MOST_OF_COMMENT)) || IS_WRONG.test(comment.slice(0, 20));
    const isComment = paired && !isOdd && !holdsMore;
    // `"<a href="#top">"`, `"x = "y"\n"`: right behind a quote it may be content, and so may what stands for a value.
    const isGlued = pos === r.last && r.isQuote(pos - 1) && (kind !== "escape" || r.isQuote(r.pos));
    const isInPlace = state === VALUE && end === "\n" && /^\s{0,40}\p{L}/u.test(text.slice(r.pos, r.pos + 42));
    const isSure = kind === "escape" || (end !== "" && isComment);
    r.edit(pos, r.pos, "", kind, isSure && !isGlued && !isInPlace);
    return true;
  }
  return false;
}

/** Behind a plus between two strings. */
export const behindPlus = ({ text, pos, limit }: Reading) =>
  text[pos] === "+" ? s.skipBlanks(text, pos + 1, limit) : pos;

/** `${…}` between grave accents, `{…}` behind Python's f. */
const TEMPLATE = /^(?:`[^`]{0,200}\$\{|[a-z]{0,2}f[a-z]?(?:'[^']{0,200}|"[^"]{0,200})\{)/i;
/** Whether a program fills in the string whose quote stands at `at`, and its prefix at `pos`. */
export const isTemplate = ({ text, pos }: Reading, at: number) =>
  (at > pos || text[at] === "`") && TEMPLATE.test(text.slice(pos, at + 204));

/** `""text"`: whether the second quote at `pos` can only be that of the text; one in it that has no partner may be that of the first. */
export function opensAll({ text, pos }: Reading): boolean {
  const [held = ""] = /^"(?:[^"\\]|\\.){1,400}/s.exec(text.slice(pos, pos + 800)) ?? [];
  return /^"[^\s,:}\]]/.test(held) && held.split('\\"').length % 2 === 1;
}
