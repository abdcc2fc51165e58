/** Where a value may start. */
import { readBareValue } from "./bare-values.js";
import { closersLeft, readCloser } from "./closers.js";
import { keyAndColonAhead, keyAndValueAhead } from "./key-ahead.js";
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
  const quoted = isQuote(c);
  if (quoted && top === OBJECT && lineEndBetween(s, s.last, pos) && keyAndValueAhead(s, pos)) {
    endWithoutValue(s, "null");
    return "after";
  }
  if (quoted && top === LIST) {
    const meant = keyInList(s);
    if (meant) return "key";
  }
  s.keyAt = -1;
  const going = quoted ? readString(s, "value") : readBareValue(s);
  if (typeof going !== "boolean") return going;
  s.endMember();
  return going || s.pos < s.limit ? "after" : "stop";
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
  const { pos, last, comma } = s;
  if (s.members === 0) {
    if (s.text[last - 1] !== "[" || !keyAndValueAhead(s, pos)) return false;
    s.edit(last - 1, last, "{", "wrong-opener", false);
    s.retype(OBJECT);
    return true;
  }
  if (s.parent !== OBJECT && keyAndValueAhead(s, pos) && closersLeft(s, pos) > s.depth) {
    // `[{"a": 1}, "a": 2}]`
    s.edit(pos, pos, "{", "missing-opener", false);
    return s.push(OBJECT);
  }
  if (s.parent !== OBJECT || !keyAndColonAhead(s, pos)) return false;
  const at = comma >= 0 ? comma : pos;
  s.edit(at, at, comma >= 0 ? "]" : "],", "missing-closer", false);
  s.leave();
  return true;
}
