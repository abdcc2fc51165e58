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

/** Kinds of edits, and the kinds that are not sure beside them: two slips may be other two, or one. */
const DOUBTFUL: readonly (readonly [beside: RegExp, doubted: RegExp])[] = [
  [/(?:extra|wrong)-closer|trailing-comma/, /^missing-(?:comma|value)/],
  [/wrong-closer/, /^(?:missing|extra)-/],
  [/trailing-comma/, /^extra-closer/],
  [/extra-opener/, /^missing-opener/],
  [/extra-colon/, /^missing-colon/],
  [/extra|missing-quote|opener/, /^missing-value/],
];

/** Sorts in place; what is in order already, as most are, costs no copy. */
export function sortIn<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  const isSorted = list.every((one, nth) => nth === 0 || compare(list[nth - 1] as T, one) <= 0);
  return isSorted ? list : list.sort(compare);
}

/** All in the order of the text, and less sure of those that others cast a doubt on. */
export function inOrder(edits: Edit[]): readonly Edit[] {
  const found = new Set<RepairKind | undefined>();
  for (const { kind } of edits) found.add(kind);
  const kinds = [...found].join(" ");
  for (const [beside, doubted] of DOUBTFUL)
    if (beside.test(kinds)) for (const edit of edits) edit.sure &&= !doubted.test(edit.kind ?? "");
  return sortIn(edits, (a, b) => a.at - b.at || a.end - b.end);
}

/** The text from `start` to `end` with the edits made; of two that begin at the same sign, the longer or later one. To add strings up takes half the time of joining them. */
export function applyEdits(edits: readonly Edit[], text: string, start: number, end: number): string {
  let [made, block, at] = ["", "", start];
  let nth = 0;
  for (const edit of edits) {
    const next = edits[++nth];
    if (edit.at < at ? edit.end <= at : edit.end > edit.at && next?.at === edit.at) continue;
    if (edit.at > at) block += text.slice(at, edit.at);
    block += edit.by;
    at = Math.max(at, edit.end);
    // Asked for a character, it is made one string: its pieces take ten times as much memory.
    if (block.length > 16_384 && block.charCodeAt(0) > 0) [made, block] = [made + block, ""];
  }
  return made + block + text.slice(at, Math.max(at, end));
}
