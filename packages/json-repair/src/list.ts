import { type Candidate, those } from "./candidate.js";
import { EditSpan } from "./rewrite/edits.js";

/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item. */
const SEPARATOR = /^,?\s*(?:[-*•]|\d{1,6}[.)])?$/;

/** Values with nothing between them but what separates the members of a list; two or more each. */
export function neighbours(candidates: readonly Candidate[], text: string): Candidate[][] {
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
      SEPARATOR.test(text.slice(before.end, one.start).trim());
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
    edits: EditSpan.join(members.map((one) => one.edits)),
    complete: members.every((one) => one.complete),
    bySyntaxRepair: members.some((one) => one.bySyntaxRepair),
  });
}

/** One value a line, or values with commas between, and nothing else: the members of a list. */
export function asList(candidates: Candidate[], text: string): Candidate | undefined {
  const outer = those(candidates, (one) => !one.nested);
  const apart = outer.every((one, at) => at === 0 || /[,\n]/.test(text.slice(outer[at - 1]?.end, one.start)));
  if (!apart) return undefined;
  const [members] = neighbours(outer, text);
  if (members === undefined || members.length < outer.length) return undefined;
  const list = listOf(members);
  const before = text.slice(0, list.start).slice(-200);
  if (!/^\s*(?:\[\s*)?$|(?:`{3,}|~{3,})[\w+#.-]*\s*$/.test(before)) return undefined;
  if (!/^\s*,?\s*(?:\]\s*)?$|^\s*(?:`{3,}|~{3,})/.test(text.slice(list.end, list.end + 200))) return undefined;
  return list;
}

/** The last value, if the text or its fence ends inside of it. */
export function brokenOff(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const last = candidates.findLast((one) => !one.nested && !one.thought);
  if (last === undefined || last.complete) return undefined;
  return /^(?:$|`{3}|~{3})/.test(text.slice(last.end).trimStart()) ? last : undefined;
}
