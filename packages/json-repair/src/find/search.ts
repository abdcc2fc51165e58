import {
  entityStart,
  isFormula,
  jsonInLiteral,
  withoutBackslashes,
  withoutEntities,
  withoutMarkdownEscapes,
  withoutMarks,
  withoutTerminalCodes,
} from "../decode/encodings.js";
import type { JsonExtractError } from "../errors.js";
import { checkOptions, checkText, type ExtractOptions, MAX_DEPTH, type Repair, tooDeepFor } from "../result.js";
import { isSpokenAgainst } from "./against.js";
import { answeredInputs } from "./announced.js";
import { type Answer, cut, divide, report, sourceOf } from "./answer.js";
import { Candidate, those, UNCHANGED } from "./candidate.js";
import { chooseAny, chooseFitting } from "./choose.js";
import { cameOf, type InCourse, placesIn } from "./course.js";
import type { Part } from "./envelope.js";
import { joinedPaths, joinStream, tellsOfError, textOfDataStream, textOfEvents } from "./event-stream.js";
import { Fitting } from "./fitting.js";
import { asList, brokenOff } from "./list.js";
import { weighed } from "./loose.js";
import { parseWhole } from "./native.js";
import { opened, putTogether } from "./opened.js";
import { besideRivals } from "./rivals.js";
import { scan } from "./scan.js";
import { MAX_LEVELS, type Making, OUTERMOST, type Within } from "./within.js";
import { WorkBudget } from "./work-budget.js";

/** Values that are looked into when none fits. */
const MAX_ENVELOPES = 200;

/** One search of a text for the value that is meant; texts inside of it are searched in their turn. */
export class Search<T> {
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  readonly #level: number;
  readonly #budget: WorkBudget;
  readonly #maxDepth: number;
  readonly #place: InCourse | undefined;
  readonly #fitting: Fitting<T>;
  #count = 0;

  /** Throws for wrong options. */
  constructor(text: string, options: ExtractOptions<T>, { level, budget, place }: Within = OUTERMOST) {
    if (level === 0) checkOptions(options);
    this.#text = text;
    this.#options = options;
    this.#level = level;
    this.#budget = budget ?? WorkBudget.forText(text?.length ?? 0);
    this.#place = place;
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH;
    this.#fitting = new Fitting(options);
  }

