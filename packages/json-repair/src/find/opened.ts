import { type Answer, opening } from "./answer.js";
import type { Candidate } from "./candidate.js";
import type { InCourse } from "./course.js";
import { keysOf, type Part, partsOf, sharesKeys } from "./envelope.js";

/** What fits of the parts of a value: the first one, if no other one may have been meant. */
export function opened<T>(
  candidate: Candidate,
  place: InCourse | undefined,
  answerIn: (part: Part) => Answer<T> | undefined,
): Answer<T> | undefined {
  let found: { answer: Answer<T>; part: Part } | undefined;
  let sure = true;
  const rivals: T[] = [];
  /** The keys of what does not fit, on the level of the part. */
  let misfits: ReadonlySet<string>[] = [];
  let depth = 0;
  for (const part of partsOf(candidate.value, place)) {
    if (found && part.path.length > depth) break;
    if (part.path.length > depth) misfits = [];
    depth = part.path.length;
    const answer = answerIn(part);
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

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
