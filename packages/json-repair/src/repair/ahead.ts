/** A text, and what stands at a place of it, told from a few characters; no look goes farther than some hundred. */
import * as s from "../decode/signs.js";
// By its name, so that the patterns made of it can be checked.
import { COLONS } from "../decode/signs.js";
import { keyBehind } from "../decode/strict.js";
import { type Columns, type Frame, KEY, OBJECT, type Reading } from "./reading.js";

/** A text, and what its readings share. */
export class Source {
  readonly text: string;
  /** Steps that may still be spent on trials, so many for each character; then the first look decides. */
  credit: number;
  /** Characters that may still be read natively in vain. */
  native = 16_384;
  #escapesNames: boolean | undefined;
  #hasForeign: boolean | undefined;
  #lacksClosers: boolean | undefined;
  readonly #found = new Map<string, { from: number; at: number }>();

  /** `isPart`: of a longer text, so that brackets may be missing elsewhere. */
  constructor(text: string, isPart = false) {
    this.text = text;
    if (isPart) this.#lacksClosers = true;
    this.credit = 10_000 + 0.15 * text.length;
  }

  /** Whether keys are written with Markdown's backslashes. */
  get escapesNames(): boolean {
    this.#escapesNames ??= /\w\\_[\w-]{0,60}"\s{0,8}:/.test(this.text);
    return this.#escapesNames;
  }

  /** Whether backslashes are content somewhere: before a letter that has no meaning behind one. */
  get hasForeign(): boolean {
    this.#hasForeign ??= /(?<!\\)\\(?:\\\\){0,9}[ac-eg-mo-qsv-wyzA-Z]/.test(this.text);
    return this.#hasForeign;
  }

  /** Whether more brackets open than close, wherever they stand. */
  get lacksClosers(): boolean {
    if (this.#lacksClosers === undefined) {
      let [braces, brackets] = [0, 0];
      for (let at = 0; at < this.text.length; at++) {
        const code = this.text.charCodeAt(at);
        if (code === 123 || code === 125) braces += 124 - code;
        else if (code === 91 || code === 93) brackets += 92 - code;
      }
      this.#lacksClosers = braces > 0 || brackets > 0;
    }
    return this.#lacksClosers;
  }

  /** As `text.indexOf`; places that rise cost one pass together. */
  next(sign: string, from: number): number {
    const known = this.#found.get(sign);
    if (known && known.from <= from && (known.at < 0 || from <= known.at)) return known.at;
    const at = this.text.indexOf(sign, from);
    this.#found.set(sign, { from, at });
    return at;
  }
}

/** Where the sticky pattern ends if it matches at `at`, else -1. */
export function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const LETTER = /[\p{L}\p{N}\p{M}\p{Cs}]/u;

/** Whether a letter, a digit, `_` or `$` stands at `at`. */
export function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const lower = code | 32;
  if (code < 128) return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 36;
  return LETTER.test(String.fromCharCode(code));
}

export function isClosingSign(sign: number): boolean {
  return sign >= s.CLOSE_OBJECT && sign <= s.CLOSE_ROUND;
}

const ANY_COLON = new RegExp(COLONS, "y");

/** Behind a colon, or what stands for one, at `at`; -1 if there is none. */
export function colonEnd(text: string, at: number): number {
  const isPlain = text.charCodeAt(at) === 58 && text.charCodeAt(at + 1) !== 61;
  return isPlain ? at + 1 : sticky(ANY_COLON, text, at);
}

/** A longer string is no key. */
export const KEY_LENGTH = 120;

/** Whether a quoted key starts at `at`: a short string on one line, and a colon behind it; `closer` may end it as well. */
export function keyAhead(text: string, at: number, limit: number, closer = ""): boolean {
  if (at >= limit || s.signOf(text.charCodeAt(at)) !== s.QUOTE) return false;
  const quote = text[at] as string;
  const closers = closer + (quote === '"' ? quote : quote + s.closersOf(quote));
  const stop = Math.min(limit, at + 2 + KEY_LENGTH);
  for (let end = at + 1; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (code === 92) end++;
    else if (code === 10) return false;
    else if (closers.includes(text[end] as string))
      return colonEnd(text, s.skipBlanks(text, end + 1, Math.min(limit, end + 40))) >= 0;
  }
  return false;
}

