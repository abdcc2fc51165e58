import { parseContainer } from "../decode/strict.js";
import { JsonExtractError, type JsonExtractErrorCode, type JsonExtractErrorOptions, pathOf } from "../errors.js";
import { applyEdits } from "../repair/edits.js";
import { rewrite } from "../repair/machine.js";
import { Source } from "../repair/source.js";
import { type ExtractOptions, MAX_DEPTH, type Repair, repairOf } from "../result.js";
import { type Fit, fit } from "../schema/fit.js";
import { type SchemaIssue, valueAt, without } from "../schema/standard-schema.js";
import { type Answer, answerOf, before, type Candidate, isEmpty, isListOfOne } from "./answer.js";
import { isSpokenAgainst, isTemplate, shapeOf } from "./choose.js";

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

/** So many brackets that the text breaks off in are looked at. */
const MAX_CUT = 8;
/** What stands before a value that corrects another one, or is corrected. */
const CORRECTS =
  /\b(?:correct(?:ed|ion)?|better|draft|wrong|mistake|instead|revised|final|updated|fixed|actually|sorry)\b/i;
/** So many values that no change makes fit are kept in mind, if they are short: the same one is not changed again. */
const MAX_VAIN = 2_000;
const MAX_SAME = 200;

/** Which values of a text fit what is asked for. */
export class Fitting<T> {
  readonly met: Met = { issues: [] };
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  /** The JSON of values that no change makes fit. */
  readonly #vain = new Set<string>();

  constructor(text: string, options: ExtractOptions<T>) {
    this.#text = text;
    this.#options = options;
  }

  usable({ complete, end }: Candidate): boolean {
    const usable = complete || this.#options.partial !== false;
    if (!usable) this.met.incomplete ??= end;
    return usable;
  }

