/** Keys and values in quotes, whatever the quotes, and what stands in them. */
import { runWithout } from "../strict.js";
import { controlEscape, readEscape } from "./escapes.js";
import { keyAndColonAhead } from "./key-ahead.js";
import { CLOSERS, isJsonBlank, isQuote, skipBlanks, sticky } from "./lexing.js";
import {
  colonOfLostKey,
  endLostKey,
  endLostValue,
  escapedEnd,
  KEY_LENGTH,
  memberAfterLostQuote,
} from "./lost-quotes.js";
import { closerOf, LINE_END, OBJECT, type ParserState, TUPLE } from "./state.js";
import { endsFirmly, endsKey, endsValue, inInnerObject } from "./string-end.js";

const PLAIN_DOUBLE = runWithout('"”');
const PLAIN_SINGLE = runWithout("'’\"");
const PLAIN_OTHER = runWithout(`"${Object.values(CLOSERS).join("")}`);
/** The first line of a Markdown code block that names its language. */
const CODE_BLOCK = /\n[ \t]{0,8}```[\w+#.-]+[ \t]*\n/y;
const APOSTROPHE = /\p{L}['’]\p{L}/uy;
/** `it''s`, as SQL and YAML write it. */
const DOUBLED_APOSTROPHE = /\p{L}''\p{L}/uy;
/** Behind a quote: two more, which do not stand before a sign of JSON. */
const TWO_MORE_QUOTES = /(?:""|'')(?!\s{0,20}[,}\]:])/y;

/** A number or a literal, and what ends a member. */
const BARE_VALUE = /(?:true|false|null|None|True|False|-?\d[\d.eE+-]{0,40})\s{0,40}[,}\n]/y;

/** A doubled opening quote counts as one if the string ends this near. */
const DOUBLED_QUOTE_DISTANCE = 2_000;
/** So many signs before the end of the text are searched for the brackets that end it. */
const TAIL_LENGTH = 400;

/** From a quote on; `pos` is behind the string then. False at the end of the text. */
export function readString(s: ParserState, role: "key" | "value"): boolean {
  const { text, limit } = s;
  const begin = s.pos;
  const opener = text[begin] as string;
  const closers = CLOSERS[opener] ?? opener;
  /** Not JSON's own quote. */
  const foreign = opener !== '"';
  const keptEdits = s.edits.length;

  s.pos++;
  const doubled = text[s.pos] === opener && (opener === '"' || opener === "'");
  if (doubled && role === "value" && sticky(TWO_MORE_QUOTES, text, s.pos) >= 0) return readTripled(s, begin, opener);
  if (foreign) s.edit(begin, begin + 1, '"', "quotes");
  else if (doubled) {
    // `""x"`: the opening quote was doubled, unless the inner one has a partner before the end.
    if (s.pos + 1 < limit && !endsHere(s, role, s.pos, s.pos, 0)) {
      const next = s.source.next('"', s.pos + 1);
      if (next > 0 && next < limit && next - s.pos < DOUBLED_QUOTE_DISTANCE && endsHere(s, role, next, s.pos + 1, 0)) {
        s.edit(s.pos, s.pos + 1, "", "extra-quote", false);
        s.pos++;
      }
    }
  }
  const content = s.pos;
  /** Quotes so far that were content; double ones in a string of other quotes. */
  let inner = 0;
  let doubleInner = 0;
  const plain = opener === '"' ? PLAIN_DOUBLE : opener === "'" ? PLAIN_SINGLE : PLAIN_OTHER;
  const path = startsPath(text, content);
  /** Where a Markdown code block ends that began on a raw line of this string: what stands in it is content. */
  let codeEnd = -1;
  /** Where the blanks end that were looked behind already. */
  let blankEnd = -1;
  for (;;) {
    plain.lastIndex = s.pos;
    plain.test(text);
    const at = plain.lastIndex;
    s.pos = at;
    if (at >= limit) return endOpenString(s, role, begin, content, keptEdits);
    const c = text[at] as string;
    const code = text.charCodeAt(at);
    if (code < 32) {
      // Raw line ends are content, unless the key before them has lost its closing quote.
      if (role === "key" && (code === 10 || code === 13)) {
        endLostKey(s, begin, content, at);
        return true;
      }
      // A run of line ends is one repair; the last of them tells what follows.
      let end = at + 1;
      while (code === 10 && end < limit && text.charCodeAt(end) === 10) end++;
      if (role === "value" && code === 10 && at > codeEnd) {
        if (at >= blankEnd) {
          if (memberAfterLostQuote(s, end) && !inInnerObject(s, content, at)) {
            endLostValue(s, begin, at, keptEdits);
            return true;
          }
          if (s.top === OBJECT) blankEnd = skipBlanks(s, end);
        }
        codeEnd = endOfCode(s, end - 1);
      }
      s.edit(at, end, code === 10 ? LINE_END.repeat(end - at) : controlEscape(code), "control-character");
      s.pos = end;
      continue;
    }
    if (code === 92) {
      // A path that ends in a backslash, and the quote behind it.
      if (path && text[at + 1] === '"' && closers.includes('"') && endsHere(s, role, at + 1, content, 0)) {
        s.edit(at, at, "\\", "escape", false);
        s.foreignEscapes.add(begin);
        s.pos++;
      } else if (!readEscape(s, role, begin, path, opener)) {
        return endOpenString(s, role, begin, content, keptEdits);
      }
      continue;
    }
    const closing = c === opener || closers.includes(c);
    if (c === "'" && opener === "'" && text[at + 1] === "'" && sticky(DOUBLED_APOSTROPHE, text, at - 1) >= 0) {
      s.edit(at, at + 1, "", "inner-quote", false);
      s.pos += 2;
      continue;
    }
    if (at < codeEnd && (c === '"' || closing)) {
      if (c === '"') s.edit(at, at, "\\", "inner-quote", false);
      s.pos++;
      continue;
    }
    if (closing) {
      if (role === "key") {
        const colon = colonInside(s, content, at);
        if (colon >= 0) {
          s.edit(colon, at + 1, '"', "extra-colon", false);
          s.pos++;
          return true;
        }
        if (c === opener || c === '"' || !foreign) {
          const colon = colonOfLostKey(s, content, at);
          if (colon >= 0) {
            endLostKey(s, begin, content, colon);
            return true;
          }
        }
      } else if ((c === '"' || c === opener) && at > content && followsSeparator(text, at)) {
        if (memberAfterLostQuote(s, at) && !inInnerObject(s, content, at)) {
          endLostValue(s, begin, at, keptEdits);
          return true;
        }
      }
      const mayEnd = c === opener || foreign || (c === "”" && endsFirmly(s, at, role));
      if (mayEnd && endsHere(s, role, at, content, inner)) {
        if (foreign && s.edits.length === keptEdits + 1 && s.suspects[s.suspects.length - 1]?.string !== begin) {
          // Nothing else was wrong with it: one edit for the whole string.
          s.edits.putAround(keptEdits, at + 1);
        } else if (c !== '"') s.edit(at, at + 1, '"', foreign ? undefined : "quotes", false);
        s.pos++;
        return true;
      }
      // `"rep{"success": …`: the answer was begun again.
      if (role === "key" && c === '"' && text[at - 1] === "{" && keyAndColonAhead(s, at)) {
        s.pos = at - 1;
        s.keyAt = begin;
        return false;
      }
      if (c === '"') s.edit(at, at, "\\", "inner-quote", false);
      // JSON takes it as it is; that it is content may be read in another way, but not in `it's`.
      else if (sticky(APOSTROPHE, text, at - 1) < 0) s.edit(at, at + 1, c, "inner-quote", false);
      inner++;
      s.pos++;
      continue;
    }
    s.pos++;
    if (c !== '"') continue;
    // `'a"`: the quotes were mixed up.
    if (foreign && doubleInner === 0 && endsFirmly(s, at, role)) {
      s.edit(at, at + 1, '"', "quotes", false);
      return true;
    }
    doubleInner++;
    // Inside other quotes a double quote is content, and needs its backslash only in JSON.
    s.edit(at, at, "\\", undefined);
  }
}

