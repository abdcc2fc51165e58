import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Fault } from "./fault.js";
import type { Cell } from "./table.js";
import type { ToolName } from "./world.js";

/** A cell of the last whole run, as a file holds it. */
interface KeptCell extends Omit<Cell, "fault"> {
  fault: string;
  tool: ToolName;
}

/** Keeps the cells of a whole run. */
export async function keepCells(file: URL, cells: readonly Cell[]): Promise<void> {
  const kept: KeptCell[] = cells.map(({ fault, ...cell }) => ({ ...cell, fault: fault.name }));
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`);
}

/** The cells of the last whole run. Rejects when there was none, and when it had other faults. */
export async function keptCells(file: URL, faults: readonly Fault[]): Promise<Cell[]> {
  const kept = JSON.parse(await readFile(file, "utf8")) as KeptCell[];
  return kept.map(({ fault: name, ...cell }) => {
    const fault = faults.find((each) => each.name === name);
    if (fault === undefined) throw new Error(`the last whole run had a fault that is not known: ${name}`);
    return { ...cell, fault };
  });
}
