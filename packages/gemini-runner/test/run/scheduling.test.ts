import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { createGeminiRunner, type GeminiRunnerOptions, type RunEvent, resultOf } from "../../src/index.js";
import type { CliRun } from "../../src/process/cli-run.js";
import { WarmPool } from "../../src/run/warm-pool.js";
import { fetchPage, filler, grounded, huge, page, search, text } from "../../src/testing/index.js";
import { FAKE_CLI, leftIn, promise, promptOf, SHELL_CLI, test } from "../small-world.js";

const says = (...events: object[]) => events.map((event) => `printf '%s\\n' '${JSON.stringify(event)}'`).join("; ");
const message = (words: string) => ({ type: "message", role: "assistant", content: words });
const answer = (words: string) => says(message(words), { type: "result", status: "success" });
const fails = (exitCode: number, words: string) => `echo '${words}' >&2; exit ${exitCode}`;

function fake(cwd: string, options: GeminiRunnerOptions = {}) {
  return createGeminiRunner({ command: SHELL_CLI, cwd, retries: 0, ...options });
}

describe.concurrent("the queue", () => {
  test("runs no more than are allowed, the others in the order they came", async ({ temporaryFolder }) => {
    const runner = fake(await temporaryFolder("runs"), { maxConcurrent: 2 });
    const log: string[] = [];
    let now = 0;
    let most = 0;
    const runs = ["a", "b", "c", "d", "e"].map(async (name) => {
      const result = await resultOf(runner.run({ prompt: answer(name) }), ({ type }) => {
        if (type === "run-start") {
          log.push(name);
          most = Math.max(most, ++now);
        }
        if (type === "run-end") now--;
      });
      return result;
    });
    const results = await Promise.all(runs);
    expect(results.map((result) => result.text)).toEqual(["a", "b", "c", "d", "e"]);
    expect(log.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect(log.slice(0, 2).toSorted()).toEqual(["a", "b"]);
    expect(most).toBeLessThanOrEqual(2);
    expect(results[0]?.queuedMs).toBeLessThan(results[4]?.queuedMs ?? 0);
    await runner.close();
  });

  test("lets go of a run that is cancelled while it waits, and of its place", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const runner = fake(folder, { maxConcurrent: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const holds = resultOf(
      runner.run({ prompt: `${says(message("x"))}; exec sleep 60`, signal: first.signal }),
      ({ type }) => {
        if (type === "text-delta") second.abort();
      },
    );
    const waits = resultOf(runner.run({ prompt: answer("b"), signal: second.signal }));
    const next = resultOf(runner.run({ prompt: answer("c") }));
    await expect(waits).rejects.toMatchObject({ code: "CANCELLED" });
    first.abort();
    await expect(holds).rejects.toMatchObject({ code: "CANCELLED" });
    expect((await next).text).toBe("c");
    expect(leftIn(folder)).toEqual([]);
  });
});

test.for([{ timeoutMs: Number.NaN }, { idleTimeoutMs: -1 }, { maxConcurrent: 0 }, { retries: -1 }])(
  "a runner with %j is refused",
  (options) => {
    const [[name]] = Object.entries(options) as [[string, number]];
    expect(() => createGeminiRunner(options)).toThrow(
      expect.objectContaining({ code: "EXECUTION_ERROR", reason: "input" }),
    );
    expect(() => createGeminiRunner(options)).toThrow(new RegExp(`^${name} is expected`));
  },
);

test("a run may have all the time there is", async ({ temporaryFolder }) => {
  const runner = fake(await temporaryFolder("runs"), { timeoutMs: Number.POSITIVE_INFINITY, idleTimeoutMs: 2 ** 40 });
  expect((await resultOf(runner.run({ prompt: answer("a") }))).text).toBe("a");
});

describe.concurrent("a process that is started ahead", () => {
  test("takes the next prompt of its kind, is ended by its signal or by close, and has asked nothing, with the real CLI", async ({
    world,
  }) => {
    const { runner, run, server, folder } = await world((call) => {
      if (call.kind === "search") return grounded("found");
      if (call.kind === "fetch") return page("read");
      if (call.turn === 0) return [search("tides"), fetchPage("http://93.184.215.14/")];
      return huge(400_000);
    });
    const model = "gemini-3.8-flash";
    const prompt = "  blanks around, quotes \" ' ` \\ \\@ and\nnew\r\nlines\ttabs @./ \n\n";
    const unused = new AbortController();
    runner.prewarm({ model, signal: unused.signal });
    const used = run({ prompt, model });
    await server.waitFor("main");
    runner.prewarm({ model: "pro", signal: unused.signal });
    unused.abort();
    const { result, events } = await used;
    expect(events[0]).toMatchObject({ type: "run-start", warm: true, version: "0.61.0" });
    expect(result.text === filler(400_000), "the answer whole, although a signal ended what was not used").toBe(true);
    expect(server.requests.map(({ kind }) => kind).toSorted()).toEqual(["fetch", "main", "main", "search"]);
    expect(server.requests[0]?.tools).toHaveLength(2);
    expect(promptOf(server.requests[0]), "the prompt").toBe(prompt);
    while (leftIn(folder).length > 0) await delay(10);

    runner.prewarm({ model, signal: unused.signal });
    for await (const event of runner.run({ prompt: "again", model })) {
      expect(event).toMatchObject({ type: "run-start", warm: false });
      break;
    }

    runner.prewarm();
    while (leftIn(folder).length === 0) await delay(10);
    await delay(300);
    await runner.close();
    expect(leftIn(folder), "what close leaves").toEqual([]);
    expect(server.requests, "what processes ahead of their prompt asked").toHaveLength(4);
  });

  test("that has ended meanwhile is not taken, and leaves nothing", async ({ temporaryFolder }) => {
    const bin = await temporaryFolder("bin");
    const [command, ran] = [path.join(bin, "gemini"), path.join(bin, "ran")];
    writeFileSync(command, `#!/bin/sh\necho > ${ran}\nexit 41\n`, { mode: 0o755 });
    const folder = await temporaryFolder("runs");
    const runner = createGeminiRunner({ command, cwd: folder });
    runner.prewarm();
    while (!existsSync(ran) || leftIn(folder).length > 0) await delay(5);
    const events: RunEvent[] = [];
    const run = resultOf(runner.run({ prompt: "hello" }), (event) => events.push(event));
    await expect(run).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
    expect(events).toEqual([expect.objectContaining({ type: "run-start", warm: false })]);
  });

  test("that has died is not waited for: the next run starts a new one, and close waits until all of it is gone", async () => {
    const log: string[] = [];
    const end = promise();
    const dead = { exited: true, over: end.promise, hold() {}, release() {} } as CliRun;
    const pool = new WarmPool(1, () => end.promise.then(() => void log.push("gone")));
    pool.add("kind", async () => dead);
    const taken = pool.take("kind").then((process) => log.push(process === undefined ? "none" : "dead"));
    await new Promise(setImmediate);
    const closed = pool.close().then(() => log.push("closed"));
    await new Promise(setImmediate);
    end.resolve();
    await Promise.all([taken, closed]);
    expect(log).toEqual(["none", "gone", "closed"]);
  });

  test.for([
    ["is killed", 'process.kill(process.pid, "SIGKILL")'],
    ["is told to end, as which the CLI exits with 0 and says nothing", "process.exit(0)"],
  ])("that %s when it gets its prompt is replaced by another, once", async ([, ends], { temporaryFolder }) => {
    const [folder, cli] = await Promise.all([temporaryFolder("runs"), temporaryFolder("cli")]);
    const command = path.join(cli, "gemini.mjs");
    const left = path.join(cli, "how-often");
    writeFileSync(path.join(cli, "package.json"), '{"name":"@google/gemini-cli","version":"0.61.0"}');
    writeFileSync(
      command,
      `import { readFileSync, writeFileSync } from "node:fs";
const left = Number(readFileSync(${JSON.stringify(left)}, "utf8"));
writeFileSync(${JSON.stringify(left)}, String(left - 1));
if (left > 0) process.stdin.on("end", () => ${ends}).resume();
else await import(${JSON.stringify(FAKE_CLI)});`,
    );
    const runner = createGeminiRunner({ command, cwd: folder });
    const runs: [RunEvent[], string][] = [];
    for (const times of [1, 2]) {
      writeFileSync(left, String(times));
      const events: RunEvent[] = [];
      runner.prewarm();
      const prompt = JSON.stringify([{ say: "a" }, { result: "success" }]);
      const run = resultOf(runner.run({ prompt }), (event) => events.push(event));
      runs.push([
        events,
        await run.then(
          ({ text: words }) => words,
          ({ reason }) => reason,
        ),
      ]);
    }
    expect(runs).toEqual([
      [
        [
          expect.objectContaining({ type: "run-start", warm: true }),
          expect.objectContaining({ type: "warning", message: expect.stringMatching(/gone before it began/) }),
          expect.objectContaining({ type: "run-start", warm: false }),
          { type: "text-delta", text: "a" },
          expect.objectContaining({ type: "run-end" }),
        ],
        "a",
      ],
      [
        [
          expect.objectContaining({ type: "run-start", warm: true }),
          expect.objectContaining({ type: "warning" }),
          expect.objectContaining({ type: "run-start", warm: false }),
        ],
        "crash",
      ],
    ]);
    expect(leftIn(folder)).toEqual([]);
    await runner.close();
  });

  test("that is not signed in says no more than the next one", async ({ temporaryFolder }) => {
    const command = path.join(await temporaryFolder("bin"), "gemini");
    writeFileSync(command, '#!/bin/sh\ncat > /dev/null\necho "Invalid auth method selected." >&2\nexit 41\n', {
      mode: 0o755,
    });
    const runner = createGeminiRunner({ command, cwd: await temporaryFolder("runs") });
    runner.prewarm();
    const events: RunEvent[] = [];
    const run = resultOf(runner.run({ prompt: "hello" }), (event) => events.push(event));
    await expect(run).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
      message: "Gemini CLI is not signed in",
      stderr: "",
    });
    expect(events.map(({ type }) => type)).toEqual(["run-start", "run-start"]);
    await runner.close();
  });

  test("that could not start is reported by the run that wants it", async ({ world }) => {
    const { runner, failureOf } = await world(() => text("done"), { command: "/nowhere/gemini" });
    runner.prewarm({ model: "gemini-2.5-flash" });
    expect(await failureOf("hello")).toMatchObject({ code: "CLI_NOT_FOUND" });
  });
});

