import { tooDeepFor } from "../decode/brackets.js";
import {
  entityStart,
  jsonInLiteral,
  withoutBackslashes,
  withoutEntities,
  withoutMarkdownEscapes,
  withoutMarks,
  withoutTerminalCodes,
} from "../decode/derived.js";
import { isBlank } from "../decode/signs.js";
import { JsonExtractError } from "../errors.js";
import { checkOptions, MAX_DEPTH, MAX_LENGTH, named } from "../options.js";
import type { Repair } from "../repairs.js";
import type { ExtractOptions } from "../result.js";
import { type Fit, fit, type Origin } from "../schema/fit.js";
import type { SchemaIssue } from "../schema/standard-schema.js";
import { type Answer, cut, isListOfOne, opening, report, sourceOf } from "./answer.js";
import { Candidate, those, UNCHANGED } from "./candidate.js";
import { chooseAny, chooseFitting } from "./choose.js";
import { keysOf, type Part, partsOf, sharesKeys } from "./envelope.js";
import { joinedPaths, joinStream, textOfDataStream, textOfEvents } from "./event-stream.js";
import { failure } from "./failure.js";
import { asList, brokenOff, listOf, neighbours } from "./list.js";
import { scan } from "./scan.js";
import { readText } from "./text-in-string.js";
import { WorkBudget } from "./work-budget.js";

/** A string in a string in an envelope …: more levels than anything real has. */
const MAX_LEVELS = 5;
/** Values that are looked into when none fits. */
const MAX_ENVELOPES = 200;

/** One search of a text for the value that is meant; texts inside of it are searched in their turn. */
export class Search<T> {
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  readonly #level: number;
  readonly #budget: WorkBudget;
  readonly #maxDepth: number;
  #issues: readonly SchemaIssue[] = [];
  #closest: unknown;
  #fault: number | undefined;
  #tooDeep = false;
  #incomplete: number | undefined;
  #count = 0;
  #fits = new Map<Candidate, Fit<T>>();

  /** Throws for wrong options. */
  constructor(text: string, options: ExtractOptions<T>, level = 0, budget = WorkBudget.forText(text?.length ?? 0)) {
    if (level === 0) checkOptions(options);
    this.#text = text;
    this.#options = options;
    this.#level = level;
    this.#budget = budget;
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH;
  }

  best(): Answer<T> | undefined {
    this.#check();
    const whole = this.#whole();
    if (whole !== undefined) return whole ?? undefined;
    return this.#marked() ?? this.#search(this.#text);
  }

