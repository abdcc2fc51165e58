import type { AgentRun, RunRequest } from "@x/gemini-runner";
import { resultOf } from "@x/gemini-runner";
import { createMemoryPageStore, type ResearchEvent } from "@x/research";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type IsolatedAskOptions, isolatedAsk } from "../../src/isolation/isolated-ask.js";
import type { WorkerSettings } from "../../src/isolation/messages.js";
import { Readers } from "../../src/isolation/readers.js";

let readers: Readers;
beforeEach(() => {
  const file = new URL("./worker.mjs", import.meta.url);
  readers = new Readers({ file, settings: {} as WorkerSettings, deafMs: 1_500 });
});
afterEach(() => readers.close());

/** What this thread does for the worker, noted. */
function mainThread(play: (request: RunRequest) => AgentRun, more: Partial<IsolatedAskOptions> = {}) {
  const files = new Set<string>();
  const prewarmed: AbortSignal[] = [];
  const options: IsolatedAskOptions = {
    readers,
    ...more,
    webFetch: true,
    pageStore: createMemoryPageStore(),
    runner: {
      run: play,
      prewarm: (request) => void (request?.signal && prewarmed.push(request.signal)),
    },
    tempFiles: {
      async write(text) {
        files.add(text);
        return text;
      },
      async remove(path) {
        files.delete(path);
      },
    },
  };
  return { ask: isolatedAsk(options), files, prewarmed };
}

const result = { text: "42", models: [], recorded: false, queries: [], sources: [], failures: [], attributions: [] };

test("a run goes on in this thread, the worker hears its events, and its report comes back", async () => {
  const { ask, prewarmed } = mainThread(async function* () {
    yield { type: "text-delta", text: "4" };
    return { ...result, durationMs: 1, queuedMs: 0 };
  });
  const events: ResearchEvent[] = [];
  expect(await resultOf(ask("search", { query: "run" }), (event) => events.push(event))).toEqual({ report: "42" });
  // The words come once, with the report.
  expect(events).toEqual([{ type: "step", round: 1, step: { type: "text-delta", text: "" } }]);
  // The CLI was started while the worker was, and is not needed any more.
  expect(prewarmed.map(({ aborted }) => aborted)).toEqual([true]);
});

test("the page tool is told of a call before it comes", async () => {
  const calls: unknown[] = [];
  const access = {
    mcpServers: {},
    called: ({ tool, urls }: { tool: string; urls?: readonly string[] }) => void calls.push([tool, urls]),
    spend() {},
    reads: async () => ({ pages: [], failures: [] }),
    close() {},
  };
  const pages = { open: async () => ({ access: async () => access, close() {} }) };
  const { ask } = mainThread(
    // biome-ignore lint/correctness/useYield: there is nothing to tell
    async function* () {
      return { ...result, durationMs: 1, queuedMs: 0 };
    },
    { pages },
  );
  await resultOf(ask("search", { query: "reads" }));
  expect(calls).toEqual([["read_page", ["https://a.org/"]]]);
});

test("the error of a run is told with its code, its reason and its cause", async () => {
  const { ask } = mainThread(async function* () {
    yield { type: "text-delta", text: "4" };
    const cause = Object.assign(new Error("socket"), { code: "ECONNRESET" });
    throw Object.assign(new Error("no network", { cause }), { code: "EXECUTION_ERROR", reason: "network" });
  });
  const error = await resultOf(ask("search", { query: "run" })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: "no network",
    code: "EXECUTION_ERROR",
    reason: "network",
    cause: { message: "socket", code: "ECONNRESET" },
  });
  expect(String((error as Error).stack)).not.toContain("isolated-ask");
});

test("the runs of one research say no more than so much together", async () => {
  let runs = 0;
  const play = async function* (): AgentRun {
    runs += 1;
    yield { type: "text-delta", text: "x".repeat(60) };
    return { ...result, durationMs: 1, queuedMs: 0 };
  };
  const { ask } = mainThread(play, { mostCharacters: 100 });
  await expect(resultOf(ask("search", { query: "twice" }))).rejects.toMatchObject({
    code: "EXECUTION_ERROR",
    reason: "output-limit",
  });
  expect(runs).toBe(2);
});

test("a worker that hangs is ended with its runs and its files", async () => {
  let running = 0;
  const { ask, files } = mainThread(async function* ({ signal }) {
    running += 1;
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    running -= 1;
    yield { type: "run-end", durationMs: 1 };
    throw new Error("cancelled");
  });
  await expect(resultOf(ask("search", { query: "hang" }))).rejects.toMatchObject({ reason: "reading" });
  expect(running).toBe(0);
  expect([...files]).toEqual([]);
});

test("who cancels is heard by the research, which ends in its own way", async () => {
  const { ask } = mainThread(async function* () {
    yield* [];
    throw new Error("not asked");
  });
  const enough = new AbortController();
  const run = resultOf(ask("search", { query: "wait", signal: enough.signal }), () => enough.abort());
  await expect(run).rejects.toMatchObject({ message: "stopped", code: "CANCELLED" });
});

test("long answers are handed over one at a time, and short ones do not wait for them", async () => {
  const of = (text: string) => ({ ...result, text, durationMs: 1, queuedMs: 0 });
  const texts = ["x".repeat(2_000_000), "y".repeat(2_000_000), "short"];
  const { ask } = mainThread(async function* () {
    yield* [];
    return of(texts.shift() ?? "");
  });
  const leave = await readers.longAnswers.enter();
  const read: string[] = [];
  const long = [1, 2].map(async () => {
    const { report } = (await resultOf(ask("search", { query: "run" }))) as unknown as { report: string };
    read.push(report[report.length - 2_000_000] ?? "");
  });
  await vi.waitUntil(() => texts.length === 1, { timeout: 30_000 });
  expect(await resultOf(ask("search", { query: "run" }))).toEqual({ report: "short" });
  expect(read).toEqual([]);
  leave();
  await Promise.all(long);
  expect(read.sort()).toEqual(["x", "y"]);
  // The last one has given its turn back.
  (await readers.longAnswers.enter())();
});
