/** What was wrong. The README says what becomes of each. */
export type RepairKind =
  | "trailing-comma"
  | "extra-comma"
  | "missing-comma"
  | "separator"
  | "missing-colon"
  | "extra-colon"
  | "missing-value"
  | "quotes"
  | "missing-quote"
  | "extra-quote"
  | "inner-quote"
  | "unquoted"
  | "concatenation"
  | "call"
  | "control-character"
  | "escape"
  | "literal"
  | "number"
  | "comment"
  | "whitespace"
  | "ellipsis"
  | "wrong-closer"
  | "missing-closer"
  | "extra-closer"
  | "missing-opener"
  | "wrong-opener"
  | "extra-opener"
  | "unclosed"
  /** Brackets, quotes or commas are left over beside the value: it may be a part of what was meant. */
  | "surroundings";

/** Replaces `text.slice(at, end)` by `by`; without a kind it belongs to the repair beside it. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly by: string;
  readonly kind: RepairKind | undefined;
  /** Whether the text allows no other reading. */
  sure: boolean;
}

/** Those of the kind from the `from`th on allow no other reading. */
export function assure(edits: readonly Edit[], kind: RepairKind, from: number): undefined {
  for (const edit of edits.slice(from)) if (edit.kind === kind) edit.sure = true;
}

/** Takes back the edits from `at` on, but not the `kept` first ones. */
export function undoFrom(edits: Edit[], at: number, kept = 0): undefined {
  while (edits.length > kept && (edits.at(-1) as Edit).at >= at) edits.pop();
}

const DOUBTFUL = new Set<string | undefined>(["extra-closer", "wrong-closer", "trailing-comma"]);

/** All in the order of the text. If a closing bracket is wrong, or may be, a missing comma or value is not sure. */
export function inOrder(edits: Edit[]): readonly Edit[] {
  if (edits.some(({ kind }) => DOUBTFUL.has(kind)))
    for (const edit of edits) edit.sure &&= !/^missing-(?:comma|value)/.test(edit.kind ?? "");
  const isSorted = edits.every(({ at }, nth) => nth === 0 || at > (edits[nth - 1] as Edit).at);
  return isSorted ? edits : edits.sort((a, b) => a.at - b.at || a.end - b.end);
}

/** What is told of the edits, behind other repairs; their lines are found out for all at once. */
export function toldOf<R>(edits: readonly Edit[], first: readonly R[]) {
  const told: (R | (Pick<Edit, "at" | "sure"> & { kind: RepairKind; line: number }))[] = [...first];
  for (const { kind, at, sure } of edits) if (kind) told.push({ kind, at, line: 0, sure });
  return told;
}

/** The text from `start` to `end` with the edits made. To add strings up takes half the time of joining them. */
export function applyEdits(edits: readonly Edit[], text: string, start: number, end: number): string {
  let made = "";
  let at = start;
  for (const edit of edits) {
    if (edit.at > at) made += text.slice(at, edit.at);
    made += edit.by;
    at = Math.max(at, edit.end);
  }
  return made + text.slice(at, Math.max(at, end));
}
