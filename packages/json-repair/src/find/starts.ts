import { isBlank } from "../decode/signs.js";

/** What a bracket looks like that starts JSON, and what looks like one and is prose, code or a link. */

/** Blanks of all kinds, and signs that are not seen. */
const BLANKS = "[\\s\\p{Cc}\\p{Cf}\\p{Variation_Selector}]*";
const OBJECT_START =
  /[{｛][\s\p{Cc}\p{Cf}\p{Variation_Selector}]*(?:["'“„‘`«»‹‚「『〝″´＂＇}]|”[^”\n]{1,80}”\s{0,40}:|[urbfURBF]{1,2}["']|\\+(?:["nrt]|u0022|x22)|\/[/*]|#[# \t]|#[^\n]{0,80}\n|<!--|--[ \t]|\[["'][^"'\n]{1,60}["']\]\s*[=:]|[-*•] ["']|,|:\s*"|\.\.\.|[\p{L}_$][\p{L}\p{N}_$.-]*["'”]?\s{0,40}[:：]|-?\d+\s{0,40}:|$)/uy;
/** A sign that means nothing before the first key: `{."a": 1}`. */
const STRAY_START = /^[{｛]\s{0,40}[^\s\p{L}\p{N}"'\\{}[\]+-]{1,2}\s{0,8}"[^"\n]{1,60}"\s{0,40}:/u;
/** Keys of several words without quotes: only where nothing else stands before on the line. */
const WORDY_START = /\{\s*[\p{L}_$][\p{L}\p{N}_$.-]*(?: [\p{L}\p{N}_$.-]+){1,4}["'”]?\s{0,40}[:：]/uy;
const NUMBER = "[+-]?(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?";
const LITERAL = "(?:true|false|null|None|True|False|NaN)";
/** What the first member of a list starts with, or stands in its place; `[[Page]]` is a link, and `["']` a pattern. */
const LIST_START = new RegExp(
  `[[［]${BLANKS}(?:${[
    "\\(\\s*[\"'\\d(]",
    "[{｛［“„‘«»‹‚「『〝″´＂＇\\]]",
    "”[^”\\n]{0,80}”\\s{0,40}[,\\]]",
    "[\"'](?!(?<=\")'\\](?![^\"\\n]{0,80}\"\\s?[,\\]])|(?<=')\"\\](?![^'\\n]{0,80}'\\s?[,\\]]))",
    `\\[(?!\\s*(?!${LITERAL}\\b|[urbfURBF]{1,2}["'])[\\p{L}_#!])`,
    "[urbfURBF]{1,2}[\"']",
    '\\\\+(?:["nrt]|u0022|x22)',
    `(?!\\d{4}-\\d\\d-\\d\\d)${NUMBER}(?:\\s*[,，、،\\]]|\\s+[-\\d]|\\s*\\n)`,
    `${LITERAL}(?:\\s*[,，、،\\]\\n]|\\s+["{[\\d-])`,
    "\\/[/*]|#[# \\t]|<!--|--[ \\t]",
    "(?:[-*•]|\\d{1,4}[.):])[ \\t]+[\"'{[]",
    '(?:\\.\\.\\.|…),|,\\s*["{\\d]|$',
  ].join("|")})`,
  "uy",
);
/** `map["key"]` */
const INDEX = /\[\s?(?:"[^"\n]{0,80}"|'[^'\n]{0,80}')\s?\]/y;
/** `interface Note { colour: string }` */
const DECLARES = ["class", "enum", "interface", "struct"];
/** `.note { color: red }`, `a:hover { color: red }` */
const SELECTOR =
  /(?:(?:^|[\s,>}])[.#][\w-]+|::?(?:root|hover|focus|active|visited|before|after|first-child|last-child))\s*$/;
const BARE_MEMBER = /^\{\s*[\p{L}_$]/u;
/** A member whose key may have lost its first quote with the brace: a model goes on behind `{"`. */
const MEMBER_START =
  /^(?:"[^"\n]{1,100}|[\p{L}_][\p{L}\p{N}_$ -]{0,60})"\s{0,40}:\s{0,40}(?:["[{\d-]|true\b|false\b|null\b)/u;

/** Where the first member of an object starts whose brace is missing before `from`, -1 if none does. */
export function impliedStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return MEMBER_START.test(text.slice(at, at + 240)) ? at : -1;
}

function isDeclared(text: string, at: number): boolean {
  const words = text
    .slice(Math.max(0, at - 80), at)
    .trimEnd()
    .split(/\s/);
  return DECLARES.includes(words.at(-2) ?? "");
}

/** A quote behind a bracket, and a blank behind that. */
const QUOTE_AND_BLANK = /^.["”]\s/;
/** So much of the line before a bracket is looked at. */
const LINE = 200;

/** `lines begin with "W, [" here`: the bracket stands in a quotation, which ends behind it. */
function endsQuotation(text: string, at: number): boolean {
  if (!QUOTE_AND_BLANK.test(text.slice(at, at + 3))) return false;
  const line = text
    .slice(Math.max(0, at - LINE), at)
    .split("\n")
    .at(-1) as string;
  return line.split('"').length % 2 === 0;
}

/** `- [ ] buy milk` */
function isTickBox(text: string, at: number): boolean {
  return (
    /^\[[ \txX]?\][ \t]+\S/.test(text.slice(at, at + 8)) &&
    /(?:^|\n)[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+$/.test(text.slice(Math.max(0, at - 40), at))
  );
}

/** Whether a bracket starts as JSON does; what comes before it tells code and links apart. */
export function plausible(text: string, at: number, c: string): boolean {
  const pattern = c === "{" || c === "｛" ? OBJECT_START : LIST_START;
  pattern.lastIndex = at;
  if (!pattern.test(text)) {
    if (STRAY_START.test(text.slice(at, at + 200))) return true;
    WORDY_START.lastIndex = at;
    return c === "{" && WORDY_START.test(text) && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 40), at));
  }
  const before = text[at - 1];
  if (endsQuotation(text, at) || isTickBox(text, at)) return false;
  // `if (ready) { state: 1 }`
  if (c === "{" && before === " " && text[at - 2] === ")" && BARE_MEMBER.test(text.slice(at, at + 80))) return false;
  if (c === "[" && text.startsWith("<![CDATA", at - 8)) return false;
  // `<p style={{color: "red"}}>`
  if (
    c === "{" &&
    /<\w[^<>]{0,200}=\{?$/.test(text.slice(Math.max(0, at - 220), at)) &&
    /^\{?\{\s*[\p{L}_$]/u.test(text.slice(at, at + 20))
  )
    return false;
  if (
    c === "{" &&
    BARE_MEMBER.test(text.slice(at, at + 80)) &&
    (SELECTOR.test(text.slice(Math.max(0, at - 80), at)) || isDeclared(text, at))
  )
    return false;
  if (before !== undefined && /[\w\])$]/.test(before)) {
    const inner = text.slice(at + 1, at + 40).trimStart()[0];
    INDEX.lastIndex = at;
    if (c === "[" && INDEX.test(text)) return false;
    if (c === "[") return inner === "{" || (inner === '"' && before !== "]");
    if (before === "$") return impliedStart(text, at + 1) >= 0;
    return inner === '"' || inner === "'" || inner === "\\";
  }
  return true;
}
