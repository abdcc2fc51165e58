/** Values without quotes: numbers, literals, and words that have lost their quotes. */
import { closesOrSeparates } from "./closers.js";
import { bareKeyAhead, keyAhead, keyAndColonAhead } from "./key-ahead.js";
import {
  backslashBefore,
  behindPrefix,
  ellipsisEnd,
  isDigitOrMinus,
  isForeignComma,
  isJsonBlank,
  isQuote,
  lineEndBetween,
  noticeAhead,
  REMARK,
  skipBlanks,
  sticky,
} from "./lexing.js";
import { frameOf, OBJECT, type ParserState, TUPLE, type Unreadable } from "./state.js";
import { endsValue } from "./string-end.js";
import { readString } from "./strings.js";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_LIKE = /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
/** `1,234,567`, where no further member can be meant. */
const GROUPED = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}\]\n])(?!,\d)/y;
/** `12,99`, where no further member can be meant. */
const DECIMAL_COMMA = /-?\d+,\d+(?=\s*[,}\n])(?!,\d)/y;
/** `1'000`, `1’000`: grouped by a sign that stands in no other number. */
const GROUPED_BY_SIGN = /-?\d{1,3}(?:['’]\d{3})+(?:\.\d+)?(?=\s{0,40}[,}\]\n])/y;
const DIGIT_BUT_KEY = /\d(?!\d{0,15}\s{0,8}[:：])/y;
const CUT_NUMBER = /-?(?:\d[\d.]*)?[eE]?[+-]?$/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const LITERAL_AHEAD = /(?:true|false|null|None|True|False)\b/y;
const QUOTE_AND_SIGN = /.\s{0,20}(?:[,}\]]|$)/y;
const SIGNED_INFINITY = /[+-](?:[Ii]nf(?:inity)?|NaN)/y;
/** `string; age?: number`, as TypeScript declares members. */
const TYPE_MEMBER = /[;,]\s*[\w$]+\?:/;
const CALL = /\s{0,12}\(/y;
/** So many characters of a number may be left at the end of a text that breaks off in it. */
const CUT_LENGTH = 40;

const LITERALS: Readonly<Record<string, string>> = {
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
  None: "null",
  NONE: "null",
  Null: "null",
  NULL: "null",
  nil: "null",
  Nil: "null",
  undefined: "null",
  NaN: "null",
  nan: "null",
  Infinity: "null",
  inf: "null",
  tru: "true",
  Tru: "true",
  fals: "false",
  Fals: "false",
  nul: "null",
};
/** Literals that the text may break off in. */
const WHOLE_LITERALS = ["true", "false", "null", "True", "False", "None"];

/** Whether a literal starts here that may be the next value. */
export function literalAhead(s: ParserState, at: number): boolean {
  return sticky(LITERAL_AHEAD, s.text, at) >= 0;
}

/** A value that is not quoted: a number, a literal, or a text up to its separator. False at the end of the text. */
export function readBareValue(s: ParserState): boolean | Unreadable {
  const { text, limit } = s;
  const begin = s.pos;
  const first = text[begin] as string;
  if (first === "+" || first === "." || isDigitOrMinus(first)) {
    const going = readNumber(s);
    if (going !== undefined) return going;
  }
  const end = sticky(WORD, text, begin);
  if (end < 0) {
    const infinite = sticky(SIGNED_INFINITY, text, begin);
    if (infinite < 0 || !delimits(s, infinite)) return readUnquoted(s);
    return replaceBy(s, infinite, "null", "literal", false);
  }
  const word = text.slice(begin, end);
  const delimited = delimits(s, end);
  if (delimited && (word === "true" || word === "false" || word === "null")) {
    s.pos = end;
    return end < limit;
  }
  if (delimited && Object.hasOwn(LITERALS, word)) {
    const odd = word === "NaN" || word === "nan" || word === "Infinity" || word === "inf";
    return replaceBy(s, end, LITERALS[word] as string, "literal", !odd);
  }
  if (end >= limit) {
    const whole = WHOLE_LITERALS.find((literal) => literal.startsWith(word));
    if (whole) return replaceBy(s, limit, LITERALS[whole] ?? whole, "literal", word.length > 1);
  }
  // A string of Python: `f"…"`, `rb'…'`.
  if (behindPrefix(text, begin) === end) {
    s.edit(begin, end, "", "quotes");
    if (/r/i.test(word)) s.foreignEscapes.add(end);
    s.pos = end;
    return readString(s, "value");
  }
  if (sticky(CALL, text, end) >= 0) return s.fail("foreign", begin);
  return readUnquoted(s);
}

/** `-- words`, a comment of SQL, Lua and Haskell. */
function startsDashes(text: string, at: number): boolean {
  return text[at + 1] === "-" && isJsonBlank(text.charCodeAt(at + 2));
}

function replaceBy(
  s: ParserState,
  end: number,
  by: string,
  kind: "literal" | "number" | "unquoted",
  sure: boolean,
): boolean {
  s.edit(s.pos, end, by, kind, sure);
  s.pos = end;
  return end < s.limit;
}

/** Undefined when what stands here is no number. */
function readNumber(s: ParserState): boolean | undefined {
  const { text, limit } = s;
  const begin = s.pos;
  const number = sticky(NUMBER, text, begin);
  if (s.top === OBJECT && text[number] === ",") {
    const grouped = sticky(GROUPED, text, begin);
    if (grouped >= 0 && grouped <= limit)
      return replaceBy(s, grouped, text.slice(begin, grouped).replaceAll(",", ""), "number", false);
    const decimal = sticky(DECIMAL_COMMA, text, begin);
    if (decimal >= 0 && decimal <= limit)
      return replaceBy(s, decimal, text.slice(begin, decimal).replace(",", "."), "number", false);
    // `12,50 €`: no key follows, so the comma is that of the number.
    if (number > begin && !s.bareKeys && sticky(DIGIT_BUT_KEY, text, number + 1) >= 0) return undefined;
  }
  const apart = text[number] === "'" || text[number] === "’" ? sticky(GROUPED_BY_SIGN, text, begin) : -1;
  if (apart >= 0 && apart <= limit)
    return replaceBy(s, apart, text.slice(begin, apart).replace(/['’]/g, ""), "number", false);
  if (number > begin && number <= limit && delimits(s, number)) {
    s.pos = number;
    return number < limit;
  }
  const like = sticky(NUMBER_LIKE, text, begin);
  if (like > begin && like <= limit && delimits(s, like)) {
    const raw = text.slice(begin, like);
    const value = numberOf(raw);
    if (value === undefined) return replaceBy(s, like, JSON.stringify(raw), "unquoted", false);
    return replaceBy(s, like, value, "number", true);
  }
  if (limit - begin > CUT_LENGTH) return undefined;
  CUT_NUMBER.lastIndex = 0;
  const cut = CUT_NUMBER.exec(text.slice(begin, limit))?.[0];
  if (cut === undefined) return undefined;
  const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?/.exec(cut)?.[0];
  s.edit(begin, limit, digits ?? "null", undefined);
  s.pos = limit;
  return false;
}

/** Undefined for what is no number in JSON's sense: `007` is a name. */
function numberOf(raw: string): string | undefined {
  if (/^[+-]?0\d/.test(raw)) return undefined;
  const value = Number(raw.replaceAll("_", ""));
  return Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

/** Whether a bare value may end at `at`. */
function delimits(s: ParserState, at: number): boolean {
  const { text } = s;
  const next = skipBlanks(s, at);
  if (next >= s.limit) return true;
  const c = text[next] as string;
  if (",}]);］】｝）".includes(c) || isForeignComma(c)) return true;
  if (c === "|") return s.top === OBJECT && keyAndColonAhead(s, skipBlanks(s, next + 1));
  if (c === "\\" && backslashBefore(text[next + 1]) === "markdown") return true;
  if (c === "-" && next > at && startsDashes(text, next)) return true;
  if (c === "/" && (text[next + 1] === "/" || text[next + 1] === "*")) return true;
  if (c === "#" || c === "`" || c === "<" || c === "←") return true;
  if (ellipsisEnd(text, next) >= 0 || noticeAhead(s, next)) return true;
  if (c === "(" && next > at) {
    const remark = sticky(REMARK, text, next);
    return remark >= 0 && closesOrSeparates(s, skipBlanks(s, remark));
  }
  if (next === at) return isQuote(c) && keyAhead(s, next);
  if (isQuote(c) || c === "{" || c === "[") return true;
  if (s.top === OBJECT) return bareKeyAhead(s, next) || lineEndBetween(s, at, next);
  return isDigitOrMinus(c) || literalAhead(s, next) || lineEndBetween(s, at, next);
}

/** Words up to the next separator, or to the quote that was left of a pair. */
function readUnquoted(s: ParserState): boolean | Unreadable {
  const begin = s.pos;
  const stop = endOfUnquoted(s, begin);
  const closes = s.text[stop] === '"' && !(s.top === OBJECT && keyAndColonAhead(s, stop));
  const quoted = closes || s.text[stop] === "”";
  let end = stop;
  while (end > begin && isJsonBlank(s.text.charCodeAt(end - 1))) end--;
  if (end === begin) return s.fail("not-json");
  if (TYPE_MEMBER.test(s.text.slice(begin, Math.min(end, begin + 200)))) return s.fail("not-json");
  const value = s.text.slice(begin, end).replace(/\\(["\\/])/g, "$1");
  s.pos = quoted ? stop + 1 : end;
  s.edit(begin, s.pos, JSON.stringify(value), quoted ? "missing-quote" : "unquoted", false);
  return s.pos < s.limit;
}

function endOfUnquoted(s: ParserState, begin: number): number {
  const { text, limit } = s;
  const list = s.top !== OBJECT;
  let open = 0;
  for (let at = begin; at < limit; at++) {
    const c = text[at] as string;
    switch (c) {
      case "\n":
      case "\r":
        return at;
      case "{":
      case "[":
      case "(":
        open++;
        break;
      case "}":
      case "]":
      case ")":
        if (open > 0) open--;
        else if (frameOf(c) !== TUPLE || s.isOpen(TUPLE)) return at;
        break;
      case '"':
      case "”":
        // The next key: whatever stands before it was meant to separate them.
        if (!list && c === '"' && keyAndColonAhead(s, at)) return at;
        if (endsValue(s, at, begin, 0) || sticky(QUOTE_AND_SIGN, text, at) >= 0) return at;
        break;
      case "/":
        if ((text[at + 1] === "/" || text[at + 1] === "*") && isJsonBlank(text.charCodeAt(at - 1))) return at;
        break;
      case "`":
        if (text.startsWith("```", at)) return at;
        break;
      case ",":
      case ";":
        if (open === 0 && ((list && c === ",") || separates(s, at))) return at;
        break;
      default:
        if (open === 0 && isForeignComma(c) && (list || separates(s, at))) return at;
    }
  }
  return limit;
}

/** Whether the comma or semicolon at `at` ends a member: the next one follows, or the end of the object. */
function separates(s: ParserState, at: number): boolean {
  const next = skipBlanks(s, at + 1);
  const c = s.text[next];
  if (next >= s.limit || c === "}" || c === "]" || isQuote(c)) return true;
  if (bareKeyAhead(s, next) || lineEndBetween(s, at + 1, next)) return true;
  return c === "/" && (s.text[next + 1] === "/" || s.text[next + 1] === "*");
}
