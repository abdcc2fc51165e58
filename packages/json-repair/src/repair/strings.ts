/** What stands in quotes, whatever the quotes are: how it begins, goes on, and where it ends. */
import * as s from "../decode/signs.js";
import * as t from "./ahead.js";
import { tookTripled } from "./plain.js";
import * as q from "./quotes.js";
import { COLON, FIRST_KEY, KEY, NO_OTHER, type Reading, STOPPED, STRING, VALUE, type Way } from "./reading.js";

// Runs of content without quotes, backslashes and control characters.
const STRANGE = "\\\\\\u0000-\\u001f";
const PLAIN = new RegExp(`[^"”${STRANGE}]*`, "y");
/** In other quotes and in keys: further keys may begin within it, so that each run is short. */
const PLAIN_OTHER = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]{0,200}`, "y");
const PLAIN_SIGN = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]`);

/** So many strange signs are read in one step: a trial must come to its horizon. */
const SIGNS_A_STEP = 64;
/** A key that is longer and has a colon has lost its quote before that: what follows is read once more. */
const LONG_KEY = 3 * t.KEY_LENGTH;

/** Opens the string at `pos`; without an edit if its quote is gone already. */
export function startString(r: Reading, joined?: unknown): undefined {
  const { text, pos } = r;
  const role = r.state === FIRST_KEY ? KEY : r.state;
  const at = t.behindPrefix(text, pos);
  if (role === KEY) r.keyAt = at;
  const quote = text.charCodeAt(at);
  const tripled = quote < 40 && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
  if (tripled && tookTripled(r, role, at)) return;
  if (at > pos) r.edit(pos, at, "", "quotes");
  if (quote !== 34 && joined !== true) r.edit(at, at + 1, '"', "quotes");
  r.enter(role, quote, at, at + 1);
}

/** Reads on in the string, up to its end or to a quote that may be read in several ways. */
export function stepString(r: Reading): readonly Way[] | undefined {
  const { text, limit } = r;
  const { quote, role, content } = r.string;
  const plain = quote === 34 && role !== KEY ? PLAIN : PLAIN_OTHER;
  for (let signs = 0; signs < SIGNS_A_STEP && r.state === STRING; signs++) {
    plain.lastIndex = r.pos;
    plain.test(text);
    r.pos = Math.min(plain.lastIndex, limit);
    if (role === KEY && r.pos - content > LONG_KEY && q.colonInside(r, r.pos) >= 0) return endLostKey(r, r.pos);
    if (r.pos >= limit) return endOpenString(r);
    const code = text.charCodeAt(r.pos);
    if (plain === PLAIN_OTHER && PLAIN_SIGN.test(text[r.pos] as string)) continue;
    const ways = code < 32 ? readControl(r, code) : code === 92 ? readBackslash(r) : readQuote(r, code);
    if (ways !== undefined) return ways;
  }
  return undefined;
}

function readControl(r: Reading, code: number): undefined {
  const { text, pos: at, string } = r;
  if (string.role === KEY && (code === 10 || code === 13)) {
    return q.behindBlanks(text, string.content, at) === string.content ? dropOpener(r) : endLostKey(r, at);
  }
  // Several line ends in a row are one repair.
  const told = code === 10 && at > string.content && text.charCodeAt(at - 1) === 10 ? undefined : "control-character";
  r.edit(at, at + 1, code === 10 ? "\\n" : q.written(String.fromCharCode(code)), told);
  r.pos++;
}

/** `{"a\": 1}`: the quote that should end the string has a backslash. */
const ESCAPED_END: readonly Way[] = [
  { act: (r) => void q.readEscape(r), cost: 0 },
  { act: endWithEscape, cost: 1 },
];

function readBackslash(r: Reading): readonly Way[] | undefined {
  const { text, pos: at, limit, string } = r;
  if (text.charCodeAt(at + 1) === string.quote && q.endsSurely(r, at + 2)) {
    if (q.inPath(r, at)) {
      // A path that ends in a backslash, and the quote behind it.
      r.edit(at, at, "\\", "escape", false);
      string.foreign = true;
      r.pos++;
      return undefined;
    }
    if (t.skipBlanks(text, at + 2, limit) < limit) return ESCAPED_END;
  }
  return q.readEscape(r) ? undefined : endOpenString(r);
}

