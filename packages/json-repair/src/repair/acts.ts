/** What the ways of the grammar do with a token. */
import { isJsonBlank, OPEN_OBJECT } from "../decode/signs.js";
import { readBare } from "./bare.js";
import { leftover } from "./leftover.js";
import { isSure } from "./margins.js";
import {
  AFTER_ITEM,
  AFTER_MEMBER,
  COLON,
  DONE,
  FAILED,
  FIRST_KEY,
  type Frame,
  ITEM,
  KEY,
  LIST,
  OBJECT,
  type Reading,
  TUPLE,
  VALUE,
  type Way,
} from "./reading.js";
import { startString } from "./strings.js";
import * as t from "./tokens.js";

/** The way's edit. */
function edit(r: Reading, way: Way, at: number, end: number, by: string): undefined {
  r.edit(at, end, by, way.kind, isSure(r, way));
}

/** What awaits a value, or has one, needs nothing more. */
function enter(r: Reading, state: number): undefined {
  if (state === AFTER_MEMBER || state === AFTER_ITEM) {
    r.keyAt = -1;
    r.comma = -1;
  }
  if (state !== KEY && state !== ITEM) r.last = r.pos;
  r.state = state;
}

/** The token goes. */
export function drop(r: Reading, way: Way): undefined {
  edit(r, way, r.pos, r.pos + 1, "");
  r.pos++;
}

/** `by` stands before the token. */
export function insert(r: Reading, way: Way): undefined {
  edit(r, way, r.pos, r.pos, way.by as string);
  enter(r, way.to as number);
}

/** `by` stands in place of the token. */
export function swap(r: Reading, way: Way): undefined {
  edit(r, way, r.pos, r.pos + 1, way.by as string);
  r.pos++;
  enter(r, way.to as number);
}

/** An opening bracket is missing before the token. */
export function open(r: Reading, way: Way): undefined {
  edit(r, way, r.pos, r.pos, way.by as string);
  r.push(way.to as number, -1);
}

/** The token stands for an opening bracket. */
export function openInstead(r: Reading, way: Way): undefined {
  edit(r, way, r.pos, r.pos + 1, way.by as string);
  r.pos++;
  r.push(way.to as number, -1);
}

/** The string or the word is a value, or a key, although it does not look so. */
export function asItIs(r: Reading, way: Way): undefined {
  r.state = way.to as number;
  const quoted = r.isQuote(t.behindPrefix(r.text, r.pos));
  if (quoted) startString(r);
  else readBare(r);
}

/** A value without quotes. */
export function value(r: Reading): undefined {
  readBare(r);
}

/** The member belongs to the innermost bracket, whatever its column. */
export function stay(r: Reading): undefined {
  r.stays = true;
}

/** The text goes on as something else. */
export function stop(r: Reading): undefined {
  r.stop();
}

/** It is no JSON. */
export function refuse(r: Reading): undefined {
  r.failure = "not-json";
  r.state = FAILED;
}

/** The bracket closes the innermost one. */
export function close(r: Reading): undefined {
  r.dropComma();
  const top = r.top as Frame;
  const closer = r.closers(1);
  if (r.text[r.pos] !== closer) r.edit(r.pos, r.pos + 1, closer, top.kind === TUPLE ? undefined : "wrong-closer");
  r.pos++;
  leaveFrame(r);
}

/** The sign stands for the bracket that closes the innermost one. */
export function closeInstead(r: Reading, way: Way): undefined {
  r.dropComma();
  if (r.top?.kind === TUPLE) r.cost -= 2;
  edit(r, way, r.pos, r.pos + 1, r.closers(1));
  r.pos++;
  leaveFrame(r);
}

/** The bracket closes one farther out: those between are missing. */
export function closeMissing(r: Reading, way: Way): undefined {
  const kind = r.closerKind;
  r.dropComma();
  const depth = r.depth - (r.top?.nearest[kind]?.depth ?? 0);
  edit(r, way, r.pos, r.pos, r.closers(depth));
  for (let level = depth; level > 0; level--) r.pop();
  r.cost += 2 * (depth - 1);
  close(r);
}

function leaveFrame(r: Reading): undefined {
  const kind = r.top?.kind;
  r.pop();
  if (r.state === DONE) r.cost += leftover(r, r.pos, kind);
}

/** `levels` brackets close behind the last member, and the next one stands in the one around them. */
export function leave(r: Reading, way: Way, levels = 1): undefined {
  const { comma, pos } = r;
  const closers = r.closers(levels);
  const at = comma >= 0 ? comma : pos;
  const apart = r.state === AFTER_MEMBER || r.state === AFTER_ITEM;
  edit(r, way, at, at, apart ? `${closers},` : closers);
  for (let level = levels; level > 0; level--) r.pop();
  r.comma = comma;
  r.state = way.to as number;
}

/** The last closing bracket was one too many. */
export function reopen(r: Reading, way: Way): undefined {
  const { last, comma } = r;
  const kind = r.text[last - 1] === "}" ? OBJECT : LIST;
  edit(r, way, last - 1, last, "");
  r.push(kind, -1);
  r.comma = comma;
  r.state = kind === OBJECT ? KEY : ITEM;
}

