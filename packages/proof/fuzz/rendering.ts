import { Script } from "node:vm";
import type { DeepSearchReport } from "@x/research";
import * as fc from "fast-check";
import { screenOf } from "../../mcp-server/src/cli/terminal/paint.js";
import { reportToTerminal } from "../../mcp-server/src/cli/terminal/report.js";
import { pagesOf } from "../../mcp-server/src/report/document.js";
import { reportPage } from "../../mcp-server/src/report/html/page.js";
import { reportToMarkdown } from "../../mcp-server/src/report/markdown.js";
import { INPUT_LIMIT_MS, must, mustBeUnpolluted, type Target } from "./target.js";

/** What Markdown, addresses, citations, HTML and terminals are written with. */
const ATOMS = [
  ..."a1 \n\t*_~`[](){}<>&\\|#-+.:=!?,;'\"/^@\r\0é東",
  ...["**", "~~", "``", "```\n", "[a](", "](b)", "](http://b/)", "![", "[a]: ", "[a]", "[]", "\n\n", "    "],
  ...[
    "[1]",
    "[1, 2]",
    "[1-20]",
    "[^1]",
    "[^1]: ",
    "[1",
    "1. ",
    "1. http://a/\n",
    "- ",
    "- [ ] ",
    "> ",
    ">",
    "# ",
    "---\n",
  ],
  ...["|-|", "|a|b|\n|-|-|\n", "|x|\n", "|x|y|z|\n", "===\n", "\n1. "],
  ...["http://", "https://a.b/c", "http://a(", "www.a.b", "a@", "a@b.c", "http://a/, ", "https://a.b/?c=%5D&amp;d"],
  ...["<a", '<a b="', "</", "<!--", "-->", "<?", "<![CDATA[", "<div>\n", "<script>", "&amp;", "&#", "&#x41;"],
  ...[
    "\u001b[",
    "\u001b[31m",
    "\u001b]8;;",
    "\u001b\\",
    "\u009b",
    "\u0007",
    "\u202e",
    "\u200d",
    "\u{1f600}",
    "\u{e0041}",
  ],
];

/** Longer than any report for people; what is not linear takes minutes for it. */
const LONGEST = 400_000;
/** For one rendering of the longest text; far above what any takes, far below what one that is not linear takes. */
const LIMITS: Bounds = { endMs: 4 * INPUT_LIMIT_MS, cpuMs: 4_000 };
/** The last line of each text. */
export const END = "Here it ends.";

/** Two or three pieces again and again: what is slow is slow for one of these. */
export const repeated: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 3 }),
    fc.oneof(fc.constant(LONGEST), fc.integer({ min: 1, max: LONGEST })),
    fc.array(fc.constantFrom(...ATOMS), { maxLength: 4 }),
  )
  .map(([atoms, length, before]) => {
    const piece = atoms.join("");
    return `${before.join("")}${piece.repeat(Math.ceil(length / piece.length))}\n\n${END}`;
  });

/** A report with this text in each place that a model or a page fills. */
function reportOf(text: string): DeepSearchReport {
  const url = "https://example.org/tides";
  const short = text.slice(0, LONGEST / 10);
  return {
    success: true,
    result: text,
    verified: false,
    metadata: {
      duration_ms: 1,
      query: short,
      model: "m",
      timestamp: "2026-11-20T08:00:10.000Z",
      iterations: 1,
      sources_visited: [url, short],
      search_queries_used: [short],
      note: short,
      warnings: [short],
      gaps: [short],
      rounds: [
        {
          round_number: 1,
          sources_visited: [url, short],
          search_queries: [short],
          intermediate_result_summary: short,
          verified: false,
        },
      ],
      evidence: {
        status: "available",
        sources: [{ url, title: short, status: "found", cited: true }],
        unseen: [short],
        citation_accuracy: 1,
        independent_hosts: 1,
        claims: [{ text: short, sources: [url, short], status: "supported", proof: "read", quotes: [], owners: 1 }],
        proven: 0,
        contradictions: [],
        pages: [],
        unsupported_verifications: [],
      },
    },
  };
}

const SCREENS = [
  screenOf({ isTTY: true, columns: 80 }, { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" }),
  screenOf({ isTTY: true, columns: 20 }, { NO_COLOR: "1" }),
] as const;

export interface Bounds {
  /** Then one rendering is ended. */
  endMs: number;
  /** Processor time that one may take at most. Default: as much as it needs. */
  cpuMs?: number;
}

/** Shows a text in every way that there is. Throws when one does not end, takes too long or loses its last line. */
export function mustBeShown(text: string, bounds: Bounds): void {
  const report = reportOf(text);
  const bounded = <T>(what: string, show: () => T) => within(bounds, what, show);
  const page = bounded("the page", () => reportPage(report, { generator: "fuzz" }));
  must(page.endsWith("</html>\n"), () => "the page does not end");
  must(page.includes(END), () => "the page lost the end of the report");
  must(!/<(?:script|img|iframe|form|object)\b|<[^>]*\son\w+=/i.test(markupOf(page)), () => "a tag came through");
  for (const screen of SCREENS) {
    const shown = bounded("the terminal", () => reportToTerminal(report, screen));
    must(shown.replaceAll(/\s+/g, " ").includes(END), () => "the terminal lost the end of the report");
    if (screen.paint.isColorSupported) continue;
    must(!STEERS.test(shown), () => "a control character came through");
  }
  const markdown = bounded("the Markdown", () => reportToMarkdown(report));
  must(markdown.includes(END), () => "the Markdown lost the end of the report");
  const pages = bounded("the pages", () => pagesOf(text, { first: 16_000, others: 16_000 }));
  must(pages.join("") === text, () => "the pages are not the text");
  mustBeUnpolluted();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

/** The tags of a page alone. */
function markupOf(page: string): string {
  return (page.slice(page.indexOf("<body>")).match(/<[^<>]*>/g) ?? []).join("");
}

const SCRIPT = new Script("renderOnce()");

/** Runs `show`, ends it when it does not end by itself, and looks at what it took. */
function within<T>({ endMs, cpuMs = Number.POSITIVE_INFINITY }: Bounds, what: string, show: () => T): T {
  const before = process.cpuUsage();
  try {
    Object.assign(globalThis, { renderOnce: show });
    const shown = SCRIPT.runInThisContext({ timeout: endMs }) as T;
    const { user, system } = process.cpuUsage(before);
    const tookMs = Math.round((user + system) / 1_000);
    must(tookMs <= cpuMs, () => `${what} took ${tookMs} ms of the processor`);
    return shown;
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`);
  }
}

export const rendering: Target = {
  name: "rendering",
  about: "Pieces of Markdown, addresses, citations, HTML and terminal codes, repeated: shown whole, in time, as text.",
  async open() {
    return {
      property: fc.asyncProperty(repeated, async (text) => mustBeShown(text, LIMITS)),
      close: async () => {},
    };
  },
};
