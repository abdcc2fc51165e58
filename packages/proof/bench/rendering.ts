import type { SearchReport } from "@x/research";
import { screenOf } from "../../mcp-server/src/cli/terminal/paint.js";
import { reportToTerminal } from "../../mcp-server/src/cli/terminal/report.js";
import { reportPage } from "../../mcp-server/src/report/html/page.js";
import { reportToMarkdown } from "../../mcp-server/src/report/markdown.js";
import { outgoingText } from "../../mcp-server/src/report/outgoing.js";

/** Prints what the processor needs to show long reports of each kind, as Markdown: `node dist/rendering.js [rounds]`. */

const SENTENCE = "The tide follows the **moon**, since its pull is stronger on the near side [1] of the *earth*. ";

/** One report of each kind: what is repeated, and what stands before it. */
const KINDS: readonly (readonly [name: string, piece: string, before?: string])[] = [
  ["prose with citations", `${SENTENCE.repeat(6)}\n\n`],
  ["links in text", "see [the tide tables](https://example.org/tides/2026) and "],
  ["addresses and marks in one paragraph", "[1] https://example.org/a "],
  ["items of one letter", "- a\n"],
  ["items with links", "- [tides](https://example.org/t)\n"],
  ["references", "1. http://example.org/a\n", "x [1]\n\n## Sources\n\n"],
  ["other references", "[1]: http://example.org/a\n", "x [1]\n\n"],
  ["rows of a table", "| high | low | 3.1 m |\n", "| a | b | c |\n|---|---|---|\n"],
  ["rows of one letter", "|b|\n", "|a|\n|-|\n"],
  ["headings", "# a\n"],
  ["emphasis", "*a* **b** `c` "],
  ["images and HTML", "![a](http://example.org/p) <b>x</b> [r](javascript:x)\n"],
  ["brackets that lead nowhere", "](a", "![a](b) "],
  ["brackets that lead far", "](\u0020", "![a](b) "],
  ["full stops", ".", "![a](b) "],
  ["backticks", "` ", "![a](b) "],
  ["autolinks", "<http://a", "![a](b) "],
  ["definitions", "[a]:", "![a](b) "],
  ["quotes and images", "> ![a]\n"],
  ["bars and images", "|![", "|a|\n|-|\n"],
];
const LENGTHS = [400_000, 5_000_000];

const SCREEN = screenOf({ isTTY: true, columns: 100 }, { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" });
const SHOWN: readonly (readonly [name: string, show: (report: SearchReport) => string])[] = [
  ["page", (report) => reportPage(report, { generator: "bench" })],
  ["terminal", (report) => reportToTerminal(report, SCREEN)],
  ["file", reportToMarkdown],
  ["host", ({ result }) => outgoingText(result)],
];

function reportOf(result: string): SearchReport {
  const metadata = { duration_ms: 1, query: "Why tides?", model: "m", timestamp: "2026-11-20T08:00:10.000Z" };
  return { success: true, result, metadata };
}

/** Milliseconds of the processor, the least of some rounds. */
function cpuMs(show: () => string, rounds: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    show();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const rounds = Number(process.argv[2] ?? 3);
const headings = LENGTHS.flatMap((length) =>
  SHOWN.map(([name]) => `${name}, ${length === 400_000 ? "400,000" : "5,000,000"}`),
);
console.log(`| ms of the processor | ${headings.join(" | ")} |`);
console.log(`|---|${"--:|".repeat(headings.length)}`);
for (const [name, piece, before = ""] of KINDS) {
  const cells = LENGTHS.flatMap((length) => {
    const report = reportOf(`${before}${piece.repeat(Math.ceil((length - before.length) / piece.length))}`);
    return SHOWN.map(([, show]) => cpuMs(() => show(report), rounds).toFixed(0));
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
