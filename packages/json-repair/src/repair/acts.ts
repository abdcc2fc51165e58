/** What the ways of the grammar do with a token. */
import { OPEN_OBJECT } from "../decode/signs.js";
import { readBare } from "./bare.js";
import { isSure } from "./edits.js";
import { tookJson } from "./plain.js";
import * as s from "./reading.js";
import { type Frame, LIST, OBJECT, type Reading, TUPLE, type Way } from "./reading.js";
import { startString } from "./strings.js";
import * as t from "./tokens.js";

/** The way's edit. */
function edit(r: Reading, way: Way, at: number, end: number, by: string): undefined {
  r.edit(at, end, by, way.kind, !way.doubt?.(r) && isSure(r.margin, way));
}

/** A way that takes the mark, however long. */
export const MARK = -1;

/** `by` stands before the token, or takes its place: it opens a bracket, or ends what another state awaits. */
export function put(r: Reading, way: Way): undefined {
  const { by = "", takes = 0, to = r.state } = way;
  const end = takes === MARK ? r.markEnd : r.pos + takes;
  edit(r, way, r.pos, end, by);
  r.pos = end;
  if (to >= s.OPEN) return r.push(to - s.OPEN, -1);
  if (way.to === undefined) return;
  r.keyAt = -1;
  r.comma = -1;
  if (to !== s.KEY && to !== s.ITEM) r.last = r.pos;
  r.state = to;
}

/** The string or the word is a value, or a key, although it does not look so. */
export function asItIs(r: Reading, way: Way): undefined {
  r.state = way.to as number;
  if (r.isQuote(t.behindPrefix(r.text, r.pos))) startString(r);
  else readBare(r);
}

/** The member belongs to the innermost bracket, whatever its column. */
export function stay(r: Reading): undefined {
  r.stayedAt = r.pos;
}

/** The text goes on as something else. */
export function stop(r: Reading): undefined {
  r.stop();
}

/** `["key"] =` */
export function bracketedKey(r: Reading): undefined {
  const { pos, markEnd } = r;
  const quoted = r.text.slice(pos + 1, markEnd - 1).trim();
  r.keyAt = pos;
  r.edit(pos, markEnd, JSON.stringify(quoted.slice(1, -1)), "unquoted");
  r.pos = markEnd;
  r.last = markEnd;
  r.state = s.COLON;
}

/** A backslash before a sign of JSON tells how the whole text is written. */
export function failAtBackslash(r: Reading): undefined {
  r.fail("[]{}".includes(r.text[r.pos + 1] ?? " ") ? "markdown" : "escaped");
}

/** It is no JSON. */
export function refuse(r: Reading): undefined {
  r.failure = "not-json";
  r.state = s.FAILED;
}

/** So many of the innermost brackets close here; `behind` follows them. */
function closeInner(r: Reading, way: Way, at: number, levels: number, behind = ""): undefined {
  edit(r, way, at, at, r.closers(levels) + behind);
  for (let level = levels; level > 0; level--) r.pop();
}

/** The token closes the innermost bracket, or the nearest one of its kind: those between are missing. */
export function close(r: Reading, way: Way): undefined {
  r.dropComma();
  if (way.kind === "missing-closer") closeInner(r, way, r.pos, r.depth - (r.outer(r.closerKind) as Frame).depth);
  const { kind } = r.top as Frame;
  const closer = r.closers(1);
  if (way.kind === "wrong-closer") edit(r, way, r.pos, r.pos + 1, closer);
  else if (r.text[r.pos] !== closer) r.edit(r.pos, r.pos + 1, closer, kind === TUPLE ? undefined : "wrong-closer");
  r.pos++;
  r.pop();
  if (r.state === s.DONE) r.cost += t.leftover(r, r.pos);
}

/** `levels` brackets close behind the last member, and the next one stands in the one around them. */
export function leave(r: Reading, way: Way, levels = 1): undefined {
  const { comma } = r;
  const apart = r.state === s.AFTER_MEMBER || r.state === s.AFTER_ITEM;
  closeInner(r, way, comma >= 0 ? comma : r.pos, levels, apart ? "," : "");
  r.comma = comma;
  r.state = way.to as number;
}

/** What was read stands in a bracket that is open again, or has been put in, behind a comma. */
function goOnIn(r: Reading, kind: number): undefined {
  const { comma } = r;
  r.push(kind, -1);
  r.comma = comma;
  r.state = kind === OBJECT ? s.KEY : s.ITEM;
}

/** The last closing bracket was one too many. */
export function reopen(r: Reading, way: Way): undefined {
  edit(r, way, r.last - 1, r.last, "");
  goOnIn(r, r.text[r.last - 1] === "}" ? OBJECT : LIST);
}

