import type { JsonExtractError } from "../errors.js";
import type { ExtractOptions, Repair } from "../result.js";
import { type Fit, fit } from "../schema/fit.js";
import { valueAt, without } from "../schema/parts.js";
import type { SchemaIssue } from "../schema/standard-schema.js";
import { type Answer, isListOfOne, sourceOf } from "./answer.js";
import type { Candidate } from "./candidate.js";
import { failure } from "./failure.js";
import { continued, listOf, neighbours } from "./list.js";
import { readText } from "./text-in-string.js";

/** The text that is searched, and how many values it holds. */
interface Searched {
  text: string;
  count: number;
}

/** So many refused texts are kept, of so many characters. */
const MAX_REFUSED = 1_000;
const MAX_REFUSED_LENGTH = 60;

/** Which values fit what is asked for, and what was met on the way that does not. */
export class Fitting<T> {
  readonly #options: ExtractOptions<T>;
  readonly #fits = new Map<Candidate, Fit<T>>();
  /** Short texts that do not fit: there may be one every few signs. */
  readonly #refused = new Set<string>();
  #issues: readonly SchemaIssue[] = [];
  #closest: unknown;
  /** Where a value breaks off. */
  #incomplete: number | undefined;
  /** Where a value cannot be read. */
  #fault: number | undefined;
  /** Where the text was given up. */
  #stopped: number | undefined;
  /** How many levels are allowed, if something had more. */
  #maxDepth: number | undefined;

  constructor(options: ExtractOptions<T>) {
    this.#options = options;
  }