  all(): Answer<T>[] {
    this.#check();
    const whole = this.#whole();
    if (whole) return [whole];
    const plain = withoutTerminalCodes(this.#text);
    const text = plain?.text ?? this.#text;
    const { candidates } = this.#scan(text);
    const answers = this.#fitting(
      candidates.filter((one) => !one.nested),
      text,
    );
    // What stands between two answers is looked at once.
    for (const [i, { around }] of answers.entries()) {
      if (!around) continue;
      around.from = answers[i - 1]?.candidate.end ?? 0;
      around.to = answers[i + 1]?.candidate.start ?? around.to;
    }
    const last = answers.at(-1);
    if (last && this.#options.partial !== false && brokenOff(candidates, text)) answers[answers.length - 1] = cut(last);
    if (plain) for (const answer of answers) answer.derived = plain;
    return answers;
  }

  #check() {
    const { maxLength = MAX_LENGTH } = this.#options;
    if (typeof this.#text !== "string") {
      throw new JsonExtractError("not-found", `expected a string to look into, got ${named(this.#text)}`);
    }
    if (this.#text.length <= maxLength) return;
    const message = `the text has ${this.#text.length} characters, more than the ${maxLength} allowed`;
    throw new JsonExtractError("too-large", message, { text: this.#text });
  }

  /** The text as it is; null when it is JSON and nothing of it fits. */
  #whole(): Answer<T> | null | undefined {
    const text = this.#text;
    let start = 0;
    let end = text.length;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    const first = text[start];
    if (first === undefined) return null;
    // A whole object or list ends in its bracket: without one, the native parser need not be asked.
    if ((first === "{" && text[end - 1] !== "}") || (first === "[" && text[end - 1] !== "]")) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(start === 0 && end === text.length ? text : text.slice(start, end));
    } catch {
      return undefined;
    }
    if (tooDeepFor(text, start, end, this.#maxDepth)) {
      this.#tooDeep = true;
      return null;
    }
    this.#count = 1;
    const candidate = Candidate.parsed(text, start, end, value);
    const { schema } = this.#options;
    if (typeof value === "object" && value !== null) {
      const answer = this.#answer(candidate, "whole");
      return answer ?? this.#open([candidate]) ?? null;
    }
    if (typeof value === "string") {
      const inner = this.#inner(candidate, value, "string");
      if (inner) return inner;
    }
    return schema ? (this.#answer(candidate, "whole") ?? null) : null;
  }

  /** A text with a mark before every line is read without the marks. */
  #marked(): Answer<T> | undefined {
    for (const plain of withoutMarks(this.#text)) {
      const answer = this.#inner(new Candidate(0, this.#text.length), plain.text, "text", "encoding");
      if (answer) return answer;
    }
    const streamed = textOfDataStream(this.#text);
    if (streamed !== undefined)
      return this.#inner(new Candidate(0, this.#text.length), streamed, "envelope", "envelope");
    const data = textOfEvents(this.#text);
    const answer =
      data === undefined ? undefined : this.#inner(new Candidate(0, this.#text.length), data, "envelope", "envelope");
    // What breaks off may be the first of several events.
    return answer?.inner?.candidate.complete ? answer : undefined;
  }

  #search(text: string): Answer<T> | undefined {
    const plain = withoutTerminalCodes(text);
    if (plain) {
      const answer = this.#in(plain.text);
      if (answer && !answer.inner) answer.derived = plain;
      return answer;
    }
    return this.#in(text);
  }

  #in(text: string): Answer<T> | undefined {
    const { candidates, escaped, markdown } = this.#scan(text);
    if (markdown !== undefined) {
      const answer = this.#unescaped(text, markdown);
      if (answer) return answer;
    }
    if (escaped !== undefined && candidates.every((one) => one.start > escaped)) {
      const decoded = withoutBackslashes(text.slice(escaped));
      const around = new Candidate(escaped, text.length);
      const answer = decoded && this.#inner(around, decoded.text, "text", "encoding");
      if (answer) return answer;
    }
    const literal = jsonInLiteral(text);
    const within = (one: Candidate) =>
      one.end - one.start === 2 || (one.end > (literal?.start ?? 0) && one.start < (literal?.end ?? 0));
    if (literal && candidates.every(within)) {
      const around = new Candidate(literal.start, literal.end);
      if (candidates.some((one) => one.thought)) around.becomeThought();
      const answer = this.#inner(around, literal.text, "string", "encoding");
      if (answer) return answer;
    }
    const entity = entityStart(text);
    const encoded = entity >= 0 && candidates.every((one) => one.start > entity);
    if (encoded) {
      const answer = this.#decoded(text);
      if (answer) return answer;
    }
    const broken = brokenOff(candidates, text);
    if (broken && !this.#usable(broken)) return undefined;
    const answer = this.#chosen(candidates, text);
    if (answer) return broken ? cut(answer) : answer;
    return encoded ? undefined : this.#decoded(text);
  }

  /** An answer in the text without Markdown's backslashes, if it stands where one was met. */
  #unescaped(text: string, at: number): Answer<T> | undefined {
    const plain = withoutMarkdownEscapes(text);
    const answer = plain && this.#inner(new Candidate(0, text.length), plain.text, "text", "encoding");
    if (!plain || !answer?.inner) return undefined;
    const [start, end] = report(answer.inner).range.map((index) => plain.origin(index)) as [number, number];
    if (at < start || at >= end) return undefined;
    // `\[ [1, 2] \]` is a formula: what escapes for Markdown leaves out no bracket of a kind.
    const part = text.slice(Math.max(0, start - 1), end);
    for (const bracket of "[{") {
      if (part.includes(`\\${bracket}`) && part.replaceAll(`\\${bracket}`, "").includes(bracket)) return undefined;
    }
    return { ...answer, candidate: new Candidate(start, end) };
  }

  #chosen(candidates: Candidate[], text: string): Answer<T> | undefined {
    const { schema, prefer } = this.#options;
    if (!schema) {
      const made = prefer === undefined ? asList(candidates, text) : undefined;
      if (made) return this.#answer(made.list, sourceOf(made.list), made);
      const usable = those(candidates, (one) => this.#usable(one));
      const chosen = chooseAny(usable, text, prefer);
      return chosen && this.#answer(chosen, sourceOf(chosen), undefined, text);
    }
    const fitting = this.#fitting(candidates, text);
    const chosen = chooseFitting(fitting, text, prefer ?? "last");
    if (!chosen) return this.#open(candidates, text);
    // What stands in a string of something broken is read as the string first.
    const opened = chosen.candidate.nested && chosen.candidate.edits.length > 0 && this.#open(candidates, text);
    if (opened) return opened;
    // Each of several fits as a list of one: the others may have been meant as members.
    const others = fitting.some((one) => one !== chosen && !one.candidate.thought && isListOfOne(one));
    return others && isListOfOne(chosen) ? { ...chosen, lonely: true } : chosen;
  }

  #decoded(text: string): Answer<T> | undefined {
    const decoded = withoutEntities(text);
    return decoded && this.#inner(new Candidate(0, text.length), decoded.text, "text", "encoding");
  }

  #scan(text: string) {
    const result = scan(
      text,
      this.#maxDepth,
      this.#budget,
      (candidate) => this.#usable(candidate) && this.#fit(candidate).fits,
    );
    this.#count = result.candidates.length;
    this.#fault ??= result.fault;
    this.#tooDeep ||= result.tooDeep;
    return result;
  }

  #usable(candidate: Candidate): boolean {
    if (candidate.complete || this.#options.partial !== false) return true;
    this.#incomplete ??= candidate.end;
    return false;
  }

  #fit(candidate: Candidate): Fit<T> {
    if (!this.#options.schema) return fit<T>(undefined, candidate.value);
    let result = this.#fits.get(candidate);
    if (!result) {
      result = fit(this.#options.schema, candidate.value, this.#originOf(candidate));
      if (!result.fits) {
        if (this.#closest === undefined || result.issues.length <= this.#issues.length) {
          this.#issues = result.issues;
          this.#closest = candidate.value;
        }
        // The issues of the others would fill the memory.
        result = UNFIT;
      }
      // What is clean is not asked about while the text is read, and so only once.
      if (candidate.edits.length > 0) this.#fits.set(candidate, result);
    }
    return result;
  }

  #originOf(candidate: Candidate): Origin {
    return { json: () => candidate.json, read: readText };
  }

  #fitting(candidates: Candidate[], text: string): Answer<T>[] {
    const answers = new Map<Candidate, Answer<T>>();
    for (const one of candidates) {
      const answer = this.#usable(one) ? this.#answer(one, sourceOf(one), undefined, text) : undefined;
      if (answer) answers.set(one, answer);
    }
    for (const members of this.#options.schema ? neighbours(candidates, text, true) : []) {
      // What fits as it stands is an answer of its own, and the last one corrects the others.
      if (members.every((one) => answers.get(one)?.coerced.length === 0)) continue;
      const list = this.#listed(members, text);
      // A list of one of them would lose the others.
      const lossy = members.filter((one) => answers.get(one)?.coerced.some(({ path }) => path.length === 0));
      for (const one of list ? members : lossy.length > 1 ? lossy : []) answers.delete(one);
      if (list) answers.set(members[0] as Candidate, list);
    }
    return candidates.flatMap((one) => answers.get(one) ?? []);
  }

