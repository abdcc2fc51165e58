import assert from "node:assert/strict";
import type { RunEvent, Runner, RunResult } from "../runner.js";

/** What the model does with a prompt: says this, after a search if there is one; is silent; or the API refuses. */
export type Play =
  /** Says this, after one search where `searches` is there. */
  | { says: string; searches?: { query: string; finds: string } }
  | "is silent"
  | "refuses the key"
  | "has no quota today";

/** A runner under test, and the model behind it. */
export interface Harness {
  /** A runner whose model does with each prompt what `model` says, and whose `close` frees everything. */
  start(model: (prompt: string) => Play): Promise<{ runner: Runner; close(): Promise<void> }>;
}

/** One thing that a research takes for granted of its runner. */
export interface RunnerCheck {
  /** What holds, as a sentence. */
  title: string;
  /** Rejects with an `AssertionError` when it does not hold. */
  check(harness: Harness): Promise<void>;
}

/**
 * What a research takes for granted of its runner, whatever program is behind it. Whoever writes a runner for another
 * program gives a harness and runs these.
 *
 * @example
 * for (const { title, check } of runnerContract) test(title, () => check(harness));
 */
export const runnerContract: readonly RunnerCheck[] = [
  {
    title: "what it says that it can do has names to say it with",
    check: withRunner(
      () => ({ says: "Nothing." }),
      async ({ capabilities }) => {
        if (capabilities === undefined) return;
        const { search, read, files, mcpServers } = capabilities;
        for (const ability of [search, read, files]) {
          if (ability !== undefined) assert.match(ability.tool, /^\S+$/);
        }
        for (const kind of mcpServers) assert(["program", "endpoint"].includes(kind), `"${kind}" is no kind of server`);
      },
    ),
  },
  {
    title: "a run yields its start first, and returns the text; what else it tells are lists",
    check: withRunner(
      () => ({ says: "An answer." }),
      async (runner) => {
        const events: RunEvent[] = [];
        const result = await resultOf(runner.run({ prompt: "why?" }), (event) => events.push(event));
        assert.equal(events[0]?.type, "run-start");
        assert.equal(result.text, "An answer.");
        for (const list of [result.queries, result.sources, result.failures, result.models])
          assert(list === undefined || Array.isArray(list));
      },
    ),
  },
  {
    title: "a prompt reaches the model whole: commands, files and marks in it are text",
    async check(harness) {
      const prompt = "/quit\n@README.md $(id) `id` --flag {{query}} \"\\u0000\" 'ü漢🎉'\n\n".concat(
        "line\n".repeat(5_000),
        "end",
      );
      let got = "";
      const model = (text: string): Play => {
        got = text;
        return { says: "Read." };
      };
      await withRunner(model, (runner) => resultOf(runner.run({ prompt })))(harness);
      assert(got.includes(prompt), "the model got another prompt");
    },
  },
  {
    title: "a run begins when it is first read",
    async check(harness) {
      const asked: string[] = [];
      const model = (text: string): Play => {
        asked.push(text);
        return { says: "Late." };
      };
      const act = async (runner: Runner) => {
        const unread = runner.run({ prompt: "never read" });
        await resultOf(runner.run({ prompt: "read at once" }));
        await unread.return(undefined as never);
      };
      await withRunner(model, act)(harness);
      assert(!asked.some((text) => text.includes("never read")));
    },
  },
  {
    title: "two runs at once do not hear each other",
    check: withRunner(
      (prompt) => ({ says: prompt.includes("first") ? "One." : "Two." }),
      async (runner) => {
        const runs = ["the first", "the second"].map((prompt) => resultOf(runner.run({ prompt })));
        assert.deepEqual(
          (await Promise.all(runs)).map(({ text }) => text),
          ["One.", "Two."],
        );
      },
    ),
  },
  {
    title: "a record says what was searched and found; without one the lists are empty",
    check: withRunner(
      () => ({ says: "Found.", searches: { query: "tides", finds: "https://example.com/tides" } }),
      async (runner) => {
        const { recorded = false, queries = [], sources = [] } = await resultOf(runner.run({ prompt: "tides?" }));
        assert.deepEqual(queries, recorded ? ["tides"] : []);
        assert.deepEqual(
          sources.map(({ url }) => url),
          recorded ? ["https://example.com/tides"] : [],
        );
      },
    ),
  },
  {
    title: "an aborted signal ends a run with CANCELLED, also one that had not begun",
    check: withRunner(
      () => "is silent",
      async (runner) => {
        const stop = new AbortController();
        const onEvent = (event: RunEvent) => {
          if (event.type === "run-start") stop.abort();
        };
        const running = resultOf(runner.run({ prompt: "why?", signal: stop.signal }), onEvent);
        await assert.rejects(running, { code: "CANCELLED" });
        const late = resultOf(runner.run({ prompt: "why?", signal: stop.signal }));
        await assert.rejects(late, { code: "CANCELLED" });
      },
    ),
  },
  {
    title: "a run that is left early ends",
    check: withRunner(
      () => "is silent",
      async (runner) => {
        const run = runner.run({ prompt: "why?" });
        await run.next();
        await run.return(undefined as never);
        assert.equal((await run.next()).done, true);
      },
    ),
  },
  {
    title: "a run that takes longer than its time ends with the reason timeout",
    check: withRunner(
      () => "is silent",
      async (runner) => {
        const run = resultOf(runner.run({ prompt: "why?", timeoutMs: 3_000 }));
        await assert.rejects(run, { code: "EXECUTION_ERROR", reason: "timeout" });
      },
    ),
  },
  {
    title: "a refused key is AUTH_REQUIRED, and is not tried again",
    check: withRunner(
      () => "refuses the key",
      async (runner) => {
        const run = resultOf(runner.run({ prompt: "why?" }));
        await assert.rejects(run, { code: "AUTH_REQUIRED", retryable: false });
      },
    ),
  },
  {
    title: "a used-up day is QUOTA_EXCEEDED with the scope day, and is not tried again",
    check: withRunner(
      () => "has no quota today",
      async (runner) => {
        const run = resultOf(runner.run({ prompt: "why?" }));
        await assert.rejects(run, { code: "QUOTA_EXCEEDED", scope: "day", retryable: false });
      },
    ),
  },
  {
    title: "after a failure the next run works",
    check: withRunner(
      (prompt) => (prompt.includes("fail") ? "refuses the key" : { says: "Again." }),
      async (runner) => {
        await assert.rejects(resultOf(runner.run({ prompt: "fail" })));
        assert.equal((await resultOf(runner.run({ prompt: "work" }))).text, "Again.");
      },
    ),
  },
];

function withRunner(model: (prompt: string) => Play, act: (runner: Runner) => Promise<unknown>): RunnerCheck["check"] {
  return async (harness) => {
    const { runner, close } = await harness.start(model);
    try {
      await act(runner);
    } finally {
      await close();
    }
  };
}

/** Reads a run to its end. */
async function resultOf(run: ReturnType<Runner["run"]>, onEvent?: (event: RunEvent) => void): Promise<RunResult> {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    onEvent?.(step.value);
  }
}
