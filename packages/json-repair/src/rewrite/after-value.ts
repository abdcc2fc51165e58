/** What stands behind a value: a comma or a closer, and what may stand in their place. */
import { literalAhead } from "./bare-values.js";
import { closesOrSeparates, readCloser } from "./closers.js";
import { bareKeyAhead, keyAhead, keyAndColonAhead } from "./key-ahead.js";
import { backslashBefore, ellipsisEnd, isDigitOrMinus, isQuote, REMARK, skipBlanks, sticky } from "./lexing.js";
import { type Expected, OBJECT, type ParserState, TUPLE, type Unreadable } from "./state.js";
import { STRAY_WORDS, stringGoesOn } from "./string-end.js";
import { readString } from "./strings.js";

const QUOTE_AND_SIGN = /.\s{0,20}(?:[,}\]]|$)/y;

export function readAfterValue(s: ParserState, c: string): Expected | Unreadable {
  const { text, pos } = s;
  const member: Expected = s.top === OBJECT ? "key" : "value";
  switch (c) {
    case ",":
      s.comma = pos;
      s.pos++;
      return member;
    case "}":
    case "]":
      readCloser(s, c);
      return "after";
    case ")":
      // A round bracket that nothing follows may belong to the words around.
      if (!s.isOpen(TUPLE) && !closesOrSeparates(s, skipBlanks(s, pos + 1))) break;
      readCloser(s, c);
      return "after";
    case ";":
    case "，":
    case "、":
    case "､":
    case "،":
    case "؛":
    case "；": {
      // `{ color: red; }`, `{ name: string; age: number }`: code.
      if (c === ";" && s.bareKeys) return s.fail("not-json");
      const next = skipBlanks(s, pos + 1);
      const last = next >= s.limit || text[next] === "}" || text[next] === "]";
      s.edit(pos, pos + 1, last ? "" : ",", "separator", last || c !== ";");
      s.pos++;
      return member;
    }
    case "+":
      if (!isQuote(text[skipBlanks(s, pos + 1)]) || !isQuote(text[s.last - 1])) break;
      return concatenate(s, skipBlanks(s, pos + 1));
    case ".":
    case "…": {
      const end = ellipsisEnd(text, pos);
      if (end < 0) return skipStraySign(s);
      s.edit(pos, end, "", "ellipsis", false);
      s.pos = end;
      return "after";
    }
    case "(": {
      const end = sticky(REMARK, text, pos);
      if (end < 0 || !closesOrSeparates(s, skipBlanks(s, end))) break;
      s.edit(pos, end, "", "comment", false);
      s.pos = end;
      return "after";
    }
    case "|":
      return skipStraySign(s);
    case "\\":
      if (backslashBefore(text[pos + 1]) === "markdown") return s.fail("markdown");
      return skipStraySign(s);
  }
  return s.top === OBJECT ? afterMember(s, c) : afterElement(s, c);
}

/** `"a" + "b"`, `"a" "b"`: the quotes on both sides of the sign go, whether they are edited or as they stand. */
function concatenate(s: ParserState, next: number): Expected {
  const { edits, last } = s;
  let before = Math.max(s.firstEdit, edits.length - 3);
  while (before < edits.length && !(edits.end(before) === last && edits.by(before).endsWith('"'))) before++;
  const edited = before < edits.length;
  if (edited) {
    edits.writeOut(before, s.text);
    edits.setBy(before, edits.by(before).slice(0, -1));
  }
  s.edit(edited ? last : last - 1, next, "", "concatenation");
  s.pos = next;
  const count = edits.length;
  const going = readString(s, "value");
  if (edits.length > count && edits.at(count) === next && edits.by(count).startsWith('"')) {
    edits.writeOut(count, s.text);
    edits.setBy(count, edits.by(count).slice(1));
  } else s.edit(next, next + 1, "", undefined);
  s.last = s.pos;
  return going || s.pos < s.limit ? "after" : "stop";
}

/** A stray sign between members. */
function skipStraySign(s: ParserState): Expected {
  const next = skipBlanks(s, s.pos + 1);
  const c = s.text[next];
  if (s.top === OBJECT && isQuote(c) && keyAndColonAhead(s, next)) {
    s.edit(s.pos, next, ",", "separator", false);
    s.comma = s.pos;
    s.pos = next;
    return "key";
  }
  if (c !== "," && c !== "}" && c !== "]") return "stop";
  s.edit(s.pos, next, "", "separator", false);
  s.pos = next;
  return "after";
}

function afterMember(s: ParserState, c: string): Expected {
  const { text, pos } = s;
  const quote = isQuote(c);
  if (quote && sticky(QUOTE_AND_SIGN, text, pos) >= 0) {
    s.edit(pos, pos + 1, "", "extra-quote", false);
    s.pos++;
    return "after";
  }
  if (quote && isQuote(text[s.last - 1]) && stringGoesOn(s, s.last, pos)) return concatenate(s, pos);
  if ((quote && keyAhead(s, pos)) || bareKeyAhead(s, pos)) {
    s.edit(pos, pos, ",", "missing-comma", quote);
    return "key";
  }
  if (sticky(STRAY_WORDS, text, pos) >= 0) {
    const end = pos + text.slice(pos, pos + 140).search(/[}\]]/);
    s.edit(pos, end, "", "comment", false);
    s.pos = end;
    return "after";
  }
  if (c === "{" && s.parent !== undefined && s.parent !== OBJECT) {
    s.edit(pos, pos, "},", "missing-closer", false);
    s.leave();
    return "value";
  }
  return "stop";
}

function afterElement(s: ParserState, c: string): Expected | Unreadable {
  const { pos } = s;
  if (c === ":") return s.fail("foreign");
  const quote = isQuote(c);
  if (quote && s.parent === OBJECT && keyAndColonAhead(s, pos)) {
    s.edit(pos, pos, "],", "missing-closer", false);
    s.leave();
    return "key";
  }
  const tuple = c === "(" && s.text[s.last - 1] === ")";
  if (quote || tuple || c === "{" || c === "[" || isDigitOrMinus(c) || literalAhead(s, pos)) {
    s.edit(pos, pos, ",", "missing-comma");
    return "value";
  }
  return "stop";
}
