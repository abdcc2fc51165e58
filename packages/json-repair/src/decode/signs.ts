/** The one table of signs (what counts as a quote, bracket, comma, colon or blank, in every script and width), and that of the marks of thoughts; numbers and literals as others write them. */

/** A letter, a digit, or a sign without a meaning in JSON. */
const OTHER = 0;
const BLANK = 1;
/** Blank to the eye, and unknown to JSON. */
export const ODD_BLANK = 2;
export const QUOTE = 3;
export const OPEN_OBJECT = 4;
export const OPEN_LIST = 5;
export const OPEN_ROUND = 6;
export const CLOSE_OBJECT = 7;
export const CLOSE_ROUND = 9;
export const COMMA = 10;
export const COLON = 11;

/** Each quote, followed by the signs that may close it. */
const QUOTES = `""” ''’ \`\`'´ “”"“ ””"“ „“”" ‘’'‘ ’’' «» »« ‹› ‚‘’ 「」 『』 〝〞〟 ″″ ′′ ´´ ＂＂" ＇＇'`;
const CLOSERS = new Map(QUOTES.split(" ").map((row) => [row.charAt(0), row.slice(1)] as const));

const COLON_SIGNS = ":：";
/** All others: those of each sign. */
const SIGNS = ["", " \n\r\t", "", "", "{｛", "[［【", "(（", "}｝", "]］】", ")）", ",，、､،؛；;|", COLON_SIGNS];

/** What stands between a key and its value, as patterns: a colon, and what others write for it; a row each. */
export const COLONS = [`[${COLON_SIGNS}]=?`, "=>", "->", "={1,3}"].join("|");

/** Control characters, odd blanks, signs without a width, byte order mark: first and last code of each range. */
const ODD_BLANKS = [
  0x00, 0x1f, 0x7f, 0xa0, 0xad, 0xad, 0x180e, 0x180e, 0x2000, 0x200f, 0x2028, 0x202f, 0x205f, 0x206f, 0x2581, 0x2581,
  0x3000, 0x3000, 0xfe00, 0xfe0f, 0xfeff, 0xfeff,
];

const SIGN_OF = new Uint8Array(0x10000);
for (let nth = 0; nth < ODD_BLANKS.length; nth += 2)
  SIGN_OF.fill(ODD_BLANK, ODD_BLANKS[nth], (ODD_BLANKS[nth + 1] as number) + 1);
for (const [sign, signs] of SIGNS.entries()) for (const c of signs) SIGN_OF[c.charCodeAt(0)] = sign;
for (const quote of CLOSERS.keys()) SIGN_OF[quote.charCodeAt(0)] = QUOTE;

/** What a code unit is outside of strings; `OTHER` behind the end of a text, where there is none. */
export function signOf(code: number): number {
  return code >= 0 ? (SIGN_OF[code] as number) : OTHER;
}

/** The signs that may end a string which this quote has opened. */
export function closersOf(quote: string): string {
  return CLOSERS.get(quote) ?? quote;
}

/** Every sign that ends a string of some quote. */
export const ALL_CLOSERS = [...CLOSERS.values()].join("");

/** What may stand around a value without being a part of it. */
function isBlank(code: number): boolean {
  const sign = signOf(code);
  return sign === BLANK || sign === ODD_BLANK;
}

