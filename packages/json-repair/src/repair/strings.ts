/** What stands in quotes, whatever the quotes are: how it begins, goes on, and where it ends. */
import * as s from "../decode/signs.js";
import { written } from "../decode/strict.js";
import { assure, leaveOut, undoFrom } from "./edits.js";
import { tookTripled } from "./plain.js";
import * as q from "./quotes.js";
import { FIRST_KEY, KEY, type Reading, STOPPED, STRING, VALUE, type Way } from "./reading.js";
import * as t from "./tokens.js";

const STRANGE = "\\\\\\u0000-\\u001f";
/** A run of content without quotes and control characters, and with no backslash but those of escapes that JSON knows. */
const PLAIN = new RegExp(`(?:[^"”${STRANGE}]+|\\\\(?:[\\\\/bfnrt]|u[\\da-fA-F]{4}|"(?=[.:]| ?\\w))){0,1000}`, "y");
/** In other quotes and in keys: further keys may begin within it, so that each run is short. */
const PLAIN_OTHER = new RegExp(`[^"${s.ALL_CLOSERS}${STRANGE}]{0,200}`, "y");
/** A longer run is read in steps: V8 may keep each of its signs on a stack. */
const LONGEST_RUN = 1_000_000;
const endOfRun = (pattern: RegExp, text: string, at: number) =>
  text.length - at < LONGEST_RUN
    ? t.sticky(pattern, text, at)
    : at + t.sticky(pattern, text.slice(at, at + LONGEST_RUN), 0);

/** Opens the string at `pos`; without an edit if its quote is gone already. */
export function startString(r: Reading, joined?: unknown): undefined {
  const { text, pos } = r;
  const role = r.state === FIRST_KEY ? KEY : r.state;
  const at = t.behindPrefix(text, pos);
  const quote = text.charCodeAt(at);
  if (role === KEY) r.keyAt = at;
  else if (joined !== true && quote < 40 && tookTripled(r, at)) return;
  // `{f"irst": 1}`: the quote may stand in a wrong place.
  const sure = !t.isTemplate(r, at);
  if (at > pos) r.edit(pos, at, "", "quotes", sure && (role !== KEY || quote !== 34));
  if (quote !== 34 && joined !== true) r.edit(at, at + 1, '"', "quotes", sure);
  r.enter(role, quote, at, at + 1, text.slice(pos, at));
}

/** Goes on with the string behind the last one: the quotes between them go. */
export function join(r: Reading, way: Way): undefined {
  const { log, last, valueAt } = r;
  const next = t.behindPlus(r);
  const nth = log?.findLastIndex(({ end }) => end <= last) ?? -1;
  const edited = log?.[nth]?.end === last ? log.splice(nth, 1)[0] : undefined;
  if (edited) r.edit(edited.at, last, edited.by.slice(0, -1), edited.kind, edited.sure);
  r.edit(edited ? last : last - 1, next + 1, "", way.kind, way.doubt?.(r) !== true);
  r.pos = next;
  r.awaitValue();
  startString(r, true);
  r.string.begin = valueAt;
}

/** Reads on in the string, up to its end or to a quote that may be read in several ways. */
export function stepString(r: Reading): readonly Way[] | undefined {
  const { text, limit } = r;
  const { quote, role, raw } = r.string;
  const plain = quote === 34 && role !== KEY && !raw ? PLAIN : PLAIN_OTHER;
  while (r.state === STRING && r.pos < r.horizon) {
    r.pos = Math.min(endOfRun(plain, text, r.pos), limit);
    if (r.pos >= limit) return endOpenString(r);
    const code = text.charCodeAt(r.pos);
    const ways = code < 32 ? readControl(r, code) : code === 92 ? readBackslash(r) : readSign(r, code);
    if (ways !== undefined) return ways;
  }
  return undefined;
}

