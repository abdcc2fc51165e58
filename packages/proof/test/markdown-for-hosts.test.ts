import * as fc from "fast-check";
import { expect, test } from "vitest";
import { outgoing, outgoingJson } from "../../mcp-server/src/report/outgoing.js";
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

// In parts: all of it takes a minute on a busy machine.
test.each([1, 2, 3, 4, 5, 6])("a sample of what the fuzzing throws at it, part %d", (part) => {
  fc.assert(fc.property(pieced, mustBeSafe), { seed: 20_261_121 + part, numRuns: 500 });
});

test("what is safe by itself is safe in JSON beside others, and stays what it was", () => {
  const members = fc.record({ result: pieced, query: pieced, warnings: fc.array(pieced, { maxLength: 3 }) });
  const mustBeSafeInJson = (written: unknown) => {
    const value = outgoing(written);
    const text = outgoingJson(value, 2);
    expect(JSON.parse(text)).toEqual(value);
    expect(dangersIn(text)).toEqual([]);
    // What a backtick of one member hides is no more than what stands in plain sight.
    const withoutCode = text.replaceAll("`", "'");
    expect(safeMarkdown(`![h]\n\n${withoutCode}`)).toBe(`&#33;[h]\n\n${withoutCode}`);
  };
  fc.assert(fc.property(members, mustBeSafeInJson), { seed: 20_261_123, numRuns: 500 });
});
