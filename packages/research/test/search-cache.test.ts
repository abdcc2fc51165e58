import { expect, test } from "vitest";
import { createSearchCache, deepSearch, search } from "../src/index.js";
import { answer, draft, drain, drainFailing, failure, final, world } from "./world.js";

/** A turn that ends when it is told to. */
function held(text: string) {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { turn: () => gate.then(() => text), open: () => open() };
}

test("identical searches in flight share one run, and every reader hears all of it", async () => {
  const { turn, open } = held(answer("one"));
  const { deps, requests } = world([turn], { cache: createSearchCache() });
  const first = drain(search({ query: "q" }, deps), (event) => event.type === "step" && open());
  const second = drain(search({ query: "q" }, deps));
  const [one, two] = await Promise.all([first, second]);
  expect(requests).toHaveLength(1);
  expect(two).toEqual(one);
});

test("deep searches are shared too; other questions, models and limits are not", async () => {
  const turns = Array.from({ length: 12 }, () => final("same"));
  const { deps, requests } = world(turns, { cache: createSearchCache() });
  const same = { query: "q", maxRounds: 3 };
  await Promise.all([deepSearch(same, deps), deepSearch(same, deps)].map((run) => drain(run)));
  expect(requests).toHaveLength(1);
  await Promise.all(
    [
      deepSearch(same, deps),
      deepSearch({ ...same, maxRounds: 4 }, deps),
      deepSearch({ ...same, model: "pro" }, deps),
      deepSearch({ ...same, filters: { recency: "day" } }, deps),
      deepSearch({ ...same, query: "p" }, deps),
      search({ query: "q" }, deps),
    ].map((run) => drain(run as ReturnType<typeof search>)),
  );
  expect(requests).toHaveLength(7);
});

test("without a time to live, a finished search runs again", async () => {
  const { deps, requests } = world([answer("one"), answer("two")], { cache: createSearchCache() });
  await drain(search({ query: "q" }, deps));
  expect((await drain(search({ query: "q" }, deps))).report.result).toBe("two");
  expect(requests).toHaveLength(2);
});

test("within its time a finished answer is given again, marked as such", async () => {
  let now = 0;
  const { deps, requests } = world([answer("one"), answer("two")], {
    cache: createSearchCache({ ttlMs: 60_000, now: () => now }),
  });
  const { report } = await drain(search({ query: "q" }, deps));
  now = 59_999;
  const again = await drain(search({ query: "q" }, deps));
  expect(again.report).toEqual({ ...report, metadata: { ...report.metadata, cached: true } });
  expect(again.logs).toEqual(["[INFO] Answered from the cache, 60 s old"]);
  now = 60_000;
  expect((await drain(search({ query: "q" }, deps))).report.result).toBe("two");
  expect(requests).toHaveLength(2);
});

test("only as many answers are kept as were asked for, and failures never", async () => {
  const cache = createSearchCache({ ttlMs: 60_000, maxEntries: 1, now: () => 0 });
  const { deps, requests } = world(
    [failure("EXECUTION_ERROR", "crashed"), answer("a"), answer("b"), answer("a again")],
    { cache },
  );
  await drainFailing(search({ query: "a" }, deps));
  await drain(search({ query: "a" }, deps));
  await drain(search({ query: "b" }, deps));
  expect((await drain(search({ query: "a" }, deps))).report.result).toBe("a again");
  expect(requests).toHaveLength(4);
});

test("one reader's cancelling ends its own reading; the run ends when the last has left", async () => {
  let stopped = false;
  let asked = () => {};
  const started = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { deps, requests } = world(
    [
      ({ signal }) =>
        new Promise((resolve) => {
          asked();
          signal?.addEventListener("abort", () => {
            stopped = true;
            resolve(failure("CANCELLED", "cancelled"));
          });
        }),
      answer("anew"),
    ],
    { cache: createSearchCache() },
  );
  const [one, two] = [new AbortController(), new AbortController()];
  const first = drainFailing(search({ query: "q", signal: one.signal }, deps));
  const second = drainFailing(search({ query: "q", signal: two.signal }, deps));
  await started;
  one.abort();
  expect((await first).error).toMatchObject({ code: "CANCELLED" });
  expect(stopped).toBe(false);
  two.abort();
  expect((await second).error).toMatchObject({ code: "CANCELLED" });
  expect(stopped).toBe(true);
  // What was cancelled is not joined by who comes later.
  expect((await drain(search({ query: "q" }, deps))).report.result).toBe("anew");
  expect(requests).toHaveLength(2);
});

test("when the last reader leaves, the run has ended before the leaving has", async () => {
  let ended = false;
  const { deps } = world([], { cache: createSearchCache() });
  deps.runner = {
    async *run({ signal }) {
      yield { type: "run-start", pid: 1, queuedMs: 0, warm: false };
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      ended = true;
      throw failure("CANCELLED", "cancelled");
    },
  };
  for await (const event of search({ query: "q" }, deps)) if (event.type === "step") break;
  expect(ended).toBe(true);
});

test("an error reaches every reader", async () => {
  const { deps } = world([failure("AUTH_REQUIRED", "not signed in")], { cache: createSearchCache() });
  const both = await Promise.all([1, 2].map(() => drainFailing(deepSearch({ query: "q" }, deps))));
  expect(both.map(({ error }) => error.code)).toEqual(["AUTH_REQUIRED", "AUTH_REQUIRED"]);
});

test("a resumed research is never shared", async () => {
  const { deps } = world([draft("one")], { cache: createSearchCache() });
  expect((await drainFailing(deepSearch({ resume: "x" }, deps))).error).toMatchObject({ code: "INVALID_INPUT" });
});
