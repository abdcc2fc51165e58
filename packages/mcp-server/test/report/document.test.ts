import { expect, test } from "vitest";
import { newActivity } from "../../src/jobs/activity.js";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { pagesOf, sizeInJson, toDocument } from "../../src/report/document.js";
import { deepReport } from "../support/fake-research.js";

const texts = [
  "",
  "one line",
  "a\nb\n\nc\n",
  "x".repeat(1_000),
  'quotes " and \\ \n'.repeat(50),
  "🌍é\u2028\u0000".repeat(100),
  `${"short\n".repeat(30)}${"long ".repeat(200)}\nend`,
];

test.each(texts)("pages are no larger than asked and joined they are the text (%#)", (text) => {
  for (const max of [20, 100, 5_000]) {
    const pages = pagesOf(text, { first: max, others: max });
    expect(pages.join("")).toBe(text);
    expect(Math.max(...pages.map(sizeInJson))).toBeLessThanOrEqual(max);
    // No character is cut in two.
    expect(pages.filter((page) => /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(page))).toEqual([]);
  }
});

test("a page ends where a line ends", () => {
  expect(pagesOf("first line\nsecond line\nthird\n", { first: 30, others: 30 })).toEqual([
    "first line\nsecond line\n",
    "third\n",
  ]);
});

test("what to be careful about stands below the answer", () => {
  const { metadata, ...report } = deepReport("So.");
  const record: JobRecord = {
    id: "deep-search-0123456789",
    tool: "deep_search",
    request: { query: "why" },
    state: "completed",
    pid: 1,
    place: "",
    createdAt: "",
    updatedAt: "",
    activity: newActivity(),
    report: { ...report, metadata: { ...metadata, note: "Not verified.", warnings: ["Cut off."] } },
  };
  expect(toDocument(record)).toMatch(/^So\.\n\n> Not verified\.\n\n> Cut off\.\n\n## Sources visited\n/);
  expect(toDocument(record).match(/Cut off/g)).toHaveLength(1);
});
