import { isProse, isSpokenAgainst } from "./against.js";
import { type Answer, isListOfOne } from "./answer.js";
import { bearsOn } from "./beside.js";
import { type Candidate, isEmpty } from "./candidate.js";
import { isMeant, shapeOf } from "./choose.js";
import { openedAs } from "./opened.js";

/** What may have been meant in place of a value that was chosen, or speaks against it. */

/** What the values of a text are, and which of them fit. */
interface Found<T> {
  text: string;
  candidates: readonly Candidate[];
  fitting: readonly Answer<T>[];
  /** The answer in a value, of a text that stands in another one. */
  answerIn: ((value: unknown) => Answer<T> | undefined) | undefined;
}

/** The one that was chosen of several, and whether others may have been meant. */
export function besideRivals<T>(chosen: Answer<T>, { text, candidates, fitting, answerIn }: Found<T>): Answer<T> {
  const { candidate } = chosen;
  // Each of several fits as a list of one: the others may have been meant as members.
  const others = fitting.some((one) => one !== chosen && !one.candidate.thought && isListOfOne(one));
  const meant = candidates.filter(isMeant);
  const twin = hasTwin(meant, fitting, chosen);
  const isBeside = (one: Answer<T>) =>
    one !== chosen && !one.candidate.thought && sharesLine(one.candidate, candidate, text);
  const against = isSpokenAgainst(candidate, text) || isProse(candidate, text) || fitting.some(isBeside);
  const rivalled = against || (answerIn ? isRivalledBy(meant, chosen, answerIn) : twin);
  return { ...chosen, lonely: chosen.lonely || (isListOfOne(chosen) && (others || twin)), rivalled };
}

/** No more stands between two values of one sentence. */
const MAX_SENTENCE = 300;

/** Whether two values, of which each could be the answer, stand in one line: `was {…}, is {…}`. */
function sharesLine(one: Candidate, other: Candidate, text: string): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  if (second.start < first.end || second.start - first.end > MAX_SENTENCE) return false;
  const differ = text.slice(one.start, one.end) !== text.slice(other.start, other.end);
  return (
    differ && !text.slice(first.end, second.start).includes("\n") && !isProse(one, text) && !isSpokenAgainst(one, text)
  );
}

/** Rows of a list that are compared. */
const MAX_ROWS = 50;

/** The keys of an object, or of the first row of a list. */
function shapeOfRow(value: unknown): string | undefined {
  const row: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof row !== "object" || row === null || Array.isArray(row) || isEmpty(row)) return undefined;
  return shapeOf(row);
}

/**
 * Whether another value has the keys of the one that was chosen and may correct it, or be one of its kind: an object that
 * does not fit, or beside a list one of its rows, or rows of which it has none.
 */
function hasTwin(
  all: readonly Candidate[],
  fitting: readonly { candidate: Candidate }[],
  chosen: { candidate: Candidate },
): boolean {
  const { value, start, end } = chosen.candidate;
  const shape = shapeOfRow(value);
  if (shape === undefined) return false;
  const fits = new Set(fitting.map(({ candidate }) => candidate));
  const rows = Array.isArray(value) ? new Set(value.slice(0, MAX_ROWS).map((row) => JSON.stringify(row))) : undefined;
  return all.some((one) => {
    if (one.start < end && one.end > start) return false;
    if (rows === undefined) return !fits.has(one) && !Array.isArray(one.value) && shapeOfRow(one.value) === shape;
    if (shapeOfRow(one.value) !== shape) return false;
    const others = Array.isArray(one.value) ? one.value : [one.value];
    return !fits.has(one) || !others.slice(0, MAX_ROWS).some((row) => rows.has(JSON.stringify(row)));
  });
}

/** Whether another value of the text fits as well, or looks like the one that was chosen. */
function isRivalledBy<T>(
  others: readonly Candidate[],
  chosen: Answer<T>,
  answerIn: (value: unknown) => Answer<T> | undefined,
): boolean {
  const { start, end, value } = chosen.candidate;
  const answer = openedAs(chosen, value, answerIn);
  return others.some((one) => (one.end <= start || one.start >= end) && bearsOn(one.value, answer));
}