const NAME = new RegExp(
  `(?=((?::(?=\\w{1,60}\\s?=>))?(?![. -])[\\p{L}\\p{N}\\p{M}\\p{Cs}_$. -]{1,61}(?:(?<=\\w)\\+\\w[\\p{L}\\p{N}\\p{M}_$.-]{0,40})?))\\1(?:\\?(?=: ?(?:["\\d[%]|true|false|nil))|["'”’\`»]|\\*\\*)?\\s{0,40}(?:${COLONS})(?!\\/\\/)`,
  "uy",
);

/** `["max hp"] =`, as Lua writes a key that is no name. */
export const BRACKET_KEY = /\[\s?(?:["']([^"'\\\n]{1,60})["']|\d{1,9})\s?\](?=\s{0,8}=)/y;

/** Whether words and a colon stand at `at`: a key without quotes, or with the last one alone. */
export function nameAhead(text: string, at: number, limit: number): boolean {
  const end = sticky(NAME, text, at);
  return end >= 0 && end <= limit;
}

const LITERAL = /(?:true|false|null|None|True|False|NaN)(?![\p{L}\p{N}_$])|[+\-−]?\.?\d/uy;

export function literalAhead(text: string, at: number): boolean {
  return sticky(LITERAL, text, at) >= 0;
}

const PREFIX = /(?!f["']alse\s{0,8}[,\]}])[urbfURBF]{1,2}(?=["'](?!"\s{0,20}[:：]|\s{0,20}[:：,\]}]))/y;

/** Behind the letters that Python puts before a quote: `u'…'`, `rb"…"`. */
export function behindPrefix(text: string, at: number): number {
  return text.charCodeAt(at) < 66 ? at : Math.max(at, sticky(PREFIX, text, at));
}

/** So far back the partner of a bracket is looked for. */
const PARTNER_DISTANCE = 400;

/** Where the opening bracket stands between `from` and `to` that the closing one at `to` would belong to; -1 if none does. */
export function openBefore(text: string, from: number, to: number, close: number): number {
  const open = close === 41 ? 40 : close - 2;
  let closed = 0;
  for (let at = to - 1; at >= Math.max(from, to - PARTNER_DISTANCE); at--) {
    const code = text.charCodeAt(at);
    if (code === close) closed++;
    else if (code === open && closed-- === 0) return at;
  }
  return -1;
}

const ESCAPED_BLANKS = /(?:\s|\\[nrt]){0,80}/y;

/** Whether `at` stands in an object within the string: its brace is open, and a key follows that. */
export function inInnerObject(r: Reading, at: number): boolean {
  const brace = openBefore(r.text, r.string.content, at, 125);
  return brace >= 0 && r.string.role !== KEY && keyAhead(r.text, sticky(ESCAPED_BLANKS, r.text, brace + 1), r.limit);
}

/** Whether a value that is none of bare words starts at `at`. */
export function valueAhead(r: Reading, at: number): boolean {
  const sign = r.sign(at);
  return (sign >= s.QUOTE && sign <= s.OPEN_LIST) || literalAhead(r.text, at) || sticky(SYMBOL, r.text, at) >= 0;
}
/** `:b`, of Ruby. */
const SYMBOL = /:[a-z_]\w{0,60}\s?[,\]}]/y;

/** So far before a bracket its line may begin, and so far behind it its first member. */
const NEAR_LINE = 300;

export function columnsOf(text: string, frame: Frame): Columns {
  frame.columns ??= columnsAt(text, frame.at);
  return frame.columns;
}

