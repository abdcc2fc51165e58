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

/** What is told of an edit; the line is found out for all at once. */
interface Told {
  kind: RepairKind;
  at: number;
  line: number;
  sure: boolean;
}

/**
 * Edits after which what was built is made one string: the engine keeps what is put together as a rope, and copies each
 * knot of it with every collection of garbage.
 */
const PART = 1024;

/** The edits of one reading, as they are found: nearly in the order of the text. */
export class EditLog {
  readonly #edits: Edit[] = [];
  /** Whether one has been found behind a later one. */
  #late = false;

  get length(): number {
    return this.#edits.length;
  }

  add(at: number, end: number, by: string, kind: RepairKind | undefined, sure: boolean): undefined {
    const edits = this.#edits;
    const before = edits[edits.length - 1];
    if (before !== undefined) {
      // A run of the same removals is one edit.
      if (by === "" && before.by === "" && before.end === at && before.kind === kind) {
        edits[edits.length - 1] = { at: before.at, end, by, kind, sure };
        return;
      }
      if (at < before.at) this.#late = true;
    }
    edits.push({ at, end, by, kind, sure });
  }

  /** The last one, which may be replaced. */
  get last(): Edit | undefined {
    return this.#edits[this.#edits.length - 1];
  }

  replaceLast(edit: Edit): undefined {
    this.#edits[this.#edits.length - 1] = edit;
  }

  /** What was found from the `from`th edit on allows no other reading. */
  assure(kind: RepairKind, from: number): undefined {
    const edits = this.#edits;
    for (let nth = from; nth < edits.length; nth++) {
      const edit = edits[nth] as Edit;
      if (edit.kind === kind) edits[nth] = { ...edit, sure: true };
    }
  }

  truncate(length: number): undefined {
    this.#edits.length = Math.min(length, this.#edits.length);
  }

  /** Takes back the edits from `at` on, but not the `kept` first ones. */
  undoFrom(at: number, kept: number): undefined {
    const edits = this.#edits;
    while (edits.length > kept && (edits[edits.length - 1] as Edit).at >= at) edits.pop();
    const last = edits.length > kept ? this.last : undefined;
    // A run of line ends that begins before it.
    if (last?.kind === "control-character" && last.end > at) {
      this.replaceLast({ ...last, end: at, by: "\\n".repeat(at - last.at) });
    }
  }

  /** All, in the order of the text; of two at the same place the one first that was found late, and only inserts. */
  done(): readonly Edit[] {
    const edits = this.#edits;
    if (!this.#late) return edits;
    const late = new Set<Edit>();
    let last = -1;
    for (const edit of edits) {
      if (edit.at < last) late.add(edit);
      else last = edit.at;
    }
    const rank = (edit: Edit) => (late.has(edit) ? 0 : 1);
    return edits
      .map((edit, nth) => ({ edit, nth }))
      .sort((a, b) => a.edit.at - b.edit.at || rank(a.edit) - rank(b.edit) || a.nth - b.nth)
      .map(({ edit }) => edit);
  }
}

/** Each of two may be sure, and yet both together tell of another slip than they mend. */
const DOUBTFUL_TOGETHER: readonly (readonly [RepairKind, readonly RepairKind[]])[] = [
  [
    "extra-closer",
    ["missing-comma", "trailing-comma", "extra-comma", "separator", "missing-opener", "extra-opener", "wrong-opener"],
  ],
  ["missing-closer", ["missing-comma"]],
  ["wrong-closer", ["wrong-opener"]],
];

/** Without the certainty of kinds that are doubtful together. */
export function doubted(edits: readonly Edit[], text: string): readonly Edit[] {
  const kinds = new Set<RepairKind>();
  // What only looks like another sign is that sign.
  let last: RepairKind | undefined;
  for (const { kind, at } of edits) {
    if (kind === undefined || kind === last || text.charCodeAt(at) >= 128) continue;
    kinds.add(kind);
    last = kind;
  }
  const doubtful = DOUBTFUL_TOGETHER.flatMap(([one, others]) => {
    const met = kinds.has(one) ? others.filter((other) => kinds.has(other)) : [];
    return met.length > 0 ? [one, ...met] : [];
  });
  if (doubtful.length === 0) return edits;
  return edits.map((edit) => (edit.kind && doubtful.includes(edit.kind) ? { ...edit, sure: false } : edit));
}

export const NO_EDITS: readonly Edit[] = [];

/** What is told of the edits, behind other repairs. */
export function toldOf<R>(edits: readonly Edit[], first: readonly R[]): (R | Told)[] {
  const repairs: (R | Told)[] = [...first];
  for (const { kind, at, sure } of edits) if (kind !== undefined) repairs.push({ kind, at, line: 0, sure });
  return repairs;
}

/** The text from `start` to `end` with the edits made. */
export function applyEdits(edits: readonly Edit[], text: string, start: number, end: number): string {
  let json = "";
  let part = "";
  let at = start;
  let made = 0;
  for (const edit of edits) {
    if (edit.at > at) part += text.slice(at, edit.at);
    part += edit.by;
    at = Math.max(at, edit.end);
    // To ask for a sign makes one string of the rope.
    if (++made % PART === 0 && !Number.isNaN(part.charCodeAt(0))) {
      json += part;
      part = "";
    }
  }
  json += part;
  return at < end ? json + text.slice(at, end) : json;
}
