import { execFile } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { readSignIn } from "../../src/cli/sign-in.js";
import { createGeminiRunner, type RunnerError } from "../../src/index.js";
import type { CliRun } from "../../src/process/cli-run.js";
import { treeExists } from "../../src/process/process-tree.js";
import { createSessionFolder } from "../../src/process/session-folder.js";
import { type Answer, answerOf } from "../../src/run/answer.js";
import { Transcript } from "../../src/run/transcript.js";
import { gone, leftIn, lives, SHELL_CLI, test } from "../small-world.js";

// Where a file system hangs nothing can be stopped, and what waits for it must not hang with it. The clock is the test's.

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const STEP_MS = 5_000;

/** What comes of it within that time of the clock, or `undefined`. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | undefined> {
  let came: { value: T } | undefined;
  void coming.then((value) => {
    came = { value };
  });
  for (let passedMs = 0; came === undefined && passedMs < ms; passedMs += STEP_MS) {
    vi.advanceTimersByTime(STEP_MS);
    // What does not wait for this clock goes on.
    await delay(5);
  }
  return came?.value;
}

/** Resolves when our own process has heard of its end. */
async function reaped(pid: number): Promise<void> {
  while (treeExists(pid)) await delay(5);
}

/** From now on no file can be read or written: each thread that would do it waits for a writer of a pipe. Gives what ends that. */
async function hangFiles(pipe: string): Promise<() => Promise<void>> {
  await promisify(execFile)("mkfifo", [pipe]);
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);
  const waiting = Array.from({ length: threads }, () => open(pipe, "r"));
  return async () => {
    const writer = openSync(pipe, "r+");
    await Promise.all(waiting.map(async (file) => (await file).close()));
    closeSync(writer);
  };
}

test.skipIf(process.platform === "win32").for([
  ["its time", "timeout", { timeoutMs: 60_000 }],
  [
    "its silence, where it has all the time there is",
    "idle",
    { timeoutMs: Number.POSITIVE_INFINITY, idleTimeoutMs: 60_000 },
  ],
] as const)(
  "a run whose files cannot be read any more ends with %s, and what could not be removed is told, and removed later",
  async ([, reason, limits], { temporaryFolder }) => {
    const [cwd, own] = [await temporaryFolder("runs"), await temporaryFolder("own")];
    const end = path.join(own, "end");
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd, retries: 0, ...limits, onWarning });
    const run = runner.run({ prompt: `until [ -e '${end}' ]; do sleep 0.02; done; echo done` });
    const first = await run.next();
    const { pid } = first.value as { pid: number };
    const failed = run.next().then(
      () => undefined,
      (error: RunnerError) => error,
    );
    const release = await hangFiles(path.join(own, "pipe"));
    try {
      writeFileSync(end, "");
      await gone(pid);
      expect(await within(240_000, failed)).toMatchObject({ code: "EXECUTION_ERROR", reason });
      expect(warnings).toEqual([expect.stringMatching(/^The folder of a run could not be removed: .*longer than/)]);
      expect(leftIn(cwd)).toHaveLength(1);
    } finally {
      await release();
    }
    await vi.waitFor(() => expect(leftIn(cwd)).toEqual([]), 30_000);
    await runner.close();
  },
);

/** A run whose CLI has said that it failed, of which 3 s are left to it; it ends as soon as there is the file `end`. */
async function failedRun(temporaryFolder: (name: string) => Promise<string>) {
  const [cwd, own] = [await temporaryFolder("runs"), await temporaryFolder("own")];
  const end = path.join(own, "end");
  const runner = createGeminiRunner({ command: SHELL_CLI, cwd, retries: 0, idleTimeoutMs: 20_000 });
  const says = ['{"type":"error","message":"no"}', '{"type":"result","status":"error","stats":{}}'];
  const prompt = `printf '%s\\n' '${says.join("' '")}'; until [ -e '${end}' ]; do sleep 0.02; done; exit 53`;
  const run = runner.run({ prompt });
  const first = await run.next();
  const { pid } = first.value as { pid: number };
  // With it comes the result, of which nothing is told.
  expect((await run.next()).value).toMatchObject({ type: "warning" });
  const failed = run.next().catch((error: RunnerError) => error);
  return { runner, own, end, pid, failed };
}

test.skipIf(process.platform === "win32")(
  "a CLI that has ended in time is not late because the rest of the run takes long",
  async ({ temporaryFolder }) => {
    const { runner, own, end, pid, failed } = await failedRun(temporaryFolder);
    const release = await hangFiles(path.join(own, "pipe"));
    try {
      writeFileSync(end, "");
      await reaped(pid);
      expect(await within(25_000, failed)).toBeUndefined();
    } finally {
      await release();
    }
    expect(await failed).toMatchObject({ reason: "turns", exitCode: 53 });
    await runner.close();
  },
);

// Elsewhere nothing says of a process that it has ended, as long as we have not heard of it.
test.runIf(process.platform === "linux")(
  "a CLI that has ended while we did nothing is not late, although its time has passed by then",
  async ({ temporaryFolder }) => {
    const { runner, end, pid, failed } = await failedRun(temporaryFolder);
    // Timers come first in a turn of the loop, then what came in meanwhile.
    await delay(0);
    writeFileSync(end, "");
    while (lives(pid));
    vi.advanceTimersByTime(25_000);
    expect(await failed).toMatchObject({ reason: "turns", exitCode: 53 });
    await runner.close();
  },
);

test.skipIf(process.platform === "win32")(
  "a session of a shared process does not wait for its folder for ever either",
  async ({ temporaryFolder }) => {
    const home = await temporaryFolder("process");
    const signIn = await readSignIn({ HOME: home });
    const grants = { tools: [], mcpServers: {}, files: [] };
    const folder = await createSessionFolder(home, "1", { folders: [], grants, signIn });
    const release = await hangFiles(path.join(home, "pipe"));
    try {
      const failed = folder.remove("session").catch((error: Error) => error.message);
      expect(await within(60_000, failed)).toMatch(/longer than/);
    } finally {
      await release();
    }
    await vi.waitFor(() => expect(leftIn(path.join(home, "sessions"))).toEqual([]), 30_000);
  },
);

test("an answer whose record cannot be read comes without it", async () => {
  const transcript = new Transcript(undefined);
  transcript.addPlain("the answer");
  const cli = { version: undefined, record: () => new Promise<never>(() => {}) };
  const answer: Promise<Answer> = answerOf(transcript, { exitCode: 0 }, cli as unknown as CliRun);
  expect(await within(60_000, answer)).toMatchObject({ text: "the answer", recorded: false });
});
