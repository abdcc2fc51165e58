/** Whether a quote inside or at the end of a string ends it: it does if the text goes on behind it as JSON. */

import { bracketFor, closersLeft, closesOrSeparates, oneCloserMore } from "./closers.js";
import { bareKeyAhead, halfKeyAhead, keyAhead, keyAndColonAhead, quoteAndColonAhead } from "./key-ahead.js";
import {
  behindPrefix,
  bulletEnd,
  ellipsisEnd,
  isDigitOrMinus,
  isForeignComma,
  isQuote,
  lineEndBetween,
  noticeAhead,
  quotesPaired,
  REMARK,
  skipBlanks,
  sticky,
} from "./lexing.js";
import { type Frame, frameOf, LIST, OBJECT, type ParserState, TUPLE } from "./state.js";

/** A few words that stand between a value and the brackets that close it. */
export const STRAY_WORDS = /[\p{L}_]{1,30}(?: [\p{L}_]{1,30}){0,2}\s{0,40}[}\]]\s{0,40}(?:[,}\]]|$)/uy;
const LINE_END = /[ \t]{0,80}\r?\n/y;
const ELLIPSIS_AND_SIGN = /(?:\.\.\.|…)\s{0,40}[,}\]]/y;
const ELEMENT_AHEAD = /["'][^"'\n]{0,120}["']\s{0,40}[,\]]/y;
const BARE_MEMBER = /\S{1,60}\s{0,4}:\s{0,40}["'{[\d]/y;
const BARE_MEMBER_AFTER_COMMA = /[^:：]{1,80}[:：]\s{0,20}(?:["'`{[\d-]|(?:true|false|null)\b)/y;
const ESCAPED_KEY = /\\"[^"\\\n]{1,60}\\"\s{0,8}:/y;
const COMMENT_AND_COLON = /(?:\/\*(?:[^*]|\*(?!\/)){0,400}\*\/|<!--[^>]{0,400}-->)\s{0,40}[:：]/y;
const LAST_WORD_AS_KEY = /"[\w-]{1,60}"\s{0,40}\}/y;
const NUMBER_AND_SIGN = /-?\d[\d.]{0,60}\s{0,40}[,\]]/y;
const NUMBER_AFTER_COMMA = /[+-]?[\d.][\w.+-]{0,60}\s{0,40}(?:[,\])}…]|\.\.\.|$)/y;
const HALF_ELEMENT = /[\p{L}\p{N}_][^"\n,]{0,60}"\s{0,40}[,\]]/uy;
/** A word without quotes between members that have them, or at the end. */
const BARE_ELEMENT =
  /[\p{L}_][\p{L}\p{N}_-]{0,40}\s{0,20}(?:,\s{0,20}"[^"\n]{0,80}"\s{0,20}[,\]]|\]\s{0,20}(?:[,}\]]|$))/uy;
