/** What stands in quotes, whatever the quotes are. */

import * as s from "../decode/signs.js";
import { behindPrefix, isLetter, KEY_LENGTH, keyAhead, plainKeyEnd, skipBlanks, sticky } from "./ahead.js";
import { controlEscape, readEscape } from "./escapes.js";
import { isSure } from "./margins.js";
import { OpenString } from "./open-string.js";
import * as q from "./quotes.js";
import { COLON, FIRST_KEY, KEY, NO_OTHER, type Reading, STOPPED, STRING, VALUE, type Way } from "./reading.js";
import { dropOpener, endLostKey, endLostValue, endOpenString, endString, undoContent } from "./string-ends.js";

// Runs of content without quotes, backslashes and control characters.
const STRANGE = "\\\\\\u0000-\\u001f";
const PLAIN_DOUBLE = new RegExp(`[^"”${STRANGE}]*`, "y");
const PLAIN_SINGLE = new RegExp(`[^"'’${STRANGE}]*`, "y");
const PLAIN_OTHER = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]*`, "y");
/** Other keys may begin within it, as none of these ends in its opening sign. */
const PLAIN_KEY = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]{0,200}`, "y");

const PLAIN_SIGN = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]`);

/** The first line of a Markdown code block that names its language. */
const CODE_BLOCK = /\n[ \t]{0,8}```[\w+#.-]+[ \t]*\n/y;
/** So many strange signs are read in one step: a trial must come to its horizon. */
const SIGNS_A_STEP = 64;

/** A key that is longer and has a colon has lost its quote before that: what follows is read once more. */
const LONG_KEY = 3 * KEY_LENGTH;

/** Opens the string at `pos`; without an edit if its quote is gone already. */
export function startString(r: Reading, joined?: unknown): undefined {
  const { text, pos } = r;
  const role = r.state === FIRST_KEY ? KEY : r.state;
  const at = behindPrefix(text, pos);
  if (role === KEY) r.keyAt = at;
  const quote = text.charCodeAt(at);
  const plain = role === KEY && (quote === 34 || quote === 39) && at === pos ? plainKeyEnd(text, at) : -1;
  if (plain >= 0 && plain <= r.limit) return takeKey(r, plain, quote);
  const tripled = quote < 40 && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
  if (tripled && readTripled(r, role, at)) return;
  if (at > pos) r.edit(pos, at, "", "quotes");
  if (quote !== 34 && joined !== true) r.edit(at, at + 1, '"', "quotes");
  enterString(r, role, quote, at, at + 1);
  r.string.foreign = at > pos && /r/i.test(text.slice(pos, at));
}

/** Opens a string that has lost its first quote at `pos`. */
export function startHalfString(r: Reading, sure: boolean): undefined {
  r.edit(r.pos, r.pos, '"', "missing-quote", sure);
  enterString(r, r.state, 34, r.pos, r.pos);
}

/** A key without anything strange in it. */
function takeKey(r: Reading, end: number, quote: number): undefined {
  if (quote !== 34) {
    r.edit(r.pos, r.pos + 1, '"', "quotes");
    r.edit(end - 1, end, '"');
  }
  r.quotedKeys = true;
  r.pos = end;
  r.last = end;
  r.state = COLON;
}

function enterString(r: Reading, role: number, quote: number, begin: number, content: number): undefined {
  const string = new OpenString(role, quote, begin, content, r.log?.length ?? 0);
  string.path = startsPath(r.text, content);
  r.string = string;
  r.pos = content;
  r.state = STRING;
}

/** `C:\…` or `\\host\…`. */
function startsPath(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1);
  if (second === 92) return text.charCodeAt(at) === 92;
  return second === 58 && text.charCodeAt(at + 2) === 92 && isLetter(text, at);
}

