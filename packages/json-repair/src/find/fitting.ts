import { JsonExtractError, type JsonExtractErrorCode, type JsonExtractErrorOptions, pathOf } from "../errors.js";
import { applyEdits } from "../repair/edits.js";
import type { ExtractOptions, Repair } from "../result.js";
import { type Fit, fit } from "../schema/fit.js";
import { valueAt, without } from "../schema/parts.js";
import type { SchemaIssue } from "../schema/standard-schema.js";
import { type Answer, type Candidate, isListOfOne } from "./answer.js";
import { listOf, neighbours } from "./list.js";
import { readText } from "./texts.js";

/** What was met on the way that is no answer: the nearest miss is told. */
interface Met {
  /** A value that does not fit, and what is wrong with it. */
  closest?: unknown;
  issues: readonly SchemaIssue[];
  /** How many levels are allowed, if something had more. */
  maxDepth?: number | undefined;
  /** Where a value breaks off, where one cannot be read, and where the text was given up. */
  incomplete?: number | undefined;
  fault?: number | undefined;
  stopped?: number | undefined;
}

const UNFIT = { fits: false, issues: [] } as const;
/** So many brackets that the text breaks off in are looked at. */
const MAX_CUT = 8;

/** Which values of a text fit what is asked for. */
export class Fitting<T> {
  readonly met: Met = { issues: [] };
  readonly #text: string;
  readonly #options: ExtractOptions<T>;

  constructor(text: string, options: ExtractOptions<T>) {
    this.#text = text;
    this.#options = options;
  }

  usable({ complete, end }: Candidate): boolean {
    const usable = complete || this.#options.partial !== false;
    if (!usable) this.met.incomplete ??= end;
    return usable;
  }

  fit(candidate: Candidate): Fit<T> {
    let result: Fit<T> = UNFIT;
    for (const value of withoutCut(candidate)) {
      const fitted = this.#fitOf(candidate, value);
      if (fitted.fits) result = fitted;
      if (fitted.fits) break;
      const { closest, issues } = this.met;
      if (value === candidate.value && (closest === undefined || fitted.issues.length <= issues.length))
        Object.assign(this.met, { closest: value, issues: fitted.issues });
    }
    return result;
  }

  #fitOf({ text, start, end, edits }: Candidate, value: unknown, path: PropertyKey[] = []): Fit<T> {
    const json = text === undefined ? undefined : () => applyEdits(edits, text, start, end);
    return fit(this.#options.schema, value, { json, path, read: readText });
  }

  answer(
    candidate: Candidate,
    { source = candidate.fence === undefined ? "text" : "fence", extra = [] }: Told = {},
  ): Answer<T> | undefined {
    const result = this.fit(candidate);
    if (!result.fits) return undefined;
    const { value, coerced } = result;
    const text = this.#text;
    const around = { text, from: 0, to: text.length };
    return { text, count: 1, candidate, value, coerced, source, extra, around };
  }

  /** The answer that a part of a candidate's value is. */
  part(candidate: Candidate, value: unknown, path: PropertyKey[]): Answer<T> | undefined {
    const result = this.#fitOf(candidate, value, path);
    if (!result.fits) return undefined;
    const inside = { ...candidate, value, text: undefined };
    const { coerced } = result;
    const answer = { text: this.#text, count: 1, extra: [], candidate: inside, value: result.value, coerced };
    const lonely = isListOfOne(answer);
    // One row of a list is not the list that was asked for.
    return lonely && typeof path.at(-1) === "number" ? undefined : { ...answer, source: "envelope", lonely };
  }

  /** Those of the candidates that fit, and neighbours that fit as a list. */
  all(candidates: readonly Candidate[]): Answer<T>[] {
    const answers = new Map<Candidate, Answer<T>>();
    for (const one of candidates) {
      const answer = this.usable(one) ? this.answer(one) : undefined;
      if (answer) answers.set(one, answer);
    }
    for (const members of this.#options.schema ? neighbours(candidates, this.#text, true) : []) {
      // What fits as it stands is an answer of its own, and the last one corrects the others.
      if (members.every((one) => answers.get(one)?.coerced.length === 0)) continue;
      const list = listOf(members);
      const extra: Repair[] = [{ kind: "list", at: list.start, line: 0, sure: true }];
      const answer = this.usable(list) ? this.answer(list, { extra }) : undefined;
      // A list of one of them would lose the others.
      const lonely = members.filter((one) => isListOfOne(answers.get(one)));
      for (const one of answer ? members : lonely) {
        const alone = answers.get(one);
        answers.delete(one);
        if (alone && !answer && lonely.length === 1) answers.set(one, { ...alone, lonely: true });
      }
      if (answer) answers.set(members[0] as Candidate, answer);
    }
    return candidates.flatMap((one) => answers.get(one) ?? []);
  }

  /** Takes over what was met in a text that ends at `end` in this one. */
  metIn({ met: { closest, issues, maxDepth, incomplete } }: Fitting<T>, end: number): void {
    const { met } = this;
    if (met.closest === undefined) Object.assign(met, { closest, issues });
    met.maxDepth ??= maxDepth;
    met.incomplete ??= incomplete && end;
  }

  error(): JsonExtractError {
    const { closest, issues, maxDepth, incomplete, fault, stopped } = this.met;
    const text = this.#text;
    const [first] = issues;
    const path = first && pathOf(first);
    const misfit = first ? `: ${path ? `${path}: ` : ""}${first.message}` : "";
    const unread = `; from character ${stopped} on the text was not read: too much looks like JSON`;
    const error = (code: JsonExtractErrorCode, message: string, details: JsonExtractErrorOptions = {}) =>
      new JsonExtractError(code, message + (stopped === undefined ? "" : unread), { text, ...details });
    if (text.trim() === "") return error("empty", "the text is empty");
    if (closest !== undefined) return error("schema", `the JSON has another shape${misfit}`, { issues, closest });
    if (maxDepth !== undefined) return error("too-deep", `the JSON is nested deeper than ${maxDepth} levels`);
    if (incomplete !== undefined) return error("syntax", "the JSON breaks off before its end", { at: incomplete });
    if (fault !== undefined) return error("syntax", "the JSON cannot be read, even repaired", { at: fault });
    return error("not-found", "there is no JSON object or list in the text");
  }
}

/** What is told of an answer beside its value. */
type Told = Partial<Pick<Answer<unknown>, "source" | "extra">>;

/** The value; of one that breaks off also without the member in which it does: that of the innermost bracket first. */
function* withoutCut({ complete, edits, value }: Candidate): Generator<unknown> {
  yield value;
  const closers = complete ? "" : edits.findLast(({ kind }) => kind === "unclosed")?.by.replace('"', "");
  const open = Math.min(MAX_CUT, closers?.length ?? 0);
  const path: PropertyKey[] = [];
  for (let at = value; path.length < open && typeof at === "object" && at !== null; ) {
    const key = Object.keys(at).at(-1);
    if (key === undefined) break;
    path.push(Array.isArray(at) ? at.length - 1 : key);
    at = valueAt(at, path.slice(-1));
  }
  for (; path.length > 0; path.pop()) yield without(value, path);
}
