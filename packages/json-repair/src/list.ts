import type { Candidate } from "./candidates.js";

/** One value a line, or values with commas between, and nothing else: the members of a list. */
export function asList(candidates: Candidate[], text: string): Candidate | undefined {
  const members = candidates.filter((one) => !one.nested);
  const [first] = members;
  const last = members.at(-1);
  if (!first || !last || members.length < 2 || members.some((one) => one.thought)) return undefined;
  for (let i = 1; i < members.length; i++) {
    const between = text.slice((members[i - 1] as Candidate).end, (members[i] as Candidate).start);
    if (!/^\s*(?:,\s*|\n\s*)$/.test(between)) return undefined;
  }
  if (!/^\s*(?:\[\s*)?$|(?:`{3,}|~{3,})[\w+#.-]*\s*$/.test(text.slice(0, first.start).slice(-200))) return undefined;
  if (!/^\s*,?\s*(?:\]\s*)?$|^\s*(?:`{3,}|~{3,})/.test(text.slice(last.end, last.end + 200))) return undefined;
  const value = members.map((one) => one.value);
  const edits = members.flatMap((one) => one.edits);
  return { ...first, value, end: last.end, edits, complete: last.complete };
}