  /** Neighbours as one list, without a last one that broke off and does not fit. */
  #listed(members: Candidate[], text: string): Answer<T> | undefined {
    const list = listOf(members);
    if (!this.#usable(list)) return undefined;
    const answer = this.#answer(list, sourceOf(list), { sure: true }, text);
    if (answer || list.complete || members.length < 3) return answer;
    return this.#answer(listOf(members.slice(0, -1)).with({ complete: false }), sourceOf(list), { sure: true }, text);
  }

  #answer(
    candidate: Candidate,
    source: Answer<T>["source"],
    made?: { sure: boolean },
    text?: string,
  ): Answer<T> | undefined {
    const result = this.#fit(candidate);
    if (!result.fits) return undefined;
    const extra: Repair[] = [];
    if (made) extra.push({ kind: "list", at: candidate.start, line: 0, sure: made.sure });
    return {
      text: this.#text,
      count: this.#count,
      candidate,
      value: result.value,
      coerced: result.coerced,
      source,
      extra,
      around: text === undefined ? undefined : { text, from: 0, to: text.length },
    };
  }

  /** Nothing fits: look into what was found, as an envelope. */
  #open(candidates: Candidate[], text?: string): Answer<T> | undefined {
    if (!this.#options.schema || this.#level >= MAX_LEVELS) return undefined;
    const around = text === undefined ? undefined : { text, from: 0, to: text.length };
    const outer = candidates.filter((one) => !one.nested);
    const values = outer.map((one) => one.value);
    const stream = joinStream(values);
    const first = outer[0];
    const last = outer.at(-1);
    if (first && last && first !== last) {
      const complete = outer.every((one) => one.complete);
      const whole = new Candidate(first.start, last.end, undefined, { ...UNCHANGED, complete });
      for (const text of [stream, ...joinedPaths(values)]) {
        const answer = text === undefined ? undefined : this.#inner(whole, text, "envelope", "envelope");
        if (answer) return { ...answer, around };
      }
    }
    const onlyThoughts = outer.every((one) => one.thought);
    for (const candidate of outer.slice(-MAX_ENVELOPES).reverse()) {
      if (candidate.thought && !onlyThoughts) continue;
      const answer = this.#opened(candidate);
      if (answer) return { ...answer, around };
    }
    return undefined;
  }

  /** What fits of the parts of a value: the first one, if no other one may have been meant. */
  #opened(candidate: Candidate): Answer<T> | undefined {
    let found: { answer: Answer<T>; part: Part } | undefined;
    let sure = true;
    const rivals: T[] = [];
    /** The keys of what does not fit, on the level of the part. */
    let misfits: ReadonlySet<string>[] = [];
    let depth = 0;
    for (const part of partsOf(candidate.value)) {
      if (found && part.path.length > depth) break;
      if (part.path.length > depth) misfits = [];
      depth = part.path.length;
      const answer = this.#partly(candidate, part);
      if (part.rival) {
        if (answer && !answer.lonely && answer.coerced.every((one) => one.sure)) rivals.push(answer.value);
      } else if (!answer) misfits.push(keysOf(part.value));
      else if (sharesKeys(answer.value, part.around)) continue;
      else if (!found) found = { answer, part };
      else if (!sameJson(answer.value, found.answer.value)) {
        // Texts are told one after the other, as are answers in one list, and the last one counts.
        if (typeof part.value !== "string" && !Array.isArray(candidate.value)) return undefined;
        sure = false;
        break;
      }
    }
    if (!found) return undefined;
    const { answer, part } = found;
    sure &&= part.doubt === undefined && !sharesKeys(answer.value, misfits);
    sure &&= rivals.every((rival) => sameJson(rival, answer.value));
    return { ...answer, extra: [...answer.extra, opening(candidate, part.path, sure)] };
  }

  #partly(candidate: Candidate, { value: part, path }: Part): Answer<T> | undefined {
    if (typeof part === "string") return this.#inner(candidate, part, "envelope");
    const result = fit(this.#options.schema, part, { read: readText });
    if (!result.fits) return undefined;
    const { value, coerced } = result;
    const inside = candidate.with({ value: part });
    const made = { text: this.#text, count: this.#count, extra: [] };
    const answer: Answer<T> = { ...made, candidate: inside, value, coerced, source: "envelope" };
    if (!isListOfOne(answer)) return answer;
    // One row of a list is not the list that was asked for.
    return typeof path.at(-1) === "number" ? undefined : { ...answer, lonely: true };
  }

  /** The answer in a text that stands inside of this one. */
  #inner(
    around: Candidate,
    text: string,
    source: Answer<T>["source"],
    made?: "encoding" | "envelope",
  ): Answer<T> | undefined {
    if (this.#level >= MAX_LEVELS || text.length > this.#text.length * 2 || this.#budget.spent) return undefined;
    this.#budget.spend(text.length);
    const search = new Search(text, this.#options, this.#level + 1, this.#budget);
    const answer = search.best();
    if (!answer) {
      if (this.#closest === undefined && search.#closest !== undefined) {
        this.#closest = search.#closest;
        this.#issues = search.#issues;
      }
      this.#tooDeep ||= search.#tooDeep;
      this.#incomplete ??= search.#incomplete === undefined ? undefined : around.end;
      return undefined;
    }
    const extra: Repair[] = made ? [{ kind: made, at: around.start, line: 0, sure: true }] : [];
    const { value } = answer;
    return {
      text: this.#text,
      count: this.#count,
      candidate: around,
      value,
      coerced: [],
      source,
      extra,
      inner: answer,
    };
  }

  error(): JsonExtractError {
    return failure({
      text: this.#text,
      closest: this.#closest,
      issues: this.#issues,
      maxDepth: this.#tooDeep ? this.#maxDepth : undefined,
      incomplete: this.#incomplete,
      fault: this.#fault,
    });
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const UNFIT = { fits: false, issues: [] } as const;
