import { isQuotedMark, thoughtMark } from "../decode/signs.js";
import { likelyEnd, parseBetween, strictEnd } from "../decode/strict.js";
import { Source, sticky } from "../repair/ahead.js";
import type { Edit } from "../repair/edits.js";
import { rewrite } from "../repair/machine.js";
import { type JsonExtractErrorCode, type JsonExtractErrorOptions, MAX_DEPTH } from "../result.js";
import type { Candidate } from "./answer.js";
import { impliedStart, plausible } from "./starts.js";

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
  // The last time, but not where a member begins that has the same key.
  let near = head.lastIndexOf(begin);
  while (near > 0 && /[\s{}[\],:]$/.test(head.slice(near - 1, near))) near = head.lastIndexOf(begin, near - 1);
  if (line >= 0 && head.slice(0, line).split('"').length % 2 === 0) return start + line;
  // Else another member may begin there, unless it is sound and nothing lacks a bracket behind it.
  const isLine = line >= 0 && /[:.]\s{0,9}$/.test(head.slice(Math.max(0, line - 10), line));
  const at = isLine ? start + line + 1 : near > 0 ? start + near : -1;
  const end = at >= 0 && text.length - at < RESTARTED ? strictEnd(text, at, text.length) : -1;
  const isAll = end >= text.trimEnd().length && parseBetween(text, at, end, MAX_DEPTH) !== undefined;
  return isAll ? at : text.length;
}

/** What a person says next, or is asked to do, in the words of templates. */
const TURN =
  /(?:^|\n)[ \t]{0,8}(?:human\s?:|(?:user\s?:[^\n]{0,400}\n\s{0,8}(?:assistant|ai)|\n[ \t]{0,8}input\s?:[^\n]{0,400}\n\s{0,8}output)\s?:|#{2,3} ?(?:instruction|input|human)\s?:?[ \t]{0,80}\n)|<\|(?:im_start|start_header_id)\|>\s?user|<start_of_turn>user|\[INST\]/i;
/** What tells that a text is a whole talk, from its first words on. */
const TALK =
  /(?:^|\n)[ \t]{0,8}#{0,4} ?(?:(?:system|input|assistant)\b|ai\s?:)|<\|(?:im_start|start_header)|<start_of_turn>|\[INST\]|<<SYS>>/i;
/** So much before the first value is looked at for that. */
const TALK_BEFORE = 4_000;
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
    const [fence, nextTurn, thought] = [this.#fence, this.#nextTurn, this.#depth > 0];
    const torn = start < this.#tornUpTo;
    this.candidates.push({ text, start, end, value, edits, complete, fence, thought, torn, nextTurn });
    if (!complete) this.#tornUpTo = Math.max(this.#tornUpTo, end + 2);
  }
}
