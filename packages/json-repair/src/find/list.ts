import { type Candidate, those } from "./candidate.js";
import { isTemplate, shapeOf } from "./choose.js";

/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item. */
const SEPARATOR = /^,?\s*(?:[-*•]|\d{1,6}[.)])?$/;
/** Between two fences, nothing but what ends the one and begins the other. */
const NEXT_FENCE = /^(?:`{3}|~{3})\s{0,40}(?:`{3}|~{3})[\w+#.-]{0,40}$/;
/** The record separator of JSON text sequences (RFC 7464). */
const RECORD_SEPARATOR = "\u001e";

const FIRST_RECORD = /(?:^|\n)[ \t]*(?:(?:[-*•]|\d{1,6}[.)])[ \t]*)?$/;
const NEXT_RECORD = /^,?[ \t]*\r?\n[ \t]*(?:(?:[-*•]|\d{1,6}[.)])[ \t]*)?$/;

/**
 * Values with nothing between them but what separates the members of a list; two or more each. Those in fences of their
 * own are members only where a list is asked for.
 */
export function neighbours(candidates: readonly Candidate[], text: string, asked = false): Candidate[][] {
  const apart = (gap: string) => SEPARATOR.test(gap) || (asked && NEXT_FENCE.test(gap));
  const runs: Candidate[][] = [];
  let run: Candidate[] = [];
  for (const one of candidates) {
    const before = run.at(-1);
    const goesOn =
      before !== undefined &&
      before.end <= one.start &&
      before.nested === one.nested &&
      !before.thought &&
      !one.thought &&
      apart(text.slice(before.end, one.start).replace(RECORD_SEPARATOR, "").trim());
    if (goesOn) run.push(one);
    else {
      run = [one];
      runs.push(run);
    }
  }
  return runs.filter((members) => members.length > 1);
}

export function listOf(members: readonly Candidate[]): Candidate {
  const first = members[0] as Candidate;
  const last = members.at(-1) as Candidate;
  return first.with({
    value: members.map((one) => one.value),
    end: last.end,
    edits: members.flatMap((one) => one.edits),
    complete: members.every((one) => one.complete),
  });
}

/** One value a line, or values with commas between: the members of a list. Sure if nothing else stands in the text. */
export function asList(candidates: Candidate[], text: string): { list: Candidate; sure: boolean } | undefined {
  const outer = those(candidates, (one) => !one.nested);
  const apart = outer.every((one, at) => at === 0 || /[,\n]/.test(text.slice(outer[at - 1]?.end, one.start)));
  if (!apart) return undefined;
  const [members] = neighbours(outer, text);
  if (members === undefined || members.length < outer.length) return undefined;
  const [first] = members as [Candidate, ...Candidate[]];
  // `[]`, `{}` and the answer: each replaces the one before.
  if (members.some((one) => Array.isArray(one.value) !== Array.isArray(first.value))) return undefined;
  const once = text.slice(first.start, first.end);
  // The answer was repeated.
  const repeats = (one: Candidate) => {
    const again = text.slice(one.start, one.end);
    return again === once || (!one.complete && once.startsWith(again.trimEnd()));
  };
  if (members.every(repeats)) return undefined;
  const list = listOf(members);
  const { start, end } = list;
  const alone =
    /^\s*(?:\[\s*)?$|(?:`{3,}|~{3,})[\w+#.-]*\s*$/.test(text.slice(Math.max(0, start - 200), start)) &&
    /^\s*,?\s*(?:\]\s*)?$|^\s*(?:`{3,}|~{3,})/.test(text.slice(end, end + 200));
  return alone || areRecords(members, text) ? { list, sure: alone } : undefined;
}

/**
 * Whether the values, among words, are the records of one list: an object on each of lines that follow each other, all
 * with the same keys. A template is an example of the others.
 */
function areRecords(members: readonly Candidate[], text: string): boolean {
  const [first] = members as [Candidate, ...Candidate[]];
  // The template of an answer stands first.
  if (isTemplate(first.value)) return false;
  const keys = shapeOf(first.value);
  let end: number | undefined;
  for (const one of members) {
    if (Array.isArray(one.value) || !one.complete || shapeOf(one.value) !== keys) return false;
    const gap = text.slice(end ?? Math.max(0, one.start - 40), one.start);
    if (!(end === undefined ? FIRST_RECORD : NEXT_RECORD).test(gap)) return false;
    end = one.end;
  }
  return /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, (end ?? 0) + 80));
}

/** The last value, if the text or its fence ends inside of it. */
export function brokenOff(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const last = candidates.findLast((one) => !one.nested && !one.thought);
  if (last === undefined || last.complete) return undefined;
  return /^(?:$|`{3}|~{3})/.test(text.slice(last.end).trimStart()) ? last : undefined;
}
