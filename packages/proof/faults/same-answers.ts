import type { Cell } from "./table.js";
import { TOOLS } from "./world.js";

/** A run whose shared process is killed is made again; alone it fails. */
const MADE_AGAIN = new Set(["SIGKILL of the CLI"]);

/** The cells that do not say what the page of the other way says, but for times. A fault that the page does not have says nothing. */
export function otherAnswers(page: string, cells: readonly Pick<Cell, "fault" | "tool" | "said">[]): string[] {
  const known = cellsOf(page);
  return cells.flatMap(({ fault: { name }, tool, said }) => {
    const before = known.get(`${tool} × ${name}`);
    if (before === undefined || MADE_AGAIN.has(name) || withoutTimes(before) === withoutTimes(said)) return [];
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
