import type { Evidence, EvidenceClaim } from "@x/research";
import { expect, test } from "vitest";
import { reportToTerminal } from "../../src/cli/terminal/report.js";
import { weaknessIn } from "../../src/report/claims.js";
import { reportPage } from "../../src/report/html/page.js";
import { reportToMarkdown } from "../../src/report/markdown.js";
import { plainScreen } from "../cli/terminal/plain-screen.js";
import { sampleReport } from "./html/sample-report.js";

const [READ, FOUND] = ["https://a.example/", "https://b.example/"];
const evidence: Evidence = {
  status: "available",
  sources: [
    { url: READ, status: "retrieved", cited: true },
    { url: FOUND, status: "found", cited: true },
  ],
  unseen: [],
  citation_accuracy: 1,
  independent_hosts: 2,
  claims: [],
  proven: null,
  contradictions: [],
  pages: [],
  unsupported_verifications: [],
};

test.each<[EvidenceClaim["status"], string[], string | undefined]>([
  ["supported", [READ], undefined],
  ["supported", [FOUND, READ], undefined],
  ["supported", [FOUND], "its sources were only found by a search, not read"],
  ["disputed", [FOUND], "its sources were only found by a search, not read"],
  ["disputed", [], "none of its sources was seen"],
  ["unsupported", [], undefined],
])("%s by %j", (status, sources, expected) => {
  expect(weaknessIn(evidence)({ text: "It is so.", sources, status, proof: "read", quotes: [], owners: 1 })).toBe(
    expected,
  );
});

test("the Markdown says whose claims they are, and which rest on pages that were not read", () => {
  const markdown = reportToMarkdown(sampleReport);
  expect(markdown).toContain("## Evidence\n\nWhat the model claims, and how far it is proven: ");
  expect(markdown).toMatch(/- \*\*Supported:\*\* Since 1972 .* <\S+> \(a source was found, not read\)\n/);
  expect(markdown).toContain(
    `(a source was read, and no quotation of it holds this)
  - ! “from 2017 January 1, 0h UTC, until further notice : UTC-TAI = -37 s” (line 14, the page says this instead) (the model quoted: “TAI-UTC = 36 s”)
  - ✗ “27 leap seconds have been introduced” (not found in any page that was read)
  - not in a quotation: 27, 31 December 2016
`,
  );
});

test("a record of an older version, without proofs, says what its sources are worth", () => {
  const older = structuredClone(sampleReport) as { metadata: { evidence: { claims: object[] } } };
  for (const claim of older.metadata.evidence.claims)
    for (const key of ["proof", "quotes", "owners", "missing"]) Reflect.deleteProperty(claim, key);
  for (const key of ["proven", "contradictions", "pages"]) Reflect.deleteProperty(older.metadata.evidence, key);
  const report = older as unknown as typeof sampleReport;
  expect(reportToMarkdown(report)).toContain("(its sources were only found by a search, not read)\n");
  expect(reportPage(report, { generator: "test" })).toContain("its sources were only found by a search, not read");
  expect(reportToTerminal(report, plainScreen())).toContain("only found by a");
});
