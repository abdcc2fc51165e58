import { type Answer, isRivalled, opening, parsedOf } from "./answer.js";
import { type Opened, piecesStandAlone, standsAlone } from "./beside.js";
import type { Candidate } from "./candidate.js";
import type { InCourse } from "./course.js";
import { areWordsSaid, keysOf, type Part, partsOf, sharesKeys } from "./envelope.js";

/** What a value stands among: those of its text, and where it is among them. */
export interface Among {
  values: readonly unknown[];
  at: number;
  place: InCourse;
  /** Also what has a key of the objects around it. Default: false. */
  alike?: boolean | undefined;
}

/** What fits of the parts of a value: the first one, if no other one may have been meant. */
export function opened<T>(
  candidate: Candidate,
  { values, at, place, alike = false }: Among,
  answerIn: (part: Part) => Answer<T> | undefined,
): Answer<T> | undefined {
  let found: { answer: Answer<T>; part: Part } | undefined;
  let sure = true;
  for (const part of partsOf(candidate.value, place)) {
    if (found && part.path.length > found.part.path.length) break;
    const answer = answerIn(part);
    if (!answer || (!alike && sharesKeys(parsedOf(answer), part.around))) continue;
    if (!found) found = { answer, part };
    else if (!sameJson(answer.value, found.answer.value)) {
      // Texts are told one after the other, as are answers in one list, and the last one counts.
      if (typeof part.value !== "string" && !Array.isArray(candidate.value)) return undefined;
      sure = false;
      break;
    }
  }
  if (!found) return undefined;
  const { answer, part } = found;
  sure &&= part.doubt === undefined && !areWordsSaid(part) && !isRivalled(answer);
  sure &&= standsAlone(
    values,
    [at, ...part.path],
    openedAs(answer, part.value, (value) => answerIn({ ...part, value })),
  );
  return { ...answer, extra: [...answer.extra, opening(candidate, part.path, sure)] };
}

/** The first of the answers in what events make together, if they make no other one. */
export function putTogether<T>(
  [first, ...others]: readonly { answer: Answer<T>; text: unknown }[],
  events: readonly unknown[],
  answerIn: (value: unknown) => Answer<T> | undefined,
): Answer<T> | undefined {
  if (!first) return undefined;
  const { answer, text } = first;
  const sure =
    others.every((other) => sameJson(other.answer.value, answer.value)) &&
    !isRivalled(answer) &&
    piecesStandAlone(events, openedAs(answer, text, answerIn));
  return { ...answer, extra: answer.extra.map((one) => ({ ...one, sure })) };
}

/** What is looked for beside an answer: more of its kind, which need not be made to fit. */
export function openedAs<T>(
  answer: Answer<T>,
  part: unknown,
  answerIn: (value: unknown) => Answer<T> | undefined,
): Opened {
  const fits = (value: unknown) => {
    const other = answerIn(value);
    return other !== undefined && !other.lonely && other.coerced.every(({ sure }) => sure);
  };
  return { keys: keysOfRows(parsedOf(answer)), part, fits };
}

/** Rows that are looked at for their keys. */
const MAX_ROWS = 50;

/** The keys of an object, or of the rows of a list. */
function keysOfRows(value: unknown): ReadonlySet<string> {
  if (!Array.isArray(value)) return keysOf(value);
  return new Set(value.slice(0, MAX_ROWS).flatMap((row) => [...keysOf(row)]));
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
