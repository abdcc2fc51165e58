import { expect, test } from "vitest";
import { limitsOf } from "../../src/clients/client-limits.js";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { finishedAnswer } from "../../src/tools/answer.js";
import { toResult } from "../../src/tools/result.js";

const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));

function finished({ data, warnings = [] }: { data?: unknown; warnings?: string[] }): JobRecord {
  const metadata = {
    ...{ duration_ms: 1, query: "How high are tides?", model: "gemini-3-pro-preview" },
    ...{ timestamp: "2026-11-22T09:00:00.000Z", sources_visited: [], search_queries_used: [], warnings },
  };
  return {
    id: "0123456789abcdef0123456789abcdef",
    tool: "search",
    request: { query: metadata.query },
    report: { success: true, result: "A sentence about tides. ".repeat(3_000), data, metadata },
  } as unknown as JobRecord;
}

/** As many of a small value as JSON on one line has room for. */
const filled = (characters: number, value: unknown) =>
  list(Math.floor(characters / (JSON.stringify(value).length + 1)), () => value);

test.each(["copilot-cli", "qwen-cli", "@cline/core", "something else"])(
  "a page is no longer than %s takes, whatever stands beside its text",
  (name) => {
    const limits = limitsOf({ name });
    const longest = limits.maxChars ?? Number.NaN;
    for (const value of ["[a](/0)", '"', "\n", 1, { a: 1 }, "<b>"]) {
      for (const share of [1 / 20, 1 / 8, 1 / 5, 1 / 4.1]) {
        const data = filled(longest * share, value);
        const warnings = list(40, () => "`[a](/0) <b>` ".repeat(20));
        for (const report of [{ data }, { warnings }, { data, warnings }]) {
          const [{ text } = { text: "" }] = toResult(finishedAnswer(finished(report), { limits }), limits).content;
          expect(text.length, `${JSON.stringify(value)}, ${share}`).toBeLessThanOrEqual(longest);
          expect(text.length).toBeGreaterThan(longest / 2);
        }
      }
    }
  },
);
