import { isQuotedMark, isThoughtFence, skipBlanks, thoughtMark } from "../decode/signs.js";
import { likelyEnd, parseBetween, strictEnd } from "../decode/strict.js";
import { Source, sticky } from "../repair/ahead.js";
import type { Edit } from "../repair/edits.js";
import { rewrite } from "../repair/machine.js";
import { type JsonExtractErrorCode, type JsonExtractErrorOptions, MAX_DEPTH } from "../result.js";
import type { Candidate } from "./answer.js";
import { TALK, TALK_BEFORE, TURN } from "./around.js";

/** Where a value may begin: what an object or a list begins with, and what looks like one and belongs to something else. */

/** Blanks of all kinds, and signs that are not seen. */
const BLANKS = "[\\s\\p{Cc}\\p{Cf}\\p{Variation_Selector}]*";
const LITERAL = "(?:true|false|null|None|True|False|NaN|undefined|-?Infinity)";
/** What the first member of an object or a list may start with, or stands in its place. */
const FIRST = [
  "[“„‘`«»‹‚「『〝″′´＂＇\\\\]|[urbfURBF]{1,2}[\"']",
  "\\/[/*+]|#[# \\t]|<!--|--[ \\t]|<br[ /]{0,2}>\\s{0,8}[&*\"']|\\*\\*[\"']",
  "(?:[-*•]|\\d{1,4}[.):])[ \\t][\"'{[]|$",
].join("|");
const FIRST_KEY = [
  "[}\"',]|”[^”\\n]{1,80}”\\s{0,40}:|#[^\\n]{0,80}\\n",
  "[\\p{L}\\p{N}_$][\\p{L}\\p{N}\\p{M}_$.+-]*[\"'”]?\\s{0,40}[:：](?!=\\s{0,4}[\\p{L}_][\\w.]{0,60}(?:[([{]|\\s{0,9}[}\\n;]))",
  // `{id = 17, name = "a"}`, `{["a"] = 1}`, of Lua or Java; with semicolons only at the start of the text, of PowerShell or Apple's
  '[\\p{L}_]\\w{0,40} {0,40}= {0,9}(?:[[{]\\s{0,40}["\\w{[]|(?:"[^"\\n]{0,80}"|\'[^\'\\n]{0,80}\'|[^\\s;,=<>{}()&|!+*/"][^;,=<>{}()&|!+*/"\\n]{0,80})\\s{0,40}(?:[,}]|;\\s{0,80}(?:(?:[\\p{L}_][\\w.-]{0,40}|"[^"\\n]{1,60}") {0,40}=|\\}|$)(?<=(?:(?:^\\s{0,80}|@)\\{|[:=\\]] \\{\\n)[^{}]{0,300})))',
  ":[\\p{L}_][\\p{L}\\p{N}_]{0,60}\\s{0,40}=>|\\[\\s?[\"'][^\"'\\n]{1,60}[\"']\\s?\\] ?= ?[^=]",
  // `#{id => 17}`, of Erlang; `$VAR1 = { id => 17 }`, of Perl
  `(?<=#\\{\\s{0,40})[\\p{L}_]\\w{0,60} ?=>|(?<=(?:^|\\$\\w{1,40} = |\\[|: )\\s{0,80}\\{\\s{0,80})[\\p{L}_]\\w{0,60}\\s{0,20}=>\\s{0,8}(?:["'[{]|-?\\d|undef\\b)`,
  // A sign that means nothing before the first key: `{."a": 1}`.
  '[^\\s\\p{L}\\p{N}"\'\\\\{}[\\]+-]{1,2}\\s{0,8}"[^"\\n]{1,60}"\\s{0,40}:',
].join("|");
/** Only of a list; `[[Page]]` is a link, and `["']` a pattern. */
const FIRST_ITEM = [
  '(?:\\.\\.\\.|…),|[%@]\\{[^{}\\n$]{1,60}[:=]|#\\{[^:{}\\n]{1,80}=>|[A-Z]\\w{0,60} ?\\{\\s{0,80}\\w{1,60}: |\\w{1,40}: ?(?:\'[^\'\\n]{0,80}\'|"[^"\\n]{0,80}"|-?\\d[\\d.]{0,20}|true|false|null), ?\\w{1,40}: ?[\'"\\w[-]|,[\\s,]{0,40}["{\\d]|\\(\\s*["\'\\d(]|[\\]{｛［]',
  "[\"'](?!(?<=\")'\\](?![^\"\\n]{0,80}\"\\s?[,\\]])|(?<=')\"\\](?![^'\\n]{0,80}'\\s?[,\\]]))",
  `\\[(?!\\s*(?!${LITERAL}\\b|[urbfURBF]{1,2}["'])[\\p{L}_#!$])`,
  '[+-]?(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\s*(?:[,，、،\\]\\n]|\\/[/*]|\\s[-\\d]|\\s?[[{]["{]|\\s\\[\\d|\\.?(?<=^\\[\\d[\\d.]{0,20})$)',
  "0[xob][\\da-fA-F]{1,16}\\s*[,\\]\\n]",
  `${LITERAL}(?:\\s*[,，、،\\]\\n"{[]|\\s+[\\d-]|(?<=^\\s{0,9}\\[\\s{0,9}\\w{4,5})\\s+(?:true|false|null)\\b)`,
].join("|");
const OBJECT_START = new RegExp(`[{｛]${BLANKS}(?:${FIRST}|${FIRST_KEY})`, "uy");
const LIST_START = new RegExp(`[[［]${BLANKS}(?:${FIRST}|${FIRST_ITEM})`, "uy");
/** A member whose key may have lost its first quote with the brace: a model goes on behind `{"`. */
const MEMBER_START =
  /(?:"[^"\n]{1,100}|[\p{L}_][\p{L}\p{N}_$ -]{0,60})"\s{0,40}:\s{0,40}(?:["[{\d-]|true\b|false\b|null\b)/uy;