/** The next index from `at` on that is not blank. */
export function skipBlanks(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Behind the last sign before `to` that is not blank. */
export function behindBlanks(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

const THOUGHT_NAME =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|cot|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)";
/** The one table, for texts that are whole and for those that arrive. What a mark that closes has in it is a group. */
const THOUGHT = new RegExp(
  [
    `<\\|?(/|end_(?:of_)?)?(?:start_|begin_(?:of_)?)?${THOUGHT_NAME}(?:[_-](?:content|process|reason(?:ing)?|steps?|block|fast(?:er)?|start|begin|(end)))?\\b[^<>/]{0,60}>`,
    "\\[(/)?THINK\\]|◁(/)?think▷|<unused9(?:4|(5))>|<\\|channel>thought|(<channel\\|>)",
    // Ollama prints these lines once, around all that came as the thought.
    "^Thinking\\.{3}\\n|(\\n\\.{3}done thinking\\.)",
    // Harmony: any number of messages to think in, one behind the other, ends with the final one, or with a call.
    "<\\|channel\\|>\\s{0,20}(?:analysis|commentary(?! to=)|(final|commentary))",
  ].join("|"),
  "iy",
);
/** A thought may stand in another one: it ends with as many closing marks as opening ones. Not so of these marks. */
const FLAT = /^(?:<\|channel\||T|\n)/;

/** The mark of a thought that stands at `at`: where it ends, and in how many thoughts the text behind it stands. */
export function thoughtMark(text: string, at: number, depth: number): { end: number; depth: number } | undefined {
  THOUGHT.lastIndex = at;
  const [mark, ...closing] = THOUGHT.exec(text) ?? [];
  if (mark === undefined) return undefined;
  const closes = closing.some((one) => one !== undefined);
  const flat = FLAT.test(mark);
  // What a tool is given ends a thought, but nothing before it was one for that.
  if (depth === 0 && mark.endsWith("commentary") && closes) return undefined;
  const behind = closes ? (flat ? 0 : Math.max(0, depth - 1)) : flat ? Math.max(1, depth) : depth + 1;
  return { end: at + mark.length, depth: behind };
}

/** So far back a quote is looked for that stands before a mark. */
export const QUOTED_WITHIN = 200;

/** Whether a thought tells of the mark, in double quotes on one line; `undefined` if the text breaks off before that is known. */
export function isQuotedMark(text: string, at: number, end: number): boolean | undefined {
  const line = text.slice(Math.max(0, at - QUOTED_WITHIN), at).replace(/^.*\n/s, "");
  if (line.split('"').length % 2 === 1) return false;
  const behind = text.slice(end, end + QUOTED_WITHIN);
  const sign = /["\n[{]/.exec(behind)?.[0];
  return sign === undefined && behind.length < QUOTED_WITHIN ? undefined : sign === '"';
}

/** No mark is longer. */
export const MARK_LENGTH = 120;

/** Whether a fence that names this as its language holds thoughts. */
export const isThoughtFence = (language: string) => THOUGHT_FENCE.test(language);
const THOUGHT_FENCE = new RegExp(`^${THOUGHT_NAME}$`, "i");

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** `5e12345`, `0e12345` are none. */
const isNumber = (word: string) => JSON_NUMBER.test(word) && Number.isFinite(Number(word)) && !/^-?0e/i.test(word);
const GROUPED = /^-?[1-9]\d{0,2}(?:[,'’]\d{3})+(?:\.\d+)?$/;
const CUT_NUMBER = /^-?[\d.]*[eE]?[+-]?$/;

/** `np.True_`, `pd.NaT`, `math.inf`, `$true`: a literal of a module of Python, or of PowerShell. */
const OF_MODULE = /^(?:(?:np|numpy|pd|math)\.|\$)([a-zA-Z]{2,5})_?$/;
/** By what JSON has for each; the text may break off in some. */
const LITERALS: readonly (readonly [json: string, words: RegExp, cut: RegExp])[] = [
  ["true", /^true?\.?$/i, /^tr?$/i],
  ["false", /^false?\.?$/i, /^f(?:al?)?$/i],
  ["null", /^(?:null?\.?|none|nil|undef(?:ined)?|[+-]?(?:nan|inf(?:inity)?))$/i, /^n(?:u|on?)?$/i],
];

/** The number or literal that the word is in JSON, undefined for another word. */
export function jsonOf(written: string, cut: boolean): string | undefined {
  if (isNumber(written)) return written;
  const narrow = /^−?[０-９．]+$/.test(written) ? written.normalize("NFKC") : written;
  const word = (narrow.endsWith(".") ? narrow.replace(/^(-?\d{1,20}\.\d{1,20})\.$/, "$1") : narrow)
    .replace("−", "-")
    .replace(/^([\d.]{1,30})[Lnf]$/, "$1")
    .replace(/^(-?0\.) (?=\d)/, "$1")
    .replace(/^(?:np|pd)\.NaT$/, "null")
    .replace(/^!([01])$/, (_, digit) => String(digit === "0"))
    .replace(OF_MODULE, "$1");
  const plain = GROUPED.test(word) ? word.replace(/[,'’]/g, "") : word.replace(/(?<=\d)_(?=\d)/g, "").replace(",", ".");
  if (isNumber(plain)) return plain;
  if (cut && CUT_NUMBER.test(word)) return /^-?(?:0|[1-9]\d*)(?:\.\d+)?/.exec(word)?.[0] ?? "null";
  // `007` is a name, `09.30` a time, `00.0000` a number.
  const [, sign, hex = plain] = /^([+-])(0[xX][\da-fA-F]{1,16})$/.exec(plain) ?? [];
  const value = /^[+-]?0(?:e|\d(?!\d*\.\d+$))|^(?!00\.00)0\d\.\d\d$|^\D*$/.test(word)
    ? Number.NaN
    : Number(hex) * (sign === "-" ? -1 : 1);
  // An address has more digits than a number.
  if (/^[+-]?0x/i.test(plain) && !Number.isSafeInteger(value)) return undefined;
  if (Number.isFinite(value)) return JSON.stringify(value);
  return LITERALS.find(([, words, cutOff]) => words.test(word) || (cut && cutOff.test(word)))?.[0];
}

/** Commands of LaTeX that start as an escape of JSON does. */
export const LATEX =
  /(?:n(?:u|e|eq|abla|ot|otin|i|leq|geq|mid|eg|ewline|exists)|t(?:heta|au|imes|o|ext[a-z]*|an|anh|ilde|op|riangle|frac|binom|ag)|r(?:ho|ight[a-z]*|angle|floor|ceil|m|e)|[bf][a-zA-Z]*)(?![a-zA-Z])/y;
/** Of LaTeX, in a text that has no backslash which JSON does not know. */
export const LATEX_ALONE =
  /b[a-z]|(?:frac|forall|footnote|theta|times|text[a-z]*|tilde|tau|triangle|right[a-z]*|rho|rangle)(?![a-zA-Z])/y;
/** `datetime.date(2024, 3, 1)`, `datetime.datetime(2024, 3, 1, 9, 30)`. */
export const DATE = /(?:datetime\.)?date(?:time)?\(\d{4}(?:, \d{1,2}){2,5}(?:, \d{1,6})?\)(?:\.isoformat\(\))?/y;

/** `2024-03-01`, `2024-03-01T09:30:00`. */
export function isoOf(call: string): string {
  const parts = (call.match(/\d+/g) ?? []).map((part) => part.padStart(2, "0"));
  const time = [...parts.slice(3, 6), "00"].slice(0, 3).join(":");
  return parts.slice(0, 3).join("-") + (parts.length > 3 ? `T${time}` : "");
}
