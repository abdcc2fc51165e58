/** Where a key may start, and what stands between it and its value. */
import { literalAhead } from "./bare-values.js";
import { closersLeft, listEndsBehind, oneCloserMore, readCloser } from "./closers.js";
import { keyAndColonAhead, plainKeyAhead, quoteAndColonAhead } from "./key-ahead.js";
import {
  backslashBefore,
  behindPrefix,
  bulletEnd,
  ellipsisEnd,
  isDigitOrMinus,
  isQuote,
  REMARK,
  skipBlanks,
  skipEllipsis,
  sticky,
} from "./lexing.js";
import { type Expected, LIST, OBJECT, type ParserState, type Unreadable } from "./state.js";
import { readString } from "./strings.js";
import { endWithoutValue } from "./values.js";

/** A string, a number or a literal, and what follows it in a list. */
const ELEMENT = /(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None)\s{0,40}[,\]]/y;
const SIMPLE_NAME = /[A-Za-z_$][\w$]*/y;
const UNQUOTED_KEY = /[\p{L}\p{N}_$@.*/-][\p{L}\p{N}_$@.*/ -]{0,100}/uy;
const DOUBLED_QUOTE = /""[\p{L}_]/uy;
/** `["key"] = `, as Lua writes it. */
const BRACKETED_KEY = /\[\s{0,8}(?:"[^"\n\\]{0,100}"|'[^'\n\\]{0,100}')\s{0,8}\](?=\s{0,8}[=:])/y;
const SINGLE_QUOTE_AND_COLON = /'\s{0,8}:/y;

export function readKey(s: ParserState, c: string): Expected | Unreadable {
  const { text, pos } = s;
  const first = s.members === 0;
  if (s.comma >= 0 && c !== "}" && !plainKeyAhead(s, pos) && elementAsKey(s, c)) return "value";
  const quoted = isQuote(c);
  const next = quoted ? undefined : readSign(s, c, first);
  if (next !== undefined) return next;
  s.keyAt = pos;
  if (!quoted) return readBareKey(s, first);
  // `""key": …`: the quote was doubled.
  if (c === '"' && sticky(DOUBLED_QUOTE, text, pos) >= 0) {
    s.edit(pos, pos + 1, "", "extra-quote", false);
    s.pos++;
  }
  return readString(s, "key") ? "colon" : "stop";
}

/** What is no key; undefined where one starts. */
function readSign(s: ParserState, c: string, first: boolean): Expected | Unreadable | undefined {
  const { text, pos } = s;
  switch (c) {
    case "}":
    case "]":
    case ")":
      readCloser(s, c);
      return "after";
    case ",":
    case "，":
    case "،":
      s.edit(pos, pos + 1, "", "extra-comma", first);
      s.pos++;
      return "key";
    case ".":
    case "…": {
      const end = ellipsisEnd(text, pos);
      if (end < 0) break;
      skipEllipsis(s, end, "");
      return "key";
    }
    case "{":
      return openerAsKey(s, first);
    case "(": {
      const end = sticky(REMARK, text, pos);
      if (end < 0 || !isQuote(text[skipBlanks(s, end)])) break;
      s.edit(pos, end, "", "comment", false);
      s.pos = end;
      return "key";
    }
    case ":":
      if (!isQuote(text[skipBlanks(s, pos + 1)])) break;
      s.edit(pos, pos + 1, "", "extra-colon", false);
      s.pos++;
      return "key";
    case "\\":
      return s.fail(backslashBefore(text[pos + 1]));
    case "[": {
      const end = sticky(BRACKETED_KEY, text, pos);
      if (end < 0) break;
      s.keyAt = pos;
      s.edit(
        pos,
        end,
        JSON.stringify(
          text
            .slice(pos + 1, end - 1)
            .trim()
            .slice(1, -1),
        ),
        "unquoted",
      );
      s.pos = end;
      return "colon";
    }
    case "-":
    case "*":
    case "•": {
      const end = bulletEnd(text, pos);
      if (end < 0) break;
      s.edit(pos, end, "", "comment", false);
      s.pos = end;
      return "key";
    }
  }
  const quote = behindPrefix(text, pos);
  if (quote > pos) {
    s.edit(pos, quote, "", "quotes");
    s.pos = quote;
    return "key";
  }
  return undefined;
}

/** A brace where a key should be: one too many, or the start of the next object of a list. */
function openerAsKey(s: ParserState, first: boolean): Expected | Unreadable {
  const { pos, comma } = s;
  if (first) {
    s.edit(pos, pos + 1, "", "extra-opener", false);
    s.pos++;
    return "key";
  }
  if (s.parent === undefined || s.parent === OBJECT) {
    // Its closer is there: what it holds are members of the object around.
    if (closersLeft(s, pos) < s.depth || !keyAndColonAhead(s, skipBlanks(s, pos + 1))) return s.fail("not-json");
    s.edit(pos, pos + 1, "", "extra-opener", false);
    s.pos++;
    return "key";
  }
  const at = comma >= 0 ? comma : pos;
  s.edit(at, at, comma >= 0 ? "}" : "},", "missing-closer", false);
  s.leave();
  return "value";
}

/**
 * What stands in place of a key is the member of a list, and one bracket more closes than is open: the list before has
 * closed too early, or its opening bracket is missing.
 */
function elementAsKey(s: ParserState, c: string): boolean {
  const { text, pos, last, comma, valueAt } = s;
  if (c !== "{" && c !== "[" && sticky(ELEMENT, text, pos) < 0) return false;
  // `"a”: "b",` may be read as either: a key stays one.
  if (isQuote(c) && keyAndColonAhead(s, pos)) return false;
  if (valueAt <= s.start || !oneCloserMore(s, pos) || !listEndsBehind(s, pos)) return false;
  if (s.closedBy("]")) s.edit(last - 1, last, "", "extra-closer", false);
  else s.edit(valueAt - 1, valueAt, `${text[valueAt - 1]}[`, "missing-opener", false);
  s.push(LIST, 1);
  s.comma = comma;
  return true;
}

/** A key without quotes, or with one of them. */
function readBareKey(s: ParserState, first: boolean): Expected | Unreadable {
  const { text, pos, limit } = s;
  const name = nameAt(text, pos);
  if (name === undefined) return first ? s.fail("not-json") : "stop";
  const end = pos + name.length;
  const quoted =
    text[end] === '"' || text[end] === "”" || (text[end] === "'" && sticky(SINGLE_QUOTE_AND_COLON, text, end) >= 0);
  const from = quoted ? end + 1 : end;
  const next = skipBlanks(s, from);
  const sign = text[next];
  if (!quoted && next > from && isQuote(sign) && keyAndColonAhead(s, next)) {
    // Words before a quoted key: a remark that has lost its marks.
    s.edit(pos, next, "", "comment", false);
    s.pos = next;
    return "key";
  }
  if (end >= limit && !first) {
    s.pos = limit;
    return "stop";
  }
  const arrow = text[next + 1] === ">";
  const assigned = (sign === "=" || (sign === "-" && arrow)) && (!first || s.depth > 1 || arrow);
  if (sign !== ":" && sign !== "：" && !assigned) {
    if (first) return s.fail("not-json");
    // Not a member: what was read so far is all there is.
    if (end < limit) return "stop";
  }
  s.edit(pos, from, `"${name}"`, quoted ? "missing-quote" : "unquoted", true);
  if (!quoted) {
    s.bareKeys = true;
    if (/^\d| /.test(name)) s.wordyKeys = true;
  }
  s.pos = from;
  return "colon";
}

/** A name without quotes; it has no sign that JSON would have to escape. */
function nameAt(text: string, at: number): string | undefined {
  const plain = sticky(SIMPLE_NAME, text, at);
  if (plain > 0 && text[plain] === ":") return text.slice(at, plain);
  UNQUOTED_KEY.lastIndex = at;
  return UNQUOTED_KEY.exec(text)?.[0]?.trimEnd();
}

/** Between a key and its value. */
export function readColon(s: ParserState, c: string): Expected | Unreadable {
  const { text, pos } = s;
  const nothingRead = s.members === 0 && s.depth === 1;
  switch (c) {
    case ":":
      if (text[pos + 1] === "=") return readSeparator(s, pos + 2);
      s.pos++;
      return "value";
    case "：":
      return readSeparator(s, pos + 1);
    case "=":
      return readSeparator(s, text[pos + 1] === ">" ? pos + 2 : pos + 1);
    case "-":
      if (text[pos + 1] === ">") return readSeparator(s, pos + 2);
      break;
    case ",":
    case "}":
    case "]":
      if (nothingRead) return s.fail("not-json");
      if (listInBraces(s, c)) return "after";
      endWithoutValue(s, ":null");
      return "after";
  }
  if (isQuote(c) && quoteAndColonAhead(s, pos)) {
    s.edit(pos, pos + 1, "", "extra-quote", false);
    s.pos++;
    return "colon";
  }
  if (isQuote(c) || c === "{" || c === "[" || isDigitOrMinus(c) || literalAhead(s, pos)) {
    s.edit(pos, pos, ":", "missing-colon", false);
    return "value";
  }
  return nothingRead ? s.fail("not-json") : "stop";
}

/** `{"a", "b"}`: right behind the brace a string that is no key, and no key behind it; a list was meant. */
function listInBraces(s: ParserState, c: string): boolean {
  const { last, pos } = s;
  if (s.members > 0 || s.text[last - 1] !== "{") return false;
  if (c === "," && keyAndColonAhead(s, skipBlanks(s, pos + 1))) return false;
  s.edit(last - 1, last, "[", "wrong-opener", false);
  s.retype(LIST);
  s.endMember();
  return true;
}

/** Another sign in place of the colon. */
function readSeparator(s: ParserState, end: number): Expected {
  s.edit(s.pos, end, ":", "separator");
  s.pos = end;
  return "value";
}
