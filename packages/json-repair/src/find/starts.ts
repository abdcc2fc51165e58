import { isBlank } from "../decode/signs.js";

/** What a bracket looks like that starts JSON, and what looks like one and is prose, code or a link. */

/** Blanks of all kinds, and signs that are not seen. */
const BLANKS = "[\\s\\p{Cc}\\p{Cf}\\p{Variation_Selector}]*";
const LITERAL = "(?:true|false|null|None|True|False|NaN)";
/** What the first member of an object or a list may start with, or stands in its place. */
const FIRST = [
  "[“„‘`«»‹‚「『〝″´＂＇]",
  "[urbfURBF]{1,2}[\"']",
  '\\\\+(?:["nrt]|u0022|x22)',
  "\\/[/*]|#[# \\t]|<!--|--[ \\t]",
  "(?:[-*•]|\\d{1,4}[.):])[ \\t][\"'{[]",
  "$",
].join("|");
/** Only of an object. */
const FIRST_KEY = [
  "[}\"']",
  "”[^”\\n]{1,80}”\\s{0,40}:",
  "#[^\\n]{0,80}\\n",
  "\\[[\"'][^\"'\\n]{1,60}[\"']\\]\\s*[=:]",
  ",|\\.\\.\\.",
  "[\\p{L}_$][\\p{L}\\p{N}_$.-]*[\"'”]?\\s{0,40}[:：]",
  "-?\\d+\\s{0,40}:",
  // A sign that means nothing before the first key: `{."a": 1}`.
  '[^\\s\\p{L}\\p{N}"\'\\\\{}[\\]+-]{1,2}\\s{0,8}"[^"\\n]{1,60}"\\s{0,40}:',
].join("|");
/** Only of a list; `[[Page]]` is a link, `["']` a pattern, and `[2024-01-01]` a date. */
const FIRST_ITEM = [
  '(?:\\.\\.\\.|…),|,\\s*["{\\d]',
  "\\(\\s*[\"'\\d(]",
  "[\\]{｛［]",
  "[\"'](?!(?<=\")'\\](?![^\"\\n]{0,80}\"\\s?[,\\]])|(?<=')\"\\](?![^'\\n]{0,80}'\\s?[,\\]]))",
  `\\[(?!\\s*(?!${LITERAL}\\b|[urbfURBF]{1,2}["'])[\\p{L}_#!])`,
  "(?!\\d{4}-\\d\\d-\\d\\d)[+-]?(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?(?:\\s*[,，、،\\]]|\\s+[-\\d]|\\s*\\n)",
  `${LITERAL}(?:\\s*[,，、،\\]\\n]|\\s+["{[\\d-])`,
].join("|");
const OBJECT_START = new RegExp(`[{｛]${BLANKS}(?:${FIRST}|${FIRST_KEY})`, "uy");
const LIST_START = new RegExp(`[[［]${BLANKS}(?:${FIRST}|${FIRST_ITEM})`, "uy");
/** A member whose key may have lost its first quote with the brace: a model goes on behind `{"`. */
const MEMBER =
  '(?:"[^"\\n]{1,100}|[\\p{L}_][\\p{L}\\p{N}_$ -]{0,60})"\\s{0,40}:\\s{0,40}(?:["[{\\d-]|true\\b|false\\b|null\\b)';
const MEMBER_START = new RegExp(MEMBER, "uy");
/** Keys of several words without quotes: only where nothing else stands before on the line. */
const WORDY_START =
  /(?<=(?:^|\n)[ \t]{0,40})\{\s{0,80}[\p{L}_$][\p{L}\p{N}_$.-]{0,40}(?: [\p{L}\p{N}_$.-]{1,40}){1,4}["'”]?\s{0,40}[:：]/uy;

const NAME = "(?=\\{\\s{0,40}[\\p{L}_$])";
const PSEUDO_CLASS = "::?(?:root|hover|focus|active|visited|before|after|first-child|last-child)";
/** A bracket that belongs to something else, by what it begins with and what stands before it. */
const ELSEWHERE = new RegExp(
  [
    // `lines begin with "W, [" here`: a quotation that ends behind the bracket.
    '(?=.["”]\\s)(?<=(?:^|\\n)[^"\\n]{0,200}"(?:[^"\\n]{0,80}"[^"\\n]{0,80}"){0,9}[^"\\n]{0,80})',
    // `- [ ] buy milk`
    "(?=\\[[ \\txX]?\\][ \\t]{1,8}\\S)(?<=(?:^|\\n)[ \\t]{0,40}(?:[-*+]|\\d{1,4}[.)])[ \\t]{1,8})",
    "(?=\\[)(?<=<!\\[CDATA)",
    // `if (ready) { state: 1 }`
    `${NAME}(?<=\\) )`,
    // `<p style={{color: "red"}}>`
    "(?=\\{?\\{\\s{0,40}[\\p{L}_$])(?<=<\\w[^<>]{0,200}=\\{?)",
    // `.note { color: red }`, `a:hover { color: red }`
    `${NAME}(?<=(?:(?:^|[\\s,>}])[.#][\\w-]{1,40}|${PSEUDO_CLASS})\\s{0,8})`,
    // `interface Note { colour: string }`
    `${NAME}(?<=\\b(?:class|enum|interface|struct)\\s{1,8}\\S{1,60}\\s{0,8})`,
    // `map["key"]`, `f(x)[0]`
    `(?=\\[(?:\\s?(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}')\\s?\\]|(?!\\s{0,40}["{])))(?<=[\\w\\])$])`,
    // `Note{…}`
    "(?=\\{(?!\\s{0,40}[\"'\\\\]))(?<=[\\w\\])])",
    // `${name}`
    `(?=\\{(?!\\s{0,40}${MEMBER}))(?<=\\$)`,
  ].join("|"),
  "uy",
);

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Whether a bracket starts as JSON does; what comes before it tells code and links apart. */
export function plausible(text: string, at: number, c: string): boolean {
  const starts = matches(c === "{" || c === "｛" ? OBJECT_START : LIST_START, text, at);
  return starts ? !matches(ELSEWHERE, text, at) : matches(WORDY_START, text, at);
}

/** Where the first member of an object starts whose brace is missing before `from`, -1 if none does. */
export function impliedStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return matches(MEMBER_START, text, at) ? at : -1;
}
