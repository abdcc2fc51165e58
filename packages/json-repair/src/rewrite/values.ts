/** Where a value may start. */
import { readBareValue } from "./bare-values.js";
import { oneCloserMore, readCloser } from "./closers.js";
import { bareKeyAhead, keyAndColonAhead, keyAndValueAhead, plainKeyAhead } from "./key-ahead.js";
import {
  backslashBefore,
  bulletEnd,
  ellipsisEnd,
  isDigitOrMinus,
  isQuote,
  lineEndBetween,
  skipBlanks,
  skipEllipsis,
  sticky,
} from "./lexing.js";
import { type Expected, type Frame, frameOf, LIST, OBJECT, type ParserState, type Unreadable } from "./state.js";
import { readString } from "./strings.js";

/** `/^[a-z]+$/i`, as JavaScript writes it. */
const REGULAR_EXPRESSION =
  /\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,300}\/[a-z]{0,8}(?=\s{0,40}(?:[,}\]]|$))/y;

const ARROW_FUNCTION = /\([^()\n]{0,80}\)\s{0,8}=>/y;

export function readValue(s: ParserState, c: string): Expected | Unreadable {
  const quoted = isQuote(c);
  const next = quoted ? undefined : readSign(s, c);
  if (next !== undefined) return next;
  const { pos, top } = s;
  if (top === LIST && (quoted || s.bareKeys) && keyInList(s)) return "key";
  if (top === OBJECT && quoted && lostBrace(s)) return "key";
  // Right behind the colon, or a blank more, no line has ended.
  const near = s.text[pos - 1] === ":" || (s.text[pos - 1] === " " && s.text[pos - 2] === ":");
  if (quoted && top === OBJECT && !near && lineEndBetween(s, s.last, pos) && keyAndValueAhead(s, pos)) {
    endWithoutValue(s, "null");
    return "after";
  }
  s.keyAt = -1;
  s.valueAt = pos;
  const going = quoted ? readString(s, "value") : readBareValue(s);
  if (typeof going !== "boolean") return going;
  s.endMember();
  return going || s.pos < s.limit ? "after" : "stop";
}

