import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryRunStore, deepSearch, search } from "../../src/index.js";
import { createTempFiles } from "../../src/node/index.js";
import {
  answer,
  draft,
  drain,
  drainFailing,
  failure,
  final,
  recorded,
  type Turn,
  temporaryFolder,
  world,
} from "../world.js";

test("runs: the answer stays inside and says that it is partial", async () => {
  const { deps, requests } = world([draft("one"), draft("two"), final("three")]);
  const { report, logs } = await drain(deepSearch({ query: "q", budget: { maxRuns: 2 } }, deps));
  expect(requests).toHaveLength(2);
  expect(report).toMatchObject({
    result: "two",
    verified: false,
    metadata: {
      iterations: 2,
      partial: true,
      note: expect.stringMatching(/all 2 runs are used up, so the answer is partial/),
      warnings: ["The budget ended the research before its rounds were done: all 2 runs are used up."],
      usage: { runs: 2 },
    },
  });
  expect(logs.at(-1)).toBe("[INFO] Deep search completed: 2 rounds, verified: false");
});

test("corrections are runs too", async () => {
  const tempFiles = createTempFiles({ directory: await temporaryFolder() });
  const { deps, requests } = world(["no JSON", draft("one"), final("two")], { tempFiles });
  const { report } = await drain(deepSearch({ query: "q", budget: { maxRuns: 2 } }, deps));
  expect(requests).toHaveLength(2);
  expect(report).toMatchObject({ result: "one", metadata: { partial: true } });
});

test("tokens", async () => {
  const models = [{ model: "a", roles: ["main"], inputTokens: 900, outputTokens: 200, totalTokens: 1_100 }];
  const { deps, requests } = world([{ ...recorded(draft("one")), models }, final("two")]);
  const { report } = await drain(deepSearch({ query: "q", budget: { maxTokens: 1_000 } }, deps));
  expect(requests).toHaveLength(1);
  expect(report).toMatchObject({
    result: "one",
    metadata: { partial: true, note: expect.stringContaining("1100 of 1000 tokens") },
  });
});

test("time: a round that takes too long is ended, and the result before it is the answer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const slow: Turn = ({ signal }) => {
    vi.advanceTimersByTime(50);
    return signal?.aborted ? failure("CANCELLED", "the run was cancelled") : final("not heard");
  };
  const { deps } = world([draft("one"), slow]);
  const { report } = await drain(deepSearch({ query: "q", budget: { maxDurationMs: 50 } }, deps));
  expect(report).toMatchObject({
    result: "one",
    metadata: { iterations: 1, partial: true, note: expect.stringContaining("the time of 0.05 s is used up") },
  });
});

test("time: links that are still being resolved are not waited for", async () => {
  const link = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A";
  const { deps } = world([recorded(answer(`From ${link}.`), [{ url: link, status: "found" }])], {
    resolveUrl: () => new Promise(() => {}),
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let result = "";
  const searching = drain(search({ query: "q", budget: { maxDurationMs: 50 } }, deps)).then(({ report }) => {
    ({ result } = report);
  });
  await vi.advanceTimersByTimeAsync(50);
  expect(result).toBe(`From ${link}.`);
  await searching;
});

test("time is that of the clock that is given", async () => {
  let now = 0;
  const slow = () => {
    now += 600_000;
    return draft("one");
  };
  const { deps, requests } = world([slow, final("two")], { now: () => now });
  const { report } = await drain(deepSearch({ query: "q", budget: { maxDurationMs: 600_000 } }, deps));
  expect(requests).toHaveLength(1);
  expect(report.metadata).toMatchObject({ duration_ms: 600_000, partial: true });
});

test("a budget that is too small for one answer is an error that says so", async () => {
  const never = { maxRuns: 1 };
  const one = world(["no JSON", answer("late")]);
  expect((await drainFailing(search({ query: "q", budget: never }, one.deps))).error).toMatchObject({
    code: "EXECUTION_ERROR",
    message: "There is no answer within the budget: all 1 runs are used up.",
  });
  const two = world(["no JSON", draft("late")]);
  expect((await drainFailing(deepSearch({ query: "q", budget: never }, two.deps))).error.message).toContain(
    "within the budget",
  );
  expect(two.requests).toHaveLength(1);
});

test("a research that a budget ended goes on with a greater one, and the round that was broken off runs again", async () => {
  const store = createMemoryRunStore();
  const first = world([draft("one"), "no JSON"], { store });
  const { report } = await drain(deepSearch({ query: "q", budget: { maxRuns: 2 } }, first.deps));
  expect(report.metadata).toMatchObject({ iterations: 1, partial: true });
  const second = world([final("two")], { store });
  const more = await drain(deepSearch({ resume: "id-1", budget: { maxRuns: 5 } }, second.deps));
  expect(more.report).toMatchObject({ result: "two", verified: true, metadata: { iterations: 2, usage: { runs: 3 } } });
});

test("a deadline leaves no timer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await drain(search({ query: "q", budget: { maxDurationMs: 3_600_000 } }, world([answer("one")]).deps));
  expect(vi.getTimerCount()).toBe(0);
});
