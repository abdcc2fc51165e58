import { DUMPS, type Open, TAGGED, UNTAGGED } from "./dumps.js";
import { parseContainer, utf8Of } from "./strict.js";

/** Ways in which a text may be written as another one: what tells of each, which signs go, and what takes their place. */

export interface Encoding {
  /** Begins before the value, at the latest with its bracket, and ends in it; or stands anywhere `within` it, also as a `sign` of it. */
  tells: Pick<RegExp, "exec">;
  within?: true | "sign";
  /** Only where a schema tells what is meant. */
  asked?: true;
  /** What tells that it may be something else, as code. */
  unsure?: Pick<RegExp, "test">;
  /** Whether the signs are content all the same. */
  isContent?: Pick<RegExp, "test">;
  /** Without groups; may depend on the mark of the lines. */
  signs: RegExp | ((mark: string) => RegExp);
  /** `open`: what the signs so far have opened; `behind`: how the text goes on behind the sign at `at`. */
  by?(sign: string, open: Open[], behind: string, at: number): string;
}

const half = (sign: string) => sign.slice(sign.length / 2);

/** Codes and titles of a terminal. */
const CODE = "\\u001b(?:\\[[0-?]{0,40}[@-~]|\\][^\\u0007\\u001b]{0,200}\\u0007)";
const COLOURED = new RegExp(
  `^[^\\u001b]*\\u001b\\[0?m|^[^]*?(?:${CODE}\\s{0,8}[{[]|(?<=[{[:,]\\s{0,8})${CODE}["\\d-]|(?<=\\{\\s{0,8}")${CODE})`,
);
/** What a quotation, a listing, a log, a comment, a patch or a box puts before every line: numbers, times, names, signs. */
const LINE_MARK =
  /^[ \t]{0,8}((?:\[[^"'`{}[\]\n]{1,60}\](?!\s?,)|[^\s"'`{}[\],])(?:[^"'`{}[\]\n]|\[[\w.:-]{1,30}\](?=[: ])){0,60}?)[ \t]{0,8}(?:\{|\[(?![\w.:-]{1,30}\][: ]))(?=(?:[^\n]{0,2000}[,{[])?[ \t]{0,200}[│┃|]?\s?\n[ \t]{0,8}\1(?!\w))/m;
/** The right side of a box. */
const BORDER = "(?:(?<![ \\t])[ \\t]{0,200})?[│┃|][ \\t]{0,8}(?![^\\r\\n])";

/** A line that begins with a value, and is as long as the next one. */
function wrapped(text: string): RegExpExecArray | null {
  const isWrapped = ({ index, 0: line }: RegExpExecArray) =>
    text.indexOf("\n", index + line.length + 1) === index + 2 * line.length + 1;
  return [...text.matchAll(/^[{[][^\n]{39,199}$/gm)].find(isWrapped) ?? null;
}

const BROKEN_KEY = /[{,] ?"\w{1,40}\r?\n\w{1,40}":/;

const NAMES = "quot apos lt gt amp nbsp ldquo rdquo lsquo rsquo lcub rcub lsqb rsqb colon comma szlig euro".split(" ");
const SIGNS = `"'<>& “”‘’{}[]:,ß€`;
/** What stands behind a letter: `eacute`. */
const ACCENTS = "grave acute circ tilde uml ring cedil".split(" ");
const MARKS = "\u0300\u0301\u0302\u0303\u0308\u030a\u0327";

const ENCODINGS: readonly Encoding[] = [
  UNTAGGED,
  TAGGED,
  {
    tells: LINE_MARK,
    // A program may be commented out.
    unsure: /^[ \t]{0,8}\/\/[ \t]{0,8}[{[]/m,
    // The digits of the mark count the lines, or the time.
    signs(mark) {
      const escaped = mark.replace(/[.*+?^$()|[\]\\/-]/g, "\\$&");
      const sign = escaped.replace(/0+/g, "\\d+").replace(/[ \t]+/g, "[ \\t]+");
      return new RegExp(`(?<![^\\n])[ \\t]{0,8}${sign}[ \\t]?|${BORDER}`, "g");
    },
  },
  // Bytes of UTF-16, or a block that was never written.
  { within: true, tells: /[[{]\0["[{\s]\0|[}\]]\s?\0{2}/, signs: /\0+/g },
  // A sign that psql puts behind every line but the last one.
  { tells: /^[ \t]{0,8}[[{][ \t]{0,200}\+\r?\n/m, signs: /\+(?=\r?\n)/g },
  ...DUMPS,
  // Erlang's binaries: `<<"ann">>`.
  {
    within: "sign",
    tells: /[{[,>\s]<<"/,
    signs: /<<(?=")|(?<=")(?:\/utf8)?>>/g,
  },
  // Colours in strings are content, unless they were begun around them.
  {
    tells: { exec: (text) => (text.includes("\u001b") ? COLOURED.exec(text) : null) },
    signs: new RegExp(CODE, "g"),
  },
  // Those that have lost their escape character, or show it as `^[`.
  {
    tells: /(?:^|[{[:,]\s{0,8})(?:\[\d{0,3}(?:;\d{1,3}){0,4}m){1,4}["{[\d-]|^[\s\S]*?[{[:,]\s{0,8}\^\[\[\d{1,3}m["'\d]/,
    signs: /(?:\^\[)?\[\d{0,3}(?:;\d{1,3}){0,4}m/g,
  },
  // Two quotes for one, as CSV writes them in a cell; none of them is alone, and empty strings are none.
  {
    tells: /[{,]\s{0,40}""(?!\s{0,8}[:,\]}])[^"\n]+""\s{0,8}:|\[\s{0,40}""[\p{L}\p{N}][^"\n]*""\s{0,8}[,\]]/u,
    // A bracket among letters may have stood outside of a string.
    unsure: /[^\s"\d\]}][\]}],[^\s"{[]/,
    signs: /""/g,
    by: half,
  },
  // Three quotes for one, or a backtick before it, as shells of Windows want them.
  { tells: /[{,]\s{0,40}(?:"""[^"\n]{1,100}"""|`"[^"\n]{1,100}`")\s{0,8}:/, signs: /"""|`"/g, by: () => '"' },
  // Two braces for one, as format strings write them before a key; none of them is alone.
  { tells: /\{\{(?=\s{0,80}["'“{}])/, isContent: /(?<!\})\}(?:\}\})*(?!\})/, signs: /\{\{|\}\}/g, by: half },
  // Two apostrophes or backticks for a quote, as TeX writes them.
  {
    tells: /[{[]\s{0,40}(?:''|``)[^'`"\n]{1,100}(?:''|``)\s{0,8}[:,\]]/,
    signs: /''|(?<!`)``(?!`)/g,
    by: () => '"',
  },
  // `<|"|>`, as Gemma does; in a string it is content.
  { within: true, tells: /[:,[{]\s{0,40}<\|"\|?>(?!"?\s?[,}\]])/, signs: /<\|"\|?>/g, by: () => '"' },
  // `call:read{path:<escape>a.ts<escape>}`, as an older one does.
  {
    tells: /\bcall[: ][\w.:-]{1,60}\{(?=[^{}]{0,200}:<escape>)/,
    signs: /<escape>|["\\\n]/g,
    // A mark too many, and what a backslash means, nobody knows.
    unsure: { test: (text) => text.split("<escape>").length % 2 === 0 || text.includes("\\") },
    by(sign, open) {
      if (sign.length > 1 && open.pop() === undefined) open.push("json");
      return sign.length > 1 ? '"' : open.length > 0 ? JSON.stringify(sign).slice(1, -1) : sign;
    },
  },
  // A text that arrives in pieces: by the data stream protocol of the AI SDK (`0:"…"`), or as server-sent events.
  {
    tells:
      /^(?:[a-z]{1,8}:[^\n\r]*\r?\n){0,9}(?:0:"|data: ?)[{[](?=[^\n\r]*[^\]}\s][ \t]*\r?\n(?:(?:[a-z]{1,8}:[^\n\r]*)?\r?\n){0,3}(?:\d|data):)/m,
    isContent: /^(?:3:"|event: ?error)/m,
    signs: /^[^\n]*\n?/gm,
    by(line) {
      const [, words, data = ""] = /^(?:0:(".*")|data: ?(.*?)\r?)\n?$/s.exec(line) ?? [];
      return words === undefined ? data : String(parseContainer(`[${words}]`) ?? "");
    },
  },
  // The marks of a merge that is not resolved: of members that differ, the last one counts.
  { within: "sign", unsure: /<{7}/, tells: /\n<{7} /, signs: /(?<![^\n])(?:<{7}|\|{7}|={7}|>{7})[^\n]{0,400}\n?/g },
  // Lines that a client of SQL has broken, also in a key; or a terminal, at one length.
  {
    within: true,
    unsure: /^/,
    tells: { exec: (text) => wrapped(text) ?? BROKEN_KEY.exec(text) },
    signs: /"(?:[^"\\]|\\.)*"?|(?<=[\w.])\r?\n(?=[\w.])/g,
    by: (sign) => sign.replace(/(?<![\r\n])\r?\n(?![\r\n])/g, ""),
  },
  // Long lines of a container, in parts: `… stdout P {"a": "on` and `… stdout F e"}`.
  {
    tells: / std(?:out|err) P [{[]/,
    signs: /(?:^|\n)\S{1,60} std(?:out|err) [PF] /g,
    by(mark, open) {
      const goesOn = open.pop() !== undefined;
      if (mark.endsWith("P ")) open.push("json");
      return goesOn || !mark.startsWith("\n") ? "" : "\n";
    },
  },
  // HTML; only where quotes are written so, since else entities are content.
  {
    tells:
      /(?:[{[]|&(?:lcub|lsqb|#123);)\s{0,40}(?:<br[ /]{0,2}>\s{0,40})?&(?:amp;)?(?:quot|apos|#0*3[49]|#[xX]2[27]|[lr][ds]quo);/,
    signs: /&(?:[a-zA-Z]{2,7}|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g,
    by(entity) {
      const name = entity.slice(1, -1);
      const code = Number(name.replace(/^#(x?)/i, "0$1"));
      const accented = name[0] + (MARKS[ACCENTS.indexOf(name.slice(1))] ?? "");
      if (accented.length > 1) return accented.normalize();
      return SIGNS[NAMES.indexOf(name)] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity);
    },
  },
  // An apostrophe in a string of a shell.
  {
    tells: /(?<![\p{L}\p{N}'\\])'\s{0,8}[{[](?=[^']{0,2000}'(?:\\'|"'")')/u,
    signs: /'(?:\\'|"'")'/g,
    by: () => "'",
  },
  // One level of backslashes: `{\"a\": 1}` in a JSON string, `{\x22a\x22: 1}` in a script, `'{"a": "it\'s"}'`, `b'{}'`.
  {
    // One part of an object alone is written so, and there are paths.
    unsure: /^(?=[\s\S]{0,4000}[^\\]"\s?:)(?=[\s\S]{0,4000}\\")(?=[\s\S]{0,4000}\\\\)/,
    tells:
      /[{[,]\s{0,40}\\{1,30}["'nrtux]|:\s{0,40}\\{1,30}(?:"|u0|x2|n\s{0,8}[\\{["])|(?<![\p{L}\p{N}'\\])(?:b['"]|'(?=[^']{0,2000}\\'))(?:\s|\\[nrt]){0,40}[{[]/u,
    signs:
      /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}(?:\\x[89abAB][\da-fA-F]){0,3}|["'\\/bfnrt])|"[ \t]{0,8}\+?[ \t]{0,8}\r?\n[ \t]{0,80}\+?[ \t]{0,8}"/g,
    by(sign) {
      if (sign.startsWith('"')) return "";
      const plain = utf8Of(sign.replaceAll("\\x", "%"));
      return sign === "\\'" ? "'" : (plain ?? (JSON.parse(`"${sign.replaceAll("\\x", "\\u00")}"`) as string));
    },
  },
  // A form or an address.
  {
    asked: true,
    tells: /(?:^|[=\s"'])%(?:7B|5B)(?:%0D|%0A|%20|\+){0,40}%(?:22|7B|7D|5B|5D)/i,
    // A character at a time.
    signs: /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|\+/gi,
    // A plus may be one.
    unsure: /\+/,
    by: (sign) => (sign === "+" ? " " : (utf8Of(sign) ?? sign)),
  },
  // The backslashes that Markdown puts before its signs: `\[\{"a\_b": 1\}\]`.
  { tells: /\\[[{]/, signs: /\\[\\[\]{}()_*#+.!|<>~`-]/g, by: (sign) => (sign === "\\\\" ? sign : sign.slice(1)) },
];

/** A text made from another one. */
export interface Derived {
  text: string;
  /** What it was made from. */
  original: string;
  /** Where in the original text each character stood; what stands for a sign stood where that began. */
  places: Uint32Array;
  /** A place in the original text, in the value that is written so; and where a sign stands that is none in a string. */
  inside: number;
  sign: number;
  sure: boolean;
  /** It may be so only since something is asked for. */
  asked: boolean;
}

/** So much of a text tells how it is written, and so much behind the start of its first value. */
const HEAD_LENGTH = 50_000;
const NEAR = 2_000;

/** The texts that this one may be written as; what tells of it begins at `start` at the latest. `isAsked`: by a schema. */
export function* decoded(text: string, start: number, isAsked: boolean): Generator<Derived> {
  const head = text.slice(0, Math.min(start, HEAD_LENGTH) + NEAR);
  for (const { tells, within, asked, unsure, isContent, signs, by = () => "" } of ENCODINGS) {
    if (asked && !isAsked) continue;
    const told = tells.exec(tells === LINE_MARK ? head.replace(/\d/g, "0") : head);
    // The value may begin with further brackets, but behind the mark of its line.
    const others = tells === LINE_MARK ? /./s : /[^\s[{]/;
    if (!told || (!within && others.test(text.slice(start, told.index))) || isContent?.test(text)) continue;
    const pattern = typeof signs === "function" ? signs(told[1] ?? "") : signs;
    const open: Open[] = [];
    /** Of each sign where it stood, its length, and that of what takes its place. */
    const made: number[] = [];
    const derived = text.replace(pattern, (sign: string, index: number) => {
      const behind = index + sign.length;
      const instead = by(sign, open, text.slice(behind, behind + 300), index);
      made.push(index, sign.length, instead.length);
      return instead;
    });
    const places = new Uint32Array(derived.length + 1);
    let [at, to] = [0, 0];
    for (let nth = 0; nth < made.length; nth += 3) {
      const [index, taken, length] = made.slice(nth, nth + 3) as [number, number, number];
      while (at < index) places[to++] = at++;
      places.fill(index, to, to + length);
      to += length;
      at += taken;
    }
    while (at <= text.length) places[to++] = at++;
    if (derived !== text)
      yield {
        text: derived,
        original: text,
        places,
        inside: told.index + told[0].length,
        sign: within === "sign" ? told.index + told[0].length - 1 : -1,
        sure: !unsure?.test(text),
        asked: asked === true,
      };
  }
}
