/** Tells what stands at a place outside of strings, behind blanks and comments. */
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
/** `["key"]`, as Lua writes a key. */
export const BRACKETED = 14;
/** A few words in round brackets. */
export const REMARK = 15;
/** The mark of an item before a member. */
export const BULLET = 16;
/** `...` in place of members. */
export const ELLIPSIS = 17;
export const BACKSLASH = 18;
export const PLUS = 19;
/** A sign that JSON does not have outside of strings. */
export const ODD = 20;
export const TOKENS = 21;

const FENCE = /```|~~~/;
const OF_SIGN: readonly (number | undefined)[] = /* @__PURE__ */ tokensOfSigns();

function tokensOfSigns(): number[] {
  const tokens: number[] = [];
  tokens[s.OPEN_OBJECT] = BRACE;
  tokens[s.OPEN_LIST] = BRACKET;
  tokens[s.OPEN_ROUND] = ROUND;
  tokens[s.CLOSE_OBJECT] = CURLY;
  tokens[s.CLOSE_LIST] = SQUARE;
  tokens[s.CLOSE_ROUND] = PAREN;
  tokens[s.COMMA] = COMMA;
  tokens[s.COLON] = COLON_SIGN;
  return tokens;
}

/** `["key"] = `, as Lua writes it. */
const BRACKETED_KEY = /\[\s{0,8}(?:"[^"\n\\]{0,100}"|'[^'\n\\]{0,100}')\s{0,8}\](?=\s{0,8}[=:])/y;
/** The mark of an item before a member; a sign with more blanks behind it may be that of a patch. */
const ITEM_MARK = /[-*•] (?=["'{[])/y;
const ITEM_NUMBER = /\d{1,4}[.):] (?=["'{[])/y;
/** `...`, `. . .`, `… (3 omitted)`, `... 47 more items`. */
const DOTS =
  /(?:\.{3,12}|\. \. \.|…)(?:[ \t]{0,4}\(?(?:and )?\d{0,9}\+?[ \t]?(?:[a-z]{1,12} )?(?:more|others?|omitted|truncated|remaining|additional|similar|etc)\b[\w \t]{0,40}\.{0,3}\)?(?=\s{0,80}(?:[,}\]"{[]|$)))?/y;
const MEMBERS = [FIRST_KEY, KEY, FIRST_ITEM, ITEM];

/** Marks that may stand before a value, around a key or behind both, by their first sign. */
interface Mark {
  readonly signs: string;
  readonly token: number;
  readonly pattern: RegExp;
  readonly states: readonly number[];
}

const MARKS: readonly Mark[] = [
  { signs: "[", token: BRACKETED, pattern: BRACKETED_KEY, states: [FIRST_KEY, KEY] },
  { signs: "(", token: REMARK, pattern: t.REMARK_WORDS, states: [...MEMBERS, COLON, AFTER_MEMBER, AFTER_ITEM] },
  { signs: "-*•", token: BULLET, pattern: ITEM_MARK, states: MEMBERS },
  { signs: "0123456789", token: BULLET, pattern: ITEM_NUMBER, states: [FIRST_ITEM, ITEM] },
  { signs: ".…", token: ELLIPSIS, pattern: DOTS, states: [...MEMBERS, COLON, VALUE, AFTER_MEMBER, AFTER_ITEM] },
];
const MARK_OF = /* @__PURE__ */ new Map(
  MARKS.flatMap((mark) => [...mark.signs].map((sign) => [sign.charCodeAt(0), mark] as const)),
);

export function isCloser(token: number): boolean {
  return token >= CURLY && token <= PAREN;
}

/** The token at `pos`; where a mark ends is in `markEnd`. */
export function tokenAt(r: Reading): number {
  const { text, pos, limit, state } = r;
  if (pos >= limit) return END;
  const code = text.charCodeAt(pos);
  if ((code === 96 || code === 126) && FENCE.test(text.slice(pos, pos + 3))) return END;
  const sign = s.signOf(code);
  if (sign === s.QUOTE) return t.keyAheadOf(r, pos) ? KEY_TEXT : TEXT;
  const token = OF_SIGN[sign];
  if (token === undefined || token === BRACKET || token === ROUND) {
    if (t.noticeAhead(text, pos, limit)) return END;
    const mark = MARK_OF.get(code);
    r.markEnd = mark?.states.includes(state) ? t.sticky(mark.pattern, text, pos) : -1;
    if (mark && r.markEnd >= 0) return mark.token;
  }
  if (token !== undefined) return token;
  if (state === COLON && t.colonEnd(text, pos) > 0) return COLON_SIGN;
  if (t.isWordSign(code)) {
    const after = state === AFTER_MEMBER || state === AFTER_ITEM;
    const quote = after ? pos : t.behindPrefix(text, pos);
    if (quote > pos) return t.keyAheadOf(r, quote) ? KEY_TEXT : TEXT;
    // A word is a value where one is awaited, whatever stands behind it.
    if (state === VALUE) return WORD;
    if (t.nameAhead(text, pos, limit, r.wordyKeys)) return NAME;
    return t.literalAhead(text, pos) ? LITERAL : WORD;
  }
  if (t.literalAhead(text, pos)) return LITERAL;
  return code === 92 ? BACKSLASH : code === 43 ? PLUS : ODD;
}

/** So much of a comment is looked at. */
const LONG_COMMENT = 2_000;

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
    else if (s.signOf(code) === s.ODD_BLANK) {
      r.edit(r.pos, r.pos + 1, "", "whitespace");
      r.pos++;
    } else {
      const end = commentEnd(r);
      if (end < 0) break;
      // A quote without its partner in it may have been that of a string.
      const paired = text.slice(r.pos, Math.min(end, r.pos + LONG_COMMENT)).split('"').length % 2 === 1;
      r.edit(r.pos, end, "", "comment", paired);
      r.lineEnds ||= t.lineEndBetween(text, r.pos, end);
      r.pos = end;
    }
  }
  r.pos = Math.min(r.pos, limit);
}

/** How comments begin, and what ends them. */
const COMMENTS: readonly (readonly [begin: RegExp, end: string])[] = [
  [/\/\*/y, "*/"],
  [/<!--/y, "-->"],
  [/\/\/|##|<-|←/y, "\n"],
  [/#|--/y, "\n"],
];

/** Where the comment at `pos` ends, -1 if there is none. */
function commentEnd(r: Reading): number {
  const { text, pos, limit, source } = r;
  if (!"/#-<←".includes(text[pos] as string)) return -1;
  for (const [nth, [begin, end]] of COMMENTS.entries()) {
    const from = t.sticky(begin, text, pos);
    if (from < 0) continue;
    // `#fff` and `--x` may be values, where one is awaited.
    const awaited = r.keyAt >= 0 || r.top?.kind !== OBJECT || text[pos] === "-";
    if (nth === 3 && awaited && !s.isJsonBlank(text.charCodeAt(from))) return -1;
    const close = source.next(end, from);
    if (close >= 0 && close <= limit) return end === "\n" ? close : close + end.length;
    return limit;
  }
  return -1;
}
