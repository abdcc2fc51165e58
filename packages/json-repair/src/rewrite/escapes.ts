/** Backslashes in strings: JSON's own escapes, those of other notations, and backslashes that are content. */
import { sticky } from "./lexing.js";
import type { ParserState } from "./state.js";

/** Commands of LaTeX that start as an escape of JSON does. */
const LATEX =
  /(?:n(?:u|e|eq|abla|ot|otin|i|leq|geq|mid|eg|ewline|exists)|t(?:heta|au|imes|o|ext[a-z]*|an|anh|ilde|op|riangle|frac|binom|ag)|r(?:ho|ight[a-z]*|angle|floor|ceil|m|e)|R(?:ightarrow)|f(?:rac|orall|lat|box)|b(?:eta|ar|egin|inom|oldsymbol|ullet|ig[a-z]*|ot|reve|oxed|mod|f|ecause))(?![a-zA-Z])/y;
const HEX = /[\da-fA-F]{1,4}/y;
const HEX_2 = /[\da-fA-F]{2}/y;
const HEX_IN_BRACES = /\{[\da-fA-F]{1,6}\}/y;
/** `\U0001F600`, as Python writes it. */
const HEX_8 = /000[\da-fA-F]{5}/y;
/** What stands behind a backslash in paths, regular expressions and formulas. */
const FOREIGN_ESCAPE = /[A-Za-z.()[\]{}|*+?^$0-9]/;
const MAX_CODE_POINT = 0x10ffff;

/** At a backslash in a string, `pos` is behind the escape then; false when the text ends in it. */
export function readEscape(
  s: ParserState,
  role: "key" | "value",
  string: number,
  path: boolean,
  opener: string,
): boolean {
  const { text, limit } = s;
  const at = s.pos;
  const next = text[at + 1];
  if (next === undefined || at + 1 >= limit) return dropCut(s, at);
  s.pos += 2;
  switch (next) {
    case '"':
    case "\\":
    case "/":
      return true;
    case "b":
    case "f":
    case "n":
    case "r":
    case "t":
      if (mayBeContent(next, text[at + 2])) suspect(s, at, string, path);
      return true;
    case "u": {
      const end = Math.max(at + 2, sticky(HEX, text, at + 2));
      if (end >= at + 6 && at + 6 <= limit) {
        s.pos = at + 6;
        return true;
      }
      if (end >= limit) return dropCut(s, at);
      const braced = sticky(HEX_IN_BRACES, text, at + 2);
      const code = braced < 0 ? Number.NaN : Number.parseInt(text.slice(at + 3, braced - 1), 16);
      if (code <= MAX_CODE_POINT) return replaceEscape(s, at, braced, String.fromCodePoint(code), true);
      break;
    }
    case "x": {
      const end = path ? -1 : sticky(HEX_2, text, at + 2);
      if (end >= 0) return replaceEscape(s, at, end, `\\u00${text.slice(at + 2, end)}`);
      break;
    }
    case "U": {
      const end = sticky(HEX_8, text, at + 2);
      if (end >= 0)
        return replaceEscape(s, at, end, String.fromCodePoint(Number.parseInt(text.slice(at + 2, end), 16)));
      break;
    }
    case "'":
    case "`":
    case "’":
      return dropBackslash(s, at, true);
    case "\n":
      return replaceEscape(s, at, at + 2, "\\n");
    case "\r":
      return replaceEscape(s, at, text[at + 2] === "\n" ? at + 3 : at + 2, "\\n");
    case "$":
      if (text[at + 2] === "{") return dropBackslash(s, at, false);
      break;
  }
  if (next === opener || role === "key") return dropBackslash(s, at, true);
  // JSON does not know it: the backslash is content.
  s.edit(at, at, "\\", "escape");
  if (FOREIGN_ESCAPE.test(next)) s.foreignEscapes.add(string);
  // A control character and the half of a pair are read again, as what they are.
  const code = next.charCodeAt(0);
  if (code < 32 || (code >= 0xd800 && code < 0xdc00)) s.pos = at + 1;
  return true;
}

function suspect(s: ParserState, at: number, string: number, path: boolean): void {
  const before = s.suspects[s.suspects.length - 1];
  if (before?.string === string) before.at.push(at);
  else s.suspects.push({ string, path, at: [at] });
}

/** Whether a short escape may be a backslash and a letter, by the sign behind it. */
function mayBeContent(letter: string, behind = ""): boolean {
  if (letter === "b" || /[A-Za-z]/.test(behind)) return true;
  return letter === "f" && /[\\^$\d[(]/.test(behind);
}

/** An escape that the text breaks off in. */
function dropCut(s: ParserState, at: number): false {
  s.edit(at, s.limit, "", undefined);
  s.pos = s.limit;
  return false;
}

function dropBackslash(s: ParserState, at: number, sure: boolean): true {
  s.edit(at, at + 1, "", "escape", sure);
  return true;
}

function replaceEscape(s: ParserState, at: number, end: number, by: string, sure = false): true {
  s.edit(at, end, by, "escape", sure);
  s.pos = end;
  return true;
}

/** Once it is known that backslashes are content here: `\beta`, `C:\new` and `\bword` are not control characters. */
export function settleEscapes(s: ParserState): void {
  if (s.foreignEscapes.size === 0) return;
  for (const { string, path, at: places } of s.suspects) {
    const same = s.foreignEscapes.has(string);
    for (const at of places) {
      const letter = s.text[at + 1];
      const content =
        letter === "b" ||
        letter === "f" ||
        (same && (path || inPath(s.text, string, at))) ||
        sticky(LATEX, s.text, at + 1) >= 0;
      if (content) s.edit(at, at, "\\", "escape", false);
    }
  }
}

function inPath(text: string, string: number, at: number): boolean {
  return /(?:^|[^A-Za-z])[A-Za-z]:(?:\\[^\s\\"]+)*$/.test(text.slice(Math.max(string, at - 200), at));
}

export function controlEscape(code: number): string {
  switch (code) {
    case 8:
      return "\\b";
    case 9:
      return "\\t";
    case 10:
      return "\\n";
    case 12:
      return "\\f";
    case 13:
      return "\\r";
    default:
      return `\\u${code.toString(16).padStart(4, "0")}`;
  }
}
