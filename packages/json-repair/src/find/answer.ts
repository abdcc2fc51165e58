import type { Derived } from "../decode/encodings.js";
import { pathOf } from "../errors.js";
import { toldOf } from "../repair/edits.js";
import type { ExtractSuccess, Repair } from "../result.js";
import type { Coercion } from "../schema/fit.js";
import type { Candidate } from "./candidate.js";
import { elisionIn, leftovers, type Surroundings } from "./surroundings.js";

/** What a search has come to. */
export interface Answer<T> {
  /** The text that was searched. */
  text: string;
  candidate: Candidate;
  value: T;
  coerced: Coercion[];
  source: ExtractSuccess<T>["source"];
  /** Repairs beyond the candidate's own edits. */
  extra: Repair[];
  /** How many values the text holds. */
  count: number;
  /** The text that the candidate's place refers to, if its neighbours matter, and which part of it. */
  around?: Surroundings | undefined;
  /** The form of the text that the candidate's place refers to, if it is another one. */
  derived?: Derived | undefined;
  /** A list of one, where others may have been meant as its members. */
  lonely?: boolean;
  /** It was given to a tool, and what came of that stands behind it. */
  answered?: boolean;
  /** Others in its text fit as well, or look like it. */
  rivalled?: boolean;
  /** Of a text inside the text: its repairs stand at the place of that text. */
  inner?: Answer<T>;
}

/** Whether nothing stands in the text but what the model thought. */
export function isThought<T>({ candidate, inner }: Answer<T>): boolean {
  return candidate.thought || (inner !== undefined && isThought(inner));
}

/** The value as it stands in the text, before the schema made another one of it. */
export function parsedOf<T>({ candidate, inner }: Answer<T>): unknown {
  return inner ? parsedOf(inner) : candidate.value;
}

/** Whether another value of the innermost text may have been meant as well. */
export function isRivalled<T>({ rivalled, inner }: Answer<T>): boolean {
  return rivalled === true || (inner !== undefined && isRivalled(inner));
}

/** The schema asked for a list, and the value is its only member. */
export function isListOfOne<T>({ coerced, value }: Pick<Answer<T>, "coerced" | "value">): boolean {
  return Array.isArray(value) && coerced.some(({ path }) => path.length === 0);
}

/** The text breaks off in the value, or in one behind it. */
export function cut<T>(answer: Answer<T>): Answer<T> {
  return { ...answer, candidate: answer.candidate.with({ complete: false }) };
}

/** What stands between two answers of a text is looked at once. */
export function divide<T>(answers: readonly Answer<T>[]): void {
  for (const [i, { around }] of answers.entries()) {
    if (!around) continue;
    around.from = answers[i - 1]?.candidate.end ?? 0;
    around.to = answers[i + 1]?.candidate.start ?? around.to;
  }
}

export function sourceOf(candidate: Candidate): "fence" | "text" {
  return candidate.fence === undefined ? "text" : "fence";
}

/** That the answer was taken out of something. */
export function opening(candidate: Candidate, path: PropertyKey[], sure: boolean): Repair {
  return { kind: "envelope", at: candidate.start, line: 0, sure, path: pathOf({ message: "", path }) };
}

/** What is told of an answer; the lines of its repairs are still to be counted. */
export function report<T>(answer: Answer<T>): ExtractSuccess<T> {
  const { candidate, text, derived, around } = answer;
  const inner = answer.inner && report(answer.inner);
  const origin = (index: number) => (derived ? derived.origin(index) : index);
  const first: Repair[] = [...answer.extra];
  const { start, end, nested, thought } = candidate;
  const apart = answer.lonely || answer.answered || answer.rivalled || nested || thought;
  if (apart || (around !== undefined && leftovers(around, start, end)))
    first.push({ kind: "surroundings", at: start, line: 0, sure: false });
  const repairs = toldOf(candidate.edits, first);
  for (const { path, sure } of answer.coerced)
    repairs.push({ kind: "coercion", at: start, line: 0, sure, path: pathOf({ message: "", path }) });
  const elided = inner ? -1 : elisionIn(text, start, end);
  if (elided >= 0) repairs.push({ kind: "ellipsis", at: elided, line: 0, sure: false });
  if (inner) for (const repair of inner.repairs) repairs.push({ ...repair, at: start });
  if (derived?.touched(start, end)) repairs.push({ kind: "encoding", at: start, line: 0, sure: true });
  if (derived) for (const repair of repairs) repair.at = Math.min(origin(repair.at), text.length);
  return {
    ok: true,
    value: answer.value,
    source: answer.source,
    range: [origin(start), origin(end)],
    repairs: repairs.sort((a, b) => a.at - b.at),
    complete: candidate.complete && (inner?.complete ?? true),
    candidates: Math.max(1, answer.count),
  };
}