/** Of a bracket at `at`. */
export function columnsAt(text: string, at: number): Columns {
  if (at < 0) return {};
  const from = Math.max(0, at - NEAR_LINE);
  const head = text.slice(from, at + 1);
  const start = head.lastIndexOf("\n") + 1;
  const [, member] = /^\s{0,300}\n([ \t]{0,120})\S/.exec(text.slice(at + 1, at + NEAR_LINE)) ?? [];
  const line = start > 0 || from === 0 ? head.slice(start, s.skipBlanks(head, start, head.length)) : undefined;
  return { line, member };
}

/** Whether a line begins too far left to be a member of the innermost bracket, and one is missing. */
export function isOutdented(r: Reading): boolean {
  const { text, pos, top } = r;
  if (!r.lineEnds || !top?.up || !r.source.lacksClosers) return false;
  const indent = text.slice(r.lineStart, pos);
  const { line = "" } = columnsOf(text, top);
  if (!isClosingSign(r.sign())) return isLeft(r) && line.startsWith(indent);
  return line !== indent && line.startsWith(indent) && columnsOf(text, top.up).line === indent;
}

/** Whether a line begins further left than the members of the innermost bracket. */
export function isLeft({ text, pos, top, lineEnds, lineStart }: Reading): boolean {
  const indent = text.slice(lineStart, pos);
  const { member = indent } = lineEnds && top ? columnsOf(text, top) : {};
  return member !== indent && member.startsWith(indent);
}

/** Whether the next line begins another object at the column of the innermost one, with the same key. */
export function beginsAgain({ text, pos, top, last, lineStart }: Reading): boolean {
  if (top === undefined || top.at < 0 || top.up?.kind === OBJECT) return false;
  const [begin = "\n"] = /^\{\s{0,8}"[^"\n]{1,40}"\s{0,8}:/.exec(text.slice(top.at, last)) ?? [];
  return text.startsWith(begin, pos) && columnsOf(text, top).line === text.slice(lineStart, pos);
}

/** Whether a line begins in the column of the members. */
export const isMemberLine = ({ text, pos, top, lineEnds, lineStart }: Reading) =>
  lineEnds && top !== undefined && columnsOf(text, top).member === text.slice(lineStart, pos);

/** Or with a word that ends as one. */
export const isOwnLine = (r: Reading) =>
  isMemberLine(r) || (r.lineEnds && /^[\w-]{1,60}\s{0,8}[,\]]/.test(r.text.slice(r.pos, r.pos + 70)));

/** `"a" REST", "c"`, or `"a" b` at the end of a line: a word that is all of an item. */
const LONE_WORD = /[A-Z\d_]{2,40}"\s{0,8}[,\]]|[^\s"',:()[\]{}]{1,40}[ \t\r]{0,40}\n\s{0,80}["\]]/y;
export const isLoneWord = ({ text, pos, last }: Reading) => pos > last && sticky(LONE_WORD, text, pos) >= 0;

