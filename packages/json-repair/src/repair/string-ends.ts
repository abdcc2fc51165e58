/** Where a string ends: with its quote, before what shows that its quote is missing, or with the text. */
import * as s from "../decode/signs.js";
import { hasPartner, isClosingSign } from "./ahead.js";
import { settleEscapes } from "./escapes.js";
import * as q from "./quotes.js";
import { COLON, ITEM, KEY, type Reading, STOPPED } from "./reading.js";

export function undoContent(r: Reading, from: number): undefined {
  r.log?.undoFrom(from, r.string.edits);
}

/** The string ends with the quote at `pos`. */
export function endString(r: Reading): undefined {
  const { pos: at, string } = r;
  settleEscapes(r);
  if (string.loose % 2 === 1) r.cost += 2;
  const paired = string.inner > 0 && string.loose % 2 === 0 && !string.doubt;
  if (paired && r.log && q.endsSurely(r, at + 1)) r.log.assure("inner-quote", string.edits);
  if (string.quote !== 34) r.edit(at, at + 1, '"');
  else if (r.text.charCodeAt(at) !== 34) r.edit(at, at + 1, '"', "quotes");
  r.pos = at + 1;
  leaveString(r);
}

function leaveString(r: Reading): undefined {
  if (r.string.role !== KEY) return r.ended(r.string.begin);
  r.quotedKeys = true;
  r.state = COLON;
  r.last = r.pos;
}

/** Ends the key before its first colon, or at `until`. */
export function endLostKey(r: Reading, until: number): undefined {
  const { content } = r.string;
  const colon = q.colonInside(r, until);
  endLost(
    r,
    q.behindBlanks(r.text, content, colon < 0 ? until : colon),
    (sign) => sign >= s.OPEN_OBJECT && sign <= s.COMMA && sign !== s.CLOSE_ROUND,
    true,
  );
}

/** Ends the string before the comma or the blanks that precede `at`. */
export function endLostValue(r: Reading, at: number): undefined {
  const { text } = r;
  const { content } = r.string;
  let end = q.behindBlanks(text, content, at);
  if (r.sign(end - 1) === s.COMMA) end = q.behindBlanks(text, content, end - 1);
  // `{"a": {"b": "c}, "d": 1}`: brackets without partners in the string close what is around it.
  for (let frame = r.top; frame?.up !== undefined && end > content; frame = frame.up) {
    if (!isClosingSign(r.sign(end - 1)) || hasPartner(text, content, end - 1)) break;
    end = q.behindBlanks(text, content, end - 1);
  }
  if (end - content < 40 && LITERAL.test(text.slice(content, end).trim())) return dropOpener(r);
  const sure = r.margin >= 4 && q.surelyWhole(r, end);
  endLost(r, end, (sign) => sign === s.OPEN_OBJECT || sign === s.OPEN_LIST || sign === s.COMMA, sure);
}

/** Ends the string at `end`, where its quote is missing, or another sign stands in its place. */
function endLost(r: Reading, end: number, isOther: (sign: number) => boolean, sure: boolean): undefined {
  const { text, string } = r;
  const long = end > string.content + 1;
  const mixed =
    long &&
    string.quote !== 39 &&
    text.charCodeAt(end - 1) === 39 &&
    !text.slice(Math.max(string.content, end - 400), end - 1).includes("'");
  const other = long && isOther(r.sign(end - 1));
  const from = mixed || other ? end - 1 : end;
  r.again += Math.max(0, r.pos - end);
  r.pos = end;
  undoContent(r, from);
  r.edit(from, end, '"', mixed ? "quotes" : "missing-quote", sure && !other);
  leaveString(r);
}

/** A number or a literal, which one quote too many stands before. */
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/;

/** The quote that has opened the string was one too many. */
export function dropOpener(r: Reading): undefined {
  const { begin, edits, quote, role } = r.string;
  r.log?.truncate(quote === 34 ? edits : edits - 1);
  r.edit(begin, begin + 1, "", "extra-quote", false);
  r.pos = begin + 1;
  r.state = role;
  if (role !== ITEM) r.keyAt = role === KEY ? -1 : r.keyAt;
}

/** A string that the text breaks off in, or whose quote is missing before the last brackets. */
export function endOpenString(r: Reading): undefined {
  const { text, limit, string } = r;
  let end = limit;
  if (r.fenced && r.log) {
    const fence = closingFence(text, string.content, limit);
    if (fence >= 0) end = fence;
  }
  r.cost += 5;
  if (string.role === KEY) {
    undoContent(r, end);
    r.cost -= 2;
    if (q.colonInside(r, end) >= 0) return endLostKey(r, end);
    r.pos = limit;
    r.keyAt = string.begin;
    r.openKey = true;
    r.state = STOPPED;
    return;
  }
  end = withoutClosers(r, end);
  undoContent(r, end);
  r.pos = end === limit ? limit - halfPairLength(text.slice(Math.max(string.content, limit - 12), limit)) : end;
  undoContent(r, r.pos);
  const sure =
    end < limit &&
    text.charCodeAt(end) !== 44 &&
    WORDS.test(text.slice(string.content, end).slice(0, 240)) &&
    q.surelyWhole(r, end);
  r.edit(r.pos, end, '"', end < limit ? "missing-quote" : "unclosed", sure);
  if (end === limit) {
    r.pos = limit;
    r.complete = false;
  }
  leaveString(r);
}

/** Content that nothing of what is around it may have got into. */
const WORDS = /^(?!\s*(?:true|false|null|-?\d+(?:\.\d+)?)\s*$)[^\n,;{}[\]"]{0,200}$/;

/** Of the first half of a pair of surrogates, as an escape, at the end of the text. */
function halfPairLength(end: string): number {
  return /(?<!\\)\\u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?$/.exec(end)?.[0].length ?? 0;
}

const MAX_CLOSERS = 64;

/** Where the content ends if the brackets at its end close all that is open, and have no partners in the content. */
function withoutClosers(r: Reading, end: number): number {
  const { text, string } = r;
  let at = end;
  const closers: number[] = [];
  for (; at > string.content && closers.length <= MAX_CLOSERS; at--) {
    if (isClosingSign(r.sign(at - 1))) closers.unshift(at - 1);
    else if (!s.isBlank(text.charCodeAt(at - 1))) break;
  }
  let frame = r.top;
  for (const closer of closers) {
    if (frame === undefined || r.sign(closer) - s.CLOSE_OBJECT !== frame.kind) break;
    frame = frame.up;
  }
  if (closers.length === 0 || frame !== undefined || closers.some((closer) => hasPartner(text, string.content, closer)))
    return end;
  return text.charCodeAt(at - 1) === 44 ? at - 1 : at;
}

/**
 * The line that closes the fence around an unclosed string: the last one, if the others come in pairs. One that names a
 * language opens another fence.
 */
function closingFence(text: string, from: number, to: number): number {
  const fences = [...text.slice(from, to).matchAll(/\n[ \t]{0,8}(?:`{3,}|~{3,})[ \t]*(\w?)/g)];
  const last = fences.at(-1);
  return fences.length % 2 === 1 && last?.[1] === "" ? from + last.index : -1;
}
