/** Backslashes in strings: JSON's own escapes, those of other notations, and backslashes that are content. */
import { sticky } from "./ahead.js";
import { KEY, type Reading } from "./reading.js";

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
export function readEscape(r: Reading): boolean {
  const { text, limit, pos: at } = r;
  const next = text[at + 1];
  if (next === undefined || at + 1 >= limit) return dropCut(r, at);
  r.pos += 2;
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
      if (r.log && mayBeContent(next, text[at + 2])) suspect(r, at);
      return true;
    case "u":
    case "x":
    case "U": {
      const read = readCode(r, at, next);
      if (read !== undefined) return read;
      break;
    }
    case "'":
    case "`":
    case "’":
      return dropBackslash(r, at, true);
    case "\n":
      return replaceEscape(r, at, at + 2, "\\n");
    case "\r":
      return replaceEscape(r, at, text[at + 2] === "\n" ? at + 3 : at + 2, "\\n");
    case "_":
      if (r.source.escapesNames) return dropBackslash(r, at, true);
      break;
    case "$":
      if (text[at + 2] === "{" || r.source.escapesNames) return dropBackslash(r, at, false);
      break;
  }
  if (next.charCodeAt(0) === r.string.quote || r.string.role === KEY) return dropBackslash(r, at, true);
  // JSON does not know it: the backslash is content.
  r.edit(at, at, "\\", "escape");
  if (FOREIGN_ESCAPE.test(next)) r.string.foreign = true;
  // A control character and the half of a pair are read again, as what they are.
  const code = next.charCodeAt(0);
  if (code < 32 || (code >= 0xd800 && code < 0xdc00)) r.pos = at + 1;
  return true;
}

/** A character by its number: `\\u00e9`, `\\u{e9}`, `\\xe9`, `\\U000000e9`; undefined where the number is none. */
function readCode(r: Reading, at: number, letter: "u" | "x" | "U"): boolean | undefined {
  const { text, limit } = r;
  if (letter === "x") {
    const end = r.string.path ? -1 : sticky(HEX_2, text, at + 2);
    return end < 0 ? undefined : replaceEscape(r, at, end, `\\u00${text.slice(at + 2, end)}`, true);
  }
  if (letter === "U") {
    const end = sticky(HEX_8, text, at + 2);
    if (end < 0) return undefined;
    return replaceEscape(r, at, end, String.fromCodePoint(Number.parseInt(text.slice(at + 2, end), 16)), true);
  }
  const end = Math.max(at + 2, sticky(HEX, text, at + 2));
  if (end >= at + 6 && at + 6 <= limit) {
    r.pos = at + 6;
    return true;
  }
  if (end >= limit) return dropCut(r, at);
  const braced = sticky(HEX_IN_BRACES, text, at + 2);
  const code = braced < 0 ? Number.NaN : Number.parseInt(text.slice(at + 3, braced - 1), 16);
  return code <= MAX_CODE_POINT ? replaceEscape(r, at, braced, String.fromCodePoint(code), true) : undefined;
}

function suspect({ string }: Reading, at: number): void {
  if (string.suspects) string.suspects.push(at);
  else string.suspects = [at];
}

/** Whether a short escape may be a backslash and a letter, by the sign behind it. */
function mayBeContent(letter: string, behind = ""): boolean {
  if (letter === "b" || /[A-Za-z]/.test(behind)) return true;
  return letter === "f" && /[\\^$\d[(]/.test(behind);
}

/** An escape that the text breaks off in. */
function dropCut(r: Reading, at: number): false {
  r.edit(at, r.limit, "");
  r.pos = r.limit;
  return false;
}

function dropBackslash(r: Reading, at: number, sure: boolean): true {
  r.edit(at, at + 1, "", "escape", sure);
  return true;
}

function replaceEscape(r: Reading, at: number, end: number, by: string, sure = false): true {
  r.edit(at, end, by, "escape", sure);
  r.pos = end;
  return true;
}

/** At the end of a string, where backslashes are content: `\beta`, `C:\new` and `\bword` are not control characters. */
export function settleEscapes(r: Reading): undefined {
  const { text } = r;
  const { suspects, foreign, path, content } = r.string;
  if (foreign) r.foreign = true;
  if (!r.foreign) return;
  for (const at of suspects ?? []) {
    const letter = text[at + 1];
    const isContent =
      letter === "b" ||
      letter === "f" ||
      (foreign && (path || inPath(text, content, at))) ||
      sticky(LATEX, text, at + 1) >= 0;
    if (isContent) r.edit(at, at, "\\", "escape", foreign || letter === "b" || letter === "f");
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
