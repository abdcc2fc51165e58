import type { ResearchEvent } from "@x/research";
import { expect, test } from "vitest";
import { newActivity, summaryOf, update } from "../../src/jobs/activity.js";

test.each([
  ["mcp_pages_read_page", "reading a document"],
  ["firecrawl_scrape", "using firecrawl_scrape"],
])("a call of %s without an address of the web is told as %j", (tool, now) => {
  const activity = newActivity();
  expect(update(activity, { type: "step", round: 1, step: { type: "tool-call", id: "1", tool } }, 0)).toBe(true);
  expect(activity.now).toBe(now);
});

test("nothing is said to think before the model is asked", () => {
  const activity = newActivity();
  const told = (step: Extract<ResearchEvent, { type: "step" }>["step"]) => {
    update(activity, { type: "step", round: 1, step }, 0);
    return activity.now;
  };
  expect(told({ type: "run-start", pid: 1, queuedMs: 0, warm: false })).toBe("waiting for the Gemini CLI");
  expect(told({ type: "turn-start" })).toBe("thinking");
  expect(told({ type: "tool-call", id: "1", tool: "google_web_search", query: "tides" })).toBe('searching "tides"');
  expect(told({ type: "tool-result", id: "1", tool: "google_web_search", ok: true })).toBe('searching "tides"');
  expect(told({ type: "turn-start" }), "with what the search gave").toBe("thinking");
});

/** The activity after events at one a second. */
function after(...events: ResearchEvent[]) {
  const activity = newActivity();
  for (const [at, event] of events.entries()) update(activity, event, at * 1_000);
  return activity;
}

const calling = (id: string, call: { query: string } | { urls: string[] }): ResearchEvent => ({
  type: "step",
  round: 1,
  step: { type: "tool-call", id, tool: "query" in call ? "google_web_search" : "web_fetch", ...call },
});
const ended = (id: string, ok = true): ResearchEvent => ({
  type: "step",
  round: 1,
  step: { type: "tool-result", id, tool: "web_fetch", ok, ...(!ok && { message: "blocked" }) } as never,
});
const begun = (round: number): ResearchEvent => ({ type: "round-start", round, of: 5 });

test("of each round is kept what became of it, how much it searched and read, and how long it took", () => {
  const activity = after(
    begun(1),
    ...[calling("a", { query: "tides" }), calling("b", { urls: ["https://www.a.example/x/", "https://b.example/"] })],
    ...[calling("c", { urls: ["https://c.example/"] }), ended("a"), ended("b"), ended("c", false)],
    { type: "round-end", round: 1, verified: false, result: "x" },
    ...[
      begun(2),
      { type: "round-failed", round: 2, code: "EXECUTION_ERROR", reason: "It took\n\u001b[2Jtoo long." } as const,
    ],
    ...[begun(3), { type: "round-end", round: 3, verified: true, result: "x" } as const],
  );
  expect(activity.outcomes).toEqual([
    { round: 1, end: "unverified", searches: 1, reads: 1, durationMs: 7_000 },
    { round: 2, end: "failed", reason: "It took too long.", searches: 0, reads: 0, durationMs: 1_000 },
    { round: 3, end: "verified", searches: 0, reads: 0, durationMs: 1_000 },
  ]);
  expect(activity.outcomes.map(summaryOf)).toEqual([
    "not verified · 1 search · 1 read · 7 s",
    "It took too long. · 1 s",
    "verified · 1 s",
  ]);
});

test("of the present round are kept its latest steps, and what came of each", () => {
  const { current } = after(
    begun(1),
    ...[calling("a", { query: "tides" }), ended("a")],
    ...[calling("b", { urls: ["https://www.a.example/x/", "https://b.example/"] }), ended("b", false)],
    calling("c", { query: "moon" }),
  );
  expect(current).toEqual({
    startedMs: 0,
    searches: 2,
    reads: 0,
    steps: [
      { id: "a", kind: "search", what: "tides", state: "done" },
      { id: "b", kind: "read", what: "a.example/x, b.example", state: "failed" },
      { id: "c", kind: "search", what: "moon", state: "running" },
    ],
  });
});

test("a record stays small, whatever a research does", () => {
  const urls = Array.from({ length: 1_000 }, (_, at) => `https://a.example/${at}`);
  const rounds = Array.from({ length: 60 }, (_, at) => [
    begun(at + 1),
    ...Array.from({ length: 30 }, (_, n) => calling(`${at}-${n}`, { urls })),
    { type: "round-failed", round: at + 1, code: "EXECUTION_ERROR", reason: "long ".repeat(1_000) } as const,
  ]);
  const { outcomes, current } = after(...rounds.flat(), begun(61), ...rounds.flat().slice(1, 30));
  expect([outcomes.length, outcomes.at(-1)?.round, outcomes.at(-1)?.reads]).toEqual([50, 60, 30]);
  expect(current.steps).toHaveLength(20);
  expect(JSON.stringify({ outcomes, current }).length).toBeLessThan(40_000);
});

test("a research that begins anew repeats its rounds; one that goes on keeps them, without the steps it was at", () => {
  const start: ResearchEvent = { type: "research-start", id: "r" };
  const end: ResearchEvent = { type: "round-end", round: 1, verified: false, result: "x" };
  const left = [start, begun(1), end, begun(2), calling("a", { query: "tides" })];
  const goingOn = after(...left, start);
  expect([goingOn.outcomes.length, goingOn.current.steps]).toEqual([1, []]);
  expect(after(...left, start, begun(2)).outcomes.map(({ round }) => round)).toEqual([1]);
  expect(after(...left, start, begun(1)).outcomes).toEqual([]);
});