const LITERAL_AFTER_COMMA = /(?:true|false|null|None|True|False|NaN|undefined|etc\.?)\s{0,40}(?:[,\])}]|$)/y;
const WHOLE_STRING = /"[^"\n]{1,120}"\s{0,40}[,}]/y;
const LITERAL_OR_NUMBER = /(?:true|false|null|-?\d[\d.]{0,30})\s{0,40}[,}]/y;
const SPACED_ELEMENT = /.\s{0,40}(?:[^"\s][^"\n]{0,120})?"\s{0,40}[,\]]/y;
const OPENERS: Readonly<Record<string, string>> = {
  "}": "{",
  "]": "[",
  ")": "(",
  "）": "（",
  "］": "［",
  "】": "【",
  "｝": "｛",
};
/** What may follow a comma behind brackets. */
const AFTER_CLOSERS_AND_COMMA = /[{[\]}/,.\-`\dtfnTFN#]/;

/** Content before a bracket that is searched for the bracket's partner. */
const PARTNER_DISTANCE = 400;
/** Brackets in a row that are looked at. */
const MAX_CLOSERS = 64;

/** Whether the quote at `quote` ends its key, judged by what follows. */
export function endsKey(s: ParserState, quote: number, inner: number): boolean {
  const at = skipBlanks(s, quote + 1);
  if (at >= s.limit) return true;
  const c = s.text[at] as string;
  if (c === ":" || c === "：" || c === "=") return true;
  // `"a "b"": 1`: the next one does.
  if (inner % 2 === 1 && at === quote + 1 && isQuote(c) && quoteAndColonAhead(s, at)) return false;
  if (isQuote(c) && (quoteAndColonAhead(s, at) || sticky(WHOLE_STRING, s.text, at) >= 0)) return true;
  const gap = at > quote + 1;
  if (c === ",") return !gap || keyAhead(s, skipBlanks(s, at + 1));
  if (c === "}") return true;
  if (c === "/" || c === "<") return sticky(COMMENT_AND_COLON, s.text, at) >= 0;
  if (c === "`" && s.text.startsWith("```", at)) return true;
  if (sticky(LITERAL_OR_NUMBER, s.text, at) >= 0) return true;
  return gap && (isQuote(c) || c === "{" || c === "[" || isDigitOrMinus(c));
}

/** Whether the quote at `quote` ends the value that begins at `content` and has `inner` quotes before this one. */
export function endsValue(s: ParserState, quote: number, content: number, inner: number): boolean {
  const { text } = s;
  const at = skipBlanks(s, quote + 1);
  const frame = s.top;
  if (at >= s.limit || frame === undefined) return true;
  const c = text[at] as string;
  const gap = at > quote + 1;
  if (gap) {
    // The last quote of the text before a line end: what follows is no string any more.
    if (quote >= s.source.lastQuote && sticky(LINE_END, text, quote + 1) >= 0) return true;
    if (sticky(STRAY_WORDS, text, at) >= 0) return true;
  }
  if (c === "," || c === ";" || isForeignComma(c)) {
    if (c === "," && frame === OBJECT && inner === 0 && listGoesOn(s, at, content, quote)) return true;
    return commaEnds(s, at, frame, inner) && !(inner % 2 === 1 && inInnerObject(s, content, quote + 1));
  }
  switch (c) {
    case "}":
    case "]":
    case ")":
      return closerEnds(s, at, c, content, quote);
    case "(":
      return gap && remarkEnds(s, at);
    case "+":
      return isQuote(text[skipBlanks(s, at + 1)]);
    case "/":
    case "#":
    case "-":
    case "<":
    case "←":
      // A mark of the model's or a tag ends the text.
      if (c === "<" && quote >= s.source.lastQuote && "|/".includes(text[at + 1] ?? " ")) return true;
      return gap && startsComment(text, at) && commentEnds(s, at, c);
    case "`":
      if (text.startsWith("```", at)) return gap;
      break;
    case "|":
      return frame === OBJECT && keyAndColonAhead(s, skipBlanks(s, at + 1));
    case ".":
    case "…":
      if (sticky(ELLIPSIS_AND_SIGN, text, at) >= 0 || ellipsisEnd(text, at) > at + 3) return true;
      if (quote >= s.source.lastQuote) {
        const end = ellipsisEnd(text, at);
        if (end >= 0 && (gap || (inner % 2 === 0 && skipBlanks(s, end) >= s.limit))) return true;
      }
      return frame === OBJECT && !gap && keyAndColonAhead(s, skipBlanks(s, at + 1));
  }
  if (bracketFor(c) !== c) return closerEnds(s, at, c, content, quote);
  if (isQuote(c)) {
    if (frame === OBJECT) return keyAndColonAhead(s, at) || stringGoesOn(s, quote + 1, at);
    if (gap) return true;
    // `"a""b"` is two strings, `"12""` ends in a quote.
    const next = text[at + 1];
    return next !== undefined && !/[\s,\]}]/.test(next) && sticky(ELEMENT_AHEAD, text, at) >= 0;
  }
  if (!gap) return false;
  if (frame === OBJECT) {
    if (halfKeyAhead(s, at)) return true;
    if (s.bareKeys) return bareKeyAhead(s, at);
    return lineEndBetween(s, quote + 1, at) && bareKeyAhead(s, at) && sticky(BARE_MEMBER, text, at) >= 0;
  }
  return c === "{" || c === "[" || (isDigitOrMinus(c) && sticky(NUMBER_AND_SIGN, text, at) >= 0);
}

/**
 * Whether a closing curly quote ends the string that a straight one opened, or a double one the string of a single
 * one: only where nothing else can be meant.
 */
export function endsFirmly(s: ParserState, quote: number, role: "key" | "value"): boolean {
  const at = skipBlanks(s, quote + 1);
  const c = s.text[at];
  if (role === "key") return c === ":";
  if (c === ",") return keyAndColonAhead(s, skipBlanks(s, at + 1));
  if (c !== "}" && c !== "]") return false;
  const next = s.text[skipBlanks(s, at + 1)];
  return next === undefined || next === "," || next === "}" || next === "]";
}

/** A remark in round brackets, and behind it the next key or what closes the value. */
function remarkEnds(s: ParserState, at: number): boolean {
  const sign = sticky(REMARK, s.text, at);
  if (sign < 0) return false;
  const next = skipBlanks(s, sign);
  if (s.text[next] === ",") return s.top === OBJECT && keyAndColonAhead(s, skipBlanks(s, next + 1));
  return "}]".includes(s.text[next] ?? " ") && closesWell(s, next);
}

