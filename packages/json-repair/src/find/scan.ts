import { depthBehind, endOfThought, isQuotedMark, thoughtMark } from "../decode/marks.js";
import { applyEdits } from "../repair/edits.js";
import { type Rewritten, rewrite } from "../repair/machine.js";
import { tooDeepFor } from "../result.js";
import { Candidate, NOWHERE, type Place } from "./candidate.js";
import { keysOf, sharesKeys } from "./envelope.js";
import { goesOn, parseContainer } from "./native.js";
import { OpenBrackets } from "./open-brackets.js";
import { type Scan, Scanner } from "./scanner.js";
import { impliedStart, plausible } from "./starts.js";
import { strictEnd } from "./strict.js";
import { STRICT_WORK, type WorkBudget } from "./work-budget.js";

const MARK = /[[{`~<◁｛［]|^T(?=hinking\.{3}\n)|\n(?=\.{3}done)/g;
const FENCE = /(?:`{3,}|~{3,})[ \t]*[\w+#.-]*/y;

/**
 * Finds what reads as JSON, in one pass from left to right. What `accept` refuses although it had to be repaired is
 * looked into as well, since its first bracket may have been prose.
 */
export function scan(
  text: string,
  maxDepth: number,
  whole: WorkBudget,
  accept: (candidate: Candidate) => boolean,
): Scan {
  const scanner = new Scanner(text, maxDepth, whole.forScan(text.length), accept);
  new Region(scanner, 0, text.length, undefined).read();
  // Grows while it is read: what is found inside may be looked into in its turn.
  for (const { from, to, around } of scanner.inside) {
    if (scanner.budget.spent) break;
    new Region(scanner, from, to, around).read();
  }
  return scanner.result;
}

/** A part of the text, which fences and thoughts divide: the whole, or the inside of something that was refused. */
class Region {
  readonly #scanner: Scanner;
  readonly #text: string;
  readonly #to: number;
  readonly #around: Candidate | undefined;
  readonly #keysAround: ReadonlySet<string>;
  #at: number;
  #fence: string | undefined;
  #fenceMark = "";
  /** Thoughts in which the region stands, and those in which the text at `#at` does. */
  readonly #least: number;
  #depth: number;
  #thoughtStart: number;
  /** Where the thought ends that stands at `#at`, if that has been looked for. */
  #thoughtEnd = -1;
  /** Of the last value. */
  #place = NOWHERE;
  /** Of what is written in another notation: `{'a': array([1, 2])}`. */
  #foreign: OpenBrackets | undefined;

  constructor(scanner: Scanner, from: number, to: number, around: Candidate | undefined) {
    this.#scanner = scanner;
    this.#text = scanner.text;
    this.#to = to;
    this.#around = around;
    // What broke off may have been begun again.
    this.#keysAround = keysOf(around?.complete ? around.value : undefined);
    this.#at = from;
    this.#fence = around?.fence;
    this.#least = around?.thought ? 1 : 0;
    this.#depth = this.#least;
    this.#thoughtStart = from;
  }

  read(): void {
    const { text, budget, result } = this.#scanner;
    this.#readImplied(this.#at);
    for (;;) {
      MARK.lastIndex = this.#at;
      if (!MARK.test(text) || MARK.lastIndex > this.#to) return;
      if (budget.spent) result.stopped ??= this.#at;
      if (budget.spent) return;
      const start = MARK.lastIndex - 1;
      const c = text[start] as string;
      this.#at = start + 1;
      if (c === "`" || c === "~") this.#readFence(start, c);
      else if ("{[｛［".includes(c) && plausible(text, start, c)) this.#readValue(start);
      else if (c !== "{") this.#readThought(start);
    }
  }

  #readFence(start: number, c: string): void {
    FENCE.lastIndex = start;
    const sign = FENCE.exec(this.#text)?.[0];
    if (sign === undefined) return;
    this.#at = start + sign.length;
    const mark = sign.replace(/[^`~]/g, "");
    const language = sign.slice(mark.length).trim().toLowerCase();
    const fits = this.#fenceMark === "" || (this.#fenceMark[0] === c && mark.length >= this.#fenceMark.length);
    if (this.#fence !== undefined && fits) {
      this.#fence = undefined;
      this.#fenceMark = "";
      // A closing and an opening mark look alike when a language follows.
      if (language === "") return;
    }
    this.#fence = language;
    this.#fenceMark = mark;
    this.#readImplied(this.#at);
  }

  #readThought(start: number): void {
    const mark = thoughtMark(this.#text, start);
    if (!mark) return;
    this.#at = mark.end;
    const before = this.#depth;
    if (before > 0 && isQuotedMark(this.#text, start, mark.end)) return;
    this.#depth = depthBehind(before, mark, this.#least);
    if (before > 0) return;
    if (mark.opens) this.#thoughtStart = start;
    // Without an opening mark, all that came before was thought.
    else if (this.#around === undefined) this.#scanner.allThoughts();
  }

  get #thought(): boolean {
    return this.#depth > 0;
  }

  /** Where a value that starts here must have ended: none goes on behind the thought that it stands in. */
  #limitOf(start: number): number {
    if (!this.#thought) return this.#to;
    if (this.#thoughtEnd < start) {
      const end = endOfThought(this.#text, start);
      this.#thoughtEnd = end < 0 ? this.#to : Math.min(end, this.#to);
    }
    return this.#thoughtEnd;
  }

  /** An object whose opening brace is missing. */
  #readImplied(from: number): void {
    if (this.#around !== undefined) return;
    const { source, budget, maxDepth } = this.#scanner;
    const start = impliedStart(this.#text, from);
    if (start < 0) return;
    const read = rewrite(source, start, {
      maxDepth,
      limit: this.#to,
      implied: true,
      fenced: this.#fence !== undefined,
    });
    budget.spend(read.work);
    const value = read.failed ? undefined : parseContainer(read.json);
    if (value !== undefined) this.#rewritten(start, value, read as Rewritten);
  }

  /** A value that may start at the bracket: natively, strictly, repaired, or by jsonrepair. */
  #readValue(start: number): void {
    const { source, budget, maxDepth, result } = this.#scanner;
    const text = this.#text;
    const limit = this.#limitOf(start);
    if (text[start - 1] === "\\") result.markdown ??= start;
    const native = this.#scanner.native(start, limit);
    if (native) {
      budget.spend(native.end - start);
      if (tooDeepFor(native.value, maxDepth)) {
        result.tooDeep = true;
        this.#at = native.end;
      } else this.#found(Candidate.parsed(text, start, native.end, native.value, this.#placeOf(start)));
      return;
    }
    const end = strictEnd(text, start, limit, maxDepth);
    const isJson = end > 0 && !goesOn(text, end);
    budget.spend(Math.abs(end) - start, isJson ? STRICT_WORK : undefined);
    if (isJson) {
      this.#found(Candidate.ofJson(text, start, end, this.#placeOf(start)));
      return;
    }
    const read = rewrite(source, start, { maxDepth, limit, fenced: this.#fence !== undefined });
    budget.spend(read.work);
    const value = read.failed ? undefined : parseContainer(read.json);
    if (!read.failed && value !== undefined) this.#rewritten(start, value, read);
    else if (read.failed === "too-deep") this.#skipTooDeep(read.at + 1);
    else if (read.failed === "escaped") result.escaped ??= this.#thought ? this.#thoughtStart : start;
    else if (read.failed === "markdown") result.markdown ??= start;
    else result.fault ??= read.failed ? read.at : start;
    if (read.failed === "foreign" && !this.#foreign?.holds(start)) this.#foreign = new OpenBrackets(text, start);
  }

  /** Deeper brackets of the same run would fail in the same way. */
  #skipTooDeep(from: number): void {
    this.#scanner.result.tooDeep = true;
    const rest = /[^[{"':\s\w]/g;
    rest.lastIndex = from;
    this.#at = rest.exec(this.#text)?.index ?? this.#to;
  }

  #rewritten(start: number, value: unknown, { end, edits, complete }: Rewritten): void {
    const json = () => applyEdits(edits, this.#text, start, end);
    this.#found(new Candidate(start, end, value, { edits, complete }, this.#placeOf(start), undefined, json));
  }

  #found(candidate: Candidate): void {
    this.#at = candidate.end;
    if (this.#keysAround.size === 0 || !sharesKeys(candidate.value, [this.#keysAround])) this.#scanner.add(candidate);
  }

  #placeOf(start: number): Place {
    const nested = this.#around !== undefined || this.#behindBroken(start) || this.#foreign?.holds(start) === true;
    const thought = this.#thought;
    const last = this.#place;
    if (last.fence === this.#fence && last.thought === thought && last.nested === nested) return last;
    this.#place = { fence: this.#fence, thought, nested };
    return this.#place;
  }

  /** Whether nothing stands between the value before, which broke off, and this one. */
  #behindBroken(start: number): boolean {
    const before = this.#scanner.result.candidates.at(-1);
    if (before === undefined || before.complete || before.end > start) return false;
    return this.#text.slice(before.end, start).trim() === "";
  }
}
