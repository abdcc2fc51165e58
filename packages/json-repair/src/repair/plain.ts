/** What is read without following ways: JSON within the text, short tokens, and keys and values without quotes. */
import {
  behindBlanks,
  COMMA,
  DATE,
  isoOf,
  JSON_NUMBER,
  jsonOf,
  OPEN_OBJECT,
  OPEN_ROUND,
  QUOTE,
  signOf,
  skipBlanks,
} from "../decode/signs.js";
import { parseContainer, strictEnd, tooDeepFor } from "../decode/strict.js";
import * as t from "./ahead.js";
import type { RepairKind } from "./edits.js";
import { endsSurely } from "./quotes.js";
import * as s from "./reading.js";

/** The text up to `end` is a key or a value; where that is not JSON, `by` is. */
function take(r: s.Reading, end: number, by?: string, kind?: RepairKind, sure = true): undefined {
  const { pos, state } = r;
  if (by !== undefined && by !== r.text.slice(pos, end)) r.edit(pos, end, by, kind, sure);
  r.pos = end;
  if (state !== s.FIRST_KEY && state !== s.KEY) return r.ended(pos);
  r.keyAt = pos;
  r.keyEnded(pos, end);
}

/** A longer part is read by the machine, its own parts natively; a failed try costs more than its characters: it throws. */
const [MAX_LENGTH, COST_OF_FAILURE] = [4_096, 200];

/** Moves behind JSON on one line; on several, a closing bracket may be too many. What succeeds earns what failures may cost. */
function tookJson(r: s.Reading): boolean {
  const { source, text, pos, log, foreign } = r;
  if (log === undefined || foreign || source.native <= 0) return false;
  const end = strictEnd(text, pos, Math.min(r.limit, pos + MAX_LENGTH));
  const part = end < 0 || text[end] === '"' ? "" : text.slice(pos, end);
  const value = part === "" || part.includes("\n") ? undefined : parseContainer(part);
  if (value === undefined || tooDeepFor(value, r.maxDepth - r.depth)) {
    source.native -= (end < 0 ? ~end : end) - pos + COST_OF_FAILURE;
    return false;
  }
  source.native += end - pos;
  take(r, end);
  return true;
}

/** Short strings of nothing but content. */
const CONTENT = "[^\"'’”{\\\\\\u0000-\\u001f]{0,200}";
/** Strings, names, and what must follow them. */
const PLAIN_KEY = new RegExp(`(?:"${CONTENT}"|'${CONTENT}')(?=\\s{0,8}:)|[a-zA-Z_$][\\w$]{0,50}(?=:[^=])`, "y");
/** Strings and literals of JSON, and what no other value goes on with. */
const PLAIN_VALUE = new RegExp(
  `(?:"${CONTENT}(?<![\\s,])"|'${CONTENT}(?<![\\s,])')(?=[,}\\]])|(?:true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d{1,3})?)(?=[}\\]]|,\\D)`,
  "y",
);

/** Takes a short token that is awaited, and behind which stands what must follow it: most tokens are such. */
export function tookPlain(r: s.Reading): boolean {
  const { text, limit, state } = r;
  while (text.charCodeAt(r.pos) === 32) r.pos++;
  const { pos } = r;
  const code = text.charCodeAt(pos);
  if (pos >= limit) return false;
  if (code === 44 && (state === s.AFTER_MEMBER || state === s.AFTER_ITEM)) {
    r.goOn(pos);
    r.pos++;
    return true;
  }
  if (code === 58 && state === s.COLON && text.charCodeAt(pos + 1) !== 61) {
    r.state = s.VALUE;
    r.pos++;
    return true;
  }
  const isKey = state === s.FIRST_KEY || state === s.KEY;
  if (!isKey && state !== s.VALUE && state !== s.FIRST_ITEM && state !== s.ITEM) return false;
  const end = t.sticky(isKey ? PLAIN_KEY : PLAIN_VALUE, text, pos);
  if (end < 0 || end >= limit) return false;
  const quoted = code === 34 || code === 39;
  if (isKey ? !quoted && !r.bareKeys : quoted && !endsSurely(r, end, state)) return false;
  if (code === 39) take(r, end, `"${text.slice(pos + 1, end - 1)}"`, "quotes");
  else if (isKey && !quoted) take(r, end, `"${text.slice(pos, end)}"`, "unquoted");
  else take(r, end);
  return true;
}

