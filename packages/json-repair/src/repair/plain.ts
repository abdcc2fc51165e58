/** What can be read in one way alone, and is most of a text: ways to it that are short. The machine reads it just so. */
import { COMMA, isBlank, OPEN_OBJECT, signOf } from "../decode/signs.js";
import { parseContainer, strictEnd, tooDeepFor } from "../decode/strict.js";
import { sticky } from "./ahead.js";
import { endsSurely } from "./quotes.js";
import { AFTER_ITEM, AFTER_MEMBER, COLON, ITEM, KEY, OBJECT, type Reading, VALUE } from "./reading.js";

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

/** Takes a colon or a comma right behind what it belongs to: most tokens are such. */
export function tookSign(r: Reading): boolean {
  const { text, pos, state } = r;
  const code = text.charCodeAt(pos);
  if (pos >= r.limit) return false;
  if (code === 58 && state === COLON && text.charCodeAt(pos + 1) !== 61) r.state = VALUE;
  else if (code === 44 && (state === AFTER_MEMBER || state === AFTER_ITEM)) {
    r.comma = pos;
    r.state = state === AFTER_MEMBER ? KEY : ITEM;
  } else return false;
  r.pos++;
  return true;
}

/** Short strings of nothing but content, and what follows the end of a key and of a value. */
const CONTENT = "[^\"'’”{\\\\\\u0000-\\u001f]{0,200}";
const END = "(?=[,}\\]]|\\s{0,8}:)";
const PLAIN_STRING: Readonly<Record<number, RegExp>> = {
  34: /* @__PURE__ */ new RegExp(`"${CONTENT}"${END}`, "y"),
  39: /* @__PURE__ */ new RegExp(`'${CONTENT}'${END}`, "y"),
};

/** Reads a string that can be read in one way alone, as most can. */
export function tookString(r: Reading, role: number, quote: number): boolean {
  const { pos, text } = r;
  const end = PLAIN_STRING[quote] ? sticky(PLAIN_STRING[quote], text, pos) : -1;
  if (end < 0 || end >= r.limit) return false;
  const before = text.charCodeAt(end - 2);
  if (role !== KEY && (signOf(before) === COMMA || isBlank(before))) return false;
  if (!endsSurely(r, end, role)) return false;
  if (quote === 39 && r.log) r.edit(pos, end, `"${text.slice(pos + 1, end - 1)}"`, "quotes");
  r.pos = end;
  if (role !== KEY) r.ended(pos);
  else {
    r.quotedKeys = true;
    r.last = end;
    r.state = COLON;
  }
  return true;
}
