import type { Evidence, EvidenceClaim } from "@x/research";
import { expect, test } from "vitest";
import { weaknessIn } from "../../src/report/claims.js";
import { reportToMarkdown } from "../../src/report/markdown.js";
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
  expect(markdown).toContain("## Evidence\n\nWhat the model claims, and whether the sources it names were seen.");
  expect(markdown).toMatch(
    /- \*\*Supported:\*\* Since 1972 .* <\S+> \(its sources were only found by a search, not read\)\n/,
  );
  expect(markdown).toMatch(/- \*\*Supported:\*\* There have been 27, .* <\S+>\n/);
});