function endWithEscape(r: Reading): undefined {
  r.edit(r.pos, r.pos + 1, "", "escape", r.margin >= 3);
  r.pos++;
  endString(r);
}

/** A sign that may end the string. */
function readQuote(r: Reading, code: number): readonly Way[] | undefined {
  const { text, pos: at, string } = r;
  const own = code === string.quote;
  const closer = own || s.closersOf(String.fromCharCode(string.quote)).includes(String.fromCharCode(code));
  const letters = (code === 39 || code === 0x2019) && t.isLetter(text, at - 1);
  if (letters && t.isLetter(text, at + 1)) r.pos++;
  else if (own && code === 39 && letters && text.charCodeAt(at + 1) === 39 && t.isLetter(text, at + 2)) {
    // `it''s`
    r.edit(at, at + 1, "", "inner-quote", false);
    r.pos += 2;
  } else if (own && q.goesOnInWords(r, at)) {
    r.cost += q.contentCost(r, at);
    r.margin = NO_OTHER;
    content(r);
  } else if (own || (closer && string.quote !== 34)) {
    const lost = q.startsNext(r, at);
    if (lost || !q.endsSurely(r, at + 1) || q.inInnerObject(r, at)) return waysOfQuote(r, at, lost);
    endString(r);
  } else if ((closer || (code === 34 && string.inner === 0)) && q.endsSurely(r, at + 1)) {
    // `'a"`: another quote ends the string only where nothing else can be meant.
    endString(r);
  } else {
    // Inside other quotes a double quote is content, and needs its backslash only in JSON.
    if (code === 34) {
      r.edit(at, at, "\\");
      string.inner++;
    }
    r.pos++;
  }
  return undefined;
}

function waysOfQuote(r: Reading, at: number, lost: boolean): readonly Way[] {
  const { text, string } = r;
  const key = string.role === KEY;
  const colon = key ? q.colonBefore(r, at) : -1;
  if (colon >= 0 && q.valueAhead(r, at + 1)) {
    return [
      { act: (one) => moveColon(one, colon), cost: 2 },
      { act: endString, cost: 3 },
    ];
  }
  const inner = q.inInnerObject(r, at);
  const gap = lost && s.isBlank(text.charCodeAt(at - 1)) ? 2 : 0;
  const cost = q.contentCost(r, at) + (lost ? 2 + gap : 0);
  const ways: Way[] = [
    { act: endString, cost: gap + (inner ? 7 : 0) },
    { act: content, cost: inner ? 1 : cost },
  ];
  if (lost) ways.push({ act: (one) => endLostValue(one, at), cost: inner ? 8 : 4 });
  const first = key ? q.colonInside(r, at) : -1;
  if (first >= 0) ways.push({ act: (one) => endLostKey(one, at), cost: q.valueAhead(r, first + 1) ? 2 : 4 });
  if (q.restarts(r, at)) ways.push({ act: beginAgain, cost: 2 });
  if (at === string.content) ways.push({ act: dropQuote, cost: 3 });
  return ways;
}

/** By so much a quote must be the cheapest as content, if it does not stand between words. */
const INNER_MARGIN = 3;

function content(r: Reading): undefined {
  const { pos: at, text, string } = r;
  if (text.charCodeAt(at) === 34) r.edit(at, at, "\\", "inner-quote", false);
  else r.edit(at, at + 1, text[at] as string, "inner-quote", false);
  string.doubt ||= string.role === KEY || (r.margin < INNER_MARGIN && !q.isBetweenWords(r, at));
  string.open = q.opens(r, at);
  if (!q.standsAlone(r, at)) string.odd = !string.odd;
  string.inner++;
  r.pos++;
}

/** `""text"`: the quote was doubled. */
function dropQuote(r: Reading): undefined {
  r.edit(r.pos, r.pos + 1, "", "extra-quote");
  r.pos++;
  r.string.content = r.pos;
}

