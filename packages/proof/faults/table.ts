import { type Fault, GROUPS } from "./fault.js";
import { TOOLS, type ToolName } from "./world.js";

/** One fault met by one tool. */
export interface Cell {
  fault: Fault;
  tool: ToolName;
  /** What came of it, in a few words. */
  said: string;
  /** What should not have been; none when the cell holds. */
  problems: string[];
}

/** The page of the matrix, in the order of the faults. */
export function toMarkdown(faults: readonly Fault[], cells: readonly Cell[]): string {
  const broken = faults.flatMap((fault) => cells.filter((cell) => cell.fault === fault && cell.problems.length > 0));
  return [
    "# Reliability",
    "",
    "Written by `pnpm faults`: do not edit.",
    "",
    `Every tool meets every fault, through the built server over stdio. ${cells.length - broken.length} of ${cells.length} cells hold.`,
    "A cell holds when the answer has the right code, its text says what to do next, and it comes within its time; when",
    "the server then answers the next call; and when nothing is left: no process, no file in the config, home and",
    "temporary directories, no open descriptor, nothing on stdout but the protocol. Times are those of the run that wrote",
    "this page and depend on the machine; a deep search has two rounds, and twice the time.",
    "",
    ...GROUPS.flatMap((group) =>
      section(
        group,
        faults.filter((fault) => fault.group === group),
        cells,
      ),
    ),
    ...(broken.length > 0 ? ["## What does not hold", "", ...broken.map(problem), ""] : []),
  ].join("\n");
}

function section(title: string, faults: readonly Fault[], cells: readonly Cell[]): string[] {
  const row = (...columns: string[]) => `| ${columns.map((column) => column.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    `## ${title}`,
    "",
    row("fault", "brought about by", "within", ...TOOLS.map((tool) => `\`${tool}\``)),
    row(...["---", "---", "---", ...TOOLS.map(() => "---")]),
    ...faults.map((fault) =>
      row(
        fault.name,
        fault.by,
        `${fault.withinMs / 1_000} s`,
        ...TOOLS.map((tool) => {
          const cell = cells.find((each) => each.fault === fault && each.tool === tool);
          if (cell === undefined) return "";
          return cell.problems.length > 0 ? `**fails**: ${cell.said}` : cell.said;
        }),
      ),
    ),
    "",
  ];
}

function problem({ fault, tool, problems }: Cell): string {
  return `- ${fault.name} × \`${tool}\`: ${problems.map((text) => text.replace(/\s+/g, " ").slice(0, 300)).join("; ")}`;
}
