import * as fc from "fast-check";
import { expect, test } from "vitest";
import { safeMarkdown } from "../../mcp-server/src/report/safe-markdown.js";
import { hostileReport } from "../../mcp-server/test/report/html/hostile-report.js";
import { dangersIn, mustBeSafe, pieced } from "../fuzz/markdown-for-hosts.js";

test("the hostile report has nothing left for a host", () => {
  expect(dangersIn(hostileReport.result)).not.toEqual([]);
  expect(dangersIn(safeMarkdown(hostileReport.result))).toEqual([]);
});

test.each([
  ["an image in a footnote", "a[^1]\n\n[^1]: ![a](https://a.example/m.png)"],
  ["a link in a footnote", "a[^1]\n\n[^1]: [a](javascript:x)"],
  ["HTML in a footnote", "a[^1]\n\n[^1]: <img src=x>"],
])("%s is seen, and has nothing left for a host", (_what, text) => {
  expect(dangersIn(text)).not.toEqual([]);
  expect(dangersIn(safeMarkdown(text))).toEqual([]);
});

test("a sample of what the fuzzing throws at it", () => {
  fc.assert(fc.property(pieced, mustBeSafe), { seed: 20_261_122, numRuns: 3_000 });
});