/** The string was cut, and the outermost value begins again at the bracket before `pos`. */
function beginAgain(r: Reading): undefined {
  const { text, string } = r;
  const bracket = q.behindBlanks(text, string.content, r.pos) - 1;
  r.pos = q.behindBlanks(text, string.content, bracket);
  r.state = STOPPED;
  r.keyAt = string.role === KEY ? string.begin : -1;
  if (string.role === KEY) return;
  undoContent(r, r.pos);
  r.edit(r.pos, r.pos, '"', "unclosed", false);
  r.last = r.pos;
}

/** The colon of `"key:" 1` goes behind the quote. */
function moveColon(r: Reading, colon: number): undefined {
  const end = q.behindBlanks(r.text, r.string.content, colon);
  undoContent(r, end);
  r.edit(end, r.pos + 1, '":', "extra-colon", false);
  r.pos++;
  r.last = r.pos;
  r.state = VALUE;
}

function undoContent(r: Reading, from: number): undefined {
  r.log?.undoFrom(from, r.string.edits);
}

/** The string ends with the quote at `pos`. */
function endString(r: Reading): undefined {
  const { pos: at, string } = r;
  q.settleEscapes(r);
  if (string.odd) r.cost += 3;
  else if (string.inner > 0 && !string.doubt && r.log && q.endsSurely(r, at + 1))
    r.log.assure("inner-quote", string.edits);
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
function endLostKey(r: Reading, until: number): undefined {
  const colon = q.colonInside(r, until);
  endLost(r, q.behindBlanks(r.text, r.string.content, colon < 0 ? until : colon), true);
}

/** Ends the string before the comma or the blanks that precede `at`. */
function endLostValue(r: Reading, at: number): undefined {
  const { text } = r;
  const { content } = r.string;
  let end = q.behindBlanks(text, content, at);
  if (r.sign(end - 1) === s.COMMA) end = q.behindBlanks(text, content, end - 1);
  // `{"a": {"b": "c}, "d": 1}`: brackets without partners in the string close what is around it.
  end = q.closersBefore(r, end).slice(0, r.depth).at(-1) ?? end;
  if (q.isLiteral(r, end)) return dropOpener(r);
  endLost(r, end, r.margin >= 4 && q.surelyWhole(r, end));
}

/** Ends the string at `end`, where its quote is missing, or another sign stands in its place. */
function endLost(r: Reading, end: number, sure: boolean): undefined {
  const { text, string } = r;
  const long = end > string.content + 1;
  const mixed = string.quote !== 39 && text[end - 1] === "'";
  const sign = r.sign(end - 1);
  const other = sign >= s.OPEN_OBJECT && sign <= s.COMMA && sign !== s.CLOSE_ROUND;
  const from = long && (mixed || other) ? end - 1 : end;
  r.again += Math.max(0, r.pos - end);
  r.pos = end;
  undoContent(r, from);
  r.edit(from, end, '"', long && mixed ? "quotes" : "missing-quote", sure && !(long && other));
  leaveString(r);
}

/** The quote that has opened the string was one too many. */
function dropOpener(r: Reading): undefined {
  const { begin, edits, quote, role } = r.string;
  r.log?.undoFrom(begin, quote === 34 ? edits : edits - 1);
  r.edit(begin, begin + 1, "", "extra-quote");
  r.pos = begin + 1;
  r.state = role;
  if (role === KEY) r.keyAt = -1;
}

/** A string that the text breaks off in, or whose quote is missing before the last brackets. */
function endOpenString(r: Reading): undefined {
  const { limit, string } = r;
  const stop = q.endOfText(r);
  if (string.role === KEY) {
    r.cost += 3;
    undoContent(r, stop);
    if (q.colonInside(r, stop) >= 0) return endLostKey(r, stop);
    r.pos = limit;
    r.keyAt = string.begin;
    r.state = STOPPED;
    return;
  }
  r.cost += 5;
  const closers = q.closersBefore(r, stop);
  const end = closers.length > r.depth ? (closers.at(-1) as number) : stop;
  r.pos = q.withoutHalfPair(r, end);
  undoContent(r, r.pos);
  const sure = end < limit && !q.isLiteral(r, end) && q.surelyWhole(r, end);
  r.edit(r.pos, end, '"', end < limit ? "missing-quote" : "unclosed", sure);
  r.pos = end;
  r.complete &&= end < limit;
  leaveString(r);
}