function endsHere(s: ParserState, role: "key" | "value", quote: number, content: number, inner: number): boolean {
  return role === "key" ? endsKey(s, quote, inner) : endsValue(s, quote, content, inner);
}

/** `"key:" "value"`, `"key:" 1`: the colon stands on the wrong side of the quote. -1 if it does not. */
function colonInside(s: ParserState, content: number, quote: number): number {
  const { text } = s;
  let colon = quote - 1;
  while (colon > content && isJsonBlank(text.charCodeAt(colon))) colon--;
  const code = text.charCodeAt(colon);
  if (colon <= content || (code !== 58 && code !== 0xff1a)) return -1;
  const next = skipBlanks(s, quote + 1);
  const c = text[next] ?? "";
  const apart = next > quote + 1;
  const value = isQuote(c) ? apart || text[quote] === c : sticky(BARE_VALUE, text, next) >= 0;
  if (!value && !(apart && (c === "{" || c === "["))) return -1;
  while (colon > content + 1 && isJsonBlank(text.charCodeAt(colon - 1))) colon--;
  return colon;
}

function followsSeparator(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before === 44 || isJsonBlank(before) || (before > 126 && /\s/.test(text[at - 1] as string));
}

/** `C:\…` or `\\host\…`. */
function startsPath(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) === 92) return text.charCodeAt(at) === 92;
  return text.charCodeAt(at + 1) === 58 && text.charCodeAt(at + 2) === 92 && /[A-Za-z]/.test(text[at] as string);
}

