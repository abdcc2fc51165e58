import type { Evidence, SearchReport } from "@x/research";
import { expect, test } from "vitest";
import { screenOf } from "../../src/cli/terminal/paint.js";
import { reportToTerminal } from "../../src/cli/terminal/report.js";
import { reportPage } from "../../src/report/html/page.js";
import { reportToMarkdown } from "../../src/report/markdown.js";
import { MOST_SHOWN, shownOf } from "../../src/report/shown.js";

/** A report with so many sources, and a claim of each that needs care. */
function reportOf(many: number): SearchReport {
  const urls = Array.from({ length: many }, (_, at) => `https://example-${at}.org/`);
  const evidence: Evidence = {
    status: "available",
    sources: urls.map((url) => ({ url, status: "found", cited: true })),
    unseen: [],
    citation_accuracy: 1,
    independent_hosts: many,
    claims: urls.map((url, at) => ({
      ...{ text: `Claim ${at}.`, sources: [url], status: "supported", proof: "found", quotes: [], owners: 1 },
    })),
    proven: 0,
    contradictions: [],
    pages: [],
    unsupported_verifications: [],
  };
  const metadata = { duration_ms: 1, query: "q", model: "m", timestamp: "2026-11-22T09:00:00.000Z" };
  return { success: true, result: "Text.", metadata: { ...metadata, sources_visited: urls, evidence } };
}

const WAYS: [string, (report: SearchReport) => string][] = [
  ["the page", (report) => reportPage(report, { generator: "test" })],
  ["the terminal", (report) => reportToTerminal(report, screenOf({ columns: 100 }, { NO_COLOR: "1" }))],
  ["the Markdown file", reportToMarkdown],
];

test.each(WAYS)("of more sources and claims than any report for people has, %s says how many there are", (_, show) => {
  const shown = show(reportOf(MOST_SHOWN + 3));
  expect(shown).toMatch(/… and 3 more sources; JSON has them all/);
  expect(shown).toMatch(/… and 3 more claims/);
  expect(shown).toContain(`Claim ${MOST_SHOWN - 1}.`);
  expect(shown).not.toContain(`Claim ${MOST_SHOWN}.`);
  for (const [, id] of shown.matchAll(/href="#(card-\d+)"/g)) expect(shown).toContain(`id="${id}"`);
  expect(show(reportOf(20))).not.toContain("more sources");
});

test("a list of as many as are shown is whole", () => {
  const all = Array.from({ length: MOST_SHOWN }, (_, at) => at);
  expect(shownOf(all, "sources")).toEqual({ shown: all, more: "" });
});
