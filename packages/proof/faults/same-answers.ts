import type { Cell } from "./table.js";
import { TOOLS } from "./world.js";

/** What comes out otherwise where runs share a process: one that was killed is made again, and no answer goes through a file. */
const OTHERWISE = new Set(["SIGKILL of the CLI", "disk that fills during a run"]);

/** The cells that do not say what the page of the other way says, but for times. A fault that the page does not have says nothing. */
export function otherAnswers(page: string, cells: readonly Pick<Cell, "fault" | "tool" | "said">[]): string[] {
  const known = cellsOf(page);
  return cells.flatMap(({ fault: { name }, tool, said }) => {
    const before = known.get(`${tool} × ${name}`);
    if (before === undefined || OTHERWISE.has(name) || withoutTimes(before) === withoutTimes(said)) return [];
    return [`${tool} × ${name}: ${said}, where it was: ${before}`];
  });
}

function cellsOf(page: string): Map<string, string> {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  return new Map(
    rows.flatMap((row) => {
      const [, name, , , ...said] = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
      return TOOLS.flatMap((tool, i) => (said[i] ? [[`${tool} × ${name}`, said[i]] as const] : []));
    }),
  );
}

function withoutTimes(said: string): string {
  return said.replace(/\d+(?:\.\d+)? m?s\b/g, "#");
}
