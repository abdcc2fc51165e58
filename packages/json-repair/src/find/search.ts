import * as decode from "../decode/encodings.js";
import { isContainer, parseContainer, parseWhole, tooDeepFor } from "../decode/strict.js";
import type { JsonExtractError } from "../errors.js";
import { checkOptions, checkText, type ExtractOptions, MAX_DEPTH, repairOf } from "../result.js";
import { type Answer, answerOf, type Candidate, cut, report, stretch } from "./answer.js";
import { besideRivals, choose, isAnswered, isSpokenAgainst, weighed } from "./choose.js";
import { opened, type Part } from "./envelope.js";
import { asList, brokenOff, Fitting } from "./fitting.js";
import { Scan, type ScanOptions } from "./scan.js";

/** A string in a string in an envelope …: more levels than anything real has. */
const MAX_LEVELS = 5;

/** What a text stands in. */
interface Within {
  level: number;
  /** For all texts together. */
  budget: ScanOptions["budget"];
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
    const text = this.#text;
    checkText(text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole !== undefined) return whole ?? undefined;
    const shown = this.#read(readingsOf(text));
    if (shown) return shown;
    const found = this.#scan();
    const answer = this.#read(readingsBeside(text, found)) ?? this.#meant(found.candidates);
    if (!answer) return undefined;
    return { ...answer, doubted: answer.doubted || isAnswered(text, answer.candidate) };
  }

  all(): Answer<T>[] {
    const text = this.#text;
    checkText(text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole) return [whole];
    const derived = decode.withoutTerminalCodes(text);
    if (derived) {
      const around = stretch(0, text.length);
      const inside = this.#inside(derived.text).all();
      return inside.map((one) => placed(one, around, { text, derived, source: "text", made: "encoding" }));
    }
    const { candidates } = this.#scan();
    const answers = this.#fitting.all(candidates);
    const last = answers.at(-1);
    if (last && this.#options.partial !== false && brokenOff(candidates, text)) answers.splice(-1, 1, cut(last));
    return answers.map((answer, nth) => {
      // What stands between two answers is looked at once.
      const from = answers[nth - 1]?.candidate.end ?? 0;
      const around = { text, from, to: answers[nth + 1]?.candidate.start ?? text.length };
      const doubted = answer.doubted || isAnswered(text, answer.candidate);
      return { ...answer, count: candidates.length, around, doubted };
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
    const candidate = { ...stretch(start, end, value), text };
    const inner = typeof value === "string" ? this.#inner(candidate, { text: value, source: "string" }) : undefined;
    if (inner) return inner;
    const isAsked = isContainer(value) || this.#options.schema;
    const answer = isAsked && this.#fitting.answer(candidate, { source: "whole" });
    if (answer) return this.#weighed(answer);
    return (isContainer(value) && this.#open([candidate])) || null;
  }

  /** The first answer in another text that this one may be written as. */
  #read(readings: Iterable<Placed>): Answer<T> | undefined {
    for (const { start, end, at, thought = false, ...reading } of readings) {
      const answer = this.#inner({ ...stretch(start, end), thought }, reading);
      if (answer && (at === undefined || (answer.candidate.start <= at && at < answer.candidate.end))) return answer;
    }
    return undefined;
  }

  #scan(): Scan {
    const found = new Scan(this.#text, { maxDepth: this.#maxDepth, budget: this.#within.budget });
    const { fault, stopped, tooDeep } = found;
    Object.assign(this.#fitting.met, { fault, stopped, maxDepth: tooDeep ? this.#maxDepth : undefined });
    return found;
  }

  #meant(candidates: Candidate[]): Answer<T> | undefined {
    const broken = brokenOff(candidates, this.#text);
    if (broken && !this.#fitting.usable(broken)) return undefined;
    const chosen = this.#chosen(candidates);
    const answer = chosen && { ...chosen, count: candidates.length };
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
    const chosen = (prefer ? undefined : this.#fitting.together(fitting)) ?? choose(found, this.#options);
    if (!chosen) return this.#open(candidates);
    if (!schema) return { ...chosen, doubted: isSpokenAgainst(chosen.candidate, text) };
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
      if (typeof value === "string") return this.#inner(candidate, { text: value, source: "envelope" });
      const answer = this.#fitting.part(candidate, value, path);
      return answer && !alike ? this.#weighed(answer) : answer;
    };
    const answer = opened(values, answerIn, alike);
    // What stands beside one of several has been looked at.
    return answer && { ...answer, around: outer.length > 1 ? undefined : { text, from: 0, to: text.length } };
  }

  /** The answer in another text, which stands in this one or was made from a part of it. */
  #inner(around: Candidate, reading: Reading): Answer<T> | undefined {
    const { level, budget } = this.#within;
    const { text } = reading;
    if (level >= MAX_LEVELS || text.length > this.#text.length * 2 || budget.left <= 0) return undefined;
    budget.left -= text.length;
    const search = this.#inside(text);
    const answer = search.best();
    if (!answer) this.#fitting.metIn(search.#fitting, around.end);
    return answer && placed(answer, around, reading);
  }

  #inside(text: string): Search<T> {
    return new Search(text, this.#options, { ...this.#within, level: this.#within.level + 1 });
  }

  error(): JsonExtractError {
    return this.#fitting.error();
  }
}

/** An answer in another text, where it stands in this one. */
function placed<T>(answer: Answer<T>, around: Candidate, { derived, made, sure = true, ...as }: Reading): Answer<T> {
  const { value, range, repairs, complete, candidates: count, source } = report(answer);
  const origin = (at: number) => around.start + (derived?.origin(at) ?? 0);
  const [start, end] = derived ? [origin(range[0]), origin(range[1])] : [around.start, around.end];
  const extra = repairs.map((repair) => ({ ...repair, at: origin(repair.at) }));
  if (made && derived?.touched(...range) !== false) extra.unshift(repairOf(made, start, sure));
  const read = { text: undefined, value: answer.candidate.value, complete: complete && around.complete };
  const isThought = answer.candidate.thought || answer.isThought === true;
  const told = { extra, count, isThought, source: derived && source !== "whole" ? source : as.source };
  return answerOf({ ...around, start, end, ...read }, { value, coerced: [] }, told);
}

/** What a text may be written as, other than as it stands: another text is searched in its place. */
interface Reading {
  text: string;
  source: "text" | "string" | "envelope";
  made?: "encoding" | "envelope";
  /** Whether nothing else may have been meant. Default: true. */
  sure?: boolean;
  /** How it was made, if places in it are known. */
  derived?: decode.Derived;
}

/** A reading, and the part of the text that it is made from. */
interface Placed extends Reading {
  start: number;
  end: number;
  thought?: boolean;
  /** A place that the answer must stand around. */
  at?: number;
}

function* encoded(derived: decode.Derived | undefined, start: number, end: number): Generator<Placed> {
  if (derived) yield { text: derived.text, start, end, derived, source: "text", made: "encoding" };
}

/** What shows in a text before it is searched: marks before its lines, pieces of a stream, codes of a terminal. */
function* readingsOf(text: string): Generator<Placed> {
  const end = text.length;
  for (const plain of decode.withoutMarks(text)) yield* encoded(plain, 0, end);
  const stream = textOfStream(text);
  if (stream) yield { ...stream, start: 0, end, source: "envelope", made: "envelope" };
  yield* encoded(decode.withoutTerminalCodes(text), 0, end);
}

/** What shows when its values are known: backslashes and entities before all of them, or a literal around them. */
function* readingsBeside(text: string, { candidates, escaped, markdown }: Scan): Generator<Placed> {
  const end = text.length;
  const isFirst = (place = -1) => place >= 0 && candidates.every(({ start }) => start > place);
  if (markdown !== undefined)
    for (const plain of encoded(decode.withoutMarkdownEscapes(text), 0, end)) yield { ...plain, at: markdown };
  if (escaped !== undefined && isFirst(escaped))
    yield* encoded(decode.withoutBackslashes(text.slice(escaped)), escaped, end);
  const literal = decode.jsonInLiteral(text);
  // Beside it may stand `{}`.
  if (
    literal &&
    candidates.every(({ start, end }) => end - start === 2 || (end > literal.start && start < literal.end))
  )
    yield { ...literal, source: "string", made: "encoding", thought: candidates.some((one) => one.thought) };
  if (candidates.length === 0 || isFirst(decode.entityStart(text)))
    yield* encoded(decode.withoutEntities(text), 0, end);
}

/** A line of server-sent events, or of the data stream protocol of the AI SDK (`0:"…"`), and what it holds. */
const LINE = /^(?:0:("(?:[^"\\]|\\.)*")\s*|data: ?(.*?)\r?|(?:(?:event|id|retry)?:|[a-z\d]:).*|\s*)$/s;
const ERROR = /^(?:3:"|event: ?error\b)/;

/** The text whose pieces stand on the lines of a stream, and whether no line tells of an error. */
function textOfStream(text: string): { text: string; sure: boolean } | undefined {
  let joined = "";
  let sure = true;
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    const [all, words, data = ""] = LINE.exec(line) ?? [];
    // A whole object is an event of its own.
    if (all === undefined || (joined === "" && data !== "" && parseContainer(data) !== undefined)) return undefined;
    sure &&= !ERROR.test(line);
    joined += words === undefined ? data.replace(/^\[DONE\]$/, "") : String(parseContainer(`[${words}]`) ?? "");
  }
  return joined === "" ? undefined : { text: joined, sure };
}
