import { type Fault, GROUPS } from "./fault.js";
import { TOOLS, type ToolName, type Way } from "./world.js";

/** One fault met by one tool. */
export interface Cell {
  fault: Fault;
  tool: ToolName;
  /** What came of it, in a few words. */
  said: string;
  /** What should not have been; none when the cell holds. */
  problems: string[];
  /** It did not hold among the others, and was played again alone. */
  again?: boolean;
}

const HEADS: Record<Way, readonly string[]> = {
  stdio: [
    "# Reliability",
    "",
    "Written by `pnpm faults`: do not edit.",
    "",
    "Every tool meets every fault, through the built server over stdio, where each run has a process of Gemini CLI.",
  ],
  http: [
    "# Reliability of runs that share a process",
    "",
    "Written by `pnpm faults --pool`: do not edit.",
    "",
    "Every tool meets every fault, through the built server over HTTP, where runs share a process of Gemini CLI; what is no",
    "Gemini CLI has a process for each run there too. [Over stdio](reliability.md) the same is expected but for one: a run whose",
    "process is killed is made again. Not here: the end of stdin, a broken pipe to the client, and a directory that others may",
    "write to, for which the server does not start. The one process may stay between runs, with its files.",
  ],
};

/** The page of the matrix, in the order of the faults. */
export function toMarkdown(faults: readonly Fault[], cells: readonly Cell[], way: Way): string {
  const broken = faults.flatMap((fault) => cells.filter((cell) => cell.fault === fault && cell.problems.length > 0));
  return [
    ...HEADS[way],
    `${cells.length - broken.length} of ${cells.length} cells hold.`,
    "A cell holds when the answer has the right code, its text says what to do next, and it comes within its time; when",
    "the server then answers the next call; and when nothing is left: no process, no file in the config, home and",
    "temporary directories, no open descriptor, nothing on stdout but the protocol. A server that is killed as it writes a",
    "record leaves the empty file that says so; that is gone when the next server has answered. Times are those of the run that wrote",
    "this page and depend on the machine; a deep search has two rounds, and twice the time.",
    ...playedAgain(cells),
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

function playedAgain(cells: readonly Cell[]): string[] {
  const again = cells.filter((cell) => cell.again);
  if (again.length === 0) return [];
  const names = again.map(({ fault, tool }) => `${fault.name} × \`${tool}\``);
  return ["", `What did not hold among the others was played once more, alone: ${names.join(", ")}.`];
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