/** What follows a text that was cut: `... [output truncated]`, `--- cut off ---`, the end of the element that it stands in. */
const NOTICE =
  /^(?:<\/[\w:.-]{1,40}>|<\|\w{1,30}\|>|\[(?:done|stopped)\]|(?:\.\.\.|…)?[ \t]{0,4}(?:\*{0,2}[[(<]{1,3}|-{2,8}|\*{2,8}|={2,8})[^[\](){}"\n]{0,60}(?:\b|_)(?:truncated|truncation|cut[ -]?off|omitted|snip(?:ped)?|interrupted|(?<=\w )(?:closed|aborted|disconnected)|tokens?|finish_reason|length|limit|continued?|continues|elided|trimmed|more)\b[^[\](){}"\n]{0,60}[\])>*=-]{0,10})[\s`]{0,40}$/i;

/** No notice is longer. */
const NOTICE_LENGTH = 220;

/** Whether nothing is left but a notice that the text was cut. */
export function noticeAhead({ text, limit }: Reading, from: number): boolean {
  return limit - from <= NOTICE_LENGTH && NOTICE.test(text.slice(from, limit));
}

/** A member on the next line, or a bracket that closes on one behind: the value ends too early for it. */
const MEMBER_BEHIND =
  /^[^\n]{0,80},[ \t]{0,8}\r?\n[ \t]{0,40}(?:(["'])[^"'\n]{1,60}\1|[\p{L}_$][\w$]{0,40})\s{0,8}:|^[^{[\n]{1,80}\n\s{0,40}[}\]]/u;
/** So much behind a value is looked at. */
const BEHIND = 160;

/** What it costs that the value ends before `from`: what lacks a partner behind it on the line, and members on the next one. */
export function leftover({ text, limit, start }: Reading, from: number): number {
  const rest = text.slice(from, Math.min(limit, from + BEHIND));
  const [signs = ""] = /^[\s,;:}\])]{0,160}/.exec(rest) ?? [];
  // What opens on a line behind it is another value.
  const isRows = signs.includes(",") && /^[[{]\s{0,80}[[{]/.test(text.slice(start, start + 82));
  const isOther = signs.includes("\n") && !isRows && /[[{]/.test(rest[signs.length] ?? "");
  const end = isOther ? signs.length : rest.indexOf("\n", signs.length);
  let [closers, quotes, closed] = [0, 0, 0];
  for (let at = 0; at < (end < 0 ? rest.length : end); at++) {
    const code = rest.charCodeAt(at);
    const isCloser = code === 125 || code === 93;
    if (at < signs.length) closers += Number(isCloser);
    else if (code === 34) quotes++;
    else closed += isCloser ? 1 : code === 123 || code === 91 ? -1 : 0;
  }
  const quote = rest[signs.length] === '"' ? 1 : 0;
  quotes -= quote;
  const isMember = (rest.includes("\n") && MEMBER_BEHIND.test(rest)) || keyBehind(text, start, from);
  const members = isMember ? 6 : 0;
  // A list of lists or objects that was closed too early.
  const goesOn = isRows && signs.startsWith(",") ? 2 : 1;
  return (
    members + 3 * (closers + quote) + Math.min(9, 3 * goesOn * Math.max(0, closed) + 2 * (quotes % 2) + quotes / 2)
  );
}

/** What a text may end in that is no content: the line that closes its fence, the first half of a pair of escapes. */
const TAIL =
  /(?:(?:\.{3}|…) ?\[truncated [\w ]{1,40}\]\s{0,9}|<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|end)\|>\s{0,40}|<\/s>\s{0,40}|<end_of_turn>\s{0,40}|(?<!\\\r?) ?\r?\n(?:[ \t]{0,8}(?:```|~~~))?\s{0,40}|(?<!\\)\\u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?)$/;

/** No words behind a fence are longer. */
const WORDS_BEHIND = 600;
/** The line that closes the fence that the text stands in, and words behind it. */
const FENCE_END = /\n[ \t]{0,8}(?:```|~~~)[ \t]{0,8}\r?\n[^"`{}[\]]*$/;

/** Where the text ends that an open string may have. */
export function endOfText(r: Reading): number {
  const { text, limit, string } = r;
  const near = Math.max(string.content, limit - WORDS_BEHIND);
  const fence = text.slice(near, limit).slice(-WORDS_BEHIND).search(FENCE_END);
  if (fence >= 0 && !/`{3}|~{3}/.test(text.slice(string.content, near + fence))) return near + fence;
  const begin = Math.max(string.content, limit - NOTICE_LENGTH);
  const line = begin + text.slice(begin, s.behindBlanks(text, begin, limit)).lastIndexOf("\n");
  if (line > begin && noticeAhead(r, s.skipBlanks(text, line, limit)))
    return s.behindBlanks(text, string.content, line);
  const from = Math.max(string.content, limit - 60);
  const tail = TAIL.exec(text.slice(from, limit).slice(-60));
  return tail ? from + tail.index : limit;
}

/** `{"name "Ann"}`: whether the quote at `at`, in a key, opens the value. */
export const opensValue = ({ text, string }: Reading, at: number) =>
  /^\w{1,40} $/.test(text.slice(string.content, at)) &&
  /^"[^\s":,][^"\n]{0,300}"\s{0,20}[,}\]]/.test(text.slice(at, at + 330));
