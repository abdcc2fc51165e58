import { type Derived, withoutTerminalCodes } from "../decode/encodings.js";
import { parseWhole, tooDeepFor } from "../decode/strict.js";
import type { JsonExtractError } from "../errors.js";
import { checkOptions, checkText, type ExtractOptions, MAX_DEPTH, type Repair } from "../result.js";
import { isAnswered } from "./announced.js";
import { type Answer, type Candidate, cut, report, stretch } from "./answer.js";
import { besideRivals, choose, isSpokenAgainst } from "./choose.js";
import { opened, type Part, weighed } from "./envelope.js";
import { Fitting } from "./fitting.js";
import { asList, brokenOff } from "./list.js";
import { type Reading, readingsBeside, readingsOf } from "./readings.js";
import { Scan, type ScanOptions } from "./scan.js";

/** A string in a string in an envelope …: more levels than anything real has. */
const MAX_LEVELS = 5;

/** What a text stands in. */
interface Within {
  level: number;
  /** For all texts together. */
  budget: ScanOptions["budget"];
}

/** Where an answer that stands in another text comes from. */
interface Origin extends Pick<Reading, "source" | "sure"> {
  made?: Reading["made"];
}

/** One search of a text for the value that is meant; texts inside of it are searched in their turn. */
export class Search<T> {
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  readonly #within: Within;
  readonly #maxDepth: number;
  readonly #fitting: Fitting<T>;

  /** Throws for wrong options. */
  constructor(text: string, options: ExtractOptions<T>, within?: Within) {
    if (!within) checkOptions(options);
    this.#text = text;
    this.#options = options;
    const left = 6 * (text?.length ?? 0) + 300_000;
    this.#within = within ?? { level: 0, budget: { left } };
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH;
    this.#fitting = new Fitting(text, options);
  }