  #fit(candidate: Candidate, value: unknown, path: PropertyKey[] = []): Fit<T> {
    const { text, start, end, edits } = candidate;
    const json = text === undefined ? undefined : () => applyEdits(edits, text, start, end);
    const same = value === candidate.value && end - start <= MAX_SAME ? json?.() : undefined;
    const inVain = same !== undefined && this.#vain.has(same);
    const fitted = fit(this.#options.schema, value, inVain ? undefined : { json, path, read: readText });
    if (same !== undefined && !fitted.fits && this.#vain.size < MAX_VAIN) this.#vain.add(same);
    return fitted;
  }

  /** The answer that a candidate is. */
  answer(candidate: Candidate, told: Pick<Partial<Answer<T>>, "source" | "extra"> = {}): Answer<T> | undefined {
    const source = candidate.fence === undefined ? "text" : "fence";
    const around = { text: this.#text, from: 0, to: this.#text.length };
    for (const value of withoutCut(candidate)) {
      const fitted = this.#fit(candidate, value);
      if (fitted.fits) return answerOf(candidate, fitted, { source, around, ...told });
      const { closest, issues } = this.met;
      if (value === candidate.value && (closest === undefined || fitted.issues.length <= issues.length))
        Object.assign(this.met, { closest: value, issues: fitted.issues });
    }
    return undefined;
  }

  /** The answer that a part of a candidate's value is. One row of a list is not the list that was asked for. */
  part(candidate: Candidate, value: unknown, path: PropertyKey[]): Answer<T> | undefined {
    const fitted = this.#fit(candidate, value, path);
    const doubted = fitted.fits && isListOfOne(fitted);
    if (!fitted.fits || (doubted && typeof path.at(-1) === "number")) return undefined;
    return answerOf({ ...candidate, value, text: undefined }, fitted, { source: "envelope", doubted });
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
      const extra = [repairOf("list", list.start, true)];
      const answer = this.usable(list) ? this.answer(list, { extra }) : undefined;
      // A list of one of them would lose the others.
      const lonely = members.filter((one) => isListOfOne(answers.get(one)));
      const [first] = answer ? members : lonely;
      const alone = first && answers.get(first);
      for (const one of answer ? members : lonely) answers.delete(one);
      if (first && answer) answers.set(first, answer);
      else if (first && alone && lonely.length === 1) answers.set(first, { ...alone, doubted: true });
    }
    return candidates.flatMap((one) => answers.get(one) ?? []);
  }

  /** Several of which each fits as a list of one, with words between them: its members, as far as anybody knows. */
  together(answers: readonly Answer<T>[]): Answer<T> | undefined {
    const isMember = (one: Candidate) => !one.thought && !isTemplate(one.value) && !isSpokenAgainst(one, this.#text);
    const members = answers.filter(({ candidate }) => isMember(candidate));
    if (members.length < 2 || !members.every(isListOfOne)) return undefined;
    if (members.some(({ candidate: { start } }) => CORRECTS.test(before(this.#text, start)))) return undefined;
    const list = listOf(members.map(({ candidate }) => candidate));
    return this.answer(list, { extra: [repairOf("list", list.start, false)] });
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

/** A longer text in a string is read as it is, or not at all. */
const MAX_INNER = 200_000;

/** JSON in a string, repaired if need be. */
function readText(text: string): { value: unknown; sure: boolean } | undefined {
  const value = parseContainer(text);
  if (value !== undefined) return { value, sure: true };
  if (text.length > MAX_INNER) return undefined;
  const read = rewrite(new Source(text), 0, { maxDepth: MAX_DEPTH });
  const repaired = read.failed || text.slice(read.end).trim() !== "" ? undefined : parseContainer(read.json);
  if (read.failed || repaired === undefined || !read.complete) return undefined;
  return { value: repaired, sure: read.edits.every((edit) => edit.sure) };
}

/** What stands before an item, and the mark of a fence with what it says of its content. */
const ITEM = "(?:[-*•]|\\d{1,6}[.)])";
const FENCE = "(?:`{3,9}|~{3,9})";
const OPENED = `${FENCE}[\\w+#.-]{0,40}`;
/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item. */
const BETWEEN = new RegExp(`^,?\\s*${ITEM}?$`);
/** Also, where a list is asked for: ends of fences, of elements of one name, of events, or a word before the last member. */
const BETWEEN_ASKED = new RegExp(
  [
    `^${FENCE}\\s{0,40}${OPENED}$`,
    "^<\\/([\\w:.-]{1,40})>\\s{0,40}<\\1(?:\\s[^<>]{0,80})?>$",
    "^[,;]?\\s{0,8}(?:and|und|et|y|e|&)$",
    "^(?:(?:event|id|retry):[^\\n]{0,200}\\n\\s{0,8}){0,4}data:$",
  ].join("|"),
  "i",
);
/** The record separator of JSON text sequences (RFC 7464). */
const RECORD_SEPARATOR = "\u001e";
const MAX_BETWEEN = 1_000;

/** Values with nothing between them but what separates the members of a list; two or more each. */
function neighbours(candidates: readonly Candidate[], text: string, asked = false): Candidate[][] {
  const runs: Candidate[][] = [];
  let before: Candidate | undefined;
  for (const one of candidates) {
    if (before && joins(before, one, text, asked)) runs.at(-1)?.push(one);
    else runs.push([one]);
    before = one;
  }
  return runs.filter((members) => members.length > 1);
}

function joins(before: Candidate, one: Candidate, text: string, asked: boolean): boolean {
  if (before.thought || one.thought || before.end > one.start) return false;
  const between = text.slice(before.end, one.start).replace(RECORD_SEPARATOR, "").trim();
  return BETWEEN.test(between) || (asked && between.length < MAX_BETWEEN && BETWEEN_ASKED.test(between));
}

function listOf(members: readonly Candidate[]): Candidate {
  const [first, last] = [members[0], members.at(-1)] as [Candidate, Candidate];
  return {
    ...first,
    end: last.end,
    value: members.map((one) => one.value),
    edits: members.flatMap((one) => one.edits),
    complete: members.every((one) => one.complete),
    text: undefined,
  };
}

const ALONE_BEFORE = new RegExp(`^\\[?\\s{0,40}${ITEM}?$|(?:\`{3}|~{3})[\\w+#.-]{0,40}$`);
const ALONE_BEHIND = new RegExp(`^\\s*,?\\s*(?:\\]\\s*)?$|^\\s*${FENCE}`);
const LINE_START = new RegExp(`(?:^|\\n)[ \\t]*(?:${ITEM}[ \\t]*)?$`);

/** One value a line, or values with commas between: the members of a list. Sure if nothing else stands in the text. */
export function asList(candidates: Candidate[], text: string): { list: Candidate; extra: Repair[] } | undefined {
  const gaps = candidates.slice(1).map((one, at) => text.slice(candidates[at]?.end, one.start));
  const glued = gaps.every((gap) => gap === "");
  if (!glued && !gaps.every((gap) => /[,\n]/.test(gap))) return undefined;
  const [members] = neighbours(candidates, text);
  const first = members?.[0];
  if (members === undefined || first === undefined || members.length < candidates.length) return undefined;
  // `[]`, `{}` and the answer: each replaces the one before.
  if (members.some((one) => Array.isArray(one.value) !== Array.isArray(first.value))) return undefined;
  const once = text.slice(first.start, first.end);
  // The answer was repeated.
  if (members.every((one) => once.startsWith(text.slice(one.start, one.end).trimEnd()))) return undefined;
  const list = listOf(members);
  const { start, end } = list;
  const keys = shapeOf(first.value);
  const alike = members.every(({ value, complete }) => !Array.isArray(value) && complete && shapeOf(value) === keys);
  const tight = gaps.every((gap) => gap.split("\n", 3).length < 3);
  const alone = ALONE_BEFORE.test(before(text, start).trim()) && ALONE_BEHIND.test(text.slice(end, end + 200));
  // Among words: an object on each of lines that follow each other. A template is an example of the others.
  const areRecords = alike && tight && !isTemplate(first.value) && LINE_START.test(before(text, start));
  if (alone ? glued && !alike : !areRecords) return undefined;
  const sure = alone && !glued && (alike || tight) && !members.some((one) => isEmpty(one.value));
  return { list, extra: [repairOf("list", start, sure)] };
}

/** The last value, if the text or its fence ends inside of it. */
export function brokenOff(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const last = candidates.findLast((one) => !one.thought);
  if (last === undefined || last.complete) return undefined;
  return /^(?:$|`{3}|~{3})/.test(text.slice(last.end).trimStart()) ? last : undefined;
}
