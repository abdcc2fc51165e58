import { parseContainer } from "./strict.js";

/** Ways in which a text may be written as another one: what tells of each, which signs go, and what takes their place. */

/** A text made from another one, that knows where its parts came from. */
export interface Derived {
  text: string;
  /** The index in the original text. */
  origin(index: number): number;
  /** Whether something was replaced between two indexes of the derived text. */
  touched(from: number, to: number): boolean;
}

/** Replaces every match of the global pattern; undefined when there is none. */
function derive(text: string, pattern: RegExp, by: (sign: string) => string): Derived | undefined {
  const derived = text.replace(pattern, by);
  if (derived === text) return undefined;
  let places: Uint32Array | undefined;
  const origin = (index: number) => {
    places ??= placesIn(text, pattern, by, derived.length);
    return places[index] as number;
  };
  return { text: derived, origin, touched: (from, to) => origin(to) - origin(from) !== to - from };
}

/** Where each character of the derived text stood; what stands for a sign stood where that began. */
function placesIn(text: string, pattern: RegExp, by: (sign: string) => string, length: number): Uint32Array {
  const places = new Uint32Array(length + 1);
  let at = 0;
  let to = 0;
  for (const { 0: sign, index } of text.matchAll(pattern)) {
    while (at < index) places[to++] = at++;
    places.fill(index, to, to + by(sign).length);
    to += by(sign).length;
    at += sign.length;
  }
  while (to <= length) places[to++] = at++;
  return places;
}

interface Encoding {
  /** What a text has only if it is written so. */
  tells: RegExp;
  /** Whether the signs are content all the same; `from` is where they were met. */
  isContent?(text: string, from: number): boolean;
  signs: RegExp;
  by(sign: string): string;
}

/** The text as it was before it was written so; `head` is as much of it as can tell. */
function decoded(text: string, { tells, isContent, signs, by }: Encoding, head = text): Derived | undefined {
  const from = head.search(tells);
  return from < 0 || isContent?.(text, from) ? undefined : derive(text, signs, by);
}

/** Between what tells of an encoding and the last bracket. */
function inside(text: string, from: number): string {
  return text.slice(from, 1 + Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")));
}

const count = (text: string, sign: string, to: number) => text.slice(0, to).split(sign).length;
const nothing = () => "";
const half = (sign: string) => sign.slice(sign.length / 2);

/** A string, or the rest of its line; of a key with its colon. */
const STRING = /"(?:[^"\\\n]|\\.)*"?(?:\s{0,8}:)?/g;
const ESC = "\\u001b";
const CODE = new RegExp(`${ESC}|\\u009b`);
/** One that only ends in a string was begun around it. */
const COLOUR = new RegExp(`${ESC}\\[(?!0?m)[\\d;]{1,20}m`);

