import { describe, expect, test } from "vitest";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { finishedAnswer } from "../../src/tools/answer.js";
import { toResult } from "../../src/tools/result.js";

const SENTENCE = "The tide follows the moon, since its pull is stronger on the near side of the earth. ";
const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));

/** A deep research as the product makes it: with `many` of everything beside a text of so many characters. */
function research(characters: number, many: number): JobRecord {
  const url = (at: number) => `https://www.example-${at}.org/articles/2026/tides-and-the-moon-${at}`;
  const claims = list(many, (at) => ({ text: SENTENCE, status: "supported", proof: "quoted", sources: [url(at)] }));
  const metadata = {
    duration_ms: 61_234,
    query: SENTENCE.repeat(5).trim(),
    model: "gemini-3-pro-preview",
    timestamp: "2026-11-22T09:00:00.000Z",
    iterations: 3,
    sources_visited: list(many, url),
    search_queries_used: list(many, (at) => `what do the tides of the moon ${at}`),
    note: "The report could not be verified in 3 rounds.",
    warnings: list(Math.min(many, 3), (at) => `${at + 1} of the cited sources were never seen by the research.`),
    gaps: list(many, () => SENTENCE),
    evidence: {
      ...{ status: "available", citation_accuracy: 0.75, independent_hosts: many, proven: 0.5, cited: many, unseen: 1 },
      claims,
      sources: list(many, (at) => ({ url: url(at), title: SENTENCE, status: "read", cited: true })),
    },
    rounds: list(3, (at) => ({
      round_number: at + 1,
      sources_visited: list(many, url),
      search_queries: list(many, () => SENTENCE),
      intermediate_result_summary: SENTENCE.repeat(3),
    })),
    pages: list(many, (at) => ({ url: url(at), sha256: "a".repeat(64), bytes: 40_000, content_type: "text/html" })),
    usage: { input_tokens: 120_000, output_tokens: 9_000 },
  };
  const result = SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters);
  return {
    id: "0123456789abcdef0123456789abcdef",
    tool: "deep_search",
    request: { query: metadata.query },
    report: { success: true, result, verified: false, metadata },
  } as unknown as JobRecord;
}

/** Beside shorter ones stands more than a quarter even without any list. */
const SIZES = [2_600, 3_000, 3_256, 3_800, 5_000, 8_000, 15_000, 60_000];
const CLIENTS = [
  { client: "text and structure", limits: { maxChars: undefined, structured: true } },
  { client: "text alone", limits: { maxChars: undefined, structured: false } },
  { client: "small pages", limits: { maxChars: 7_000, structured: true } },
  { client: "pages of text alone", limits: { maxChars: 16_000, structured: false } },
];

/** Of what a model gets to read, the part that is not the report. */
function besideReport(record: JobRecord, limits: (typeof CLIENTS)[number]["limits"]): { beside: number; all: number } {
  const answer = finishedAnswer(record, { limits });
  const [{ text } = { text: "" }] = toResult(answer, limits).content;
  const report = String(answer["result"]);
  return {
    beside: text.length - (limits.structured ? report.length : JSON.stringify(report).length),
    all: text.length,
  };
}

describe.each(CLIENTS)("for a client with $client", ({ limits }) => {
  test.each(SIZES)("beside a report of %d characters stands at most a quarter of the answer", (characters) => {
    for (const many of [1, 4, 12, 60]) {
      const { beside, all } = besideReport(research(characters, many), limits);
      expect(beside / all, `${many} of everything: ${beside} of ${all}`).toBeLessThanOrEqual(0.25);
    }
  });

  test.each([100, 500, 1_000, 1_500, 2_000])(
    "beside one of %d characters stands no more than a short answer has",
    (length) => {
      for (const many of [1, 4, 12, 60])
        expect(besideReport(research(length, many), limits).all).toBeLessThanOrEqual(2_900);
    },
  );
});

test("what is left out is said with its number, and how to have it", () => {
  const { metadata } = finishedAnswer(research(3_000, 12), { limits: { maxChars: undefined, structured: true } });
  expect(metadata).toMatchObject({
    left_out: expect.stringMatching(
      /^\d+ of 12 sources_visited, \d+ of 12 search_queries_used, 12 of 12 gaps, part of evidence, rounds, pages: /,
    ),
  });
});
