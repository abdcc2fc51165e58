import type { Evidence, SearchReport } from "@x/research";
import { screenOf } from "../../mcp-server/src/cli/terminal/paint.js";
import { reportToTerminal } from "../../mcp-server/src/cli/terminal/report.js";
import { reportPage } from "../../mcp-server/src/report/html/page.js";
import { reportToMarkdown } from "../../mcp-server/src/report/markdown.js";
import { outgoingText } from "../../mcp-server/src/report/outgoing.js";

/** Prints what the processor needs to show long reports of each kind, as Markdown: `node dist/rendering.js [rounds] [part of a kind's name]`. */

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
  ["rows of five columns", "| a | b | https://e.org/a | d | e |\n", "| a | b | c | d | e |\n|---|---|---|---|---|\n"],
  ["rows that cite", "| [1] | https://e.org/a |\n", "| a | b |\n|---|---|\n"],
  ["tasks", "- [ ] a\n"],
  ["numbered items with citations", "1. a [1]\n"],
  ["nested quotes", ">>>> a\n"],
  ["one word of letters with accents", "e\u0301"],
  ["words with accents", "e\u0301 "],
  ["one word in Chinese", "潮"],
  ["pictures", "\u{1f469}\u200d\u{1f680}"],
  ["ends of lines", "\r"],
  ["blank lines", "\n"],
  ["lines of code", "    a\n"],
  ["sequences of a terminal", "\u001b[31m"],
];
const LENGTHS = [400_000, 5_000_000];
/** Characters of the text for each source, and each claim, of a report that has many. */
const FOR_EACH = 40;

const SCREEN = screenOf({ isTTY: true, columns: 100 }, { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" });
const NARROW = screenOf({ isTTY: true, columns: 20 }, { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" });
const SHOWN: readonly (readonly [name: string, show: (report: SearchReport) => string])[] = [
  ["page", (report) => reportPage(report, { generator: "bench" })],
  ["terminal", (report) => reportToTerminal(report, SCREEN)],
  ["narrow", (report) => reportToTerminal(report, NARROW)],
  ["file", reportToMarkdown],
  ["host", ({ result }) => outgoingText(result)],
];

const METADATA = { duration_ms: 1, query: "Why tides?", model: "m", timestamp: "2026-11-20T08:00:10.000Z" };

function reportOf(result: string): SearchReport {
  return { success: true, result, metadata: METADATA };
}

/** A short text with so many sources, and as many claims, each with a quotation. */
function sourcedReport(many: number): SearchReport {
  const urls = Array.from({ length: many }, (_, at) => `https://www.example-${at}.org/articles/2026/tides-${at}`);
  const text = "The tide follows the moon, since its pull is stronger on the near side.";
  const evidence: Evidence = {
    status: "available",
    sources: urls.map((url) => ({ url, title: "Tides and the moon", status: "retrieved", cited: true })),
    unseen: [],
    citation_accuracy: 1,
    independent_hosts: many,
    claims: urls.map((url) => ({
      ...{ text, sources: [url], status: "supported", proof: "read", owners: 1 },
      quotes: [{ url, text, found: "not-found" }],
    })),
    proven: 0,
    contradictions: [],
    pages: [],
    unsupported_verifications: [],
  };
  const line = `${"x [1] ".repeat(10)}\n`;
  const result = `[1]: ${urls[0]}\n\n${line.repeat((many * FOR_EACH) / line.length)}`;
  return { success: true, result, metadata: { ...METADATA, sources_visited: urls, evidence } };
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
const asked = process.argv[3] ?? "";
const headings = LENGTHS.flatMap((length) =>
  SHOWN.map(([name]) => `${name}, ${length === 400_000 ? "400,000" : "5,000,000"}`),
);
console.log(`| ms of the processor | ${headings.join(" | ")} |`);
console.log(`|---|${"--:|".repeat(headings.length)}`);
const reports: (readonly [name: string, make: (length: number) => SearchReport])[] = [
  ...KINDS.map(
    ([name, piece, before = ""]) =>
      [
        name,
        (length: number) => reportOf(before + piece.repeat(Math.ceil((length - before.length) / piece.length))),
      ] as const,
  ),
  ["sources and claims, one for 40 characters", (length) => sourcedReport(length / FOR_EACH)],
];
for (const [name, make] of reports.filter(([kind]) => kind.includes(asked))) {
  const cells = LENGTHS.flatMap((length) => {
    const report = make(length);
    return SHOWN.map(([, show]) => cpuMs(() => show(report), rounds).toFixed(0));
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