/** `"""…"""`, as Python writes long texts. */
function readTripled(r: Reading, role: number, at: number): boolean {
  const { text, pos, limit } = r;
  if (role === KEY || /^\s{0,20}[,}\]:]/.test(text.slice(at + 3, at + 24))) return false;
  const close = r.source.next((text[at] as string).repeat(3), at + 3);
  const closed = close >= 0 && close <= limit;
  const content = text.slice(at + 3, closed ? close : limit);
  const end = closed ? close + 3 : limit;
  if (r.log) r.edit(pos, end, JSON.stringify(content.replace(/\\(["'\\])/g, "$1")), "quotes");
  r.pos = end;
  if (!closed) r.complete = false;
  r.ended(pos);
  return true;
}

/** Reads on in the string, up to its end or to a quote that may be read in several ways. */
export function stepString(r: Reading): readonly Way[] | undefined {
  const { text, limit } = r;
  const { quote, role } = r.string;
  const plain = quote === 34 ? PLAIN_DOUBLE : quote === 39 ? PLAIN_SINGLE : role === KEY ? PLAIN_KEY : PLAIN_OTHER;
  for (let signs = 0; signs < SIGNS_A_STEP && r.state === STRING; signs++) {
    plain.lastIndex = r.pos;
    plain.test(text);
    r.pos = Math.min(plain.lastIndex, limit);
    if (role === KEY && r.pos - r.string.content > LONG_KEY && q.colonInside(r, r.pos) >= 0)
      return endLostKey(r, r.pos);
    if (r.pos >= limit) return endOpenString(r);
    const code = text.charCodeAt(r.pos);
    if (plain === PLAIN_KEY && PLAIN_SIGN.test(text[r.pos] as string)) continue;
    if (code < 32) readControl(r, code);
    else if (code !== 92) {
      const ways = readQuote(r, code);
      if (ways !== undefined) return ways;
    } else if (r.string.path && text.charCodeAt(r.pos + 1) === 34 && q.endsSurely(r, r.pos + 2)) {
      // A path that ends in a backslash, and the quote behind it.
      r.edit(r.pos, r.pos, "\\", "escape", false);
      r.string.foreign = true;
      r.pos++;
    } else {
      const ends = text.charCodeAt(r.pos + 1) === quote && skipBlanks(text, r.pos + 2, limit) < limit;
      if (ends && q.endsSurely(r, r.pos + 2, role)) return ESCAPED_END;
      if (!readEscape(r)) return endOpenString(r);
    }
  }
  return undefined;
}

/** `{"a\": 1}`: the quote that should end the string has a backslash. */
const ENDS_ESCAPED: Way = { act: endWithEscape, cost: 1 };
const ESCAPED_END: readonly Way[] = [{ act: (r) => void readEscape(r), cost: 0 }, ENDS_ESCAPED];

function endWithEscape(r: Reading): undefined {
  r.edit(r.pos, r.pos + 1, "", "escape", isSure(r, ENDS_ESCAPED));
  r.pos++;
  endString(r);
}

function readControl(r: Reading, code: number): undefined {
  const { text, limit, pos: at, string } = r;
  if (string.role === KEY && (code === 10 || code === 13)) {
    if (text.slice(string.content, Math.min(at, string.content + 40)).trim() === "") return dropOpener(r);
    return endLostKey(r, at);
  }
  let end = at + 1;
  while (code === 10 && end < limit && text.charCodeAt(end) === 10) end++;
  if (code === 10 && at > string.codeEnd && string.role === VALUE) {
    const next = skipBlanks(text, end, Math.min(limit, end + 200));
    // A double quote is looked at when it is reached.
    if (text.charCodeAt(next) !== 34 && keyAhead(text, next, limit)) return endLostValue(r, at);
    string.codeEnd = endOfCode(r, end - 1);
  }
  r.edit(at, end, code === 10 ? "\\n".repeat(end - at) : controlEscape(code), "control-character");
  r.pos = end;
}

/** The last line of the code block that begins behind the line end at `at`, if it ends before the string can. */
function endOfCode({ text, limit, source }: Reading, at: number): number {
  const code = sticky(CODE_BLOCK, text, at);
  if (code < 0) return -1;
  const close = source.next("\n```", code - 1);
  return close < 0 || close > limit || source.next('"', close) < 0 ? -1 : close;
}

/** A sign that may end the string. */
function readQuote(r: Reading, code: number): readonly Way[] | undefined {
  const { text, pos: at, string } = r;
  const c = text[at] as string;
  const own = code === string.quote;
  const foreign = string.quote !== 34;
  const apostrophe = (code === 39 || c === "’") && isLetter(text, at - 1) && isLetter(text, at + 1);
  if (!own && !s.closersOf(String.fromCharCode(string.quote)).includes(c)) {
    if (code !== 34) r.pos++;
    // `'a"`: the quotes were mixed up.
    else if (foreign && string.inner === 0 && q.endsSurely(r, at + 1)) endString(r);
    else {
      // Inside other quotes a double quote is content, and needs its backslash only in JSON.
      r.edit(at, at, "\\");
      string.inner++;
      r.pos++;
    }
  } else if (at < string.codeEnd) content(r);
  else if (apostrophe) r.pos++;
  else if (own && code === 39 && text.charCodeAt(at + 1) === 39 && isLetter(text, at - 1) && isLetter(text, at + 2)) {
    // `it''s`
    r.edit(at, at + 1, "", "inner-quote", false);
    r.pos += 2;
  } else if (!own && !foreign) {
    // A curly quote ends the string that a straight one opened only where nothing else can be meant.
    if (q.endsSurely(r, at + 1)) endString(r);
    else r.pos++;
  } else if (q.goesOnInWords(r, at)) {
    r.cost += q.contentCost(r, at);
    r.margin = NO_OTHER;
    content(r);
  } else {
    const lost = q.startsNext(r, at);
    if (lost || !q.endsSurely(r, at + 1) || q.inInnerObject(r, at)) return waysOfQuote(r, at, lost);
    endString(r);
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
  const inner = !key && q.inInnerObject(r, at);
  const gap = lost && s.isBlank(text.charCodeAt(at - 1)) ? 2 : 0;
  const cost = q.contentCost(r, at) + (key ? q.keyContentCost(r, at) : 0) + (lost ? 2 + gap : 0);
  const ways: Way[] = [
    { act: endString, cost: gap + (inner ? 7 : 0) },
    { act: content, cost: inner ? 1 : cost },
  ];
  if (lost) ways.push({ act: (one) => endLostValue(one, at), cost: inner ? 8 : q.endsInApostrophe(r, at) ? 2 : 4 });
  const first = key ? q.colonInside(r, at) : -1;
  if (first >= 0) ways.push({ act: (one) => endLostKey(one, at), cost: q.valueAhead(r, first + 1) ? 2 : 4 });
  if (q.restarts(r, at)) ways.push({ act: beginAgain, cost: 2 });
  else if (key && text.charCodeAt(at - 1) === 123 && keyAhead(text, at, r.limit))
    ways.push({ act: beginAgain, cost: 4 });
  if (at === string.content) ways.push({ act: dropQuote, cost: 3 });
  return ways;
}

/** By so much a quote must be the cheapest as content. */
const INNER_MARGIN = 3;

function content(r: Reading): undefined {
  const { pos: at, text, string } = r;
  if (text.charCodeAt(at) === 34) r.edit(at, at, "\\", "inner-quote", false);
  else r.edit(at, at + 1, text[at] as string, "inner-quote", false);
  string.doubt ||= string.role === KEY || r.margin < INNER_MARGIN || q.besideSign(r, at);
  if (!q.standsAlone(r, at)) string.loose++;
  string.open = q.opens(r, at) || (string.open && !q.closes(r, at));
  string.inner++;
  r.pos++;
}

/** `""text"`: the quote was doubled. */
function dropQuote(r: Reading): undefined {
  r.edit(r.pos, r.pos + 1, "", "extra-quote");
  r.pos++;
  r.string.content = r.pos;
}

/** The string was cut, and the outermost value begins again at the brace before `pos`. */
function beginAgain(r: Reading): undefined {
  const { text, string } = r;
  r.pos = text.lastIndexOf("{", r.pos);
  r.state = STOPPED;
  if (string.role === KEY) {
    r.keyAt = string.begin;
    return;
  }
  r.pos = q.behindBlanks(text, string.content, r.pos);
  undoContent(r, r.pos);
  r.edit(r.pos, r.pos, '"', "unclosed", false);
  r.keyAt = -1;
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
