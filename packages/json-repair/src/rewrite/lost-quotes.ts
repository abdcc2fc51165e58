/** Strings that have lost their closing quote: the key or the value that follows shows where it stood. */
import { keyAndValueAhead } from "./key-ahead.js";
import { isJsonBlank, skipBlanks, sticky } from "./lexing.js";
import { OBJECT, type ParserState } from "./state.js";

/** A longer key is not searched for a colon that should end it. */
export const KEY_LENGTH = 120;
/** So many signs before the end of a string tell whether its last quote has a partner. */
const ESCAPED_LENGTH = 2_000;
const QUOTED_ELEMENT = /"[^"\n]{0,80}"\s{0,40}(?:,\s{0,40}["\d{[]|\]\s{0,40}(?:[,}\]]|$))/y;

/** In a key: a colon before the quote at `quote`, which does not end a key, shows where the key's own quote is missing. */
export function colonOfLostKey(s: ParserState, content: number, quote: number): number {
  const { text } = s;
  const at = skipBlanks(s, quote + 1);
  if (at < s.limit && (text[at] === ":" || text[at] === "：")) return -1;
  const first = text.slice(content, Math.min(content + 60, quote)).indexOf(":");
  const last = text.slice(Math.max(content, quote - 60), quote).lastIndexOf(":");
  return first <= 0 || last < 0 ? -1 : content + first;
}

/** Ends the key that opened at `begin` before its first colon, or at `until`. */
export function endLostKey(s: ParserState, begin: number, content: number, until: number): void {
  const first = s.text.slice(content, Math.min(content + KEY_LENGTH, until)).indexOf(":");
  let end = first < 0 ? until : content + first;
  s.undoFrom(begin + 1);
  while (end > content && isJsonBlank(s.text.charCodeAt(end - 1))) end--;
  const mixed = endsInOtherQuote(s.text, begin, end);
  if (mixed) end--;
  s.pos = mixed ? end + 1 : end;
  const escaped = escapedEnd(s.text, begin, end);
  s.edit(escaped ? end - 2 : end, s.pos, '"', mixed ? "quotes" : escaped ? "escape" : "missing-quote", !escaped);
}

/** `"a'`: whether the string from `begin` to `end` has an apostrophe at its end, and no other one. */
function endsInOtherQuote(text: string, begin: number, end: number): boolean {
  if (text[begin] === "'") return false;
  return end > begin + 2 && text.charCodeAt(end - 1) === 39 && text.lastIndexOf("'", end - 2) <= begin;
}

/** Whether a key and its value start at `at`, after a comma or a line end: then the string before lost its quote. */
export function memberAfterLostQuote(s: ParserState, at: number): boolean {
  const { text } = s;
  // In a list no blank may stand before the quote.
  const next = s.top === OBJECT ? skipBlanks(s, at) : at;
  if (text[next] !== '"' && text[next] !== "'") return false;
  let back = at - 1;
  while (back > s.start && isJsonBlank(text.charCodeAt(back))) back--;
  const separated = text[back] === "," || text.slice(Math.max(back, at - 80), next).includes("\n");
  if (!separated) return false;
  if (s.top === OBJECT) return keyAndValueAhead(s, next);
  if (text[back] !== ",") return false;
  if (sticky(QUOTED_ELEMENT, text, next) >= 0) return true;
  // `["a", "b], "key": …`
  return text[back - 1] === "]" && s.parent === OBJECT && keyAndValueAhead(s, next);
}

/** `"a\\": 1`: whether the quote before `end` has a backslash and no partner in the string that opened at `begin`; then it was the last one. */
export function escapedEnd(text: string, begin: number, end: number): boolean {
  const quote = text.charCodeAt(begin);
  const from = Math.max(begin + 1, end - ESCAPED_LENGTH);
  if (end - 2 < from || text.charCodeAt(end - 1) !== quote || text.charCodeAt(end - 2) !== 92) return false;
  let odd = false;
  for (let at = from; at < end; at++) {
    if (text.charCodeAt(at) !== 92) continue;
    at++;
    // A backslash with a backslash before it is none.
    if (text.charCodeAt(at) === quote) odd = !odd;
    else if (at === end - 1) return false;
  }
  return odd && text.charCodeAt(end - 3) !== 92;
}

function closesNothingIn(content: string, bracket: string): boolean {
  return (bracket === "}" && !content.includes("{")) || (bracket === "]" && !content.includes("["));
}

/** Ends the string that opened at `begin` before the comma or the blanks that precede `at`. */
export function endLostValue(s: ParserState, begin: number, at: number, keptEdits: number): void {
  let end = at;
  while (end > begin + 1 && isJsonBlank(s.text.charCodeAt(end - 1))) end--;
  if (s.text[end - 1] === ",") end--;
  while (end > begin + 1 && isJsonBlank(s.text.charCodeAt(end - 1))) end--;
  // `{"a": {"b": "c}, "d": 1}`: brackets without partners in the string close what is around it.
  const content = s.text.slice(begin + 1, end);
  for (let open = s.depth - 1; open > 0 && closesNothingIn(content, s.text[end - 1] as string); open--) {
    end--;
    while (end > begin + 1 && isJsonBlank(s.text.charCodeAt(end - 1))) end--;
  }
  // `"a', …`: its quotes were mixed up.
  const mixed = endsInOtherQuote(s.text, begin, end);
  if (mixed) end--;
  const escaped = escapedEnd(s.text, begin, end);
  s.pos = mixed ? end + 1 : end;
  if (escaped) end -= 2;
  s.undoFrom(end, keptEdits);
  s.edit(end, s.pos, '"', mixed ? "quotes" : escaped ? "escape" : "missing-quote", false);
}