/** So far a text may have words before an object whose brace is missing; longer ones are not looked through for that. */
const [WORDS_BEFORE, MAX_IMPLIED] = [2_000, 100_000];

/** Where an object begins that lacks its opening brace: with the text, or with a line if more braces close than open; else -1. */
function impliedStart(text: string): number {
  const first = skipBlanks(text, 0, text.length);
  if (sticky(MEMBER_START, text, first) >= 0) return first;
  const count = (sign: string) => text.split(sign).length;
  if (text.length > MAX_IMPLIED || count("}") <= count("{")) return -1;
  const [words = ""] = text.slice(0, WORDS_BEFORE).split(/[[{]/, 1);
  for (const { 0: before, index } of words.matchAll(/\n[ \t]{0,40}/g))
    if (sticky(MEMBER_START, text, index + before.length) >= 0) return index + before.length;
  return -1;
}

/** Keys of several words without quotes: only where nothing else stands before on the line. Or names and values on lines. */
const WORDY_START =
  /(?<=^[ \t]{0,40})\[\s{0,80}\p{L}(?:[^[\]{}()"'\n:.;!?,]|\.(?=\w)){0,200},(?:[^[\]{}()"'\n:.;!?]|\.(?=\w)|(?<=, ?)"[^"\n]{0,80}"(?=\s?[,\]])){1,400}\][ \t]{0,40}(?=\n|$)|(?<=(?:^|\n)[ \t]{0,40})\{\s{0,80}[\p{L}_$][\p{L}\p{N}_$.-]{0,40}(?: [\p{L}\p{N}_$.-]{1,40}){1,4}["'”]?\s{0,40}[:：]|(?<=@|[:=] |(?:^|\n)[ \t]{0,8})(?<!\{[^{}]{0,400}\n[^\n{}]{0,120}= )\{\s{0,80}[\p{L}_]\w{0,40} {0,40}= {0,9}[^\s{}=][^\n{}=]{0,200}\n\s{0,80}[\p{L}_][\w.-]{0,40} {0,40}=/uy;
const NAME = "(?=\\{\\s{0,40}[\\p{L}_$])";
/** A bracket that belongs to something else, by what it begins with and what stands before it. */
const ELSEWHERE = new RegExp(
  `(?:${[
    // `lines begin with "W, [" here`: a quotation that ends behind the bracket.
    '(?=.["”]\\s)(?<=(?:^|\\n)[^"\\n]{0,200}"(?:[^"\\n]{0,80}"[^"\\n]{0,80}"){0,9}[^"\\n]{0,80})',
    // `- [ ] buy milk`
    "(?=\\[[ xX]?\\]\\s)(?<=[-*+.)][ \\t]{1,8})",
    "(?=\\[)(?<=<!\\[CDATA)",
    // `[{{ name }}]`, `[[:alnum:]]`
    "(?=\\[?\\{\\{ ?[a-z_.]{1,60}(?: ?\\|[^{}\\n]{0,80})? ?\\}\\})|(?=\\[\\[:\\w{1,20}:\\]\\])",
    // `if [[ -e "$out" ]]`
    "(?=\\[\\[?\\s(?:!\\s)?(?:-[a-zA-Z]\\s|[\"']?\\$[\\w{}#@[\\]]{1,60}[\"']?\\s(?:[=!<>]|-[a-z]{2}\\s|\\]\\])))",
    // `if (ready) { state: 1 }`
    `${NAME}(?<=(?<!:\\d{1,9})\\) )`,
    // `<p style={{color: "red"}}>`
    "(?=\\{?\\{\\s{0,40}[\\p{L}_$])(?<=<\\w[^<>]{0,200}=\\{?)",
    // `.note { color: red }`, `a:hover { color: red }`
    `${NAME}(?<=(?:(?:^|[\\s,>}])[.#][\\w-]{1,40}|(?:\\w::?|\\]::)[a-z-]{3,20}|[.#][\\w-]{1,40} [>+~] \\w{1,20})\\s{0,8})`,
    // `interface Note { colour: string }`
    `${NAME}(?<=\\b(?:(?:class|interface)\\s{1,8}\\S{1,60}\\s{0,8}|(?:enum|struct|union)(?:\\s{1,8}\\S{1,60})?(?<!:)[ \\t]{0,8}))`,
    // `map["key"]`, `f(x)[0]`, `{["key"] = 1}`, `types[], source[{…}]`
    `(?=\\[\\{)(?<=(?:\\w{1,40}\\[[^[\\]\\n]{0,80}\\], ){2}\\w{1,40})|(?=\\[["'][^"'\\n]{1,60}["']\\]\\s{0,8}[=:])|(?=\\[(?:\\s?(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}')\\s?\\]|(?!\\s{0,40}["{])))(?<=[\\w\\])$])(?<!\\/THINK\\])`,
    // `{y : y > 0}`, `{n: n for n in names}`, `{ Shape::Round => … }`
    '(?=\\{\\s{0,40}(?:(\\p{L})\\s{0,4}:\\s{0,4}\\|?\\1\\|?\\s{0,4}[^\\s,}]|\\p{L} ?: [^,}"\\n]{0,30}[<>≤≥∈]|\\w{1,40}::|[^"{}\\n]{1,80} for \\w{1,20} in |(?<name>\\w{1,20})\\s?:[^"{}\\n]{1,80} for (?:\\k<name>, \\w{1,20}|\\w{1,20}, \\k<name>) in ))',
    // `serde = { version = "1" }` below `[dependencies]`
    '(?=\\{ ?\\w[\\w-]{0,40} = )(?<=(?:^|\\n)\\[(?:package|workspace|lib|bin|project|tool|target|profile|features|(?:dev-|build-)?dependencies)\\b[\\w."-]{0,60}\\]\\s{0,9}\\n(?:[^\\n[]{0,200}\\n){0,20}[\\w."-]{1,60} = )',
    // `f(#{name => 1})`, `@{n="Size"; e={$_.Length}}`
    "(?<=[\\w(,\"'] ?#)(?=\\{)|(?<=@)(?=\\{[^\\n]{0,200}\\{\\s{0,9}\\$_)",
    // `Note{…}`, `${name}`
    "(?=\\{(?!\\s{0,40}[\"'\\\\]))(?<=[\\w\\])$])(?<!%[A-Z][\\w.]{0,60})",
    // … but not of a call: `<|tool_call>call:name{…}`, `<|tool_call>name{…}`, `<start_function_call>call name{…}`
  ].join("|")})(?<!(?:(?:^|[\\n.>])call:|>call |<\\|tool_call>)[\\w.:-]{1,60}(?=\\{))`,
  "uy",
);

/** `[[ ## answer ## ]]`, of DSPy. */
const FIELD_MARK = /\[{1,2} ## \w{1,60} ## \]\]/y;
/** Whether a bracket starts as JSON does; what comes before it tells code and links apart. */
export function plausible(text: string, at: number, c: string): boolean {
  const starts =
    sticky(c === "{" || c === "｛" ? OBJECT_START : LIST_START, text, at) >= 0 ||
    /^\s{0,18}&nbsp;/.test(text.slice(at + 1, at + 26));
  return starts
    ? sticky(ELSEWHERE, text, at) < 0 && sticky(FIELD_MARK, text, at) < 0
    : sticky(WORDY_START, text, at) >= 0;
}

/** What a reading costs besides its characters, and what one that finds JSON as it stands. */
const [READING_WORK, STRICT_WORK] = [16, 4];
/** Tries of the native parser on the rest of a long text: each may cost that rest, but nothing else is as fast. */
const [NATIVE_TRIES, NATIVE_FROM] = [6, 2_048];

const MARK = /[[{`~<◁｛［]|^T(?=hinking\.{3}\n)|\n(?=\.{3}done)/g;
/** What a mark that closes a thought begins with. */
const ENDS = /<[/|]|<channel\||<unused95|\[\/THINK|◁\/|\n\.{3}done/gi;
/** The first key of an object. */
const FIRST_OF = /\{\s{0,8}("[^"\n]{1,40}"\s{0,8}:)/y;
/** So far behind its start an object may start anew; and so long what is sent then may be, where it must be sound. It may do so several times. */
const [RESTART_WITHIN, RESTARTED] = [1_000, 2_000];

/** Where the object at `start`, which is no JSON, breaks off and starts anew; behind the text if it does not. */
function restartIn(text: string, start: number): number {
  FIRST_OF.lastIndex = start;
  const [begin] = FIRST_OF.exec(text) ?? [];
  if (begin === undefined) return text.length;
  const head = text.slice(start, start + RESTART_WITHIN);
  const line = head.indexOf(`\n${begin}`);
  if (line >= 0 && head.slice(0, line).split('"').length % 2 === 0) return start + line;
  if (text.length - start >= RESTART_WITHIN + RESTARTED) return text.length;
  // The last time, but not where a member begins that has the same key.
  let near = head.lastIndexOf(begin);
  while (near > 0 && /[\s{}[\],:]$/.test(head[near - 1] as string)) near = head.lastIndexOf(begin, near - 1);
  // Else another member may begin there, unless it is sound and nothing lacks a bracket behind it.
  const isLine = line >= 0 && /[:.]\s{0,9}$/.test(head.slice(Math.max(0, line - 10), line));
  const at = isLine ? start + line + 1 : near > 0 ? start + near : -1;
  const end = at >= 0 && text.length - at < RESTARTED ? strictEnd(text, at, text.length) : -1;
  const isAll = end >= text.trimEnd().length && parseBetween(text, at, end, MAX_DEPTH) !== undefined;
  return isAll ? at : text.length;
}

const FENCE = /(?:`{3,999}|~{3,999})[ \t]{0,999}([\w+#.-]{0,999})/y;

const NO_EDITS: readonly Edit[] = [];

/** What came near to a value, and how near. */
export type Miss = JsonExtractErrorOptions & { nearness: number; code: JsonExtractErrorCode; message: string };

/** What reads as JSON in a text, found in one pass from left to right. */
export class Scan {
  readonly candidates: Candidate[] = [];
  /** Too much looks like JSON: the rest was not read. */
  isCut = false;
  readonly #maxDepth: number;
  /** How many characters may still be read, whoever reads them: keeps the time linear, whatever the text. */
  readonly #budget: { left: number };
  readonly #miss: (miss: Miss) => undefined;
  readonly #source: Source;
  readonly #likelyEnd: number;
  #nativeTries = NATIVE_TRIES;
  #at = 0;
  /** The language of the fence that is open; empty where it names none. */
  #fence: string | undefined;
  /** Thoughts in which the text at `#at` stands, and where the next one may end. */
  #depth = 0;
  #thoughtEnd = -1;
  /** How far anything was read that begins as JSON and is none. */
  #tornUpTo = 0;
  /** Up to where the words outside of values and thoughts were looked at, and what they tell: a talk from its start, or the next turn. */
  #seen = 0;
  #isTalk = false;
  #nextTurn = false;
  #isBegun = false;
  /** So many candidates are known to be thoughts since a thought ended behind them. */
  #thoughtUpTo = 0;

  constructor(text: string, maxDepth: number, budget: { left: number }, miss: (miss: Miss) => undefined) {
    this.#maxDepth = maxDepth;
    this.#budget = budget;
    this.#miss = miss;
    this.#source = new Source(text);
    this.#likelyEnd = likelyEnd(text);
    this.#read();
  }

  #read(): undefined {
    const text = this.#source.text;
    /** What the budget keeps for other readings of the text. */
    const spare = Math.max(0, this.#budget.left - 4 * text.length - 200_000);
    const first = impliedStart(text);
    if (first >= 0) this.#repair(first, text.length, true);
    for (;;) {
      this.#at = sticky(MARK, text, this.#at);
      if (this.#at < 0) break;
      const start = this.#at - 1;
      if (this.#budget.left <= spare) {
        this.isCut = true;
        const message = `from character ${start} on the text was not read: too much looks like JSON`;
        return this.#miss({ nearness: 10, code: "syntax", message, at: start });
      }
      const c = text[start] as string;
      FENCE.lastIndex = start;
      const fence = FENCE.exec(text);
      if (fence) {
        this.#at = FENCE.lastIndex;
        this.#fence = this.#fence === undefined ? fence[1] : undefined;
      } else if ("{[｛［".includes(c) && plausible(text, start, c)) this.#readValue(start);
      else if (c !== "{") this.#readThought(start);
    }
  }

  #readThought(start: number): void {
    const before = this.#depth;
    const mark = thoughtMark(this.#source.text, start, before);
    if (!mark) return;
    this.#at = mark.end;
    if (before > 0 && isQuotedMark(this.#source.text, start, mark.end)) return;
    this.#depth = mark.depth;
    if (before === 0) this.#passTo(start);
    this.#seen = mark.end;
    // Without an opening mark, all that came before was thought.
    if (before > 0 || mark.depth > 0) return;
    for (const one of this.candidates.slice(this.#thoughtUpTo)) one.thought = true;
    this.#isBegun = this.#isTalk = this.#nextTurn = false;
    this.#thoughtUpTo = this.candidates.length;
  }

  /** No value goes on behind the thought that it stands in. */
  #readValue(start: number): void {
    const [text, maxDepth] = [this.#source.text, this.#maxDepth];
    if (this.#depth > 0 && this.#thoughtEnd < start) {
      ENDS.lastIndex = start;
      this.#thoughtEnd = ENDS.exec(text)?.index ?? text.length;
    }
    const limit = this.#depth > 0 ? this.#thoughtEnd : text.length;
    const mayBeLong = this.#likelyEnd <= limit && this.#likelyEnd - start >= NATIVE_FROM && this.#nativeTries-- > 0;
    let end = mayBeLong ? this.#likelyEnd : 0;
    let value = parseBetween(text, start, end, maxDepth);
    if (value === undefined) {
      end = strictEnd(text, start, limit);
      value = parseBetween(text, start, end, maxDepth);
    }
    this.#budget.left -= (end < 0 ? ~end : end) - start + (value === undefined ? READING_WORK : STRICT_WORK);
    if (value === undefined) this.#repair(start, Math.min(limit, restartIn(text, start), this.#errorBehind(start)));
    else this.#found(start, { end, value, edits: NO_EDITS, complete: true });
  }

  /** Where the words begin that a program puts behind a text that it could not read, in a frame of its own; else behind the text. */
  #errorBehind(start: number): number {
    const { text } = this.#source;
    const before = text.slice(Math.max(0, start - 20), start);
    const words = /\bText:\s{0,9}$/.test(before) ? ".\nError message: " : before.endsWith("='") ? "', err=" : undefined;
    const at = words === undefined ? -1 : this.#source.next(words, start);
    return at < 0 ? text.length : at;
  }

  #repair(start: number, limit: number, implied = false): void {
    const read = rewrite(this.#source, start, { maxDepth: this.#maxDepth, limit, implied });
    this.#budget.left -= read.work + READING_WORK;
    if (!read.failed) this.#found(start, read);
    else if (read.failed === "too-deep") {
      const message = `the JSON is nested deeper than ${this.#maxDepth} levels`;
      this.#miss({ nearness: 4, code: "too-deep", message });
      // What is inside of it would be a part of something.
      this.#at = this.#source.text.length;
    } else if (!implied) {
      const { at } = read;
      this.#tornUpTo = Math.max(this.#tornUpTo, at);
      // The first one is told.
      this.#miss({ nearness: 1 / (1 + at), code: "syntax", message: "the JSON cannot be read, even repaired", at });
    }
  }

  #passTo(at: number): void {
    const words = this.#source.text.slice(this.#seen, at);
    if (this.#isBegun) this.#nextTurn ||= !this.#isTalk && TURN.test(words);
    else this.#isTalk ||= TURN.test(words) || TALK.test(words.slice(-TALK_BEFORE));
  }

  #found(start: number, read: Pick<Candidate, "end" | "value" | "edits" | "complete">): void {
    const { end, value, edits, complete } = read;
    this.#at = end;
    const { text } = this.#source;
    if (this.#depth === 0) {
      this.#passTo(start);
      this.#isBegun = true;
    }
    this.#seen = end;
    const [fence, nextTurn, torn] = [this.#fence, this.#nextTurn, start < this.#tornUpTo];
    const thought = this.#depth > 0 || isThoughtFence(fence ?? "");
    this.candidates.push({ text, start, end, value, edits, complete, fence, thought, torn, nextTurn });
    // Of a text that ends in it, what follows may be more.
    const mayGoOn = edits.at(-1)?.kind === "wrong-closer" && edits.at(-2)?.kind === "inner-quote";
    if (!complete || mayGoOn) this.#tornUpTo = Math.max(this.#tornUpTo, mayGoOn ? text.length : end + 2);
  }
}
