import type { RepairKind as RewriteKind } from "./repair/edits.js";

/** What was wrong. The README says what becomes of each. */
export type RepairKind =
  | RewriteKind
  /** Several values became one list. */
  | "list"
  /** The text was written as a string, as HTML, as a quotation or for a terminal. */
  | "encoding"
  /** The value was taken out of what stands around it: a field of it, or the pieces of a stream. */
  | "envelope"
  /** The schema asked for another type, and the value can be written as one without loss. */
  | "coercion";

/** One thing that had to be changed. */
export interface Repair {
  /** What was wrong. */
  kind: RepairKind;
  /** Index in the text. Inside of a string or an envelope: where that begins. */
  at: number;
  /** From 1. */
  line: number;
  /** False when the text allows another reading. */
  sure: boolean;
  /** Of a coercion: which value. Of an envelope: where in it the value stood. */
  path?: string;
}

/** A place of a text up to which its lines were counted. */
export interface Counted {
  line: number;
  /** The end of that line. */
  lineEnd: number;
}

/** The repairs in the order of the text, with their lines; those of one answer after the other are counted once. */
export function inOrder(text: string, repairs: Repair[], counted?: Counted): Repair[] {
  if (repairs.some((repair, i) => i > 0 && repair.at < (repairs[i - 1] as Repair).at))
    repairs.sort((a, b) => a.at - b.at);
  let { line, lineEnd } = counted ?? { line: 1, lineEnd: repairs.length > 0 ? text.indexOf("\n") : -1 };
  for (const repair of repairs) {
    for (; lineEnd >= 0 && lineEnd < repair.at; lineEnd = text.indexOf("\n", lineEnd + 1)) line++;
    repair.line = line;
  }
  if (counted) Object.assign(counted, { line, lineEnd });
  return repairs;
}
