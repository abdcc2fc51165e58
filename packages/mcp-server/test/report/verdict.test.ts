import type { DeepSearchReport, Evidence } from "@x/research";
import { expect, test } from "vitest";
import { summaryOf } from "../../src/jobs/report-summary.js";
import { reportToMarkdown, reportToMarkdownFile } from "../../src/report/markdown.js";
import { shortVerdict, verdictOf } from "../../src/report/verdict.js";
import { sampleReport } from "./html/sample-report.js";

const seen = { status: "found", cited: true } as const;
const claim = (proof: Evidence["claims"][number]["proof"]) =>
  ({ text: "The tide is high.", status: "supported", sources: [], proof }) as unknown as Evidence["claims"][number];
const evidence: Evidence = {
  status: "available",
  sources: [
    { url: "https://a.example/", ...seen },
    { url: "https://b.example/", ...seen },
    { url: "https://c.example/", ...seen },
  ],
  unseen: [],
  citation_accuracy: 1,
  independent_hosts: 3,
  claims: [claim("quoted"), claim("attributed")],
  proven: 1,
  contradictions: [],
  pages: [],
  unsupported_verifications: [],
};
const unseen = Array.from({ length: 5 }, (_, index) => `https://unseen.example/${index}`);

function report(verified: boolean, more: Partial<DeepSearchReport["metadata"]>): DeepSearchReport {
  const { evidence: _, ...metadata } = sampleReport.metadata;
  return { ...sampleReport, verified, metadata: { ...metadata, ...more } };
}

test.each<[string, DeepSearchReport, string, string, string]>([
  ["verified, all seen", report(true, { evidence }), "good", "Verified by the model in 3 rounds", "verified"],
  [
    "verified, and one of two claims has no proof",
    report(true, { evidence: { ...evidence, claims: [claim("quoted"), claim("read")], proven: 0.5 } }),
    "careful",
    "Called verified by the model in 3 rounds, 1 of 2 claims proven",
    "1 of 2 proven",
  ],
  [
    "verified, and nothing that could be proven",
    report(true, { evidence: { ...evidence, claims: [], proven: null } }),
    "careful",
    "Called verified by the model in 3 rounds; it names no claims that could be proven",
    "nothing proven",
  ],
  [
    "verified, as an older version kept it",
    report(true, { evidence: { ...evidence, claims: [], proven: undefined } as unknown as Evidence }),
    "good",
    "Verified by the model in 3 rounds",
    "verified",
  ],
  [
    "verified, most never seen",
    report(true, { evidence: { ...evidence, unseen } }),
    "careful",
    "Called verified by the model in 3 rounds, but 5 of 8 citations were never seen",
    "5 of 8 unseen",
  ],
  [
    "verified without a record",
    report(true, {}),
    "careful",
    "Called verified by the model in 3 rounds; what it read is not known",
    "sources unknown",
  ],
  [
    "verified by a round that searched nothing",
    report(true, { evidence: { ...evidence, unsupported_verifications: [3] } }),
    "careful",
    "Called verified by the model in 3 rounds, but the last round searched nothing",
    "last round idle",
  ],
  ["not verified", report(false, { evidence }), "careful", "Not verified in 3 rounds", "not verified"],
  [
    "text that is not in the asked form",
    report(true, { evidence, unstructured: true }),
    "careful",
    "The model's text as it stands: not in the asked form, and unchecked",
    "unchecked text",
  ],
])("%s", (_what, each, tone, text, short) => {
  expect(verdictOf(each)).toEqual({ tone, text });
  expect(shortVerdict(summaryOf(each))).toEqual({ tone, text: short });
});

test("a search has a verdict only when something is to be said", () => {
  const { verified: _, ...search } = report(true, { evidence });
  expect(verdictOf(search)).toBeUndefined();
  expect(shortVerdict(summaryOf(search))).toEqual({ tone: "good", text: "done" });
  const doubtful = {
    ...search,
    metadata: { ...search.metadata, evidence: { ...evidence, unseen: ["https://u.example/"] } },
  };
  expect(verdictOf(doubtful)).toEqual({ tone: "careful", text: "1 of 4 citations was never seen" });
});

test("a file has the question as its title; one that is cut stands whole at its end", () => {
  expect(reportToMarkdownFile(sampleReport)).toBe(
    `# ${sampleReport.metadata.query}\n\n${reportToMarkdown(sampleReport)}`,
  );
  const query = "so ".repeat(40_000).trim();
  const long = reportToMarkdownFile(report(true, { query }));
  const lines = long.split("\n");
  expect(lines[0]?.length).toBeLessThanOrEqual(202);
  expect(lines.filter((line) => line.length > 1_000)).toEqual([`> ${query}`]);
});
