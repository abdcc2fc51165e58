import { depthBehind, endOfThought, isQuotedMark, thoughtMark } from "../decode/marks.js";
import { likelyEnd, parseBetween, parseContainer, strictEnd } from "../decode/strict.js";
import { NO_EDITS } from "../repair/edits.js";
import { type Rewritten, rewrite } from "../repair/machine.js";
import { Source } from "../repair/source.js";
import type { Candidate } from "./answer.js";
import { impliedStart, plausible } from "./starts.js";

export interface ScanOptions {
  maxDepth: number;
  /** How many characters may still be read, whoever reads them: keeps the time linear, whatever the text. */
  budget: { left: number };
}

/** What a reading costs besides its characters, and what one that finds JSON as it stands. */
const READING_WORK = 16;
const STRICT_WORK = 4;
/** Tries of the native parser on the rest of a long text: each may cost that rest, but nothing else is as fast. */
const NATIVE_TRIES = 6;
const NATIVE_FROM = 2_048;

const MARK = /[[{`~<◁｛［]|^T(?=hinking\.{3}\n)|\n(?=\.{3}done)/g;
const FENCE = /(?:`{3,}|~{3,})[ \t]*([\w+#.-]*)/y;

/** What reads as JSON in a text, found in one pass from left to right. */
export class Scan {
  readonly candidates: Candidate[] = [];
  tooDeep = false;
  /** The first place that starts as JSON and cannot be read. */
  fault: number | undefined;
  /** Where the reading was given up, since too much had been read more than once. */
  stopped: number | undefined;
  /** Where quotes have backslashes, as in a string. */
  escaped: number | undefined;
  /** Where brackets have backslashes, as in Markdown. */
  markdown: number | undefined;

  readonly #text: string;
  readonly #options: ScanOptions;
  readonly #source: Source;
  /** What the budget keeps for other readings of the text. */
  readonly #spare: number;
  readonly #likelyEnd: number;
  #nativeTries = NATIVE_TRIES;
  #at = 0;
  /** The language of the fence that is open; empty where it names none. */
  #fence: string | undefined;
  /** Thoughts in which the text at `#at` stands, and where the next one ends. */
  #depth = 0;
  #thoughtEnd = -1;
  /** So many candidates are known to be thoughts since a thought ended behind them. */
  #thoughtUpTo = 0;

  constructor(text: string, options: ScanOptions) {
    this.#text = text;
    this.#options = options;
    this.#source = new Source(text);
    this.#spare = Math.max(0, options.budget.left - 4 * text.length - 200_000);
    this.#likelyEnd = likelyEnd(text);
    this.#read();
  }

  get #spent(): boolean {
    return this.#options.budget.left <= this.#spare;
  }

  #read(): void {
    const text = this.#text;
    this.#readImplied();
    for (;;) {
      MARK.lastIndex = this.#at;
      if (!MARK.test(text)) return;
      if (this.#spent) {
        this.stopped ??= this.#at;
        return;
      }
      this.#at = MARK.lastIndex;
      const start = this.#at - 1;
      const c = text[start] as string;
      if (c === "`" || c === "~") this.#readFence(start);
      else if ("{[｛［".includes(c) && plausible(text, start, c)) this.#readValue(start);
      else if (c !== "{") this.#readThought(start);
    }
  }

  #readFence(start: number): void {
    FENCE.lastIndex = start;
    const mark = FENCE.exec(this.#text);
    if (!mark) return;
    this.#at = FENCE.lastIndex;
    // What a language follows opens a fence, even in another one.
    const opens = this.#fence === undefined || mark[1] !== "";
    this.#fence = opens ? mark[1] : undefined;
    if (opens) this.#readImplied();
  }

  #readThought(start: number): void {
    const mark = thoughtMark(this.#text, start);
    if (!mark) return;
    this.#at = mark.end;
    const before = this.#depth;
    if (before > 0 && isQuotedMark(this.#text, start, mark.end)) return;
    this.#depth = depthBehind(before, mark);
    if (before === 0 && !mark.opens) {
      // Without an opening mark, all that came before was thought.
      for (const one of this.candidates.slice(this.#thoughtUpTo)) one.thought = true;
      this.#thoughtUpTo = this.candidates.length;
    }
  }

  /** Where a value that starts here must have ended: none goes on behind the thought that it stands in. */
  #limitOf(start: number): number {
    const to = this.#text.length;
    if (this.#depth === 0) return to;
    if (this.#thoughtEnd < start) {
      const end = endOfThought(this.#text, start);
      this.#thoughtEnd = end < 0 ? to : Math.min(end, to);
    }
    return this.#thoughtEnd;
  }

  /** An object whose opening brace is missing. */
  #readImplied(): void {
    const start = impliedStart(this.#text, this.#at);
    if (start >= 0) this.#repair(start, this.#text.length, true);
  }

  /** A value that may start at the bracket. */
  #readValue(start: number): void {
    const limit = this.#limitOf(start);
    if (this.#text[start - 1] === "\\") this.markdown ??= start;
    if (this.#readStrictly(start, limit)) return;
    const read = this.#repair(start, limit);
    if (read === undefined) return;
    const { failed } = read;
    if (failed === "too-deep") {
      this.tooDeep = true;
      // Deeper brackets of the same run would fail in the same way.
      const rest = /[^[{"':\s\w]/g;
      rest.lastIndex = read.at + 1;
      this.#at = rest.exec(this.#text)?.index ?? this.#text.length;
    } else if (failed === "escaped" && this.#depth === 0) this.escaped ??= start;
    else if (failed === "markdown") this.markdown ??= start;
    else this.fault ??= failed ? read.at : start;
  }

  /** Whether JSON as it stands starts here. */
  #readStrictly(start: number, limit: number): boolean {
    const { maxDepth, budget } = this.#options;
    const mayBeLong = this.#likelyEnd <= limit && this.#likelyEnd - start >= NATIVE_FROM && this.#nativeTries-- > 0;
    let end = mayBeLong ? this.#likelyEnd : -1;
    let value = parseBetween(this.#text, start, end, maxDepth);
    const tried = end;
    if (value === undefined) end = strictEnd(this.#text, start, limit);
    if (end !== tried) value = parseBetween(this.#text, start, end, maxDepth);
    budget.left -= (end < 0 ? ~end : end) - start + (value === undefined ? READING_WORK : STRICT_WORK);
    if (value === undefined) return false;
    this.#found(start, value, { end, edits: NO_EDITS, complete: true });
    return true;
  }

  /** Finds the value if it can be repaired; else tells what is wrong. */
  #repair(start: number, limit: number, implied = false) {
    const { maxDepth, budget } = this.#options;
    const read = rewrite(this.#source, start, { maxDepth, limit, implied, fenced: this.#fence !== undefined });
    budget.left -= read.work + READING_WORK;
    const value = read.failed ? undefined : parseContainer(read.json);
    if (value === undefined) return read;
    this.#found(start, value, read as Rewritten);
    return undefined;
  }

  #found(start: number, value: unknown, { end, edits, complete }: Pick<Rewritten, "end" | "edits" | "complete">): void {
    this.#at = end;
    const fence = this.#fence;
    const thought = this.#depth > 0;
    this.candidates.push({ text: this.#text, start, end, value, edits, complete, fence, thought });
  }
}