  usable(candidate: Candidate): boolean {
    if (candidate.complete || this.#options.partial !== false) return true;
    this.#incomplete ??= candidate.end;
    return false;
  }

  fit(candidate: Candidate): Fit<T> {
    if (!this.#options.schema) return fit<T>(undefined, candidate.value);
    let result = this.#fits.get(candidate);
    const { start, end, edits } = candidate;
    const json = edits.length === 0 && end - start <= MAX_REFUSED_LENGTH ? candidate.json : undefined;
    if (json !== undefined && this.#refused.has(json)) return UNFIT;
    if (!result) {
      result = this.#fitOf(candidate, candidate.value);
      for (const less of result.fits ? [] : withoutCut(candidate)) {
        const part = this.#fitOf(candidate, less);
        if (part.fits) result = part;
        if (part.fits) break;
      }
      if (!result.fits) {
        if (this.#closest === undefined || result.issues.length <= this.#issues.length) {
          this.#issues = result.issues;
          this.#closest = candidate.value;
        }
        // The issues of the others would fill the memory.
        result = UNFIT;
        if (json !== undefined && this.#refused.size < MAX_REFUSED) this.#refused.add(json);
      }
      // What is clean is not asked about while the text is read, and so only once.
      if (candidate.edits.length > 0) this.#fits.set(candidate, result);
    }
    return result;
  }

  #fitOf(candidate: Candidate, value: unknown): Fit<T> {
    return fit(this.#options.schema, value, { json: () => candidate.json, read: readText });
  }

  answer(
    searched: Searched,
    candidate: Candidate,
    source: Answer<T>["source"],
    { made, text }: { made?: { sure: boolean } | undefined; text?: string | undefined } = {},
  ): Answer<T> | undefined {
    const result = this.fit(candidate);
    if (!result.fits) return undefined;
    const { value, coerced } = result;
    const extra: Repair[] = made ? [{ kind: "list", at: candidate.start, line: 0, sure: made.sure }] : [];
    const around = text === undefined ? undefined : { text, from: 0, to: text.length };
    return { ...searched, candidate, value, coerced, source, extra, around };
  }

  /** The answer that a part of a candidate's value is. */
  part(searched: Searched, candidate: Candidate, part: unknown, path: PropertyKey[]): Answer<T> | undefined {
    const result = fit(this.#options.schema, part, { json: () => candidate.json, path, read: readText });
    if (!result.fits) return undefined;
    const { value, coerced } = result;
    const inside = candidate.with({ value: part });
    const answer: Answer<T> = { ...searched, extra: [], candidate: inside, value, coerced, source: "envelope" };
    if (!isListOfOne(answer)) return answer;
    // One row of a list is not the list that was asked for.
    return typeof path.at(-1) === "number" ? undefined : { ...answer, lonely: true };
  }

  /** Those of the candidates of a text that fit, and neighbours that fit as a list. */
  all(searched: Searched, candidates: readonly Candidate[], text: string): Answer<T>[] {
    const answers = new Map<Candidate, Answer<T>>();
    for (const one of candidates) {
      const answer = this.usable(one) ? this.answer(searched, one, sourceOf(one), { text }) : undefined;
      if (answer) answers.set(one, answer);
    }
    for (const members of this.#options.schema ? neighbours(candidates, text, true) : []) {
      // What fits as it stands is an answer of its own, and the last one corrects the others.
      if (members.every((one) => answers.get(one)?.coerced.length === 0)) continue;
      const list = this.#listed(searched, members, text);
      // A list of one of them would lose the others.
      const lossy = members.filter((one) => answers.get(one)?.coerced.some(({ path }) => path.length === 0));
      for (const one of list ? members : lossy.length > 1 ? lossy : []) answers.delete(one);
      const [only] = list || lossy.length > 1 ? [] : lossy;
      const alone = only && answers.get(only);
      if (only && alone) answers.set(only, { ...alone, lonely: true });
      if (list) answers.set(members[0] as Candidate, list);
    }
    for (const members of this.#options.schema ? continued(candidates, text) : []) {
      if (!members.every((one) => answers.get(one)?.coerced.length === 0)) continue;
      const list = listOf(members).with({ value: members.flatMap((one) => one.value) });
      const answer = this.usable(list) && this.answer(searched, list, sourceOf(list), { made: { sure: false }, text });
      if (!answer) continue;
      for (const one of members) answers.delete(one);
      answers.set(members[0] as Candidate, answer);
    }
    return candidates.flatMap((one) => answers.get(one) ?? []);
  }

  /** Neighbours as one list, without a last one that broke off and does not fit. */
  #listed(searched: Searched, members: Candidate[], text: string): Answer<T> | undefined {
    const list = listOf(members);
    if (!this.usable(list)) return undefined;
    const made = { sure: true };
    const answer = this.answer(searched, list, sourceOf(list), { made, text });
    if (answer || list.complete || members.length < 3) return answer;
    const without = listOf(members.slice(0, -1)).with({ complete: false });
    return this.answer(searched, without, sourceOf(list), { made, text });
  }

  /** What could not be read. */
  met({ fault, stopped, maxDepth }: Partial<Record<"fault" | "stopped" | "maxDepth", number | undefined>>): void {
    this.#fault ??= fault;
    this.#stopped ??= stopped;
    this.#maxDepth ??= maxDepth;
  }

  /** What was met in a text that ends at `end` in this one. */
  metIn(inner: Fitting<T>, end: number): void {
    if (this.#closest === undefined && inner.#closest !== undefined) {
      this.#closest = inner.#closest;
      this.#issues = inner.#issues;
    }
    this.#maxDepth ??= inner.#maxDepth;
    this.#incomplete ??= inner.#incomplete === undefined ? undefined : end;
  }

  error(text: string): JsonExtractError {
    return failure({
      text,
      closest: this.#closest,
      issues: this.#issues,
      maxDepth: this.#maxDepth,
      incomplete: this.#incomplete,
      fault: this.#fault,
      stopped: this.#stopped,
    });
  }
}

/** So many brackets that the text breaks off in are looked at. */
const MAX_CUT = 8;

/** A value that breaks off, without the member that it breaks off in: that of the innermost bracket first. */
function* withoutCut({ complete, edits, value }: Candidate): Generator<unknown> {
  const closers = complete ? undefined : edits.findLast(({ kind }) => kind === "unclosed")?.by;
  const open = Math.min(MAX_CUT, closers?.replace('"', "").length ?? 0);
  const path: PropertyKey[] = [];
  for (let at = value; path.length < open && typeof at === "object" && at !== null; ) {
    const key = Object.keys(at).at(-1);
    if (key === undefined) break;
    path.push(Array.isArray(at) ? at.length - 1 : key);
    at = valueAt(at, path.slice(-1));
  }
  for (; path.length > 0; path.pop()) yield without(value, path);
}

const UNFIT = { fits: false, issues: [] } as const;