/** The last value was the first one of a list, whose bracket is missing. */
export function wrap(r: Reading, way: Way): undefined {
  const { comma, valueAt } = r;
  edit(r, way, valueAt, valueAt, "[");
  r.push(LIST, -1);
  r.comma = comma;
  r.state = ITEM;
}

/** It was the only one, and the bracket at `pos` closes the list. */
export function wrapOne(r: Reading, way: Way): undefined {
  edit(r, way, r.valueAt, r.valueAt, "[");
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
  if (state === COLON) r.ended(top.at + 1);
}

/** The innermost opening bracket was one too many: what it holds stands in the bracket around it. */
export function unwrap(r: Reading, way: Way): undefined {
  const top = r.top as Frame;
  const { state, comma, keyAt } = r;
  if (top.up === undefined || top.at < 0) return r.fail("not-json");
  edit(r, way, top.at, top.at + 1, "");
  r.top = top.up;
  const list = top.up.kind !== OBJECT;
  if (state === COLON) return r.ended(keyAt);
  if (state === AFTER_ITEM || state === AFTER_MEMBER) {
    r.dropComma();
    r.state = list ? AFTER_ITEM : AFTER_MEMBER;
    return;
  }
  r.keyAt = -1;
  r.comma = comma;
  r.state = list ? ITEM : state === FIRST_KEY ? VALUE : KEY;
}

const MAX_WORDS = 12;

/** A few words that stand between a value and what follows it. */
export function dropWords(r: Reading, way: Way): undefined {
  const { text, pos, limit } = r;
  const inWord = (at: number) => t.isWordSign(text.charCodeAt(at)) || text[at] === "-" || text[at] === ".";
  let end = pos;
  for (let words = 0; words < MAX_WORDS && end < limit && inWord(end); words++) {
    while (end < limit && inWord(end)) end++;
    while (end < limit && isJsonBlank(text.charCodeAt(end))) end++;
    r.cost += 1;
  }
  if (end === pos || !t.closesOrSeparates(text, end)) {
    if (!r.isQuote(end)) return r.stop();
    r.cost += 2;
  }
  r.edit(pos, end, "", way.kind, false);
  r.pos = end;
}

/** `"a" + "b"`, `"a" "b"`: the quotes on both sides go. */
export function join(r: Reading, _way: Way, next = r.pos): undefined {
  const { log, last, state } = r;
  const edited = log?.last;
  if (edited !== undefined && edited.end === last && edited.by.endsWith('"')) {
    log?.replaceLast({ ...edited, by: edited.by.slice(0, -1) });
    r.edit(last, next + 1, "", "concatenation");
  } else r.edit(last - 1, next + 1, "", "concatenation");
  r.pos = next;
  r.state = state === AFTER_MEMBER ? VALUE : ITEM;
  startString(r, true);
}

/** Round brackets that open: a tuple, an object, a remark, or the start of words. */
export function openRound(r: Reading): undefined {
  const { pos, text, limit } = r;
  if (/^\([^()\n]{0,80}\)\s{0,8}=>/.test(text.slice(pos, pos + 100))) return r.fail("not-json");
  if (!/[\d"'([{\s)]/.test(text[pos + 1] ?? "")) return readBare(r);
  const object = t.keyAhead(text, t.skipBlanks(text, pos + 1, limit), limit);
  r.edit(pos, pos + 1, object ? "{" : "[", object ? "wrong-opener" : "quotes", !object);
  if (object) r.cost += 3;
  r.pos++;
  r.last = r.pos;
  r.push(object ? OBJECT : TUPLE, pos);
}

export function openBracket(r: Reading): undefined {
  const { pos, text } = r;
  const kind = r.sign() - OPEN_OBJECT;
  const json = kind === OBJECT ? "{" : "[";
  if (text[pos] !== json) r.edit(pos, pos + 1, json, "wrong-opener");
  r.pos++;
  r.last = r.pos;
  r.push(kind, pos);
}

/** Between two members. */
export function takeComma(r: Reading): undefined {
  const { pos, text, limit } = r;
  const c = text[pos] as string;
  r.comma = pos;
  if (c !== ",") {
    // `{ color: red; }`, `{ name: string; age: number }`: code.
    if (c === ";" && r.bareKeys) return r.fail("not-json");
    const next = t.skipBlanks(text, pos + 1, limit);
    const last = next >= limit || "}]".includes(text[next] as string);
    const awaited = r.state === AFTER_MEMBER ? t.keyAhead(text, next, limit) : r.isQuote(next);
    const sure = last || awaited || !";|".includes(c);
    r.edit(pos, pos + 1, last ? "" : ",", "separator", sure);
    r.cost += 2;
    if (last) r.comma = -1;
  }
  r.pos++;
  r.state = r.state === AFTER_MEMBER ? KEY : ITEM;
}

/** Between a key and its value. */
export function takeColon(r: Reading): undefined {
  const { text, pos } = r;
  const end = t.colonEnd(text, pos);
  if (end !== pos + 1 || text[pos] !== ":") {
    r.edit(pos, end, ":", "separator");
    r.cost += 2;
  }
  r.pos = end;
  r.state = VALUE;
}
