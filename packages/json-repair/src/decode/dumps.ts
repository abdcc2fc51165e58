import type { Encoding } from "./encodings.js";

/** What programs print of their values: names before brackets, and brackets that JSON does not have; and calls as models write them. */

/** What a sign has opened: a map, a list, pairs or one of them, what is in other brackets, round ones, or JSON; the tag of an element; of a list of PHP its length so far. */
export type Open = "map" | "list" | "pairs" | "key" | "call" | "round" | "json" | Argument | `<${string}` | number;
/** A value that begins on the line of its tag; one of lines of its own, at its first or a further one; a tag in one. */
type Argument = "inline" | "first-line" | "lines" | "tag";
const CALL_STARTS: Partial<Record<Open, string>> = { map: "{", list: "[", pairs: "{", key: "", call: "" };
const CALL_ENDS: Partial<Record<Open, string>> = { map: "}", list: "]", pairs: "}", key: "", call: "" };
const CONTAINER =
  "\\b(?:new |[a-z]\\w{0,20}\\.)?(?:array|Counter|ChainMap|defaultdict|deque|dict(?:_\\w{4,6})?|frozenset|list|Map|mappingproxy|OrderedDict|[sS]et|to(?:list|set|map)|tensor|tuple)\\(";
/** `<class 'int'>`, or the letter of one. */
const TYPE = "(?:<[^<>\\n]{1,60}>|'[a-zA-Z]')";
const PHP_KEY = '(?:\\[(?:"[^"\\n]{1,200}"|[^[\\]"\\n]{1,60})\\]|\\b\\d{1,9}) ?=>';
/** `[a] => some words`, to the end of the line. */
const PHP_PRINTED = '\\[[^[\\]"\\n]{1,60}\\] => (?!(?:Array|[\\w\\\\]{1,60} Object)\\s)[^\\n]*';
const PHP_ARRAY =
  "(?<![\\w\\\\])(?:[Aa]rray|object\\([\\w\\\\]{1,60}\\)#\\d{1,9} |[\\w\\\\]{1,60} Object)(?: ?\\(\\d{1,9}\\) \\{|\\s{0,80}\\()";
/** `User(name='Ann'`, `User{name=Ann`: of a class of Python, Kotlin or Java. */
const FIELDS = "\\b[A-Z]\\w{0,60}[({](?=[a-z_]\\w{0,40}=[^=])";
const IS_MAP = new RegExp(`^\\s{0,80}(?!\\[?0\\]? ?=>)(?:(?:'[^'\\n]{0,200}'|"[^"\\n]{0,200}") ?=>|${PHP_KEY})`);

/** What PHP prints of its arrays, Go of its values, and Python and JavaScript of their containers. */
function dumped(sign: string, open: Open[], behind: string): string {
  const top = open.at(-1);
  if (sign.startsWith("string(")) return JSON.stringify(sign.slice(sign.indexOf('"') + 1, -1));
  if (/^(?:["']|Array\S* $|\((?:object|\d))/.test(sign)) return sign.replace(/^[A(].*/, "");
  const arrow = sign.indexOf("=>");
  if (arrow > 0) {
    const name = sign.slice(0, arrow).replace(/^\["?|"?\] ?$| $/g, "");
    const [visibility = ""] = /:(?:[\w\\]{1,60}:)?(?:protected|private)$/.exec(name.slice(-80)) ?? [];
    const key = name.slice(0, name.length - visibility.length);
    const isNext = top === Number(key);
    if (isNext) open.splice(-1, 1, top + 1);
    if (!isNext && !(top === "map" && sign.startsWith("["))) return sign;
    const start = isNext ? (top > 0 && sign.startsWith("[") ? "," : "") : `"${key}":`;
    return start + (sign.length > arrow + 2 ? printedOf(sign.slice(arrow + 3)) : "");
  }
  if (sign === "," && top === "key") open.splice(-1, 1, "call");
  if (sign === ",") return top === "key" ? ":" : sign;
  if (/^[^)]*\(\)$/.test(sign)) return /dict|Counter|Map/i.test(sign) ? "{}" : "[]";
  if (/[\]}]$|\)(?:\.to_?list\(\))?$/.test(sign)) {
    const kind = open.pop() ?? "json";
    const end = typeof kind === "number" ? "]" : CALL_ENDS[kind];
    return end ? sign.slice(0, -1) + end : (end ?? sign);
  }
  const kinds = kindsOf(sign, open, behind);
  open.push(...kinds);
  const last = kinds.at(-1) ?? "json";
  return (typeof last === "number" ? "[" : CALL_STARTS[last]) ?? sign;
}