  best(): Answer<T> | undefined {
    checkText(this.#text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole !== undefined) return whole ?? undefined;
    return this.#marked() ?? this.#search(this.#text);
  }

  all(): Answer<T>[] {
    checkText(this.#text, this.#options.maxLength);
    const whole = this.#whole();
    if (whole) return [whole];
    const plain = withoutTerminalCodes(this.#text);
    const text = plain?.text ?? this.#text;
    const { candidates } = this.#scan(text);
    const outer = candidates.filter((one) => !one.nested);
    const answers = this.#fitting.all(this.#searched, outer, text);
    divide(answers);
    const last = answers.at(-1);
    if (last && this.#options.partial !== false && brokenOff(candidates, text)) answers[answers.length - 1] = cut(last);
    const isAnswered = this.#isAnswered(text);
    for (const answer of answers) {
      answer.derived = plain;
      answer.answered = isAnswered(answer.candidate);
    }
    return answers;
  }

  /** The text as it is; null when it is JSON and nothing of it fits. */
  #whole(): Answer<T> | null | undefined {
    const whole = parseWhole(this.#text);
    if (whole === undefined || whole === null) return whole;
    const { value, start, end } = whole;
    if (tooDeepFor(value, this.#maxDepth)) {
      this.#fitting.met({ maxDepth: this.#maxDepth });
      return null;
    }
    this.#count = 1;
    const candidate = Candidate.parsed(this.#text, start, end, value);
    if (typeof value === "object" && value !== null) {
      const answer = this.#fitting.answer(this.#searched, candidate, "whole");
      return answer ? this.#weighed(answer) : (this.#open([candidate]) ?? null);
    }
    const inner = typeof value === "string" && this.#inner(candidate, value, "string");
    if (inner) return inner;
    return this.#options.schema ? (this.#fitting.answer(this.#searched, candidate, "whole") ?? null) : null;
  }

  /** A text with a mark before every line is read without the marks. */
  #marked(): Answer<T> | undefined {
    const whole = new Candidate(0, this.#text.length);
    for (const plain of withoutMarks(this.#text)) {
      const answer = this.#inner(whole, plain.text, "text", { made: "encoding" });
      if (answer) return answer;
    }
    const streamed = textOfDataStream(this.#text);
    const data = streamed ?? textOfEvents(this.#text);
    const sure = data !== undefined && !tellsOfError(this.#text);
    const answer = data === undefined ? undefined : this.#inner(whole, data, "envelope", { made: "envelope", sure });
    if (streamed !== undefined) return answer;
    // What breaks off may be the first of several events.
    return answer?.inner?.candidate.complete ? answer : undefined;
  }

  #search(text: string): Answer<T> | undefined {
    const plain = withoutTerminalCodes(text);
    const answer = this.#in(plain?.text ?? text);
    if (plain && answer && !answer.inner) answer.derived = plain;
    return answer;
  }

  #in(text: string): Answer<T> | undefined {
    const answer = this.#meant(text);
    if (!answer?.extra.every(({ sure }) => sure)) return answer;
    return { ...answer, answered: this.#isAnswered(text)(answer.candidate) };
  }

  /** Tells of the values of a text whether they were given to a tool that has answered. */
  #isAnswered(text: string) {
    return answeredInputs(text, cameOf(this.#place));
  }

  #meant(text: string): Answer<T> | undefined {
    const { candidates, escaped, markdown } = this.#scan(text);
    if (markdown !== undefined) {
      const answer = this.#unescaped(text, markdown);
      if (answer) return answer;
    }
    if (escaped !== undefined && candidates.every((one) => one.start > escaped)) {
      const decoded = withoutBackslashes(text.slice(escaped));
      const around = new Candidate(escaped, text.length);
      const answer = decoded && this.#inner(around, decoded.text, "text", { made: "encoding" });
      if (answer) return answer;
    }
    const literal = jsonInLiteral(text);
    const within = (one: Candidate) =>
      one.end - one.start === 2 || (one.end > (literal?.start ?? 0) && one.start < (literal?.end ?? 0));
    if (literal && candidates.every(within)) {
      const around = new Candidate(literal.start, literal.end);
      if (candidates.some((one) => one.thought)) around.becomeThought();
      const answer = this.#inner(around, literal.text, "string", { made: "encoding" });
      if (answer) return answer;
    }
    const entity = entityStart(text);
    const encoded = entity >= 0 && candidates.every((one) => one.start > entity);
    if (encoded) {
      const answer = this.#decoded(text);
      if (answer) return answer;
    }
    const broken = brokenOff(candidates, text);
    if (broken && !this.#fitting.usable(broken)) return undefined;
    const answer = this.#chosen(candidates, text);
    if (answer) return broken ? cut(answer) : answer;
    return encoded ? undefined : this.#decoded(text);
  }

  /** An answer in the text without Markdown's backslashes, if it stands where one was met. */
  #unescaped(text: string, at: number): Answer<T> | undefined {
    const plain = withoutMarkdownEscapes(text);
    const answer = plain && this.#inner(new Candidate(0, text.length), plain.text, "text", { made: "encoding" });
    if (!plain || !answer?.inner) return undefined;
    const [start, end] = report(answer.inner).range.map((index) => plain.origin(index)) as [number, number];
    if (at < start || at >= end) return undefined;
    return isFormula(text.slice(Math.max(0, start - 1), end))
      ? undefined
      : { ...answer, candidate: new Candidate(start, end) };
  }

  #chosen(candidates: Candidate[], text: string): Answer<T> | undefined {
    const { schema, prefer } = this.#options;
    if (!schema) {
      const made = prefer === undefined ? asList(candidates, text) : undefined;
      if (made) return this.#fitting.answer(this.#searched, made.list, sourceOf(made.list), { made });
      const usable = those(candidates, (one) => this.#fitting.usable(one));
      const chosen = chooseAny(usable, text, prefer, this.#isAnswered(text));
      const answer = chosen && this.#fitting.answer(this.#searched, chosen, sourceOf(chosen), { text });
      return answer && { ...answer, rivalled: isSpokenAgainst(answer.candidate, text) };
    }
    const fitting = this.#fitting.all(this.#searched, candidates, text);
    const chosen = chooseFitting(fitting, text, prefer ?? "last", this.#isAnswered(text));
    if (!chosen) return this.#open(candidates, text);
    // What stands in a string of something broken is read as the string first.
    const opened = chosen.candidate.nested && chosen.candidate.edits.length > 0 && this.#open(candidates, text);
    if (opened) return opened;
    const answerIn = this.#level === 0 ? undefined : (value: unknown) => this.#partly(chosen.candidate, { value });
    return this.#weighed(besideRivals(chosen, { text, candidates, fitting, answerIn }), text);
  }

  /** What fits, or what it wraps. */
  #weighed(answer: Answer<T>, text?: string): Answer<T> {
    const { schema } = this.#options;
    const open = (alike = false) => this.#open([answer.candidate], text, { weighs: false, alike });
    return schema ? weighed(answer, { schema, open }) : answer;
  }

  #decoded(text: string): Answer<T> | undefined {
    const decoded = withoutEntities(text);
    return decoded && this.#inner(new Candidate(0, text.length), decoded.text, "text", { made: "encoding" });
  }

  #scan(text: string) {
    const result = scan(
      text,
      this.#maxDepth,
      this.#budget,
      (candidate) => this.#fitting.usable(candidate) && this.#fitting.fit(candidate).fits,
    );
    this.#count = result.candidates.length;
    const { fault, tooDeep, stopped } = result;
    this.#fitting.met({ fault, stopped, maxDepth: tooDeep ? this.#maxDepth : undefined });
    return result;
  }

  /** Nothing fits: look into what was found, as an envelope. */
  #open(candidates: Candidate[], text?: string, { weighs = true, alike = false } = {}): Answer<T> | undefined {
    if (!this.#options.schema || this.#level >= MAX_LEVELS) return undefined;
    const around = text === undefined ? undefined : { text, from: 0, to: text.length };
    const outer = candidates.filter((one) => !one.nested);
    const values = outer.map((one) => one.value);
    const [first] = outer;
    if (first && outer.length > 1) {
      const complete = outer.every((one) => one.complete);
      const whole = new Candidate(first.start, outer.at(-1)?.end ?? 0, undefined, { ...UNCHANGED, complete });
      const answer = this.#joined(whole, values);
      if (answer) return { ...answer, around };
    }
    const onlyThoughts = outer.every((one) => one.thought);
    const said = outer.map(({ value, thought }) => (thought && !onlyThoughts ? undefined : value));
    const last = outer.slice(-MAX_ENVELOPES);
    const placeOf = placesIn(last, { text, thoughts: onlyThoughts, around: this.#place });
    for (let nth = last.length - 1; nth >= 0; nth--) {
      const candidate = last[nth] as Candidate;
      if (candidate.thought && !onlyThoughts) continue;
      const among = { values: said, at: outer.length - last.length + nth, place: placeOf(nth), alike };
      const answer = opened(candidate, among, (part) => this.#partly(candidate, part));
      if (answer) return { ...(weighs ? this.#weighed(answer) : answer), around };
    }
    return undefined;
  }

  /** The answer in what the events of a stream make together. */
  #joined(whole: Candidate, events: readonly unknown[]): Answer<T> | undefined {
    const found = [...new Set([joinStream(events), ...joinedPaths(events)])].flatMap((text) => {
      const answer = text === undefined ? undefined : this.#inner(whole, text, "envelope", { made: "envelope" });
      return answer ? [{ answer, text }] : [];
    });
    return putTogether(found, events, (value) => this.#partly(whole, { value }));
  }

  #partly(
    candidate: Candidate,
    { value, path = [], place }: Pick<Part, "value"> & Partial<Part>,
  ): Answer<T> | undefined {
    if (typeof value === "string") return this.#inner(candidate, value, "envelope", { place });
    return this.#fitting.part(this.#searched, candidate, value, path);
  }

  /** The answer in a text that stands inside of this one. */
  #inner(
    around: Candidate,
    text: string,
    source: Answer<T>["source"],
    { made, sure = true, place = this.#place }: Making = {},
  ): Answer<T> | undefined {
    if (this.#level >= MAX_LEVELS || text.length > this.#text.length * 2 || this.#budget.spent) return undefined;
    this.#budget.spend(text.length);
    const search = new Search(text, this.#options, { level: this.#level + 1, budget: this.#budget, place });
    const answer = search.best();
    if (!answer) {
      this.#fitting.metIn(search.#fitting, around.end);
      return undefined;
    }
    const extra: Repair[] = made ? [{ kind: made, at: around.start, line: 0, sure }] : [];
    const { value } = answer;
    return { ...this.#searched, candidate: around, value, coerced: [], source, extra, inner: answer };
  }

  error(): JsonExtractError {
    return this.#fitting.error(this.#text);
  }

  get #searched() {
    return { text: this.#text, count: this.#count };
  }
}
