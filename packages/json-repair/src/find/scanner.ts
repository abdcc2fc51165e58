import { Source } from "../repair/source.js";
import type { Candidate } from "./candidate.js";
import { goesOn, lastBracketOfLine, parseNatively } from "./native.js";
import type { WorkBudget } from "./work-budget.js";

export interface Scan {
  candidates: Candidate[];
  /** The first place that starts as JSON and cannot be read. */
  fault?: number;
  tooDeep: boolean;
  /** Where the reading was given up, since too much had been read more than once. */
  stopped?: number;
  /** Where quotes have backslashes, as in a string; in a thought, where that begins. */
  escaped?: number;
  /** Where brackets have backslashes, as in Markdown. */
  markdown?: number;
}

/** Tries of the native parser on long rests of the text: it is the fastest, but each try may cost the whole rest. */
const NATIVE_TRIES = 6;
const NATIVE_FROM = 2_048;

/** What the regions of a text share. */
export class Scanner {
  readonly result: Scan = { candidates: [], tooDeep: false };
  /** What is to be looked into behind the text itself. */
  readonly inside: { from: number; to: number; around: Candidate }[] = [];
  readonly text: string;
  readonly source: Source;
  readonly maxDepth: number;
  readonly budget: WorkBudget;
  readonly #accept: (candidate: Candidate) => boolean;
  /** Behind the last bracket of the text, and of the last line that ends in one. */
  readonly #lastBracket: number;
  readonly #lineBracket: number;
  #nativeTries = NATIVE_TRIES;
  /** So many candidates are known to be thoughts since a thought ended behind them. */
  #thoughtUpTo = 0;

  constructor(text: string, maxDepth: number, budget: WorkBudget, accept: (candidate: Candidate) => boolean) {
    this.text = text;
    this.source = new Source(text);
    this.maxDepth = maxDepth;
    this.budget = budget;
    this.#accept = accept;
    this.#lastBracket = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
    this.#lineBracket = lastBracketOfLine(text, this.#lastBracket);
  }

  add(candidate: Candidate): void {
    this.result.candidates.push(candidate);
    if (candidate.edits.length === 0 || this.#accept(candidate)) return;
    const { start, end } = candidate;
    const opens = (bracket: string) => {
      const at = this.source.next(bracket, start + 1);
      return at >= 0 && at < end;
    };
    if (opens("{") || opens("[")) this.inside.push({ from: start + 1, to: end, around: candidate });
  }

  /** All that was found so far was thought. */
  allThoughts(): void {
    const { candidates } = this.result;
    for (; this.#thoughtUpTo < candidates.length; this.#thoughtUpTo++)
      (candidates[this.#thoughtUpTo] as Candidate).becomeThought();
  }

  /** By the native parser, if the text is long enough for it to be worth a try. */
  native(start: number, limit: number): { value: unknown; end: number } | undefined {
    const end = Math.min(limit, this.#lastBracket);
    if (end - start < NATIVE_FROM || this.#nativeTries <= 0) return undefined;
    this.#nativeTries--;
    const lineEnd = this.#lineBracket;
    const found =
      (lineEnd > start && lineEnd < end ? parseNatively(this.text, start, lineEnd) : undefined) ??
      parseNatively(this.text, start, end);
    return found && !goesOn(this.text, found.end) ? found : undefined;
  }
}
