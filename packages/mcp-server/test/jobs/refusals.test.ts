import { builtInPrompts, ResearchError, type ResearchEvent, search } from "@x/research";
import { expect, test, vi } from "vitest";
import { Refusals } from "../../src/jobs/refusals.js";

/** A key, by how long it was told to rest. */
function world() {
  const rested: number[] = [];
  const keyLimit = {
    async lower({ retryAfterMs }: { retryAfterMs: number }) {
      rested.push(retryAfterMs);
    },
  };
  return { rested, refusals: new Refusals({ keyLimit, log: () => {} }) };
}

const start = (round: number): ResearchEvent => ({ type: "round-start", round, of: 5 });
const failed = (round: number, code: string): ResearchEvent => ({ type: "round-failed", round, code, reason: "" });
const wait = (round: number, ms: number): ResearchEvent => ({ type: "wait", round, ms });

test("an answer that cannot be read, for which a research waits, too, says nothing of the key", async () => {
  const { rested, refusals } = world();
  const followed = refusals.follow();
  const heard: string[] = [];
  const unreadable = { text: '{"success": tru, "rep', models: [], recorded: true, durationMs: 1, queuedMs: 0 };
  const runner = {
    async *run() {
      yield { type: "run-start", pid: 1, queuedMs: 0, warm: false };
      return { ...unreadable, queries: [], sources: [], failures: [], attributions: [] };
    },
  };
  const events = search({ query: "why" }, {
    runner: runner as never,
    prompts: builtInPrompts,
    sleep: async () => {},
  } as never);
  await expect(
    (async () => {
      for await (const event of events) {
        heard.push(event.type);
        followed.hear(event);
      }
    })(),
  ).rejects.toBeInstanceOf(ResearchError);
  expect(heard).toContain("wait");
  expect(rested).toEqual([]);
});

test.each<[string, ResearchEvent[], number[]]>([
  ["that the research waits out", [start(1), failed(1, "QUOTA_EXCEEDED"), wait(1, 7_000), start(2)], [7_000]],
  ["that does not say for how long", [start(1), failed(1, "QUOTA_EXCEEDED"), start(2)], [60_000]],
  [
    "before an answer that cannot be read",
    [start(1), failed(1, "QUOTA_EXCEEDED"), wait(1, 7_000), start(2), wait(2, 1_000), wait(2, 2_000)],
    [7_000],
  ],
])("a refusal %s lets the key rest once", async (_, events, expected) => {
  const { rested, refusals } = world();
  const followed = refusals.follow();
  for (const event of events) followed.hear(event);
  await vi.waitFor(() => expect(rested).toEqual(expected));
});

test("a round that failed for another reason says nothing of the key", () => {
  const { rested, refusals } = world();
  const followed = refusals.follow();
  for (const event of [start(1), wait(1, 1_000), failed(1, "EXECUTION_ERROR"), wait(1, 5), start(2), wait(2, 1_000)]) {
    followed.hear(event);
  }
  expect(rested).toEqual([]);
});