function readControl(r: Reading, code: number): readonly Way[] | undefined {
  const { role } = r.string;
  const rest = role === KEY ? r.text.slice(r.pos, r.pos + 60) : "";
  // `"name\n": 1`: the line was broken before the quote.
  if (/^\r?\n\s{0,40}"\s{0,8}:/.test(rest)) return leaveOut(r, r.pos + rest.indexOf('"'), "control-character");
  if (role === KEY && (code === 10 || code === 13)) return endLostKey(r, r.pos);
  return keepControl(r, code);
}

/** A line end, behind which the next member may stand on a line of its own, the mark of a mail, or somebody else goes on. */
const MAY_END = /^(?:.?[,{[]\r?\n[ \t]|.?=\r?\n|..?\n(?:>|\n{0,2}(?:(?:Human|User|Assistant)\s?:|<\|\w)))/s;
function keepControl(r: Reading, code: number): undefined {
  const { text, pos } = r;
  const inside = code !== 10 || !MAY_END.test(text.slice(pos - 2, pos + 16));
  const isAddress = /^\w{2,8}:\/\/\S*$/.test(text.slice(r.string.content, pos).slice(0, 200));
  // Several in a row are one repair.
  const told = pos > r.string.content && text.charCodeAt(pos - 1) < 32 ? undefined : "control-character";
  r.edit(pos, pos + 1, code === 10 ? "\\n" : written(String.fromCharCode(code)), told, inside && !isAddress);
  r.pos++;
}

function readBackslash(r: Reading): readonly Way[] | undefined {
  const { text, pos: at, limit, string } = r;
  if (text.charCodeAt(at + 1) === string.quote && q.endsSurely(r, at + 2)) {
    // A path that ends in a backslash, and the quote behind it.
    if (q.inPath(r, at)) return q.keepBackslash(r, at);
    if (s.skipBlanks(text, at + 2, limit) < limit) {
      return [
        { act: (one) => void q.readEscape(one), cost: 0 },
        { act: endWithEscape, cost: 1 },
      ];
    }
  }
  return q.readEscape(r) ? undefined : endOpenString(r);
}

/** `{"a\": 1}`: the quote that should end the string has a backslash. */
function endWithEscape(r: Reading): undefined {
  const held = r.text.slice(r.string.content, r.pos);
  // All of a text, it is what is meant.
  r.edit(r.pos, r.pos + 1, held === "" ? "\\\\" : "", "escape", r.margin >= 3 && held !== "" && !held.includes("\\"));
  r.pos++;
  endString(r);
}

/** A sign that may end the string. */
function readSign(r: Reading, code: number): readonly Way[] | undefined {
  const { text, pos: at, string } = r;
  const own = code === string.quote;
  const doubled = own && code === 39 && text[at + 1] === "'" ? 1 : 0;
  const closer = own || s.closersOf(String.fromCharCode(string.quote)).includes(text[at] as string);
  const isInWord = t.isLetter(text, at - 1) || (code === 0x2019 && at === string.content);
  if ((code === 39 || code === 0x2019) && isInWord && t.isLetter(text, at + 1 + doubled)) {
    // `it's`, `it''s`, `'’s morgens'`
    if (doubled > 0) r.edit(at, at + 1, "", "inner-quote", false);
    r.pos += 1 + doubled;
  } else if (own && q.goesOnInWords(r, at)) {
    r.cost += q.contentCost(r, at);
    content(r);
  } else if (closer && !own && code !== 34 && text.charCodeAt(at + 1) === string.quote) {
    // `'he said ‘yes’'`
    r.pos++;
  } else if (own || (closer && string.quote !== 34)) {
    const next = q.startsNext(r, at);
    const inner = t.inInnerObject(r, at);
    const isPartner = string.open && string.inner % 2 === 1;
    if (next >= 0 || inner || isPartner || !q.endsSurely(r, at + 1)) return waysOfQuote(r, at, next, inner);
    endString(r);
  } else if ((closer || (code === 34 && string.inner === 0)) && q.endsSurely(r, at + 1) && !q.ownBehind(r, at)) {
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

function waysOfQuote(r: Reading, at: number, next: number, inner: boolean): readonly Way[] {
  const { text, string } = r;
  const startsLine = next === at && /\s/.test(text.charAt(at - 1));
  const ways: Way[] = [
    { act: endString, cost: inner ? (!string.open && q.endsSurely(r, at + 1) ? 4 : 7) : startsLine ? 4 : 0 },
    {
      act: content,
      cost: inner
        ? Number(string.inner < 3 || !/[[{]/.test(text[string.content] ?? ""))
        : q.contentCost(r, at) + (next >= 0 ? 2 : 0),
    },
  ];
  if (next >= 0) ways.push({ act: (one) => endLostValue(one, next), cost: inner ? 8 : 4 });
  const colon = string.role === KEY ? q.colonInside(r, at) : -1;
  if (colon >= 0) {
    const moved = s.behindBlanks(text, colon, at) === colon + 1 && t.valueAhead(r, s.skipBlanks(text, at + 1, r.limit));
    ways.push({ act: (one) => (moved ? moveColon : endLostKey)(one, at), cost: 2 });
  }
  if (string.role === KEY && t.opensValue(r, at)) ways.push({ act: endKeyBefore, cost: 3 });
  if (at === string.content) ways.push({ act: dropQuote, cost: 3 });
  else if (q.isBlankSoFar(r, at)) ways.push({ act: dropFirst, cost: 3 });
  return ways;
}

function content(r: Reading): undefined {
  const { pos: at, text, limit, string } = r;
  r.edit(at, at, text[at] === '"' ? "\\" : "", "inner-quote", false);
  // What stands behind it may be the value of a key, or the next member.
  const colon = s.skipBlanks(text, at + 1, limit);
  const key = r.sign(colon) === s.COLON && t.valueAhead(r, s.skipBlanks(text, colon + 1, limit));
  const isOdd = /^(?:.\\"|[\]}],"|.,"\w|.."(?:\\"|,\S|[{[\]}]| ?[+/|{[] | "))/s.test(text.slice(at - 2, at + 4));
  const held = text.slice(Math.max(string.content, at - 200), at);
  const isMember = string.role === KEY ? /[{},]|=>/.test(held) : r.bareKeys && /,\s?\w{1,40}: ?$/.test(held);
  string.doubt ||= isOdd || isMember || key || r.margin < 3 || q.isLone(r, at);
  string.inner += q.closesLow(r, at) ? 2 : 1;
  string.open = q.opens(r, at);
  r.pos++;
}

/** `""text"`: the quote was doubled. */
function dropQuote(r: Reading): undefined {
  r.edit(r.pos, r.pos + 1, "", "extra-quote", r.log !== undefined && t.opensAll(r));
  r.pos++;
  r.string.content = r.pos;
}

/** `"  "text"`: the first quote was too many, and the string begins with the second one. */
function dropFirst(r: Reading): undefined {
  const { begin, role, edits } = r.string;
  undoFrom(r.log ?? [], begin, edits);
  r.edit(begin, begin + 1, "", "extra-quote", role === KEY);
  r.state = role;
}

/** The string ends with the quote at `pos`. */
function endString(r: Reading): undefined {
  const { pos: at, string } = r;
  q.settleEscapes(r);
  if (string.inner % 2 === 1) r.cost += 3;
  else if (string.inner > 0 && !string.doubt) assure(r.log ?? [], "inner-quote", string.edits);
  const other = string.quote !== 34;
  // In French a blank stands on the inside of both.
  const isFrench = /^[«‹][ \u00a0\u202f].*[ \u00a0\u202f]$/s.test(other ? r.text.slice(string.content - 1, at) : "");
  if (isFrench) r.edit(string.content, string.content + 1, "");
  if (other || r.text.charCodeAt(at) !== 34) r.edit(at - Number(isFrench), at + 1, '"', other ? undefined : "quotes");
  leaveString(r, at + 1);
}

function leaveString(r: Reading, end: number): undefined {
  r.pos = end;
  return r.string.role === KEY ? r.keyEnded(r.string.begin, end) : r.ended(r.string.begin);
}

/** The colon of `"key:" 1` goes behind the quote. */
function moveColon(r: Reading, quote: number): undefined {
  const end = s.behindBlanks(r.text, r.string.content, q.colonInside(r, quote));
  undoFrom(r.log ?? [], end, r.string.edits);
  r.edit(end, quote + 1, '":', "extra-colon", false);
  leaveString(r, quote + 1);
  r.state = VALUE;
}

/** The quote behind the blank is that of the value: that of the key, and the colon, are missing. */
function endKeyBefore(r: Reading): undefined {
  r.edit(r.pos - 1, r.pos, '":', "missing-quote", false);
  leaveString(r, r.pos);
  r.state = VALUE;
}

/** Ends the key before its first colon, or at `until`. */
function endLostKey(r: Reading, until: number): undefined {
  const { content } = r.string;
  const colon = q.colonInside(r, until);
  endLost(r, s.behindBlanks(r.text, content, colon < 0 ? until : colon));
}

/** Ends the string before the comma that precedes `at`. */
function endLostValue(r: Reading, at: number): undefined {
  const { content } = r.string;
  const comma = s.behindBlanks(r.text, content, at) - 1;
  // `{"a": {"b": "c}, "d": 1}`: brackets without partners in the string close what is around it.
  const ends = q.closersBefore(r, r.sign(comma) === s.COMMA ? s.behindBlanks(r.text, content, comma) : comma + 1);
  endLost(r, ends[Math.min(ends.length, r.depth) - 1] as number);
}

/** So many characters more than the text has may be read again, behind strings that have lost their quotes. */
const MOST_AGAIN = 100_000;

/** Ends the string at `end`, where its quote is missing, or another sign stands in its place. */
function endLost(r: Reading, end: number, sure = true): undefined {
  const { text, string, log = [] } = r;
  const isInner = /(?<![\p{L}\p{N}])['„‚»«›‹‘][^']*$/u.test(text.slice(Math.max(string.content, end - 200), end - 1));
  const sign = r.sign(end - 1);
  const mixed = string.quote !== 39 && sign === s.QUOTE && text[end - 1] !== '"' && text[end - 1] !== "`" && !isInner;
  const isPair = t.isClosingSign(sign) && t.openBefore(text, string.content, end - 1, text.charCodeAt(end - 1)) >= 0;
  const other = sign >= s.OPEN_OBJECT && sign <= s.COMMA && sign !== s.CLOSE_ROUND && !isPair;
  let from = mixed || other ? end - 1 : end;
  r.again += r.pos - end;
  if (r.again > MOST_AGAIN + r.limit - r.start) return r.fail("not-json");
  undoFrom(log, from, string.edits);
  // The backslash before a line end goes with that.
  const isEscaped = (log.at(-1)?.end ?? 0) > from;
  if (isEscaped) from = log.pop()?.at ?? from;
  q.settleEscapes(r, from);
  const isOne = !(mixed && /[^'”“＂]/.test(text.charAt(end - 1))) && q.surelyWhole(r, end);
  r.edit(from, end, '"', mixed ? "quotes" : "missing-quote", sure && !isEscaped && isOne);
  leaveString(r, end);
}

/** A string that the text breaks off in, or whose quote is missing before the last brackets. */
function endOpenString(r: Reading): undefined {
  const { limit, string } = r;
  const stop = t.endOfText(r);
  if (string.role === KEY) {
    r.cost += 3;
    if (q.colonInside(r, stop) >= 0) return endLostKey(r, stop);
    r.state = STOPPED;
    return;
  }
  r.cost += 5;
  const closed = q.lostAtEnd(r, stop);
  // What ends a statement or a turn behind the brackets may be content as well. `[["a]]`: a bracket may be doubled, and one content.
  if (closed >= 0) return endLost(r, closed, !r.top?.leads && !/[;)`'>]/.test(r.text.slice(closed, stop)));
  const line = r.log ? q.lostAtLine(r, stop) : -1;
  if (line >= 0) {
    r.complete = false;
    return endLost(r, line, false);
  }
  undoFrom(r.log ?? [], stop, string.edits);
  r.edit(stop, limit, '"', "unclosed", false);
  r.complete = false;
  leaveString(r, limit);
}