/** The last line of the code block that begins behind the line end at `at`, if it ends before the string can. */
function endOfCode(s: ParserState, at: number): number {
  const code = sticky(CODE_BLOCK, s.text, at);
  if (code < 0) return -1;
  const close = s.source.next("\n```", code - 1);
  return close < 0 || close > Math.min(s.limit, s.source.lastQuote) ? -1 : close;
}

/** `"""…"""`, as Python writes long texts. */
function readTripled(s: ParserState, begin: number, quote: string): boolean {
  const close = s.source.next(quote.repeat(3), begin + 3);
  const closed = close >= 0 && close <= s.limit;
  const content = s.text.slice(begin + 3, closed ? close : s.limit);
  s.pos = closed ? close + 3 : s.limit;
  s.edit(begin, s.pos, JSON.stringify(content.replace(/\\(["'\\])/g, "$1")), "quotes");
  return closed;
}

/** A string that the text breaks off in, or whose quote is missing before the last brackets. */
function endOpenString(
  s: ParserState,
  role: "key" | "value",
  begin: number,
  content: number,
  keptEdits: number,
): boolean {
  const { text, limit } = s;
  let end = limit;
  if (s.fenced) {
    const close = closingFence(text, content, limit);
    if (close >= 0) end = close;
  }
  if (role === "value") end = withoutClosers(s, content, end);
  s.undoFrom(end, keptEdits);
  if (role === "key") {
    if (text.slice(content, Math.min(content + KEY_LENGTH, end)).includes(":")) {
      endLostKey(s, begin, content, end);
      return true;
    }
    s.pos = limit;
    s.keyAt = begin;
    return false;
  }
  s.pos = end;
  // An escape that was cut in the middle has been dropped by `readEscape`.
  if (end === limit) dropHalfPair(s, Math.max(content, end - 12), keptEdits);
  if (end < limit && escapedEnd(text, begin, end)) {
    s.edit(end - 2, end, '"', "escape", false);
    return true;
  }
  s.edit(end, end, '"', end < limit ? "missing-quote" : "unclosed", false);
  if (end < limit) return true;
  s.complete = false;
  return false;
}

/** The first half of a pair of surrogates, as an escape, at the end of the text. */
function dropHalfPair(s: ParserState, from: number, keptEdits: number): void {
  const half = /(?<!\\)\\u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?$/.exec(s.text.slice(from, s.limit));
  if (!half) return;
  const at = s.limit - half[0].length;
  s.undoFrom(at, keptEdits);
  s.edit(at, s.limit, "");
}

/** Where the content ends if the brackets at its end close all that is open, and have no partners in the content. */
function withoutClosers(s: ParserState, content: number, end: number): number {
  const tail = /[\s\]})]*$/.exec(s.text.slice(Math.max(content, end - TAIL_LENGTH), end))?.[0] ?? "";
  const closers = tail.replace(/\s/g, "");
  if (closers.length === 0 || closers.length < s.depth || !closesAll(s, closers)) return end;
  const body = s.text.slice(content, end - tail.length);
  const square = closers.includes("]") && count(body, "[") > count(body, "]");
  const curly = closers.includes("}") && count(body, "{") > count(body, "}");
  if (square || curly) return s.limit;
  return end - tail.length - (body.endsWith(",") ? 1 : 0);
}

function closesAll(s: ParserState, closers: string): boolean {
  for (let level = s.depth - 1, k = 0; level >= 0; level--, k++) {
    const frame = s.frameAt(level) ?? OBJECT;
    if (closers[k] !== (frame === TUPLE ? ")" : closerOf(frame))) return false;
  }
  return true;
}

function count(text: string, c: string): number {
  let n = 0;
  for (let at = text.indexOf(c); at >= 0; at = text.indexOf(c, at + 1)) n++;
  return n;
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
