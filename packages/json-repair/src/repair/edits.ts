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
  readonly sure: boolean;
}

/** By how much a way must be the cheapest to be sure; measured on damaged texts by `bench/damage.mjs`. */
const MARGINS: Partial<Record<RepairKind, number>> = {
  "missing-comma": 2,
  "missing-value": 3,
  "wrong-opener": 2,
  "missing-opener": 2,
  "wrong-closer": 1,
  "missing-closer": 99,
};

/** Whether the way is sure: it says so, or was the cheapest by far. */
export function isSure(margin: number, { kind, sure }: { kind?: RepairKind; sure?: boolean }): boolean {
  return sure ?? margin >= ((kind && MARGINS[kind]) ?? 0);
}

/** Each may be sure, and yet the two together tell of another slip than they mend. */
const DOUBTFUL_TOGETHER: readonly (readonly RepairKind[])[] = [
  ["trailing-comma", "missing-comma"],
  ["trailing-comma", "extra-closer"],
  ["missing-comma", "extra-closer"],
  ["missing-comma", "wrong-closer"],
  ["wrong-opener", "wrong-closer"],
  ["missing-opener", "separator"],
];

/** The edits of one reading, as they are found. */
export class EditLog {
  readonly #edits: Edit[] = [];
  /** Found behind one that stands later in the text. */
  readonly #late: Edit[] = [];

  get length(): number {
    return this.#edits.length;
  }

  add(at: number, end: number, by: string, kind: RepairKind | undefined, sure: boolean): undefined {
    const { last } = this;
    const edit = { at, end, by, kind, sure };
    // A run of the same removals is one edit.
    if (by === "" && last?.end === at && last.by === "" && last.kind === kind) this.last = { ...edit, at: last.at };
    else (last !== undefined && at < last.at ? this.#late : this.#edits).push(edit);
  }

  get last(): Edit | undefined {
    return this.#edits[this.#edits.length - 1];
  }

  set last(edit: Edit) {
    this.#edits[this.#edits.length - 1] = edit;
  }

  /** What was found from the `from`th edit on allows no other reading. */
  assure(kind: RepairKind, from: number): undefined {
    for (const [nth, edit] of this.#edits.slice(from).entries())
      if (edit.kind === kind) this.#edits[from + nth] = { ...edit, sure: true };
  }

  /** Takes back the edits from `at` on, but not the `kept` first ones. */
  undoFrom(at: number, kept = 0): undefined {
    while (this.length > kept && (this.last as Edit).at >= at) this.#edits.pop();
    while ((this.#late.at(-1)?.at ?? -1) >= at) this.#late.pop();
  }

  /**
   * All in the order of the text, of two at the same place the one first that was found late; without the certainty of
   * those that are doubtful together.
   */
  done(text: string): readonly Edit[] {
    const edits = this.#late.length > 0 ? [...this.#late, ...this.#edits].sort((a, b) => a.at - b.at) : this.#edits;
    const kinds = new Set<RepairKind | undefined>();
    // What only looks like another sign is that sign.
    for (const { kind, at } of edits) if (!(text.charCodeAt(at) > 127)) kinds.add(kind);
    const doubtful = DOUBTFUL_TOGETHER.filter((pair) => pair.every((kind) => kinds.has(kind))).flat();
    if (doubtful.length === 0) return edits;
    return edits.map((edit) => (edit.kind && doubtful.includes(edit.kind) ? { ...edit, sure: false } : edit));
  }
}

export const NO_EDITS: readonly Edit[] = [];

/** What is told of the edits, behind other repairs; their lines are found out for all at once. */
export function toldOf<R>(edits: readonly Edit[], first: readonly R[]) {
  const told: (R | { kind: RepairKind; at: number; line: number; sure: boolean })[] = [...first];
  for (const { kind, at, sure } of edits) if (kind !== undefined) told.push({ kind, at, line: 0, sure });
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