/** What is no string, number or word; undefined where one of them starts. */
function readSign(s: ParserState, c: string): Expected | Unreadable | undefined {
  const { text, pos, top } = s;
  switch (c) {
    case "{":
      if (top === OBJECT && text[skipBlanks(s, pos + 1)] === "{") {
        s.edit(pos, pos + 1, "", "extra-opener", false);
        s.pos++;
        return "value";
      }
      return open(s, c);
    case "[":
      return open(s, c);
    case "(":
      if (sticky(ARROW_FUNCTION, text, pos) >= 0) return s.fail("not-json");
      if (top === undefined || !/[\d"'([{\s)]/.test(text[pos + 1] ?? "")) break;
      return open(s, c);
    case "}":
    case "]":
    case ")":
      if (top === OBJECT) {
        s.edit(pos, pos, "null", "missing-value", false);
        s.endToken();
      }
      readCloser(s, c);
      return "after";
    case ",":
    case "，":
    case "،":
      if (top === OBJECT) {
        endWithoutValue(s, "null");
        return "after";
      }
      s.edit(pos, pos + 1, "", "extra-comma", false);
      s.pos++;
      return "value";
    case ":":
    case "：":
      if (top !== OBJECT) break;
      s.edit(pos, pos + 1, "", "extra-colon", false);
      s.pos++;
      return "value";
    case ".":
    case "…": {
      const end = ellipsisEnd(text, pos);
      if (end < 0) break;
      skipEllipsis(s, end, top === OBJECT ? "null" : "");
      if (top !== OBJECT) return "value";
      s.endToken();
      return "after";
    }
    case "\\":
      return s.fail(backslashBefore(text[pos + 1]));
    case "/": {
      const end = sticky(REGULAR_EXPRESSION, text, pos);
      if (end < 0 || end > s.limit) return s.fail("foreign");
      s.edit(pos, end, JSON.stringify(text.slice(pos, end)), "unquoted", false);
      s.pos = end;
      s.endMember();
      return "after";
    }
  }
  if (top === LIST && (c === "-" || c === "*" || c === "•" || isDigitOrMinus(c))) {
    const end = bulletEnd(text, pos);
    if (end >= 0) {
      s.edit(pos, end, "", "comment", false);
      s.pos = end;
      return "value";
    }
  }
  return undefined;
}

/** A key has no value: null stands for it. */
export function endWithoutValue(s: ParserState, by: "null" | ":null"): void {
  s.edit(s.pos, s.pos, by, "missing-value", false);
  s.endMember();
}

function open(s: ParserState, c: string): Expected | Unreadable {
  if (c === "(" && keyAndColonAhead(s, skipBlanks(s, s.pos + 1))) {
    s.edit(s.pos, s.pos + 1, "{", "wrong-opener", false);
    return push(s, OBJECT);
  }
  if (c === "(") s.edit(s.pos, s.pos + 1, "[", "quotes");
  else if (s.text[s.pos] !== c) s.edit(s.pos, s.pos + 1, c, "wrong-opener");
  return push(s, frameOf(c));
}

function push(s: ParserState, frame: Frame): Expected | Unreadable {
  if (!s.push(frame)) return s.fail("too-deep");
  s.pos++;
  s.last = s.pos;
  s.keyAt = -1;
  return frame === OBJECT ? "key" : "value";
}

/** A key in a list: right behind its bracket another bracket was meant; else the list was not closed. */
function keyInList(s: ParserState): boolean {
  const { text, pos, last, comma } = s;
  const first = s.members === 0;
  const behindObject = comma >= 0 && text[last - 1] === "}";
  if (!first && !behindObject && s.parent !== OBJECT) return false;
  if (!(isQuote(text[pos]) ? keyAndColonAhead(s, pos) : bareKeyAhead(s, pos))) return false;
  if (behindObject && s.closedBy("}") && oneCloserMore(s, pos)) {
    // One bracket too many closes behind it: the object before has closed too early, if it lacks the key and others have it.
    const key = keyText(text, pos);
    const again =
      hasKey(text.slice(s.valueAt, Math.min(last, s.valueAt + OBJECT_LENGTH)), key) ||
      !hasKey(text.slice(pos + key.length + 1, pos + OBJECT_LENGTH), key);
    if (again) s.edit(pos, pos, "{", "missing-opener", false);
    else s.edit(last - 1, last, "", "extra-closer", false);
    s.push(OBJECT, again ? 0 : 1);
    if (!again) s.comma = comma;
    return true;
  }
  if (first) {
    if (text[last - 1] === "[" && oneCloserMore(s, pos)) {
      s.edit(pos, pos, "{", "missing-opener", false);
      s.push(OBJECT);
      return true;
    }
    if (s.text[last - 1] !== "[" || !keyAndValueAhead(s, pos)) return false;
    s.edit(last - 1, last, "{", "wrong-opener", false);
    s.retype(OBJECT);
    return true;
  }
  if (s.parent !== OBJECT || !isQuote(text[pos])) return false;
  const at = comma >= 0 ? comma : pos;
  s.edit(at, at, comma >= 0 ? "]" : "],", "missing-closer", false);
  s.leave();
  return true;
}

/** `{"a": "b": 1}, "c": 2}`: a key in place of a value, and one bracket more closes than is open. */
function lostBrace(s: ParserState): boolean {
  const { pos } = s;
  if (!plainKeyAhead(s, pos) || !keyAndValueAhead(s, pos) || !oneCloserMore(s, pos)) return false;
  s.edit(pos, pos, "{", "missing-opener", false);
  s.push(OBJECT);
  return true;
}

/** So much of an object is searched for a key. */
const OBJECT_LENGTH = 2_000;

function keyText(text: string, at: number): string {
  return /[\p{L}\p{N}_$][^"'”’:]{0,60}/u.exec(text.slice(at, at + 80))?.[0].trim() ?? "";
}

function hasKey(object: string, key: string): boolean {
  for (let at = object.indexOf(key); at >= 0 && key !== ""; at = object.indexOf(key, at + 1)) {
    if (
      /[\s"'“‘{,]/.test(object[at - 1] ?? " ") &&
      /^["'”’]?\s{0,8}[:：=]/.test(object.slice(at + key.length, at + key.length + 12))
    )
      return true;
  }
  return false;
}