/** `"""…"""`, as Python writes long texts. */
export function tookTripled(r: s.Reading, at: number): boolean {
  const { text, limit } = r;
  const quotes = (text[at] as string).repeat(3);
  if (!text.startsWith(quotes, at) || /^\s{0,20}[,}\]:]/.test(text.slice(at + 3, at + 24))) return false;
  // `""""a b",`: a string that begins with three of them.
  if (/^(["'])[^"'\n]{1,400}\1\s{0,20}[,}\]]/.test(text.slice(at + 3, at + 430)) && text[at + 3] === text[at])
    return false;
  let close = r.source.next(quotes, at + 3);
  // Of several quotes the last three close it.
  while (close >= 0 && text[close + 3] === text[at]) close++;
  r.complete &&= close >= 0 && close < limit;
  const end = close < 0 ? limit : Math.min(close, limit);
  const value = r.log ? text.slice(at + 3, end).replace(/\\(["'\\])/g, "$1") : "";
  // Python joins what follows it in quotes; Hjson leaves out the line ends, and what stands before its lines.
  const isOdd = /^'''\s*\n[ \t]/.test(text.slice(at, at + 99)) || /^...\s*["']/.test(text.slice(end, end + 24));
  take(r, Math.min(limit, end + 3), JSON.stringify(value), "quotes", !isOdd);
  return true;
}

/** `1,234,567`, `1'000`, `12,99`, where no further member can be meant. */
const SEPARATED = /-?(?:\d{1,3}(?:([,'’])\d{3})(?:\1\d{3})*(?:\.\d+)?|\d+,\d+|0\. \d+)(?=\s{0,40}[,}\]\n])(?!,\d)/y;
/** `!0`, as minified programs write true; a fraction whose digits do not end; a number or a word, without the dots that stand for what is left out. */
const WORD =
  /-?\d{1,20}\.\d{90,}(?![\p{L}\p{N}_$.])|![01](?![\p{L}\p{N}_$.])|[+\-−]?(?:[\p{L}\p{N}\p{M}_$]|\.(?!\.\.)|(?<=\d[eE])[+-]){0,100}/uy;
/** Strings in round brackets, one behind the other, as Python joins them; or one alone. */
const PIECES =
  /\(\s{0,80}(?:(?:"[^"\\\n]{0,200}"|'[^'\\\n]{0,200}')\s{0,80}){2,40}\)|\((?:"[^"\\\n]{1,200}"|'[^'\\\n]{1,200}')\)/y;
/** `Name(`, and one argument: of a constructor, a cast, a wrapper of a database. */
const CALL =
  /(?:new )?[\p{L}_$][\p{L}\p{N}_$.]{0,40}\(\s{0,8}("[^"\\\n]{0,200}"|'[^'\\\n]{0,200}'|“[^"'“”‘’\\\n]{0,200}”|‘[^"'“”‘’\\\n]{0,200}’|-?\d[\d.]{0,30})\s{0,8}\)/uy;
/** What others put before a bracket: `%{`, `%User{`, `#{`, `@{`, `@(`, `User {`, `Map(2) {`; or a lone letter of a script without capitals, which a model has slipped in. */
const BEFORE_BRACKET =
  /[%@](?=\{)|#(?=\{[^:\n]{0,80}=>)|@(?=\()|(?:%[A-Z][\w.]{0,60}|(?!(?:None|True|False|Na[Nn]|Null|Yes|No)\b)[A-Z]\w{0,60} |Map\(\d{1,9}\) |(?<!\p{Lo})\p{Lo})(?=\{\s{0,80}(?:\w{1,60}:|["']|\}))/uy;
const OF_MONGO = /^(?:new )?(?:Number(?:Int|Long|Decimal)|Int32|Long|Double)\(/;
/** They give back their argument, or make a number of it; other calls may do anything with it. */
const CONSTRUCTOR = /^(?:new )?(?:\w{1,40}\.)?[A-Z]/;
/** They make another value of a text. */
const CAST = /^(?:Number|BigInt|Boolean|int|float)\(/;
const NUMBER_CALL = /^(?:new )?(?:Number|Int|Long|Double|Decimal|int|float|np\.)/;

/** `2024_01` may be a name, `3L` a text, `00.5` a time. */
const MAY_BE_NONE = /inf|^\+\d{8}|^[+\-−]?0\d|^[\d.]+[Lnf]$|\.\d+\.$|^\d+_(?!\d{3}(?:[_.]|$))|^\d{4,}_/i;

/** A value that is not quoted: a number, a literal, or a text up to its separator. */
export function readBare(r: s.Reading): undefined {
  const { text, limit, pos } = r;
  const bracket = t.sticky(BEFORE_BRACKET, text, pos);
  if (bracket > 0) {
    // A word may be more than the name of what is in the brackets.
    r.edit(pos, bracket, "", "call", !/^[A-Z]\w* $/.test(text.slice(pos, bracket)));
    r.pos = bracket;
    return;
  }
  const pieces = t.sticky(PIECES, text, pos);
  if (pieces > 0) {
    const strings = text.slice(pos, pieces).match(/"[^"]*"|'[^']*'/g) ?? [];
    const value = JSON.stringify(strings.map((one) => one.slice(1, -1)).join(""));
    return take(r, pieces, value, "concatenation", strings.length > 1);
  }
  const object = r.top?.kind === s.OBJECT;
  const separated = t.sticky(SEPARATED, text, pos);
  const apart = separated > pos && (object || !text.slice(pos, separated).includes(","));
  const end = Math.min(limit, apart ? separated : t.sticky(WORD, text, pos));
  // `12,50 €`: the comma is that of the number.
  if (apart || (delimits(r, end) && !(object && /^\d,\d/.test(text.slice(end - 1, end + 2))))) {
    const word = text.slice(pos, end);
    const json = jsonOf(word, end >= limit);
    const sure = apart ? word.includes(",") && word.includes(".") : word !== "none" && !MAY_BE_NONE.test(word);
    if (json !== undefined) return take(r, end, json, /\p{N}/u.test(word) ? "number" : "literal", sure);
  }
  const date = t.sticky(DATE, text, pos);
  if (date > 0) return take(r, date, JSON.stringify(isoOf(text.slice(pos, date))), "call", false);
  CALL.lastIndex = pos;
  const [call = "", argument] = CALL.exec(text) ?? [];
  if (argument === undefined) return readUnquoted(r);
  const quoted = /^["'“‘]/.test(argument);
  r.cost += 2;
  const isNumber = !quoted || (OF_MONGO.test(call) && JSON_NUMBER.test(argument.slice(1, -1)) && argument.length < 18);
  const value = JSON.stringify(isNumber ? Number(quoted ? argument.slice(1, -1) : argument) : argument.slice(1, -1));
  const isMade = (quoted && CONSTRUCTOR.test(call)) || NUMBER_CALL.test(call);
  take(r, pos + call.length, value, "call", isMade && (isNumber || !CAST.test(call)));
}

/** A comment, what stands for the end of the text, or dots for what is left out. */
const COMMENT = /\\(?:[nrt](?=[\s\\"{}[\],])|\s)|\/[/*]|\*\*(?![\w(])|--[ \t]|[#`<←]|(?:\.{3}|…)\s{0,40}(?=[,\]}]|$)/y;

/** Whether a bare value may end at `at`, or before the comma that stands there. */
function delimits(r: s.Reading, at: number): boolean {
  const { text, limit } = r;
  const next = skipBlanks(text, at, limit);
  const sign = r.sign(next);
  if (next >= limit || (sign >= QUOTE && sign <= COMMA) || t.sticky(COMMENT, text, next) >= 0 || t.noticeAhead(r, next))
    return true;
  const member = r.top?.kind === s.OBJECT ? t.nameAhead(text, next, limit) : next > at && t.literalAhead(text, next);
  return member || text.slice(at, next).includes("\n");
}

/** One word, an address, a number and its unit, a version, a date, a time: there is nothing else to read. */
const ONE_WORD =
  /^(?:(?!true|false|null|(?:tr|fa|nu|ture|treu|flase|fasle|flse|galse|alse|rue)$|etc\.?$|self\.|this\.)[\p{L}_][\p{L}\p{N}\p{M}_$./@+-]{0,60}|https?:\/\/[\w./?=&#%~+-]{1,200}|\p{Sc}?(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+|\.\d{1,3}(?:\.\d+){1,2})?(?!true|false|null)[\p{L}\p{Sc}%]{0,4}|(?:\d+-\d\d|\d{1,2}:\d\d(?!\d))[\d:.TZ-]{0,20})$/u;

/** `[1,000, 2,500]`; `[Array]`, as Node prints what it leaves out. */
const ODD_ITEM = /^0\d\d?$|^\p{Sc}\d|^(?:Object|Array|Circular|Function|Getter|truncated|omitted|redacted)\b/iu;

/** `tr{ue`, `1.5e{-7`: a bracket that is too many in a literal. */
const OPEN_IN_LITERAL = /^(?:t[rue]*|f[alse]*|n[ul]*|-?\d[\d.eE+-]*)[[{:]/;

/** Words up to the next separator, or to the quote that was left of a pair. */
function readUnquoted(r: s.Reading): undefined {
  const { text, pos: begin } = r;
  const stop = endOfUnquoted(r, begin);
  const end = behindBlanks(text, begin, stop);
  // `[0, ∞)` is an interval.
  if (end === begin || (r.depth === 1 && r.top?.kind === s.LIST && /[∞∈ℝ]/.test(text.slice(begin, end))))
    return r.fail("not-json");
  if (text.charCodeAt(stop) === 34) {
    r.cost += 3;
    const sure = !r.bareKeys && (r.keyAt >= 0 || r.lineEnds) && !OPEN_IN_LITERAL.test(text.slice(begin, end));
    r.edit(begin, begin, '"', "missing-quote", sure);
    return r.enter(r.state, 34, begin, begin);
  }
  // Where keys have no quotes, words at the end of a line have none, either.
  r.cost += r.bareKeys && text.charCodeAt(stop) === 10 && /[a-z]/i.test(text.charAt(begin)) ? 2 : 4;
  const value = r.log ? text.slice(begin, end) : "";
  const isOdd = r.top?.kind === s.LIST ? ODD_ITEM.test(value) : /^(?:X|0\d{1,14})$/.test(value);
  take(r, end, JSON.stringify(value), "unquoted", ONE_WORD.test(value) && !isOdd && text[stop] !== "/");
}

function endOfUnquoted(r: s.Reading, begin: number): number {
  const { text, limit } = r;
  const stop = Math.min(limit, Math.max(begin + 1, r.horizon));
  let open = 0;
  for (let at = begin; at < stop; at++) {
    const code = text.charCodeAt(at);
    const sign = signOf(code);
    if (code === 34 || code === 10 || code === 13) return at;
    if (sign >= OPEN_OBJECT && sign <= OPEN_ROUND) open++;
    else if (t.isClosingSign(sign) && open-- === 0) return at;
    else if (sign === COMMA && open === 0 && (r.top?.kind !== s.OBJECT || delimits(r, at + 1))) return at;
  }
  return stop;
}

/** A name, and the last one of its quotes. */
const NAME =
  /((?:[\p{L}\p{N}_$@./-]|\*(?!\*))(?:[\p{L}\p{N}\p{M}_$@./ ]|-(?!>)|(?<=\w)\+(?=\w)|\*(?!\*)){0,100}\??)(["”']|\*\*)?/uy;

/** A key without quotes, or with the last one of them. */
export function readName(r: s.Reading): undefined {
  const { text, pos } = r;
  const inBrackets = t.sticky(t.BRACKET_KEY, text, pos);
  if (inBrackets > 0)
    return take(r, inBrackets, `"${text.slice(pos, inBrackets).replace(/^\[\s?["']?|["']?\s?\]$/g, "")}"`, "unquoted");
  NAME.lastIndex = pos;
  const [whole = "", words = "", quote = ""] = NAME.exec(text) ?? [];
  const end = pos + whole.length;
  const bare = !/["”']/.test(quote);
  // With a quote it may be a value, whose first one is a bracket.
  if (bare && t.colonEnd(text, skipBlanks(text, end, r.limit)) < 0) return r.stop();
  const sure = bare ? (r.bareKeys || !t.isLeft(r)) && !/^\d+ /.test(words) : r.state === s.FIRST_KEY || r.comma >= 0;
  r.cost += r.bareKeys && bare ? 0 : 2;
  r.bareKeys ||= bare;
  take(r, end, `"${words.trim()}"`, bare ? "unquoted" : "missing-quote", sure);
}

/** What has semicolons between its members, and equals signs in them. */
const SETTINGS = /^.?\{\s{0,80}[\p{L}_]\w{0,40} {0,40}=/su;
/** Between bare keys, of data: texts, and no word for a value, nor a last semicolon, as types and styles have. */
const IS_DATA = /^(?=[^}]*["'])(?![^}]*:\s{0,9}(?!(?:true|false|null)\b)(?:[#a-zA-Z]|\d+[a-z%]))[^}]*[^\s;}]\s{0,80}\}/;
export function takeComma(r: s.Reading): undefined {
  const { pos, text } = r;
  const c = text[pos];
  // `{ color: red; }`, `{ name: string; age: number }`: code. `{ port = 80; user = "x"; }`, `{ user: "x"; n: 1 }` may be some as well.
  const mayBeCode = c === ";" && r.bareKeys;
  const isData = () => IS_DATA.test(text.slice(r.top?.at ?? 0, (r.top?.at ?? 0) + 400));
  if (mayBeCode && !SETTINGS.test(text.slice(Math.max(0, r.start - 1), r.start + 120)) && !isData())
    return r.fail("not-json");
  // `[1, 2; 3, 4]`: rows of a matrix.
  const areRows = c === ";" && r.top?.kind === s.LIST && /,|\d \d/.test(text.slice(Math.max(r.top.at, pos - 200), pos));
  if (c !== ",") r.edit(pos, pos + 1, ",", "separator", !mayBeCode && !areRows);
  r.pos++;
  r.goOn(pos);
}

export function takeColon(r: s.Reading): undefined {
  const { pos, text } = r;
  r.pos = t.colonEnd(text, pos);
  if (text.slice(pos, r.pos) !== ":") r.edit(pos, r.pos, ":", "separator");
  r.state = s.VALUE;
}

/** `{{userId}}`: what will stand in the place of it. */
const TEMPLATE = /\{\{ ?[\w.$]{1,60} ?\}\}/y;
const TUPLE_START = /^(?:[\d"'([{\s)]|(?:True|False|None),)/;
/** `(5)`: only `(5,)` is a tuple of one. `(1,234)` may be an amount. */
const NO_TUPLE = /^\((?:[^,()\n]{1,200}|[1-9]\d{0,2}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\{[^()\n]{1,400}\})\)/;
/** A bracket that opens; a round one is that of a tuple, or the start of words. */
export function openBracket(r: s.Reading): undefined {
  const { pos, text } = r;
  if (pos > r.start && (tookJson(r) || t.sticky(TEMPLATE, text, pos) >= 0))
    return r.pos > pos ? undefined : readBare(r);
  const kind = r.sign() - OPEN_OBJECT;
  if (kind === s.TUPLE && /^\([^()\n]{0,80}\)\s{0,8}=>/.test(text.slice(pos, pos + 100))) return r.fail("not-json");
  const isTuple = TUPLE_START.test(text.slice(pos + 1, pos + 8)) && t.sticky(PIECES, text, pos) < 0;
  if (kind === s.TUPLE && !isTuple) return readBare(r);
  const json = kind === s.OBJECT ? "{" : "[";
  const isOne = kind === s.TUPLE && NO_TUPLE.test(text.slice(pos, pos + 410));
  if (text[pos] !== json) r.edit(pos, pos + 1, json, kind === s.TUPLE ? "quotes" : "wrong-opener", !isOne);
  r.last = ++r.pos;
  r.push(kind, pos);
}