/** Colours and titles that a program writes for a terminal; in strings alone that are no keys, they are content. */
const TERMINAL: Encoding = {
  tells: CODE,
  isContent: (text) => !CODE.test(text.replace(STRING, (one) => (COLOUR.test(one) && !one.endsWith(":") ? "" : one))),
  signs: new RegExp(
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|${ESC}(?:\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?|[@-Z\\\\^_])?`,
    "g",
  ),
  by: nothing,
};

export const withoutTerminalCodes = (text: string) => decoded(text, TERMINAL);

/** What is written in another way throughout. */
const DOUBLED: readonly Encoding[] = [
  // Two quotes for one, as CSV writes them in a cell; none of them is alone, and empty strings are none.
  {
    tells: /[{,]\s{0,40}""(?!\s{0,8}[:,\]}])[^"\n]+""\s{0,8}:|\[\s{0,40}""[\p{L}\p{N}][^"\n]*""\s{0,8}[,\]]/u,
    isContent: (text, from) => /(?<![}\]]\s?|")"(?:"")*(?!"|\s?[{[])/.test(inside(text, from)),
    signs: /""/g,
    by: half,
  },
  // Two braces for one, as format strings write them before a key; none of them is alone, and none is open around them.
  {
    tells: /\{\{(?=\s{0,80}(?:["'“{}]|[\p{L}_$][\w$]{0,60}\s{0,8}:))/u,
    isContent: (text, from) =>
      count(text, "{", from) !== count(text, "}", from) ||
      /(?<!\{)\{(?:\{\{)*(?!\{)|(?<!\})\}(?:\}\})*(?!\})/.test(inside(text, from)),
    signs: /\{\{|\}\}/g,
    by: half,
  },
  // Two apostrophes or backticks for a quote, as TeX writes them.
  {
    tells: /[{[]\s{0,40}(?:''|``)[^'`"\n]{1,100}(?:''|``)\s{0,8}[:,\]]/,
    signs: /''|(?<!`)``(?!`)/g,
    by: () => '"',
  },
  // Colours that lost their escape character: `[32m{"a": [33m1[0m}[0m`.
  {
    tells: /(?:^|[{[:,]\s{0,8})\[\d{1,3}(?:;\d{1,3}){0,4}m["{[\d-]/,
    isContent: (text) => !/\[(?:0|39)m/.test(text),
    signs: /\[\d{0,3}(?:;\d{1,3}){0,4}m/g,
    by: nothing,
  },
];

/** So much of a text tells how its lines and quotes are written. */
const HEAD_LENGTH = 50_000;
/** The end of a line that opens a value of several lines, or a fence; before that, its mark. */
const OPENS = /[,{[]$|`{3}\w{0,20}$/;
const MARK = /^[^\s"'`{}[\],][^"'`{}[\]]{0,60}?(?=[ \t]{0,8}(?:[{[]|`{3}))/;
const BORDER = /(?<!\s)\s*([│┃])$/;

/**
 * What a quotation, a listing, a log, a comment, a patch, a box or an event puts before every line: numbers, times,
 * names, signs. A line that opens a value and the next one have the same but for the digits.
 */
function withoutLineMarks(text: string, head: string): Derived | undefined {
  const alike = (line = "") => line.trim().replace(/\d+/g, "0").replace(/\s+/g, " ");
  const lines = head.split("\n");
  for (const [nth, line] of lines.entries()) {
    const border = BORDER.exec(line.trim())?.[1];
    const opener = line.trim().replace(BORDER, "");
    const mark = OPENS.test(opener) ? MARK.exec(opener)?.[0] : undefined;
    if (mark === undefined || !alike(lines[nth + 1]).startsWith(alike(mark))) continue;
    const plain = mark.replace(/[.*+?^$()|\\/-]/g, "\\$&");
    const sign = plain.replace(/\d+/g, "\\d+").replace(/[ \t]+/g, "[ \\t]+");
    const signs = `^[ \\t]{0,8}${sign}[ \\t]?${border ? `|(?<![ \\t])[ \\t]*${border}[ \\t]*$` : ""}`;
    return derive(text, new RegExp(signs, "gm"), nothing);
  }
  return undefined;
}

/** Without marks before lines, doubled signs or lost colours: each form that the text has. */
export function* withoutMarks(text: string): Generator<Derived> {
  const head = text.slice(0, HEAD_LENGTH);
  for (const plain of [withoutLineMarks(text, head), ...DOUBLED.map((encoding) => decoded(text, encoding, head))])
    if (plain) yield plain;
}

const NAMES = "quot apos lt gt amp nbsp ldquo rdquo lsquo rsquo lcub rcub lsqb rsqb colon comma";
const SIGNS = `"'<>& “”‘’{}[]:,`;
const QUOTE_ENTITY = "&(?:amp;)?(?:quot|#0*34|#[xX]22|#0*39|apos|#[xX]27|[lr][ds]quo);";

/** HTML; only where quotes are written so, since else entities are content. */
const HTML: Encoding = {
  tells: new RegExp(QUOTE_ENTITY),
  signs: /&(?:[a-z]{2,6}|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g,
  by(entity) {
    const name = entity.slice(1, -1);
    if (name[0] !== "#") return SIGNS[NAMES.split(" ").indexOf(name)] ?? entity;
    const code = Number(name.replace(/^#(x?)/i, "0$1"));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  },
};

export const withoutEntities = (text: string) => decoded(text, HTML);

/** Where a bracket stands before a quote that is written as an HTML entity; -1 if none does. */
export function entityStart(text: string): number {
  return text.includes("&") ? text.search(new RegExp(`[{[]\\s{0,40}${QUOTE_ENTITY}`)) : -1;
}

/** Without the backslashes that Markdown puts before its signs: `\[\{"a\_b": 1\}\]`. */
export function withoutMarkdownEscapes(text: string): Derived | undefined {
  return derive(text, /\\[\\[\]{}()_*#+.!|<>~`-]/g, (sign) => (sign === "\\\\" ? sign : sign.slice(1)));
}

/** One level of backslashes less: `{\"a\": 1}` as it stands inside a JSON string, or `{\x22a\x22: 1}` in a script. */
export function withoutBackslashes(text: string): Derived | undefined {
  return derive(text, /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|["'\\/bfnrt])/g, (sign) => {
    if (sign[1] === "'") return "'";
    return JSON.parse(`"${sign.replace("\\x", "\\u00")}"`) as string;
  });
}

/** A string in single quotes that begins with a bracket: JSON in a string of Python or JavaScript. */
const LITERAL =
  /(?<![\p{L}\p{N}'\\])(b?)'(?=(?:\s|\\[nrt]){0,40}[{[])([^'\\]*(?:\\[\s\S][^'\\]*)*)'(?=[\s,;)\]}`]|$)/gu;

/** JSON in a string in single quotes that is none before its backslashes are read; bytes of Python always are such. */
export function jsonInLiteral(text: string): { start: number; end: number; text: string } | undefined {
  if (!text.includes("'") || !text.includes("\\")) return undefined;
  for (const { index, 0: all, 1: bytes, 2: raw = "" } of text.matchAll(LITERAL)) {
    const plain = withoutBackslashes(raw)?.text ?? raw;
    const end = index + all.length - 1;
    if (parseContainer(plain) && (bytes === "b" || !parseContainer(raw)))
      return { start: end - raw.length, end, text: plain };
  }
  return undefined;
}
