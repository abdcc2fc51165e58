import type { SourceText } from "../source-text.js";
import { readAfterValue } from "./after-value.js";
import { bracketFor, openerFor } from "./closers.js";
import { readColon, readKey } from "./keys.js";
import { NOTICE_LENGTH, noticeAhead, skipSpace } from "./lexing.js";
import { KEY_LENGTH } from "./lost-quotes.js";
import { type Expected, OBJECT, ParserState, type RewriteOptions, type Rewritten, type Unreadable } from "./state.js";
import { readValue } from "./values.js";

/** Wide brackets and the like stand from here on. */
const WIDE = 0x3000;

/**
 * One pass over text that should be JSON: reads it the way it was meant, and notes what has to be changed to make it
 * JSON. The stack is explicit and every look ahead is bounded, so the time grows with the length of the text alone.
 */
export function rewrite(source: SourceText, start: number, options: RewriteOptions): Rewritten | Unreadable {
  const s = new ParserState(source, start, options);
  const { text, limit } = s;
  let expected: Expected = "value";
  if (options.implied) {
    s.edit(start, start, "{", "missing-opener", false);
    s.push(OBJECT);
    expected = "key";
  }
  while (expected !== "stop") {
    if (expected === "after" && s.depth === 0) return s.finish();
    skipSpace(s);
    if (s.pos >= limit) break;
    const code = text.charCodeAt(s.pos);
    const c = code < WIDE ? (text[s.pos] as string) : openerFor(bracketFor(text[s.pos] as string));
    if (c === "`" && text.startsWith("```", s.pos)) break;
    if (c === "~" && text.startsWith("~~~", s.pos)) break;
    if (limit - s.pos <= NOTICE_LENGTH && noticeAhead(s, s.pos)) break;
    const next: Expected | Unreadable = step(s, expected, c);
    if (typeof next !== "string") return next;
    expected = next;
  }
  return endOfText(s, expected);
}

function step(s: ParserState, expected: Expected, c: string): Expected | Unreadable {
  switch (expected) {
    case "value":
      return readValue(s, c);
    case "key":
      return readKey(s, c);
    case "colon":
      return readColon(s, c);
    default:
      return readAfterValue(s, c);
  }
}

/** The text has ended inside the value, or goes on as something else. */
function endOfText(s: ParserState, expected: Expected): Rewritten | Unreadable {
  const { text, pos, keyAt, comma } = s;
  if (s.depth === 0) return s.fail("not-json");
  if (s.depth === 1 && s.members === 0) {
    // Nothing was read, and the text goes on as something else: a value made of nothing.
    if (pos < s.limit && text[pos] !== "`" && text[pos] !== "<") return s.fail("not-json");
    // The same, as a key without an end that has swallowed quotes and brackets.
    if (expected === "stop" && keyAt >= 0 && /["}\]]/.test(text.slice(keyAt + 1, keyAt + KEY_LENGTH)))
      return s.fail("not-json", keyAt);
  }
  if (keyAt >= 0) {
    // A key without its value is left out, with the comma before it.
    const from = comma >= 0 ? comma : keyAt;
    s.undoFrom(from);
    s.edit(from, pos, "", undefined);
    s.comma = -1;
  }
  return s.finish();
}
