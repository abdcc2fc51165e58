/** A text made from another one, that knows where its parts came from. */
export interface Derived {
  text: string;
  /** The index in the original text. */
  origin(index: number): number;
  /** Whether something was replaced between two indexes of the derived text. */
  touched(from: number, to: number): boolean;
}

/** Replaces every match of the global pattern; undefined when there is none. */
export function derive(text: string, pattern: RegExp, by: (match: string) => string): Derived | undefined {
  let derived = "";
  /** Where each kept part starts: in the derived text, and in the original one. */
  const starts: number[] = [0];
  const origins: number[] = [0];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const replacement = by(match[0]);
    // Right behind another match, and nothing in their place: they are replaced as one.
    const joins = replacement === "" && match.index === at && starts.length > 1;
    derived += text.slice(at, match.index) + replacement;
    at = match.index + match[0].length;
    if (joins) origins[origins.length - 1] = at;
    else {
      starts.push(derived.length);
      origins.push(at);
    }
  }
  if (starts.length === 1) return undefined;
  derived += text.slice(at);
  const segment = (index: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text: derived,
    origin(index) {
      const nth = segment(index);
      const next = origins[nth + 1] ?? text.length;
      return Math.min((origins[nth] as number) + index - (starts[nth] as number), next);
    },
    touched: (from, to) => segment(from) !== segment(to),
  };
}

/** So many signs tell how the lines and quotes of a text are written. */
const HEAD_LENGTH = 50_000;

// A raw escape character is never part of JSON.
const TERMINAL = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*[@-~]",
    "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?",
    "\\u001b[@-Z\\\\^_]?",
    "\\u009b[0-?]*[@-~]",
  ].join("|"),
  "g",
);

/** A string, or the rest of its line; of a key with its colon. */
const ANY_STRING = /"(?:[^"\\\n]|\\.)*"?(?:\s{0,8}:)?/g;
const ESCAPE = "\\u001b";
/** One that something is coloured in; a colour that only ends in it was begun around it. */
const COLOURED = new RegExp(`${ESCAPE}\\[(?!0?m)[\\d;]{1,20}m`);
const CODE = new RegExp(`${ESCAPE}|\\u009b`);

/** Whether colours stand in strings alone that are no keys, and so are what the strings say. */
function coloursAreContent(text: string): boolean {
  return !CODE.test(
    text.replace(ANY_STRING, (string) => (COLOURED.test(string) && !string.endsWith(":") ? "" : string)),
  );
}

/** Without the colours and titles that a program writes for a terminal. */
export function withoutTerminalCodes(text: string): Derived | undefined {
  if (!CODE.test(text)) return undefined;
  return coloursAreContent(text) ? undefined : derive(text, TERMINAL, () => "");
}