const UNREACHABLE = fails(1, "TypeError: fetch failed");

describe.concurrent("a run that failed for the moment", () => {
  test("is not tried again when the API asks for a longer wait than anyone would", async ({ temporaryFolder }) => {
    const runner = fake(await temporaryFolder("runs"), { retries: 2, sleep: () => expect.fail("waits") });
    const prompt = fails(173, "RetryableQuotaError: You exceeded your current quota. Please retry in 20s.");
    const events: RunEvent[] = [];
    const run = resultOf(runner.run({ prompt }), (event) => events.push(event));
    await expect(run).rejects.toMatchObject({ code: "QUOTA_EXCEEDED", retryable: true, retryAfterMs: 20_000 });
    expect(events.map(({ type }) => type)).toEqual(["run-start"]);
  });

  test("is tried again after the wait that the API asks for", async ({ temporaryFolder }) => {
    const waits: number[] = [];
    const runner = fake(await temporaryFolder("runs"), { retries: 2, sleep: async (ms) => void waits.push(ms) });
    const tried = path.join(await temporaryFolder("tried"), "once");
    const refused = fails(173, "RetryableQuotaError: You exceeded your current quota. Please retry in 3s.");
    const prompt = `if [ -e '${tried}' ]; then ${answer("a")}; else touch '${tried}'; ${refused}; fi`;
    expect((await resultOf(runner.run({ prompt }))).text).toBe("a");
    expect(waits).toEqual([3_000]);
  });

  test("is tried again as often as allowed, after a wait that doubles", async ({ temporaryFolder }) => {
    const waits: number[] = [];
    const events: RunEvent[] = [];
    const runner = fake(await temporaryFolder("runs"), { retries: 2, sleep: async (ms) => void waits.push(ms) });
    const run = resultOf(runner.run({ prompt: UNREACHABLE }), (event) => events.push(event));
    await expect(run).rejects.toMatchObject({ code: "EXECUTION_ERROR", reason: "network", retryable: true });
    expect(waits).toEqual([1_000, 2_000]);
    expect(events.map(({ type }) => type)).toEqual(["run-start", "warning", "run-start", "warning", "run-start"]);
  });

  test("waits no longer than its signal allows", async ({ temporaryFolder }) => {
    const stop = new AbortController();
    const runner = fake(await temporaryFolder("runs"), { retries: 5 });
    const run = resultOf(runner.run({ prompt: UNREACHABLE, signal: stop.signal }), ({ type }) => {
      if (type === "warning") stop.abort();
    });
    await expect(run).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("is tried again although its process was suspended for longer than it may last", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const again = path.join(folder, "again");
    const prompt = `if [ -e '${again}' ]; then ${answer("a")}; else touch '${again}'; ${fails(1, "fetch failed")}; fi`;
    let suspendedMs = 0;
    const now = () => performance.now() + suspendedMs;
    const runner = fake(folder, { retries: 1, timeoutMs: 60_000, sleep: async () => {}, now });
    const { text, durationMs } = await resultOf(runner.run({ prompt }), ({ type }) => {
      if (type === "run-start") suspendedMs += 65_000;
    });
    expect(text).toBe("a");
    expect(durationMs).toBeGreaterThan(130_000);
  });

  test("is not tried again for a sign-in", async ({ temporaryFolder }) => {
    const runner = fake(await temporaryFolder("runs"), { retries: 5 });
    const events: RunEvent[] = [];
    const run = resultOf(runner.run({ prompt: fails(41, "Please set an Auth method") }), (event) => events.push(event));
    await expect(run).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
    expect(events).toHaveLength(1);
  });
});