  best(): Answer<T> | undefined {
    checkText(this.#text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole !== undefined) return whole ?? undefined;
    for (const reading of readingsOf(this.#text)) {
      const answer = this.#read(reading);
      if (answer) return answer;
    }
    const found = this.#scan();
    const answer = this.#meant(found);
    if (!answer) return undefined;
    // What is not sure need not be said twice.
    const isSure = answer.extra.every(({ sure }) => sure);
    const rivalled = answer.rivalled || (isSure && isAnswered(this.#text, answer.candidate));
    return { ...answer, count: found.candidates.length, rivalled };
  }

  all(): Answer<T>[] {
    const text = this.#text;
    checkText(text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole) return [whole];
    const plain = withoutTerminalCodes(text);
    if (plain)
      return this.#inside(plain.text)
        .all()
        .map((inner) => this.#placed(inner, 0, plain));
    const { candidates } = this.#scan();
    const answers = this.#fitting.all(candidates);
    const broken = this.#options.partial !== false && brokenOff(candidates, text);
    return answers.map((answer, nth) => {
      const { candidate } = answer;
      const isLast = nth === answers.length - 1;
      // What stands between two answers is looked at once.
      const from = answers[nth - 1]?.candidate.end ?? 0;
      const around = { text, from, to: answers[nth + 1]?.candidate.start ?? text.length };
      const rivalled = isAnswered(text, candidate);
      return { ...(broken && isLast ? cut(answer) : answer), count: candidates.length, around, rivalled };
    });
  }

  /** The text as it is; null when it is JSON and nothing of it fits. */
  #whole(): Answer<T> | null | undefined {
    const text = this.#text;
    const whole = parseWhole(text);
    if (whole === undefined || whole === null) return whole;
    const { value, start, end } = whole;
    if (tooDeepFor(value, this.#maxDepth)) {
      this.#fitting.met.maxDepth = this.#maxDepth;
      return null;
    }
    const candidate: Candidate = { ...stretch(start, end, value), text };
    const isContainer = typeof value === "object" && value !== null;
    const inner = typeof value === "string" ? this.#inner(candidate, value, { source: "string" }) : undefined;
    if (inner) return inner;
    const fitting =
      isContainer || this.#options.schema ? this.#fitting.answer(candidate, { source: "whole" }) : undefined;
    if (!isContainer) return fitting ?? null;
    return fitting ? this.#weighed(fitting) : (this.#open([candidate]) ?? null);
  }

  /** The answer in another text that this one may be written as. */
  #read(reading: Reading): Answer<T> | undefined {
    const { start, end, thought = false, derived, at } = reading;
    const answer = this.#inner({ ...stretch(start, end), thought }, reading.text, reading);
    const placed = answer?.inner && derived ? this.#placed(answer.inner, start, derived) : answer;
    if (placed === undefined || at === undefined) return placed;
    return placed.candidate.start <= at && at < placed.candidate.end ? placed : undefined;
  }

  /** An answer in a text that was made from this one, where it stands in this one. */
  #placed(inner: Answer<T>, start: number, derived: Derived): Answer<T> {
    const { range, source } = report(inner);
    const origin = (at: number) => start + derived.origin(at);
    const [from, to] = range.map(origin) as [number, number];
    const extra: Repair[] = derived.touched(...range) ? [{ kind: "encoding", at: from, line: 0, sure: true }] : [];
    const answer = this.#around(inner, stretch(from, to), source === "whole" ? "text" : source, extra);
    return { ...answer, derived: { origin } };
  }

  #scan(): Scan {
    const fitting = this.#fitting;
    const found = new Scan(this.#text, { maxDepth: this.#maxDepth, budget: this.#within.budget });
    const { fault, stopped, tooDeep } = found;
    Object.assign(fitting.met, { fault, stopped, maxDepth: tooDeep ? this.#maxDepth : undefined });
    return found;
  }

  #meant(found: Scan): Answer<T> | undefined {
    for (const reading of readingsBeside(this.#text, found)) {
      const answer = this.#read(reading);
      if (answer) return answer;
    }
    const broken = brokenOff(found.candidates, this.#text);
    if (broken && !this.#fitting.usable(broken)) return undefined;
    const answer = this.#chosen(found.candidates);
    return answer && broken ? cut(answer) : answer;
  }

  #chosen(candidates: Candidate[]): Answer<T> | undefined {
    const { schema, prefer } = this.#options;
    const text = this.#text;
    const made = schema || prefer ? undefined : asList(candidates, text);
    const listed = made && this.#fitting.answer(made.list, made);
    if (listed) return { ...listed, around: undefined };
    const fitting = this.#fitting.all(candidates);
    const found = { text, candidates, fitting };
    const chosen = choose(found, this.#options);
    if (!chosen) return this.#open(candidates);
    const { candidate } = chosen;
    if (!schema) return { ...chosen, rivalled: isSpokenAgainst(candidate, text) };
    return this.#weighed(besideRivals(chosen, found));
  }

  /** What fits, or what it wraps. */
  #weighed(answer: Answer<T>): Answer<T> {
    const { schema } = this.#options;
    return schema ? weighed(answer, schema, () => this.#open([answer.candidate], true)) : answer;
  }

  /** Nothing fits: look into what was found, as an envelope; `alike`: also for what looks like what is around it. */
  #open(outer: Candidate[], alike = false): Answer<T> | undefined {
    const [first, last] = [outer[0], outer.at(-1)];
    if (!first || !last || !this.#options.schema || this.#within.level >= MAX_LEVELS) return undefined;
    const text = this.#text;
    const all = { ...stretch(first.start, last.end), complete: outer.every((one) => one.complete) };
    const onlyThoughts = outer.every((one) => one.thought);
    const values = outer.map(({ value, thought }) => (thought && !onlyThoughts ? undefined : value));
    const answerIn = ({ value, path: [at, ...path] }: Part) => {
      const candidate = outer[at as number] ?? all;
      if (typeof value === "string") return this.#inner(candidate, value, { source: "envelope" });
      return this.#fitting.part(candidate, value, path);
    };
    const answer = opened(values, answerIn, alike);
    if (!answer) return undefined;
    // What stands beside one of several has been looked at.
    const around = outer.length > 1 ? undefined : { text, from: 0, to: text.length };
    return { ...(alike ? answer : this.#weighed(answer)), around };
  }

  /** The answer in a text that stands inside of this one. */
  #inner(around: Candidate, text: string, { source, made, sure = true }: Origin): Answer<T> | undefined {
    const { level, budget } = this.#within;
    if (level >= MAX_LEVELS || text.length > this.#text.length * 2 || budget.left <= 0) return undefined;
    budget.left -= text.length;
    const search = this.#inside(text);
    const answer = search.best();
    if (!answer) {
      this.#fitting.metIn(search.#fitting, around.end);
      return undefined;
    }
    return this.#around(answer, around, source, made ? [{ kind: made, at: around.start, line: 0, sure }] : []);
  }

  #inside(text: string): Search<T> {
    return new Search(text, this.#options, { ...this.#within, level: this.#within.level + 1 });
  }

  #around(inner: Answer<T>, candidate: Candidate, source: Answer<T>["source"], extra: Repair[]): Answer<T> {
    return { text: this.#text, count: 1, candidate, value: inner.value, coerced: [], source, extra, inner };
  }

  error(): JsonExtractError {
    return this.#fitting.error();
  }
}
