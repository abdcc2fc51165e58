import { describe, expect, test } from "vitest";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { finishedAnswer } from "../../src/tools/answer.js";
import { toResult } from "../../src/tools/result.js";

const SENTENCE = "The tide follows the moon, since its pull is stronger on the near side of the earth. ";
const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));

/** A deep research as the product makes it: with `many` of everything beside a text of so many characters. */
function research(characters: number, many: number, sentence = SENTENCE): JobRecord {
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
  const result = sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters);
  return {
    id: "0123456789abcdef0123456789abcdef",
    tool: "deep_search",
    request: { query: metadata.query },
    report: { success: true, result, verified: false, metadata },
  } as unknown as JobRecord;
}

/** Beside shorter reports stands more than a quarter even without any list: what names the answer, and its warning. */
const FROM = { line: 2_150, lines: 2_700 };
const CLIENTS = [
  { client: "text and structure", limits: { maxChars: undefined, structured: true }, from: FROM.line },
  { client: "text alone", limits: { maxChars: undefined, structured: false }, from: FROM.lines },
  { client: "small pages", limits: { maxChars: 7_000, structured: true }, from: FROM.line },
  { client: "pages of text alone", limits: { maxChars: 16_000, structured: false }, from: FROM.lines },
];
/** From the least on, closely, and then to what is longer than any page. */
const STEPS = [...list(30, (at) => at * 50), 2_000, 3_000, 5_000, 8_000, 15_000, 60_000];

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

describe.each(CLIENTS)("for a client with $client", ({ limits, from }) => {
  test.each([0, 1, 4, 12, 60])(
    `beside a report of ${from} characters and more, with %d of everything, stands at most a quarter of the answer`,
    (many) => {
      for (const step of STEPS) {
        const { beside, all } = besideReport(research(from + step, many), limits);
        expect(beside / all, `${from + step} characters: ${beside} of ${all}`).toBeLessThanOrEqual(0.25);
      }
    },
  );

  test.each([100, 500, 1_000, 1_500, 2_000])("beside one of %d characters stands what is left to 2,000", (length) => {
    for (const many of [1, 4, 12, 60]) {
      const { beside, all } = besideReport(research(length, many), limits);
      // Or what goes in always.
      expect(all, `${many} of everything: ${beside} of ${all}`).toBeLessThanOrEqual(
        Math.max(2_200, length + from / 3 + 1),
      );
    }
  });

  test("beside a short one every warning, source and search stands that a short answer has room for", () => {
    const { metadata } = finishedAnswer(research(300, 3), { limits });
    const { warnings, sources_visited, search_queries_used } = metadata as Record<string, unknown[]>;
    expect([warnings, sources_visited, search_queries_used].map((all) => all?.length)).toEqual([3, 3, 3]);
  });

  test("a report that must be read with care says so, whatever room there is", () => {
    for (const length of [100, 1_000, 2_000, 2_500, 60_000])
      expect((finishedAnswer(research(length, 60), { limits })["metadata"] as { warnings: string[] }).warnings[0]).toBe(
        "1 of the cited sources were never seen by the research.",
      );
  });
});

test("what is left out is said with its number, and how to have it", () => {
  const { metadata } = finishedAnswer(research(4_000, 12), { limits: { maxChars: undefined, structured: true } });
  expect(metadata).toMatchObject({
    left_out: expect.stringMatching(
      /^\d+ of 12 sources_visited, \d+ of 12 search_queries_used, 12 gaps, part of evidence, rounds, pages: /,
    ),
  });
});

test.each([7_000, 16_000, 40_000, 95_000])(
  "of the first page of %d characters at most a quarter is beside a text full of quotes",
  (maxChars) => {
    const limits = { maxChars, structured: true };
    for (const many of [1, 4, 12, 60]) {
      for (const quotes of ['"He said "so", "so" and "so"." ', '""""""""\\ ', "a\n"]) {
        const { beside, all } = besideReport(research(120_000, many, quotes), limits);
        expect(beside / all, `${many} of everything: ${beside} of ${all}`).toBeLessThanOrEqual(0.25);
      }
    }
  },
);