/** The last value was the first one of a list, whose bracket is missing; or the only one, if the list is closed here. */
export function wrap(r: Reading, way: Way): undefined {
  edit(r, way, r.valueAt, r.valueAt, "[");
  if (!t.isClosingSign(r.sign())) return goOnIn(r, LIST);
  r.pos++;
  r.last = r.pos;
}

/** The innermost opening bracket was meant as one of the other kind. */
export function retype(r: Reading, way: Way): undefined {
  const top = r.top as Frame;
  const { state } = r;
  const kind = top.kind === OBJECT ? LIST : OBJECT;
  edit(r, way, top.at, top.at + 1, kind === OBJECT ? "{" : "[");
  r.top = top.up;
  r.push(kind, top.at, top.kind);
  if (state === s.COLON) r.ended(top.at + 1);
}

/** The innermost opening bracket was one too many: what it holds stands in the bracket around it. */
export function unwrap(r: Reading, way: Way): undefined {
  const top = r.top as Frame;
  const { state, comma, keyAt } = r;
  if (top.up === undefined) return r.fail("not-json");
  edit(r, way, top.at, top.at + 1, "");
  r.top = top.up;
  if (state === s.COLON) return r.ended(keyAt);
  r.keyAt = -1;
  r.comma = comma;
  r.state = top.up.kind !== OBJECT ? s.ITEM : state === s.FIRST_KEY ? s.VALUE : s.KEY;
}

const MAX_WORDS = 12;
const WORD = /[\p{L}\p{N}_$.-]{1,80}\s{0,20}/uy;

/** A few words that stand between a value and what follows it. */
export function dropWords(r: Reading, way: Way): undefined {
  const { text, pos, limit } = r;
  let end = pos;
  for (let words = 0, next = pos; words < MAX_WORDS && next >= 0; words++) {
    end = Math.min(next, limit);
    next = t.sticky(WORD, text, end);
    r.cost += 1;
  }
  r.edit(pos, end, "", way.kind, false);
  r.pos = end;
}

/** `"a" + "b"`, `"a" "b"`: the quotes on both sides go, and what stands between them. */
export function join(r: Reading, way: Way): undefined {
  const { log, last, state } = r;
  const next = t.skipBlanks(r.text, r.pos + (way.takes ?? 0), r.limit);
  const edited = log?.last;
  const quoted = edited?.end === last && edited.by.endsWith('"');
  if (log && quoted) log.last = { ...edited, by: edited.by.slice(0, -1) };
  r.edit(quoted ? last : last - 1, next + 1, "", "concatenation");
  r.pos = next;
  r.state = state === s.AFTER_MEMBER ? s.VALUE : s.ITEM;
  startString(r, true);
}

/** A bracket that opens; a round one is that of a tuple, or the start of words. */
export function openBracket(r: Reading): undefined {
  const { pos, text } = r;
  if (pos > r.start && tookJson(r)) return;
  const kind = r.sign() - OPEN_OBJECT;
  if (kind === TUPLE) {
    if (/^\([^()\n]{0,80}\)\s{0,8}=>/.test(text.slice(pos, pos + 100))) return r.fail("not-json");
    if (!/[\d"'([{\s)]/.test(text[pos + 1] ?? "")) return readBare(r);
  }
  const json = kind === OBJECT ? "{" : "[";
  if (text[pos] !== json) r.edit(pos, pos + 1, json, kind === TUPLE ? "quotes" : "wrong-opener");
  r.pos++;
  r.last = r.pos;
  r.push(kind, pos);
}

/** A comma or a colon, however it is written; `by` is how JSON writes it. */
function take(r: Reading, end: number, by: string, sure = true): undefined {
  if (r.text.slice(r.pos, end) !== by) {
    r.edit(r.pos, end, by, "separator", sure);
    r.cost += 2;
  }
  r.pos = end;
}

/** Between two members. */
export function takeComma(r: Reading): undefined {
  const { pos, text, limit } = r;
  const c = text[pos] as string;
  // `{ color: red; }`, `{ name: string; age: number }`: code.
  if (c === ";" && r.bareKeys) return r.fail("not-json");
  const next = t.skipBlanks(text, pos + 1, limit);
  const goes = c !== "," && (next >= limit || t.isClosingSign(r.sign(next)));
  r.comma = goes ? -1 : pos;
  take(r, pos + 1, goes ? "" : ",", goes || r.isQuote(next) || !";|".includes(c));
  r.state = r.state === s.AFTER_MEMBER ? s.KEY : s.ITEM;
}

/** Between a key and its value. */
export function takeColon(r: Reading): undefined {
  take(r, t.colonEnd(r.text, r.pos), ":");
  r.state = s.VALUE;
}