/** A colour whose escape character was lost, before something that JSON starts with. */
const LOST_ESCAPE = /(?:^|[{[:,]\s{0,8})\[\d{1,3}(?:;\d{1,3}){0,4}m["{[\d-]/;

/** Without colours whose escape character was lost: `[32m{"a": [33m1[0m}[0m`. */
function withoutLostColours(text: string): Derived | undefined {
  if (!text.includes("[0m") && !text.includes("[39m")) return undefined;
  return LOST_ESCAPE.test(text.slice(0, HEAD_LENGTH))
    ? derive(text, /\[\d{0,3}(?:;\d{1,3}){0,4}m/g, () => "")
    : undefined;
}

const ENTITY =
  /&(?:quot|apos|lt|gt|amp|nbsp|[lr][ds]quo|[lr]cub|[lr]brace|[lr]sqb|[lr]brack|colon|comma|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g;
const QUOTE_ENTITY = /&(?:amp;)?(?:quot|#0*34|#[xX]22|#0*39|apos|#[xX]27|[lr][ds]quo);/;
const FIRST_QUOTE_ENTITY = new RegExp(`[{[]\\s{0,40}${QUOTE_ENTITY.source}`);
const NAMED: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&nbsp;": " ",
  "&ldquo;": "“",
  "&rdquo;": "”",
  "&lsquo;": "‘",
  "&rsquo;": "’",
  "&lcub;": "{",
  "&rcub;": "}",
  "&lbrace;": "{",
  "&rbrace;": "}",
  "&lsqb;": "[",
  "&rsqb;": "]",
  "&lbrack;": "[",
  "&rbrack;": "]",
  "&colon;": ":",
  "&comma;": ",",
};

/** With HTML entities as what they stand for; only where quotes are written so, since else they are content. */
export function withoutEntities(text: string): Derived | undefined {
  if (!QUOTE_ENTITY.test(text)) return undefined;
  return derive(text, ENTITY, (entity) => {
    const named = NAMED[entity];
    if (named !== undefined) return named;
    const hex = /^&#[xX]/.test(entity);
    const code = Number.parseInt(entity.slice(hex ? 3 : 2, -1), hex ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

/** Where a bracket stands before a quote that is written as an HTML entity; -1 if none does. */
export function entityStart(text: string): number {
  return text.includes("&") ? text.search(FIRST_QUOTE_ENTITY) : -1;
}

/** One level of backslashes less: `{\"a\": 1}` as it stands inside a JSON string, or `{\x22a\x22: 1}` in a script. */
export function withoutBackslashes(text: string): Derived | undefined {
  return derive(text, /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|["\\/bfnrt])/g, unescaped);
}

function unescaped(sign: string): string {
  if (sign[1] === "'") return "'";
  return JSON.parse(`"${sign[1] === "x" ? `\\u00${sign.slice(2)}` : sign}"`) as string;
}

/** A bracket behind an apostrophe: JSON in a string of Python or JavaScript. */
const LITERAL = /(?<![\p{L}\p{N}'])(b?)'(?=(?:\s|\\[nrt]){0,40}[{[])/gu;
const LITERAL_TRIES = 4;

/** JSON in a string in single quotes that is none before its backslashes are read; bytes of Python always are such. */
export function jsonInLiteral(text: string): { start: number; end: number; text: string } | undefined {
  if (!text.includes("'") || !text.includes("\\")) return undefined;
  let tries = 0;
  for (const match of text.matchAll(LITERAL)) {
    if (++tries > LITERAL_TRIES) return undefined;
    const start = match.index + match[0].length;
    const end = endOfLiteral(text, start);
    if (end < 0 || !/^[\s,;)\]}`]?$/.test(text.slice(end + 1, end + 2))) continue;
    const raw = text.slice(start, end);
    const plain = raw.replace(/\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|["'\\/bfnrt])/g, unescaped);
    if (isJson(plain) && (match[1] === "b" || !isJson(raw))) return { start, end, text: plain };
  }
  return undefined;
}

function endOfLiteral(text: string, start: number): number {
  const sign = /['\\]/g;
  sign.lastIndex = start;
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    if (match[0] === "'") return match.index;
    sign.lastIndex++;
  }
  return -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A line behind a mark that has a bracket or a fence, and the mark of the next one. */
const QUOTED_LINES = /(?:^|\n)[ \t]{0,3}[>│┃][^\n`{[]*[`{[][^\n]*\n[ \t]{0,3}[>│┃]/;
const QUOTE_MARK = /^[ \t]{0,3}[>│┃][ \t]?|(?<![ \t])[ \t]*[│┃][ \t]*$/gm;

/** The line before the sign that ends a tag. */
const OPEN_TAG = /<[^<>\n]{0,60}$/;

/** Without the marks of a quotation before every line, or of a box around the lines. */
function withoutQuoteMarks(text: string): Derived | undefined {
  // To look for one sign costs next to nothing; most texts need no more.
  if (!text.includes(">") && !text.includes("│") && !text.includes("┃")) return undefined;
  const first = QUOTED_LINES.exec(text)?.index;
  if (first === undefined || OPEN_TAG.test(text.slice(Math.max(0, first - 80), first))) return undefined;
  return derive(text, QUOTE_MARK, () => "");
}

/** Without what server-sent events put before every line of their data, where a value stands on several of them. */
function withoutEventMarks(text: string): Derived | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  if (!head.includes("data:")) return undefined;
  const lines = head.split("\n");
  const goesOn = lines.some((line, nth) => {
    if (!line.startsWith("data:") || !lines[nth + 1]?.startsWith("data:")) return false;
    const data = line.slice("data:".length).trim();
    return data.length > 1 && "{[".includes(data[0] as string) && ",{[".includes(data.at(-1) as string);
  });
  return goesOn ? derive(text, /^data:[ \t]?/gm, () => "") : undefined;
}

/** A key or an element of a list with two quotes on both sides, as CSV writes them in a cell. Empty strings are none. */
const DOUBLED_QUOTES =
  /[{,]\s{0,40}""(?!\s{0,8}[:,\]}])[^"\n]+""\s{0,8}:|\[\s{0,40}""[\p{L}\p{N}][^"\n]*""\s{0,8}[,\]]/u;
/** Quotes in odd numbers that are not those of a cell. */
const ODD_QUOTES = /(?<![}\]]\s?|")"(?:"")*(?!"|\s?[{[])/;

/** With one quote for two, as CSV writes them in a cell; only where all quotes between the brackets are doubled. */
function withoutDoubledQuotes(text: string): Derived | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  const first = head.includes('""') ? head.search(DOUBLED_QUOTES) : -1;
  if (first < 0) return undefined;
  const last = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return ODD_QUOTES.test(text.slice(first, last > first ? last : text.length))
    ? undefined
    : derive(text, /""/g, () => '"');
}

/** With one brace for two, as format strings write them: `{{"a": 1}}`; only where all are doubled. */
function withoutDoubledBraces(text: string): Derived | undefined {
  if (!text.includes("{{") || !text.includes("}}")) return undefined;
  for (const [run] of text.matchAll(/\{+|\}+/g)) if (run.length % 2 === 1) return undefined;
  return derive(text, /\{\{|\}\}/g, (braces) => braces.slice(1));
}

/** Two apostrophes or backticks in place of a quote. */
const PAIRED_MARKS = /[{[]\s{0,40}(?:''|``)[^'`"\n]{1,100}(?:''|``)\s{0,8}[:,\]]/;

/** With quotes for two marks each, as TeX writes them: ``{``a'': 1}``. */
function withoutPairedMarks(text: string): Derived | undefined {
  if (!text.includes("''") && !text.includes("``")) return undefined;
  return PAIRED_MARKS.test(text) ? derive(text, /''|(?<!`)``(?!`)/g, () => '"') : undefined;
}

/** What stands on its line before a bracket that ends it. */
const LINE_MARK = /(?:^|\n)[ \t]{0,8}([^\s"'`{}[\],][^"'`{}[\]\n]{0,60}?)[ \t]{0,8}$/;
/** So many brackets of a kind are looked at. */
const MAX_MARKED = 20;

/**
 * Without what a listing, a log, a comment or a patch puts before every line: numbers, times, names, signs. The line
 * that opens the value, the next one and one that closes it all have the same but for the digits.
 */
function withoutLineMarks(text: string): Derived | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  for (const opener of ["{\n", "[\n", "{\r\n", "[\r\n"]) {
    let at = head.indexOf(opener);
    for (let tries = 0; at >= 0 && tries < MAX_MARKED; tries++, at = head.indexOf(opener, at + 1)) {
      const found = LINE_MARK.exec(head.slice(Math.max(0, at - 100), at))?.[1];
      if (found === undefined) continue;
      const sign = found
        .replace(/[.*+?^$()|\\/-]/g, "\\$&")
        .replace(/\d+/g, "\\d+")
        .replace(/[ \t]+/g, "[ \\t]+");
      const mark = `^[ \\t]{0,8}${sign}`;
      const next = new RegExp(mark, "my");
      next.lastIndex = at + opener.length;
      if (!next.test(text) || !new RegExp(`${mark}[ \\t]*[}\\]]`, "m").test(text.slice(next.lastIndex))) continue;
      return derive(text, new RegExp(`${mark}[ \\t]?`, "gm"), () => "");
    }
  }
  return undefined;
}

/** Without marks before lines, doubled signs or lost colours: each form that the text has. */
export function* withoutMarks(text: string): Generator<Derived> {
  for (const unmark of [
    withoutQuoteMarks,
    withoutLineMarks,
    withoutDoubledQuotes,
    withoutDoubledBraces,
    withoutPairedMarks,
    withoutLostColours,
    withoutEventMarks,
  ]) {
    const plain = unmark(text);
    if (plain) yield plain;
  }
}
