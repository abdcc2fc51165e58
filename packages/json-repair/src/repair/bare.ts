/** Keys and values without quotes: names, numbers, literals, and words that have lost their quotes. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import { COLON, FIRST_KEY, OBJECT, type Reading, TUPLE } from "./reading.js";

const NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** `1,234,567`, `1'000`, `12,99`, where no further member can be meant. */
const SEPARATED = /-?(?:\d{1,3}(?:([,'’])\d{3})(?:\1\d{3})*(?:\.\d+)?|\d+,\d+)(?=\s{0,40}[,}\]\n])(?!,\d)/y;
const GROUPED = /^-?\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?$/;
const CUT_NUMBER = /^-?(?:\d[\d.]*)?[eE]?[+-]?$/;
const WORD = /[+-]?[\p{L}_$][\p{L}\p{N}_$]*/uy;
/** `Name(`, and one argument: of a constructor, a cast, a wrapper of a database. */
const CALL =
  /(?:new )?[\p{L}_$][\p{L}\p{N}_$.]{0,40}\(\s{0,8}("[^"\\\n]{0,200}"|'[^'\\\n]{0,200}'|-?\d[\d.]{0,30})\s{0,8}\)/uy;
/** They make a number of their argument. */
const NUMBER_CALL = /^(?:new )?(?:Number|Int|Long|Double|Decimal|int|float|np\.)/;
const CUT_LENGTH = 40;

/** By what JSON has for each; the text may break off in some. */
const LITERALS: readonly (readonly [json: string, words: RegExp, cut: RegExp])[] = [
  ["true", /^(?:tru|Tru|True|TRUE)$/, /^[tT]r?$/],
  ["false", /^(?:fals|Fals|False|FALSE)$/, /^[fF](?:al?)?$/],
  ["null", /^(?:[nN]ull?|NULL|N[oO][nN][eE]|[nN]il|undefined|[+-]?(?:NaN|nan|[Ii]nf(?:inity)?))$/, /^(?:nu?|No?n?)$/],
];

function takeTo(r: Reading, end: number, by?: string, kind?: "literal" | "number" | "unquoted" | "call", sure = true) {
  const from = r.pos;
  if (by !== undefined) r.edit(from, end, by, kind, sure);
  r.pos = end;
  r.ended(from);
  return true;
}

/** A value that is not quoted: a number, a literal, or a text up to its separator. */
export function readBare(r: Reading): undefined {
  const { text, limit, pos: begin } = r;
  if (readNumber(r)) return;
  const end = Math.min(limit, t.sticky(WORD, text, begin));
  const word = text.slice(begin, end);
  if (end > begin && delimits(r, end)) {
    if (word === "true" || word === "false" || word === "null") return void takeTo(r, end);
    for (const [json, words, cut] of LITERALS)
      if (words.test(word) || (end >= limit && cut.test(word)))
        return void takeTo(r, end, json, "literal", word.length > 1 && !/inf/i.test(word));
  }
  CALL.lastIndex = begin;
  const argument = CALL.exec(text)?.[1];
  if (argument === undefined) return readUnquoted(r);
  const quoted = /^["']/.test(argument);
  const sure = quoted || NUMBER_CALL.test(text.slice(begin, begin + 20));
  r.cost += 2;
  takeTo(r, CALL.lastIndex, JSON.stringify(quoted ? argument.slice(1, -1) : Number(argument)), "call", sure);
}

/** False when what stands here is no number. */
function readNumber(r: Reading): boolean {
  const { text, limit, pos: begin } = r;
  const separated = t.sticky(SEPARATED, text, begin);
  const raw = text.slice(begin, separated);
  if (separated > begin && separated <= limit && (r.top?.kind === OBJECT || !raw.includes(","))) {
    const sure = raw.includes(",") && raw.includes(".");
    return takeTo(r, separated, GROUPED.test(raw) ? raw.replace(/[,'’]/g, "") : raw.replace(",", "."), "number", sure);
  }
  const end = t.sticky(NUMBER, text, begin);
  // `12,50 €`: the comma is that of the number.
  const goesOn = r.top?.kind === OBJECT && !r.bareKeys && /^,\d/.test(text.slice(end, end + 2));
  if (end > begin && end <= limit && !goesOn && delimits(r, end)) {
    const number = text.slice(begin, end);
    if (JSON_NUMBER.test(number)) return takeTo(r, end);
    // `007` is a name.
    const value = /^[+-]?0\d/.test(number) ? Number.NaN : Number(number.replaceAll("_", ""));
    if (Number.isFinite(value)) return takeTo(r, end, JSON.stringify(value), "number");
  }
  const cut = limit - begin > CUT_LENGTH ? "" : text.slice(begin, limit);
  if (cut === "" || !CUT_NUMBER.test(cut)) return false;
  return takeTo(r, limit, /^-?(?:0|[1-9]\d*)(?:\.\d+)?/.exec(cut)?.[0] ?? "null");
}

/** A comment, or what stands for the end of the text. */
const COMMENT = /\/[/*]|--[ \t]|[#`<←]/y;

/** Whether a bare value may end at `at`, or before the comma that stands there. */
function delimits(r: Reading, at: number): boolean {
  const { text, limit } = r;
  const next = t.skipBlanks(text, at, limit);
  const sign = r.sign(next);
  if (next >= limit || sign === s.QUOTE || t.closesOrSeparates(text, next)) return true;
  if (sign === s.OPEN_OBJECT || sign === s.OPEN_LIST || t.sticky(COMMENT, text, next) >= 0) return true;
  const comma = text[at - 1] === ",";
  if (next === at && !comma) return false;
  if (!comma && t.sticky(t.REMARK_WORDS, text, next) >= 0) return true;
  const member = r.top?.kind === OBJECT ? t.nameAhead(text, next, limit, r.wordyKeys) : t.literalAhead(text, next);
  return member || t.lineEndBetween(text, at, next);
}

/** One word, an address, a number and its unit, a version, a date, a time: there is nothing else to read. */
const ONE_WORD =
  /^(?:(?!true|false|null)[\p{L}_$][\p{L}\p{N}_$./@+-]{0,60}|https?:\/\/[\w./?=&#%~+-]{1,200}|\p{Sc}?(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+){0,3}(?!true|false|null)[\p{L}\p{Sc}%]{0,4}|\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}Z?)?|\d\d?:\d\d(?::\d\d)?)$/u;

/** Words up to the next separator, or to the quote that was left of a pair. */
function readUnquoted(r: Reading): undefined {
  const { text, pos: begin } = r;
  const stop = endOfUnquoted(r, begin);
  if (r.log === undefined) r.source.credit -= (stop - begin) / 4;
  let end = stop;
  while (end > begin && s.isJsonBlank(text.charCodeAt(end - 1))) end--;
  if (end === begin) return r.fail("not-json");
  if (text.charCodeAt(stop) === 34) {
    r.cost += 3;
    // `[one, two"]`: a word before the comma may have lost its quote, too.
    const whole = r.keyAt >= 0 || !t.isLetter(text, r.last - 1);
    const sure = whole && !/[:{}[\]]|,(?!\s\p{L})/u.test(text.slice(begin, stop));
    r.edit(begin, begin, '"', "missing-quote", sure);
    return r.enter(r.state, 34, begin, begin);
  }
  r.cost += /\w: /.test(text.slice(begin, Math.min(end, begin + 60))) ? 4 : 2;
  const value = r.log ? text.slice(begin, end).replace(/\\(["\\/])/g, "$1") : "";
  takeTo(r, end, JSON.stringify(value), "unquoted", ONE_WORD.test(value));
}

/** So far the quote is looked for that was left of a pair. */
const HALF_STRING = 400;

function endOfUnquoted(r: Reading, begin: number): number {
  const { text, limit } = r;
  const list = r.top?.kind !== OBJECT;
  const stop = Math.min(limit, Math.max(begin + 1, r.horizon));
  let open = 0;
  for (let at = begin; at < stop; at++) {
    const code = text.charCodeAt(at);
    const sign = s.signOf(code);
    if (code === 10 || code === 13) return at;
    if (t.isOpeningSign(sign)) open++;
    else if (t.isClosingSign(sign) && open > 0) open--;
    else if (t.isClosingSign(sign) && (code !== 41 || r.outer(TUPLE))) return at;
    else if (sign === s.COMMA && open === 0 && (list || delimits(r, at + 1))) return at;
    else if (code === 34 && at - begin < HALF_STRING && /^.\s{0,20}[,}\]]/.test(text.slice(at, at + 24))) return at;
  }
  return stop;
}

const NAME = /[\p{L}\p{N}_$@.*/-][\p{L}\p{N}_$@.*/ -]{0,100}/uy;

/** A key without quotes, or with the last one of them. */
export function readName(r: Reading): undefined {
  const { text, pos, limit } = r;
  const first = r.state === FIRST_KEY;
  const found = t.sticky(NAME, text, pos);
  let end = found;
  while (end > pos && text.charCodeAt(end - 1) === 32) end--;
  const closing = "\"”'".includes(text[end] ?? " ");
  const from = closing ? end + 1 : end;
  const next = t.skipBlanks(text, from, limit);
  if (found < 0 || t.colonEnd(text, next) < 0) return first ? r.fail("not-json") : r.stop();
  const name = text.slice(pos, end);
  const wordy = name.includes(" ");
  r.keyAt = pos;
  r.edit(pos, from, `"${name}"`, closing ? "missing-quote" : "unquoted", !closing || first || r.comma >= 0);
  r.cost += closing ? 3 : r.bareKeys ? 0 : 2;
  r.bareKeys ||= !closing;
  r.wordyKeys ||= !closing && wordy;
  r.pos = from;
  r.last = from;
  r.state = COLON;
}
