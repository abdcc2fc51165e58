/** Keys and values without quotes: names, numbers, literals, and words that have lost their quotes. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import { endsSurely } from "./quotes.js";
import { ITEM, OBJECT, type Reading, VALUE } from "./reading.js";
import { startHalfString } from "./strings.js";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_LIKE = /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
/** `1,234,567`, where no further member can be meant. */
const GROUPED = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}\]\n])(?!,\d)/y;
/** `12,99`, where no further member can be meant. */
const DECIMAL_COMMA = /-?\d+,\d+(?=\s*[,}\n])(?!,\d)/y;
/** `1'000`, `1’000`: grouped by a sign that stands in no other number. */
const GROUPED_BY_SIGN = /-?\d{1,3}(?:['’]\d{3})+(?:\.\d+)?(?=\s{0,40}[,}\]\n])/y;
const DIGIT_BUT_KEY = /\d(?!\d{0,15}\s{0,8}[:：])/y;
const CUT_NUMBER = /^-?(?:\d[\d.]*)?[eE]?[+-]?$/;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const SIGNED_INFINITY = /[+-](?:[Ii]nf(?:inity)?|NaN)/y;
/** `string; age?: number`, as TypeScript declares members. */
const TYPE_MEMBER = /[;,]\s*[\w$]+\?:/;
/** `Name(`, and one argument: of a constructor, a cast, a wrapper of a database. */
const CALL =
  /(?:new )?[\p{L}_$][\p{L}\p{N}_$.]{0,40}\(\s{0,8}(?:"[^"\\\n]{0,200}"|'[^'\\\n]{0,200}'|-?\d[\d.]{0,30})?\s{0,8}\)/uy;
/** They make a number of their argument. */
const NUMBER_CALL = /^(?:new )?(?:Number|Int|Long|Double|Decimal|int|float|np\.)/;
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

function replaceBy(
  r: Reading,
  end: number,
  by: string,
  kind: "literal" | "number" | "unquoted" | undefined,
  sure = true,
): undefined {
  r.edit(r.pos, end, by, kind, sure);
  takeTo(r, end);
}

function takeTo(r: Reading, end: number): undefined {
  const from = r.pos;
  r.pos = end;
  r.ended(from);
}

/** A value that is not quoted: a number, a literal, or a text up to its separator. */
export function readBare(r: Reading): undefined {
  const { text, limit, pos: begin } = r;
  const code = text.charCodeAt(begin);
  if ((code === 43 || code === 45 || code === 46 || t.isDigit(code)) && readNumber(r)) return;
  const end = t.sticky(WORD, text, begin);
  if (end < 0) {
    const infinite = t.sticky(SIGNED_INFINITY, text, begin);
    if (infinite >= 0 && delimits(r, infinite)) replaceBy(r, infinite, "null", "literal", false);
    else readUnquoted(r);
    return;
  }
  const word = text.slice(begin, end);
  const delimited = delimits(r, end);
  if (delimited && (word === "true" || word === "false" || word === "null")) return takeTo(r, end);
  if (delimited && Object.hasOwn(LITERALS, word)) {
    const odd = word === "Infinity" || word === "inf";
    return replaceBy(r, end, LITERALS[word] as string, "literal", !odd);
  }
  if (end >= limit) {
    const whole = WHOLE_LITERALS.find((literal) => literal.startsWith(word));
    if (whole) return replaceBy(r, limit, LITERALS[whole] ?? whole, "literal", word.length > 1);
  }
  const call = t.sticky(CALL, text, begin);
  if (call >= 0) return readCall(r, call);
  if (/^\s{0,12}\(/.test(text.slice(end, end + 14))) return r.fail("foreign");
  readUnquoted(r);
}

/** A call with one argument, which is the value. */
function readCall(r: Reading, end: number): undefined {
  const argument = r.text.slice(r.text.indexOf("(", r.pos) + 1, end - 1).trim();
  const quoted = /^["']/.test(argument);
  if (argument === "") return r.fail("foreign");
  const json = quoted ? JSON.stringify(argument.slice(1, -1)) : JSON.stringify(Number(argument));
  r.cost += 2;
  r.edit(r.pos, end, json, "call", quoted || NUMBER_CALL.test(r.text.slice(r.pos, r.pos + 20)));
  takeTo(r, end);
}

/** False when what stands here is no number. */
function readNumber(r: Reading): boolean {
  const { text, limit, pos: begin } = r;
  const number = t.sticky(NUMBER, text, begin);
  const within = (end: number) => end >= 0 && end <= limit;
  if (r.top?.kind === OBJECT && text[number] === ",") {
    const grouped = t.sticky(GROUPED, text, begin);
    if (within(grouped)) {
      replaceBy(
        r,
        grouped,
        text.slice(begin, grouped).replaceAll(",", ""),
        "number",
        text.slice(begin, grouped).includes("."),
      );
      return true;
    }
    const decimal = t.sticky(DECIMAL_COMMA, text, begin);
    if (within(decimal)) {
      replaceBy(r, decimal, text.slice(begin, decimal).replace(",", "."), "number", false);
      return true;
    }
    // `12,50 €`: no key follows, so the comma is that of the number.
    if (number > begin && !r.bareKeys && t.sticky(DIGIT_BUT_KEY, text, number + 1) >= 0) return false;
  }
  const apart = text[number] === "'" || text[number] === "’" ? t.sticky(GROUPED_BY_SIGN, text, begin) : -1;
  if (within(apart)) {
    replaceBy(r, apart, text.slice(begin, apart).replace(/['’]/g, ""), "number", false);
    return true;
  }
  if (number > begin && within(number) && delimits(r, number)) {
    takeTo(r, number);
    return true;
  }
  const like = t.sticky(NUMBER_LIKE, text, begin);
  if (like > begin && within(like) && delimits(r, like)) {
    const raw = text.slice(begin, like);
    const value = numberOf(raw);
    if (value === undefined) replaceBy(r, like, JSON.stringify(raw), "unquoted");
    else replaceBy(r, like, value, "number");
    return true;
  }
  if (limit - begin > CUT_LENGTH) return false;
  const cut = text.slice(begin, limit);
  if (!CUT_NUMBER.test(cut)) return false;
  const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?/.exec(cut)?.[0];
  replaceBy(r, limit, digits ?? "null", undefined);
  return true;
}

/** Undefined for what is no number in JSON's sense: `007` is a name. */
function numberOf(raw: string): string | undefined {
  if (/^[+-]?0\d/.test(raw)) return undefined;
  const value = Number(raw.replaceAll("_", ""));
  return Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

/** Whether a bare value may end at `at`. */
function delimits(r: Reading, at: number): boolean {
  const { text, limit } = r;
  const next = t.skipBlanks(text, at, limit);
  if (next >= limit) return true;
  const code = text.charCodeAt(next);
  const sign = s.signOf(code);
  if (sign === s.COMMA || (sign >= s.CLOSE_OBJECT && sign <= s.CLOSE_ROUND)) return true;
  const c = text[next] as string;
  if (c === "\\") return "[]{}".includes(text[next + 1] ?? " ");
  if (c === "-" && next > at && text[next + 1] === "-" && s.isJsonBlank(text.charCodeAt(next + 2))) return true;
  if (c === "/" && (text[next + 1] === "/" || text[next + 1] === "*")) return true;
  if (c === "#" || c === "`" || c === "<" || c === "←") return true;
  if (t.ellipsisEnd(text, next) >= 0 || t.noticeAhead(text, next, limit)) return true;
  if (c === "(" && next > at) {
    const remark = t.remarkEnd(text, next);
    return remark >= 0 && t.closesOrSeparates(text, t.skipBlanks(text, remark, limit));
  }
  if (sign === s.OPEN_OBJECT || sign === s.OPEN_LIST) return true;
  if (next === at) return code === 34;
  if (sign === s.QUOTE) return true;
  if (r.top?.kind === OBJECT) return t.nameAhead(text, next, limit) || t.lineEndBetween(text, at, next);
  return t.literalAhead(text, next) || t.lineEndBetween(text, at, next);
}

/** So far the quote is looked for that was left of a pair. */
const HALF_STRING = 400;

/** Words up to the next separator, or to the quote that was left of a pair. */
function readUnquoted(r: Reading): undefined {
  const { text, pos: begin } = r;
  const stop = endOfUnquoted(r, begin);
  if (r.log === undefined) r.source.credit -= (stop - begin) / 4;
  const code = text.charCodeAt(stop);
  const closes = code === 34 && !(r.top?.kind === OBJECT && t.keyAhead(text, stop, r.limit));
  const quoted = closes || text[stop] === "”";
  let end = stop;
  while (end > begin && s.isJsonBlank(text.charCodeAt(end - 1))) end--;
  if (end === begin) return r.fail("not-json");
  if (TYPE_MEMBER.test(text.slice(begin, Math.min(end, begin + 200)))) return r.fail("not-json");
  if (quoted && code === 34) {
    r.cost += 3;
    return startHalfString(r, !/[:{}[\]]|,(?!\s\p{L})/u.test(text.slice(begin, stop)));
  }
  r.cost += quoted ? 3 : 2;
  if (/\w: /.test(text.slice(begin, Math.min(end, begin + 60)))) r.cost += 2;
  const last = quoted ? stop + 1 : end;
  if (r.log) {
    const value = text.slice(begin, end).replace(/\\(["\\/])/g, "$1");
    r.edit(begin, last, JSON.stringify(value), quoted ? "missing-quote" : "unquoted", !quoted && ONE_WORD.test(value));
  }
  takeTo(r, last);
}

/** One word, an address, a number and its unit, a version, a date, a time: there is nothing else to read. */
const ONE_WORD =
  /^(?:(?!true|false|null)[\p{L}_$][\p{L}\p{N}_$./@+-]{0,60}|https?:\/\/[\w./?=&#%~+-]{1,200}|\p{Sc}?(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+){0,3}(?!true|false|null)[\p{L}\p{Sc}%]{0,4}|\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}Z?)?|\d\d?:\d\d(?::\d\d)?)$/u;

function endOfUnquoted(r: Reading, begin: number): number {
  const { text, limit } = r;
  const list = r.top?.kind !== OBJECT;
  const role = list ? ITEM : VALUE;
  let open = 0;
  const stop = Math.min(limit, Math.max(begin + 1, r.horizon));
  for (let at = begin; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
    switch (s.signOf(code)) {
      case s.OPEN_OBJECT:
      case s.OPEN_LIST:
      case s.OPEN_ROUND:
        open++;
        break;
      case s.CLOSE_OBJECT:
      case s.CLOSE_LIST:
      case s.CLOSE_ROUND:
        if (open > 0) open--;
        else if (code !== 41 || r.top?.nearest[2] !== undefined) return at;
        break;
      case s.QUOTE:
        if (code === 96 && text.startsWith("```", at)) return at;
        if (code !== 34 || at - begin > HALF_STRING) break;
        // The next key: whatever stands before it was meant to separate them.
        if (!list && t.keyAhead(text, at, limit)) return at;
        if (endsSurely(r, at + 1, role) || /^.\s{0,20}(?:[,}\]]|$)/.test(text.slice(at, at + 24))) return at;
        break;
      case s.COMMA:
        if (open === 0 && (list || separates(r, at))) return at;
        break;
      default:
        if (code === 47 && (text[at + 1] === "/" || text[at + 1] === "*") && s.isJsonBlank(text.charCodeAt(at - 1)))
          return at;
        if (code === 0x201d && at - begin <= HALF_STRING && endsSurely(r, at + 1, role)) return at;
    }
  }
  return stop;
}

/** Whether the comma at `at` ends a member: the next one follows, or the end of the object. */
function separates(r: Reading, at: number): boolean {
  const { text, limit } = r;
  const next = t.skipBlanks(text, at + 1, limit);
  const sign = s.signOf(text.charCodeAt(next));
  if (next >= limit || sign === s.CLOSE_OBJECT || sign === s.CLOSE_LIST || sign === s.QUOTE) return true;
  if (t.nameAhead(text, next, limit, r.wordyKeys) || t.lineEndBetween(text, at + 1, next)) return true;
  return text[next] === "/" && (text[next + 1] === "/" || text[next + 1] === "*");
}
