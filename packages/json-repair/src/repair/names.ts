/** Keys without quotes, or with one of them. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import { COLON, FIRST_KEY, type Reading, STOPPED } from "./reading.js";

const SIMPLE_NAME = /[A-Za-z_$][\w$]*/y;
const NAME = /[\p{L}\p{N}_$@.*/-][\p{L}\p{N}_$@.*/ -]{0,100}/uy;

/** A key without quotes, or with one of them. */
export function readName(r: Reading): undefined {
  const { text, pos, limit } = r;
  const first = r.state === FIRST_KEY;
  const simple = t.sticky(SIMPLE_NAME, text, pos);
  if (simple > 0 && text.charCodeAt(simple) === 58) return takeName(r, simple, false);
  const found = t.sticky(NAME, text, pos);
  if (found < 0) return first ? r.fail("not-json") : r.stop();
  let end = found;
  while (end > pos && text.charCodeAt(end - 1) === 32) end--;
  const closing = text[end] === '"' || text[end] === "”" || text[end] === "'";
  const from = closing ? end + 1 : end;
  const next = t.skipBlanks(text, from, limit);
  if (!closing && next > from && s.signOf(text.charCodeAt(next)) === s.QUOTE && t.keyAhead(text, next, limit)) {
    // Words before a quoted key: a remark that has lost its marks.
    r.edit(pos, next, "", "comment", false);
    r.cost += 3;
    r.pos = next;
    return;
  }
  if (end >= limit && !first) {
    r.keyAt = pos;
    r.pos = limit;
    r.cost += 4;
    r.state = STOPPED;
    return;
  }
  const colon = t.colonEnd(text, next);
  const assigned = text[next] === "=" || text[next] === "-";
  const arrow = text[next + 1] === ">";
  if (colon < 0 || (assigned && first && r.depth <= 1 && !arrow)) {
    if (first && r.depth <= 1) return r.fail("not-json");
    if (end < limit) return r.stop();
    r.cost += 6;
  }
  takeName(r, end, closing);
}

/** The key ends at `end`, or with the quote there. */
function takeName(r: Reading, end: number, closing: boolean): undefined {
  const { pos } = r;
  const from = closing ? end + 1 : end;
  const name = r.text.slice(pos, end);
  const wordy = name.includes(" ");
  const sure = !closing || r.state === FIRST_KEY || r.comma >= 0;
  r.keyAt = pos;
  r.edit(pos, from, `"${name}"`, closing ? "missing-quote" : "unquoted", sure);
  r.cost += closing ? 3 : r.bareKeys ? 0 : r.quotedKeys ? 3 : 1;
  if (wordy && !r.wordyKeys) r.cost += 2;
  if (!closing) {
    r.bareKeys = true;
    r.wordyKeys ||= wordy;
  }
  r.pos = from;
  r.last = from;
  r.state = COLON;
}