/** What starts a comment. */
const COMMENT = /\/[/*]|# |#[^\n"]{0,200}\n|--[ \t]|<!--|<--? |←/y;

/** Python and C join strings that follow each other: a whole one on the next line, and an end behind it. */
const NEXT_PART =
  /(?:"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.|'(?=\p{L})){0,400}')\s{0,80}(?:[,}\])]|\n\s{0,80}["'])/uy;

/** Whether the string before `from` goes on at `next`, on another line. */
export function stringGoesOn(s: ParserState, from: number, next: number): boolean {
  return lineEndBetween(s, from, next) && sticky(NEXT_PART, s.text, next) >= 0;
}

function startsComment(text: string, at: number): boolean {
  return sticky(COMMENT, text, at) >= 0;
}

/** Of signs that sentences have as well: whether quotes come in pairs on the line, and JSON goes on behind it. */
function commentEnds(s: ParserState, at: number, sign: string): boolean {
  if (sign !== "#" && sign !== "-") return true;
  const lineEnd = s.source.next("\n", at);
  if (lineEnd < 0 || lineEnd >= s.limit) return sign === "#" && s.source.lastQuote < at;
  if (!quotesPaired(s, at, lineEnd)) return false;
  const next = skipBlanks(s, lineEnd + 1);
  const c = s.text[next];
  if (c === undefined || next >= s.limit || ",}]".includes(c)) return true;
  if (c === "#" || c === "-") return s.source.next('"', at) > lineEnd;
  return s.top === OBJECT ? keyAhead(s, next) || bareKeyAhead(s, next) : isQuote(c) || c === "{" || c === "[";
}

/** A quote and a comma: does the next member follow? */
function commaEnds(s: ParserState, comma: number, frame: Frame, inner: number): boolean {
  const { text } = s;
  const next = skipBlanks(s, comma + 1);
  const item = text.charCodeAt(next) !== 34 && lineEndBetween(s, comma, next) ? bulletEnd(text, next) : -1;
  const at = behindPrefix(text, Math.max(next, item));
  if (at >= s.limit || noticeAhead(s, at)) return true;
  const c = text[at] as string;
  if (frame === OBJECT && isQuote(c) && c !== "`") return quotedMemberFollows(s, at, comma);
  switch (c) {
    case "}":
    case "]":
    case ")":
      return closesWell(s, at);
    case ",":
      return true;
    case "#":
    case "/":
    case "<":
    case "←":
    case "-":
      if (startsComment(text, at)) return commentEnds(s, at, c);
      break;
    case ".":
    case "…":
      return ellipsisEnd(text, at) >= 0;
    case "\\":
      return inner === 0 && sticky(ESCAPED_KEY, text, at) >= 0;
    case "`":
      if (text.startsWith("```", at)) return true;
      break;
  }
  if (frame === OBJECT) {
    if (isQuote(c)) return quotedMemberFollows(s, at, comma);
    if (c === "{") return s.depth > 1 && s.parent !== OBJECT;
    if (s.bareKeys) return bareKeyAhead(s, at) || halfKeyAhead(s, at);
    if (halfKeyAhead(s, at)) return true;
    if (!bareKeyAhead(s, at)) return false;
    // With an inner quote still open, a word and a colon are more likely content.
    return inner % 2 === 0 && sticky(BARE_MEMBER_AFTER_COMMA, text, at) >= 0;
  }
  if (isQuote(c)) return quoteStartsElement(s, at);
  if (c === "{" || c === "[" || c === "(") return true;
  if (c === "+" || isDigitOrMinus(c)) return sticky(NUMBER_AFTER_COMMA, text, at) >= 0;
  if (inner % 2 === 0 && sticky(HALF_ELEMENT, text, at) >= 0) return true;
  if (inner % 2 === 0 && sticky(BARE_ELEMENT, text, at) >= 0) return true;
  return sticky(LITERAL_AFTER_COMMA, text, at) >= 0;
}

const STRINGS_TO_CLOSER =
  /"[^"\n]{0,80}"\s{0,40}(?:,\s{0,40}"[^"\n]{0,80}"\s{0,40}){0,6}\]\s{0,40}(?:,\s{0,40}["{]|[}\]])/y;

/** Strings up to a square bracket that nothing opens, not even this string: the list has lost its bracket. */
function listGoesOn(s: ParserState, comma: number, content: number, quote: number): boolean {
  const next = skipBlanks(s, comma + 1);
  if (s.text[next] !== '"' || sticky(STRINGS_TO_CLOSER, s.text, next) < 0) return false;
  return oneCloserMore(s, next) && !unclosedIn(s.text, content, quote, "]");
}

function quotedMemberFollows(s: ParserState, at: number, comma: number): boolean {
  if (keyAhead(s, at) || keyAndColonAhead(s, at)) return true;
  // `""key": …`: the quote of the key was doubled.
  if (s.text[at + 1] === '"' && keyAndColonAhead(s, at + 1)) return true;
  return at === comma + 1 && sticky(LAST_WORD_AS_KEY, s.text, at) >= 0;
}

/** In a list after a comma: the quote opens an element if it is not followed by a blank or the like. */
function quoteStartsElement(s: ParserState, at: number): boolean {
  const next = s.text[at + 1];
  return next === undefined || !/\s/.test(next) || sticky(SPACED_ELEMENT, s.text, at) >= 0;
}

/** A quote and a bracket: does the text go on as if the bracket closed something? */
function closerEnds(s: ParserState, at: number, closer: string, content: number, quote: number): boolean {
  const wanted = frameOf(closer);
  if (wanted === TUPLE && !(closer === ")" && s.isOpen(TUPLE))) return wrongCloserEnds(s, at, closer, content, quote);
  // Its partner stands in the string.
  if (unclosedIn(s.text, content, quote, closer) && !(s.isOpen(wanted) && closesWell(s, at, true))) return false;
  return closesWell(s, at);
}

/** A quote and a bracket of a kind that is not open: only where what follows shows that it closes something. */
function wrongCloserEnds(s: ParserState, at: number, closer: string, content: number, quote: number): boolean {
  const { text } = s;
  if (unclosedIn(text, content, quote, closer)) return false;
  const next = skipBlanks(s, at + 1);
  if (next >= s.limit || quote >= s.source.lastQuote || text.startsWith("```", next)) return true;
  if (text[next] === ",") {
    const member = skipBlanks(s, next + 1);
    return (
      keyAndColonAhead(s, member) || (s.parent === LIST && !!text[member] && "{[".includes(text[member] as string))
    );
  }
  return closesOrSeparates(s, next) && closesWell(s, next);
}

/**
 * Whether `at` stands in an object within the string: its brace is open and a quote follows that; and the brackets
 * behind it close what is open around the string, if its quotes come in pairs.
 */
export function inInnerObject(s: ParserState, content: number, at: number): boolean {
  const open = unclosedAt(s.text, content, at, "}");
  return open >= 0 && isQuote(s.text[skipBlanks(s, open + 1)]) && closersLeft(s, at) === s.depth;
}

function unclosedIn(text: string, from: number, to: number, closer: string): boolean {
  return unclosedAt(text, from, to, closer) >= 0;
}

/** Where the bracket stands behind `from` that is open at `to`, -1 if none is. */
function unclosedAt(text: string, from: number, to: number, closer: string): number {
  const open = (OPENERS[closer] ?? "(").charCodeAt(0);
  const close = closer.charCodeAt(0);
  const stop = Math.max(from, to - PARTNER_DISTANCE);
  let closed = 0;
  for (let at = to - 1; at >= stop; at--) {
    const code = text.charCodeAt(at);
    if (code === close) closed++;
    else if (code === open && closed-- === 0) return at;
  }
  return -1;
}

/** Whether the closers from `from` on are followed by what may follow them. */
function closesWell(s: ParserState, from: number, strict = false): boolean {
  const { text, limit } = s;
  let depth = s.depth;
  let at = from;
  for (let seen = 0; at < limit && seen < MAX_CLOSERS; seen++) {
    const c = text[at];
    if (c !== "}" && c !== "]" && c !== ")") break;
    depth--;
    at = skipBlanks(s, at + 1);
  }
  if (at >= limit) return true;
  const c = text[at] as string;
  if (depth <= 0) {
    if (strict) return c === "`" || c === "<";
    // What follows the whole value is prose, unless quotes in it show that we are still inside a string.
    return c !== '"' || depth < 0 || keyAndColonAhead(s, at);
  }
  if (c === "," || isForeignComma(c)) {
    const member = skipBlanks(s, at + 1);
    const next = text[member];
    if (next === undefined || s.bareKeys || isQuote(next) || AFTER_CLOSERS_AND_COMMA.test(next)) return true;
    return bareKeyAhead(s, member) && sticky(BARE_MEMBER_AFTER_COMMA, text, member) >= 0;
  }
  if (sticky(ELLIPSIS_AND_SIGN, text, at) >= 0) return true;
  if (isQuote(c)) return c === "`" || keyAhead(s, at);
  if (c === "{" || c === "[" || c === "<" || c === "/" || c === "#" || c === ";") return true;
  return lineEndBetween(s, from + 1, at) && halfKeyAhead(s, at);
}
