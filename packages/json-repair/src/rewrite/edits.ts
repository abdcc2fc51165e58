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

/** Replace `text.slice(at, end)` by `by`. Without a kind it belongs to the repair beside it. */
export interface Edit {
  at: number;
  end: number;
  by: string;
  /** `by` replaces the first and the last sign alone: what stands between them is kept. */
  around: boolean;
  kind: RepairKind | undefined;
  /** Whether the text allows no other reading. */
  sure: boolean;
}

/** Writes an edit around a string as one that replaces all of it, so that more can be changed. */
export function writeOut(text: string, edit: Edit): void {
  if (!edit.around) return;
  edit.by += text.slice(edit.at + 1, edit.end - 1) + edit.by;
  edit.around = false;
}

/** The text from `start` to `end` with the edits made; puts them in the order of the text. */
export function applyEdits(text: string, start: number, end: number, edits: Edit[]): string {
  if (edits.length === 0) return text.slice(start, end);
  for (let i = 1; i < edits.length; i++) {
    if ((edits[i] as Edit).at < (edits[i - 1] as Edit).at) {
      edits.sort((a, b) => a.at - b.at);
      break;
    }
  }
  // Joined as it goes: an array of as many parts costs more than the engine's own ropes.
  let json = "";
  let at = start;
  for (const edit of edits) {
    if (edit.at > at) json += text.slice(at, edit.at);
    json += edit.by;
    if (edit.around) json += text.slice(edit.at + 1, edit.end - 1) + edit.by;
    at = Math.max(at, edit.end);
  }
  return at < end ? json + text.slice(at, end) : json;
}
