/** What can be read in one way alone, and is most of a text: ways to it that are short. */
import { COLON as COLON_SIGN, isBlank, OPEN_OBJECT, signOf } from "../decode/signs.js";
import { parseContainer, strictEnd, tooDeepFor } from "../decode/strict.js";
import { sticky } from "./ahead.js";
import { endsSurely } from "./quotes.js";
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

/** A longer part is read by the machine, and its own parts natively. */
const MAX_LENGTH = 4_096;
/** What a failed try costs besides the characters that it read: an error is thrown. */
const COST_OF_FAILURE = 200;

/**
 * Moves behind the object or list at `pos` if it is JSON on one line. On several, a closing bracket at the end of one may be too
 * many. What succeeds earns what failures may cost.
 */
export function tookJson(r: Reading): boolean {
  const { source, text, pos, log, foreign } = r;
  if (log === undefined || foreign || source.native <= 0) return false;
  const end = strictEnd(text, pos, Math.min(r.limit, pos + MAX_LENGTH));
  const part = end < 0 ? "" : text.slice(pos, end);
  const value = end < 0 || part.includes("\n") ? undefined : parseContainer(part);
  if (value === undefined || tooDeepFor(value, r.maxDepth - r.depth)) {
    source.native -= (end < 0 ? ~end : end) - pos + COST_OF_FAILURE;
    return false;
  }
  source.native += end - pos;
  r.quotedKeys ||= r.sign() - OPEN_OBJECT === OBJECT && end > pos + 2;
  r.pos = end;
  r.ended(pos);
  return true;
}

/**
 * Takes a sign, a short string, a number or a literal that stands where one is awaited, and behind which stands what must
 * follow it: most tokens are such.
 */
export function tookPlain(r: Reading): boolean {
  const { text, limit, state } = r;
  let at = r.pos;
  while (text.charCodeAt(at) === 32) at++;
  if (at >= limit) return false;
  const code = text.charCodeAt(at);
  if (code === 44) return (state === AFTER_MEMBER || state === AFTER_ITEM) && tookComma(r, at);
  if (code === 58) return state === COLON && text.charCodeAt(at + 1) !== 61 && tookColon(r, at);
  const isKey = state === FIRST_KEY || state === KEY;
  if (!isKey && state !== VALUE && state !== FIRST_ITEM && state !== ITEM) return false;
  if (code === 34 || code === 39) return tookString(r, at, isKey ? KEY : state);
  if (isKey) return r.bareKeys && tookName(r, at);
  const end = sticky(LITERAL, text, at);
  if (end < 0 || end >= limit) return false;
  r.pos = end;
  r.ended(at);
  return true;
}

/** The name of a key without quotes, where another one has been met. */
const NAME = /[a-zA-Z_$][\w$]{0,50}(?=:[^=])/y;

function tookName(r: Reading, at: number): boolean {
  const { text } = r;
  const end = sticky(NAME, text, at);
  if (end < 0 || end >= r.limit) return false;
  if (r.log) r.edit(at, end, `"${text.slice(at, end)}"`, "unquoted");
  return tookKey(r, at, end);
}

function tookKey(r: Reading, at: number, end: number): true {
  r.keyAt = at;
  r.pos = end;
  r.last = end;
  r.state = COLON;
  return true;
}

function tookComma(r: Reading, at: number): true {
  r.comma = at;
  r.state = r.state === AFTER_MEMBER ? KEY : ITEM;
  r.pos = at + 1;
  return true;
}

function tookColon(r: Reading, at: number): true {
  r.state = VALUE;
  r.pos = at + 1;
  return true;
}

/** A literal of JSON, and what no other value goes on with. */
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[}\]]|,\D)/y;
/** Short strings of nothing but content, and what follows the end of a key and of a value. */
const CONTENT = "[^\"'’”{\\\\\\u0000-\\u001f]{0,200}";
const END = "(?=[,}\\]]|\\s{0,8}:)";
const PLAIN_STRING: Readonly<Record<number, RegExp>> = {
  34: /* @__PURE__ */ new RegExp(`"${CONTENT}"${END}`, "y"),
  39: /* @__PURE__ */ new RegExp(`'${CONTENT}'${END}`, "y"),
};

function tookString(r: Reading, begin: number, role: number): boolean {
  const { text } = r;
  const quote = text.charCodeAt(begin);
  const end = sticky(PLAIN_STRING[quote] as RegExp, text, begin);
  if (end < 0 || end >= r.limit) return false;
  const next = signOf(text.charCodeAt(end));
  if ((next === COLON_SIGN || isBlank(text.charCodeAt(end))) !== (role === KEY)) return false;
  const last = text.charCodeAt(end - 2);
  if (role !== KEY && (last === 44 || isBlank(last) || !endsSurely(r, end, role))) return false;
  if (quote === 39 && r.log) r.edit(begin, end, `"${text.slice(begin + 1, end - 1)}"`, "quotes");
  if (role === KEY) {
    r.quotedKeys = true;
    return tookKey(r, begin, end);
  }
  r.pos = end;
  r.ended(begin);
  return true;
}

/** `"""…"""`, as Python writes long texts. */
export function tookTripled(r: Reading, role: number, at: number): boolean {
  const { text, pos, limit } = r;
  if (role === KEY || /^\s{0,20}[,}\]:]/.test(text.slice(at + 3, at + 24))) return false;
  const close = r.source.next((text[at] as string).repeat(3), at + 3);
  r.complete &&= close >= 0 && close < limit;
  const end = close < 0 ? limit : Math.min(close, limit);
  if (r.log) r.edit(pos, end + 3, JSON.stringify(text.slice(at + 3, end).replace(/\\(["'\\])/g, "$1")), "quotes");
  r.pos = Math.min(limit, end + 3);
  r.ended(pos);
  return true;
}
