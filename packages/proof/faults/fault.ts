import type { Answer, ToolName, World } from "./world.js";

/** Under which heading a fault stands. */
export const GROUPS = [
  "The CLI",
  "The API",
  "The model's answer",
  "The CLI's process",
  "The server's machine",
  "The client",
] as const;

/** What must come of a fault. */
export type Expected =
  | { success: true; holds?: (answer: Answer) => boolean }
  | { success: false; code: string; says: RegExp };

export function failed(code: string, says: RegExp): Expected {
  return { success: false, code, says };
}

/** Whether an answer, of the older tool too, holds this report. */
export function hasReport(report: string): (answer: Answer) => boolean {
  return ({ result, report: older }) => (result ?? older ?? "").includes(report);
}

/** One row of the matrix. */
export interface Fault {
  group: (typeof GROUPS)[number];
  name: string;
  /** How it is brought about, for the table. */
  by: string;
  /** Columns in which it makes sense. Default: all but `research_cancel`. */
  tools?: readonly ToolName[];
  /** It is one of stdio, or of a server that starts nevertheless: over HTTP there is none. */
  overStdio?: true;
  /** What one run of the CLI may take until its end is known; a deep search has two. */
  withinMs: number;
  play: (world: World, tool: ToolName, withinMs: number) => Promise<string>;
}

export function ofGroup(group: Fault["group"], faults: readonly Omit<Fault, "group">[]): Fault[] {
  return faults.map((fault) => ({ group, ...fault }));
}

/** The machine that a fault needs is not this one: it cannot be provoked here. */
export class NotHere extends Error {}