/** What Go prints with `%v` and `%+v`: blanks part the members. */
function printed(sign: string, open: Open[], behind: string): string {
  const top = open.at(-1);
  if (sign === " ") return top === "list" || (top === "map" && /^[\w.-]{1,60}:/.test(behind)) ? "," : sign;
  if (sign === "]" || sign === "}") return (open.pop() === "map" ? "}" : undefined) ?? sign;
  open.push(sign === "[" ? "list" : "map");
  return sign === "[" ? sign : "{";
}

/** A value of `print_r`: a number, or a text. */
function printedOf(value: string): string {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value) ? value : JSON.stringify(value);
}

function kindsOf(sign: string, open: readonly Open[], behind: string): Open[] {
  // Alone or in a call they are code.
  if (/^[A-Z]\w*[({]/.test(sign) && /^\w*=/.test(behind)) return (open[0] ?? "round") === "round" ? ["round"] : ["map"];
  if (/^(?:map|&?[a-z]\w*\.[A-Z])/.test(sign)) return ["map"];
  if (/\[\] ?\{$|^\[\]/.test(sign)) return ["list"];
  if (/array|object/i.test(sign) && !/^[[{(]/.test(behind)) return IS_MAP.test(behind) ? ["map"] : [0];
  if (sign.length === 1) return [open.at(-1) === "pairs" && sign !== "{" ? "key" : sign === "(" ? "round" : "json"];
  const call: Open[] = sign.includes("(") ? ["call"] : [];
  return sign.endsWith("[") ? [...call, "pairs"] : call;
}

/** What has its meaning for each of them. */
const STRING = `(?<!\\w)'(?:[^'\\\\\\n]|\\\\.)*'?|"(?:[^"\\\\\\n]|\\\\.)*"?`;
const BRACKET = "[([{,}\\])]";

const CONTAINER_SIGNS = new RegExp(
  `${STRING}|\\bnew(?: \\w{1,40})?\\[\\] ?\\{|\\bfromList \\[(?=\\()|(?:\\bArray|\\bArray\\(\\d{1,9}\\)|(?<=[:,[] ?)\\(\\d{1,9}\\)) (?=\\[)|\\bSome\\((?=[\\sA-Z[{(])|\\btensor\\((?=-?\\d)|\\b(?:OrderedDict|dict|new Map)\\(\\[(?=[[(]["'\\d])|${CONTAINER}(?:(?:${TYPE}, )?(?=[[{(])|\\))|${FIELDS}|(?:, ?\\w{1,20}=(?:[\\w.]{1,40}|'[^'\\n]{0,40}'|<\\w{0,40}>)){0,4}(?:,\\s{0,80})?\\)(?:\\.to_?list\\(\\))?|${BRACKET}`,
  "g",
);

/** What stands before the names of such tags: `<｜DSML｜parameter`, `<minimax:tool_call>`. */
const PREFIX = "(?:[|｜]{1,2}DSML[|｜]{1,2} ?|\\w{1,20}:)?";
const START = `(?:<${PREFIX}parameter[= ][^<>\\n]{1,160}(?<!/)>|<arg_key>[^<>]{1,80}</arg_key>\\s{0,80}<arg_value>)`;
const END = `</(?:${PREFIX}parameter|arg_value)>`;
const CALL_START = `<${PREFIX}(?:function|invoke|tool_call)[^<>\\n]{0,90}>`;
const IS_CALL = new RegExp(`^${CALL_START}`);
const CALL_END = `</${PREFIX}(?:function|invoke|tool_call)>`;
/** The value may have lines of its own. */
const ARGUMENT = `${START}(?:\\r?\\n)?`;
const ARGUMENT_END = `(?:\\r?\\n[ \\t]{0,80})?${END}`;
const IS_START = new RegExp(`^${START}`);
const IS_END = new RegExp(`${END}$`);
const IS_CALL_END = new RegExp(`^\\s*${CALL_END}`);
const IS_OVER = new RegExp(`^(?:\\s{0,80}${CALL_END}){0,4}\\s*$`);
/** A single line may be indented as its tag is. */
const INDENT = "(?<=>\\r?\\n)[ \\t]{1,80}";
const IS_INDENTED = /^[^\n]{1,200}\n[ \t]{1,40}<\//;
/** An end too many may stand between. */
const BEHIND_ARGUMENT = new RegExp(`^\\s{0,80}(?:${END}\\s{0,80})?(?:<${PREFIX}parameter[ =]|<arg_key>|${CALL_END}|$)`);

/** An argument in tags: a text, of which the schema makes what it asks for. Open are the number of arguments so far (negative once the last one had tags in it), a value, and tags in it. */
function argued(sign: string, open: Open[], behind: string): string {
  const [count = 0, kind] = open;
  const isStart = IS_START.test(sign);
  const isEnd = IS_END.test(sign);
  if (kind !== undefined) {
    if (kind === "first-line") open[1] = "lines";
    if (kind === "first-line" && /^[ \t]/.test(sign) && IS_INDENTED.test(behind.slice(0, 300))) return "";
    if (isStart || sign === "<parameter>") open.push("tag");
    // Behind a tag that is content nobody knows what an end belongs to.
    if (open.length > 2) open[0] = -Math.abs(Number(count));
    if (isEnd && (open.length > 2 || BEHIND_ARGUMENT.test(behind))) open.pop();
    // The call ends, but not its last argument.
    if (open.length === 2 && Number(count) > 0 && IS_CALL_END.test(sign) && IS_OVER.test(behind)) {
      open.length = 0;
      return '"}';
    }
    if (open.length > 1) return JSON.stringify(sign).slice(1, -1);
    // Its last line end is content.
    return kind === "inline" ? JSON.stringify(sign.slice(0, sign.indexOf("<"))).slice(1) : '"';
  }
  const name = isStart && / name="([^"]+)|parameter=([\w.-]+)|<arg_key>([^<]+)/.exec(sign)?.slice(1).find(Boolean);
  if (name) {
    open.splice(0, 1, Math.abs(Number(count)) + 1, sign.endsWith(">") ? "inline" : "first-line");
    return `${count === 0 ? "{" : ","}${JSON.stringify(name.trim())}:"`;
  }
  if (isEnd || IS_CALL.test(sign)) return "";
  return IS_CALL_END.test(sign) && open.pop() !== undefined ? "}" : sign;
}

/** `read(`, before an argument of Python: all of a text, or of a list, between the marks of a call. */
const CALL = "\\b(?:[A-Z]\\w{0,20}\\.)?[a-z_][\\w.]{0,40}\\((?=\\s{0,8}[a-z_]\\w{0,30}=[^=])";

/** An argument whose end is missing, before a line with the next one. */
const UNCLOSED_ONE = `${START}[^<]{1,2000}(?<=\\n)(?=<${PREFIX}parameter[= ]|<arg_key>|${CALL_END})`;
const UNCLOSED = new RegExp(UNCLOSED_ONE);
const [STARTS, ENDS] = [new RegExp(START, "g"), new RegExp(END, "g")];

/** The ends of arguments that lack them are put in. */
export const UNTAGGED: Encoding = {
  asked: true,
  unsure: /^/,
  tells: {
    exec(text) {
      const isOpen = text.split(STARTS).length > text.split(ENDS).length;
      return isOpen ? UNCLOSED.exec(text) : null;
    },
  },
  signs: new RegExp(UNCLOSED_ONE, "g"),
  // Any end will do.
  by: (sign) => `${sign.trimEnd()}</parameter>`,
};

/** Entities, and an end behind an end, may be content; what has types defines a tool; what has lost its head is no call. */
const MAY_BE_CONTENT = new RegExp(
  `(?:\`|(?:^|\\n)> ?)<${PREFIX}(?:function|invoke|tool_call)|&(?:amp|lt|gt|quot|apos);|(?:${END}|${CALL_END})\\s{0,80}${END}|<parameter [^<>]{0,80}type=|^(?![^]*<[|｜\\w:]{0,12}(?:function|invoke|tool_call))`,
);

const CALL_ENDS_AT = new RegExp(CALL_END);
/** Whether an argument is given twice: both may be meant, as a list. */
function repeats(call: string): boolean {
  const starts = call.match(STARTS) ?? [];
  return new Set(starts).size < starts.length;
}

/** `<function=read><parameter=path>a.ts</parameter></function>`: a call whose arguments are no JSON. */
export const TAGGED: Encoding = {
  asked: true,
  // What has lost a tag may go on elsewhere.
  unsure: {
    test: (text) =>
      text.split(STARTS).length !== text.split(ENDS).length ||
      MAY_BE_CONTENT.test(text) ||
      text.split(CALL_ENDS_AT).some(repeats),
  },
  tells: new RegExp(START),
  signs: new RegExp(
    `${INDENT}|${ARGUMENT}|${CALL_START}|<parameter>|${ARGUMENT_END}|(?:\\r?\\n)?${CALL_END}|["\\\\\\u0000-\\u0009\\u000b-\\u001f]+|\\n`,
    "g",
  ),
  by: argued,
};

/** The tags of elements, but for those of a page, which are content. */
const OF_PAGE = "(?:[abipu]|h[1-6]|em|strong|code|pre|br|div|span|script|style|[uo]l|li|table|t[rdh]|svg|img)";
const TAG = "<[\\w-]{1,60}\\s?>";
const NAMED_TAG = `<(?!${OF_PAGE}\\s?>)[\\w-]{1,60}\\s?>`;
const ELEMENT = new RegExp(`^${NAMED_TAG}`);

const IS_PAGE = /<!doctype|<(?:html|body|head|\?xml)\b/i;

/** Elements by their names, each a text or what holds further ones. Open are their tags, and a map in what holds others. */
function elements(sign: string, open: Open[], behind: string): string {
  const [tag, end] = /^<(\/?)[\w-]+/.exec(sign.trim()) ?? [];
  const next = ELEMENT.test(behind) ? "," : "";
  const isText = open.length > 0 && open.at(-1) !== "map";
  if (isText && tag !== String(open.at(-1)).replace("<", "</")) return JSON.stringify(sign).slice(1, -1);
  if (tag === undefined) return sign;
  if (end) {
    open.splice(isText ? -1 : -2);
    return (isText ? '"' : "}") + (open.length > 0 ? next : "");
  }
  const key = open.length > 0 ? `${JSON.stringify(tag.slice(1))}:` : "";
  if (next === "" && key === "") return sign;
  open.push(tag as `<${string}`, ...(next ? ["map" as const] : []));
  return key + (next ? "{" : '"');
}

export const DUMPS: readonly Encoding[] = [
  // `[read(path="a.ts")]`
  {
    asked: true,
    unsure: /^/,
    tells: new RegExp(
      `(?:^\\s{0,80}(?:(?:<\\|?\\w{1,30}\\|?>|\`{3}\\w{0,12})\\s{0,8})?|<\\|tool_call_start\\|>)(?:\\[|print\\()?${CALL}`,
    ),
    isContent: { test: (text) => !text.includes("<|tool_call_end|>") && /(?<!(?:\)\]?|>|```)\s{0,9})$/.test(text) },
    signs: new RegExp(`${STRING}|(?:\\[|print\\()?${CALL}|(?<=[(,]\\s{0,8})[a-z_]\\w{0,30}=|${BRACKET}`, "g"),
    by(sign, open) {
      if (sign.endsWith("=")) return `"${sign.slice(0, -1)}":`;
      if (/^[,"']/.test(sign)) return sign;
      if (/[{([]$/.test(sign)) {
        open.push(sign.length > 1 ? "map" : "json");
        return sign.length > 1 ? "{" : sign;
      }
      const kind = open.pop();
      return kind === "map" ? "}" : kind ? sign : "";
    },
  },
  // Arrays and objects of PHP: `array ('a' => 1)`, `[a] => 1`, `["a"]=> int(1)`.
  {
    within: "sign",
    // PHP has no escapes in apostrophes.
    unsure: /\barray\((?!\d{1,9}\) \{|\s{0,40}\n)|'[^'\n]{0,200}\\[^'\\]/,
    tells: new RegExp(`${PHP_ARRAY}\\s{0,80}(?:'[^'\\n]{1,80}' ?=>|"[^"\\n]{1,80}" ?=>|${PHP_KEY})`),
    signs: new RegExp(
      `string\\(\\d{1,9}\\) "[^\\n]*"(?=\\r?\\n|$)|${STRING}|${PHP_PRINTED}|${PHP_KEY}|\\(object\\) (?=array)|\\b(?:bool|int|float)\\((?=[\\w.+-]{1,40}\\)\\s)|${PHP_ARRAY}|${BRACKET}`,
      "g",
    ),
    by: dumped,
  },
  // `OrderedDict([('a', 1)])`, `array([1])`, `[User(a=1)]`, `Some(\n1\n)`, `new Set([1])`.
  {
    within: "sign",
    unsure: new RegExp(`[[{:,]\\s{0,80}(?:${FIELDS}|\\(\\d{1,9}\\) \\[)`),
    tells: new RegExp(
      `${CONTAINER}(?:${TYPE}, )?[[{()]|\\bnew(?: \\w{1,40})?\\[\\] ?\\{|[[{:,]\\s{0,80}(?:${FIELDS}|Array \\[|(?:Array)?\\(\\d{1,9}\\) \\[|Some\\([\\sA-Z[{(]|tensor\\()|\\bfromList \\[(?=\\()`,
    ),
    signs: CONTAINER_SIGNS,
    by: dumped,
  },
  // `User(name='Ann')`, where it is all and something is asked for.
  {
    asked: true,
    unsure: /^/,
    tells: new RegExp(`^${FIELDS}`),
    isContent: /(?<![)}]\s{0,9})$/,
    signs: CONTAINER_SIGNS,
    by(sign, open, behind, at) {
      if (at > 0) return dumped(sign, open, behind);
      open.push("map");
      return "{";
    },
  },
  // `map[a:1 b:[x y]]`, `{Name:Ann Age:30}`
  {
    unsure: /^/,
    // What has quotes is something else.
    isContent: /[{[]\s{0,9}"/,
    tells:
      /\bmap\[[\w.-]{1,60}:[^\s\]]{1,60} (?:[^\s\]:]{1,40} ){0,3}[\w.-]{1,60}:|(?<![\w)])\{[A-Z]\w{0,40}:[^\s"'{}[\],]{1,60} (?:[^\s"'{}[\],:]{1,40} ){0,3}[A-Z]\w{0,40}:/,
    signs: /\bmap\[|&?\{|[[\]} ]/g,
    by: printed,
  },
  // `<read><path>a.ts</path></read>`: a call whose arguments are elements.
  {
    asked: true,
    unsure: /^/,
    // A page is none, and JSON before or behind them is what is meant.
    isContent: {
      test(text) {
        const around = text.slice(0, text.indexOf("<")) + text.slice(text.lastIndexOf(">"));
        return /[{[]/.test(around) || IS_PAGE.test(text);
      },
    },
    tells: new RegExp(`(?<!\\w)${NAMED_TAG}\\s{0,80}${NAMED_TAG}\\s{0,80}(?![{["\\s]|${NAMED_TAG})`),
    signs: new RegExp(`(?:(?<!\\s)\\s{1,80})?(?:${TAG}|</[\\w-]{1,60}>)\\s{0,80}|["\\\\\\u0000-\\u001f]+`, "g"),
    by: elements,
  },
];
