import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { ownProcess } from "@x/owned-files";
import { beforeAll, describe, expect, vi } from "vitest";
import { createGeminiRunner, type GeminiRunnerOptions, type RunEvent, type RunnerError } from "../../src/index.js";
import { removeAbandoned } from "../../src/process/workspace.js";
import { silence } from "../../src/testing/index.js";
import { buildLibrary } from "../library.js";
import { CLI, FAKE_CLI, gone, leftIn, lives, pidIn, test } from "../small-world.js";

type Step = Record<string, unknown>;

/** A runner of the fake CLI, and what its runs leave behind. */
async function fake(folder: string, options: GeminiRunnerOptions = {}) {
  const runner = createGeminiRunner({ command: FAKE_CLI, cwd: folder, retries: 0, killAfterMs: 200, ...options });
  return {
    runner,
    /** Reads a run to its end; `onEvent` may end it before. */
    async run(steps: Step[], request: object = {}, onEvent: (event: RunEvent) => void = () => {}) {
      const events: RunEvent[] = [];
      try {
        const run = runner.run({ prompt: JSON.stringify(steps), ...request });
        for (;;) {
          const step = await run.next();
          if (step.done) return { result: step.value, events };
          events.push(step.value);
          onEvent(step.value);
        }
      } catch (error) {
        return { error: error as RunnerError, events };
      }
    },
    nothingLeft(events: RunEvent[], ...more: number[]) {
      const pids = events.flatMap((event) => (event.type === "run-start" ? [event.pid] : []));
      expect(pids).toHaveLength(1);
      expect([...pids, ...more].filter(lives)).toEqual([]);
      expect(leftIn(folder)).toEqual([]);
    },
  };
}

/** A limit that leaves a process and its grandchild the time to start on a busy machine. */
const START_MS = 12_000;

describe.concurrent("a run that is ended leaves nothing", () => {
  test("by its timeout, although CLI and grandchild ignore signals [search/timeout]", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const pidFile = path.join(await temporaryFolder("pid"), "grandchild");
    const { run, nothingLeft } = await fake(folder, { timeoutMs: START_MS });
    const { error, events } = await run([{ stubborn: true }, { grandchild: pidFile }, { init: true }, { hang: true }]);
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      reason: "timeout",
      nextStep: "Raise timeoutMs to allow more.",
    });
    nothingLeft(events, await pidIn(pidFile));
  });

  test("by its idle timeout, which every word puts off", async ({ temporaryFolder }) => {
    const { run, nothingLeft } = await fake(await temporaryFolder("runs"), { idleTimeoutMs: 2_500 });
    const words = [1, 2, 3, 4].flatMap((n): Step[] => [{ say: String(n) }, { wait: 700 }]);
    const { error, events } = await run([...words, { hang: true }]);
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      reason: "idle",
      nextStep: "Raise idleTimeoutMs to allow more.",
    });
    expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(4);
    nothingLeft(events);
  });

  test("by a tool that does not answer", async ({ temporaryFolder }) => {
    const { run, nothingLeft } = await fake(await temporaryFolder("runs"), { toolTimeoutMs: 300 });
    const { error, events } = await run([{ call: "a" }, { answer: "a" }, { call: "b" }, { hang: true }]);
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      reason: "tool-timeout",
      nextStep: "Raise toolTimeoutMs to allow more.",
    });
    nothingLeft(events);
  });

  test("by its own failure, after which it does not end", async ({ temporaryFolder }) => {
    const { run, nothingLeft } = await fake(await temporaryFolder("runs"));
    const failed = { type: "result", status: "error", error: { message: "[API Error: terminated]" } };
    const { error, events } = await run([{ init: 1 }, { plain: `${JSON.stringify(failed)}\n` }, { hang: true }]);
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "network" });
    nothingLeft(events);
  });

  test("by its signal", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const pidFile = path.join(await temporaryFolder("pid"), "grandchild");
    const { run, nothingLeft } = await fake(folder);
    const stop = new AbortController();
    const steps = [{ grandchild: pidFile }, { say: "one" }, { hang: true }];
    const { error, events } = await run(steps, { signal: stop.signal }, ({ type }) => {
      if (type === "text-delta") stop.abort(new Error("enough"));
    });
    expect(error).toMatchObject({ code: "CANCELLED", cause: { message: "enough" } });
    nothingLeft(events, await pidIn(pidFile));
  });

  test("by the reader, who reads no further", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const { runner, nothingLeft } = await fake(folder);
    const events: RunEvent[] = [];
    for await (const event of runner.run({ prompt: JSON.stringify([{ say: "one" }, { hang: true }]) })) {
      events.push(event);
      if (event.type === "text-delta") break;
    }
    nothingLeft(events);
  });

  test("by close", async ({ temporaryFolder }) => {
    const { runner, run, nothingLeft } = await fake(await temporaryFolder("runs"));
    let closed: Promise<void> | undefined;
    const { error, events } = await run([{ say: "one" }, { hang: true }], {}, () => {
      closed ??= runner.close();
    });
    await closed;
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "closed" });
    nothingLeft(events);
  });

  test.for(["close", "its signal", "its timeout"])("by %s, while nobody reads it", async (end, { temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const stop = new AbortController();
    const { runner } = await fake(folder, end === "its timeout" ? { timeoutMs: START_MS } : {});
    const run = runner.run({ prompt: JSON.stringify([{ hang: true }]), signal: stop.signal });
    const { value: start } = await run.next();
    const pid = start !== undefined && "pid" in start ? start.pid : 0;
    expect(lives(pid)).toBe(true);
    if (end === "its signal") stop.abort();
    await (end === "close" ? runner.close() : gone(pid));
    expect(lives(pid)).toBe(false);
    await runner.close();
    expect(leftIn(folder)).toEqual([]);
  });

  test("by itself, with a grandchild that lives on", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const pidFile = path.join(await temporaryFolder("pid"), "grandchild");
    const { run, nothingLeft } = await fake(folder);
    const { result, events } = await run([{ grandchild: pidFile }, { say: "one" }, { result: "success" }, { exit: 0 }]);
    expect(result?.text).toBe("one");
    nothingLeft(events, await pidIn(pidFile));
  });

  test("for two reasons, of which the first wins", async ({ temporaryFolder }) => {
    // Both have come before the run is read on.
    const { runner } = await fake(await temporaryFolder("runs"), { timeoutMs: START_MS });
    const stop = new AbortController();
    const run = runner.run({ prompt: JSON.stringify([{ hang: true }]), signal: stop.signal });
    const { value: start } = await run.next();
    stop.abort();
    await delay(START_MS);
    await gone(start !== undefined && "pid" in start ? start.pid : 0);
    await expect(run.next()).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

test("a run ends with its program, although a process that it leaves holds its pipes", async ({ temporaryFolder }) => {
  const folder = await temporaryFolder("runs");
  const command = path.join(await temporaryFolder("bin"), "gemini");
  const pidFile = path.join(await temporaryFolder("pid"), "background");
  writeFileSync(command, `#!/bin/sh\nsleep 1000 &\necho $! > ${pidFile}\necho done\n`, { mode: 0o755 });
  const { run, nothingLeft } = await fake(folder, { command });
  const { result, events } = await run([]);
  expect(result?.text).toBe("done");
  nothingLeft(events, await pidIn(pidFile));
});

test("a run whose signal has fired already starts nothing", async ({ temporaryFolder }) => {
  const { run } = await fake(await temporaryFolder("runs"));
  const { error, events } = await run([{ say: "one" }], { signal: AbortSignal.abort() });
  expect(error).toMatchObject({ code: "CANCELLED" });
  expect(events).toEqual([]);
});

/** A program that starts a run, says which process it has, and waits. */
const program = (onSignal = "") => `
const [library, command, cwd, prompt, env] = process.argv.slice(1);
const { createGeminiRunner } = await import(library);
const runner = createGeminiRunner({ command, cwd, env: { ...process.env, ...JSON.parse(env) } });
${onSignal}try {
  for await (const event of runner.run({ prompt, model: "gemini-2.5-flash" })) {
    if (event.type === "run-start") console.log(event.pid);
    if (event.type === "text-delta") console.log(event.text);
  }
} catch (error) {
  console.log(error.reason);
}`;
/** What it does on SIGTERM, as a program that has work to save: once, because the second time it is to die. */
const CLOSES_ON_SIGTERM = `process.once("SIGTERM", async () => {
  await runner.close();
  console.log("saved");
});
`;

async function host(command: string, folder: string, prompt: string, env: object = {}, onSignal = "") {
  const args = [
    "--input-type=module",
    "-e",
    program(onSignal),
    "--",
    LIBRARY,
    command,
    folder,
    prompt,
    JSON.stringify(env),
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  return { child, pid: Number(await next()), word: next };
}

/** The command line of a process; empty for one that is gone. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

let LIBRARY = "";

beforeAll(async () => {
  LIBRARY = await buildLibrary("ending");
});

describe.concurrent("a run does not outlive the program that started it", () => {
  test.for(["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"] as const)("killed by %s", async (signal, { temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const pidFile = path.join(await temporaryFolder("pid"), "grandchild");
    const steps = [{ stubborn: true }, { grandchild: pidFile }, { say: "ready" }, { hang: true }];
    const { child, pid, word } = await host(FAKE_CLI, folder, JSON.stringify(steps));
    expect(await word()).toBe("ready");
    child.kill(signal);
    await once(child, "exit");
    expect(child.signalCode).toBe(signal);
    await gone(pid);
    await gone(await pidIn(pidFile));
    await vi.waitFor(() => expect(leftIn(folder)).toEqual([]), { timeout: 10_000 });
  });

  test("a program that ends by itself on SIGTERM does so, with its run", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const prompt = JSON.stringify([{ say: "ready" }, { hang: true }]);
    const { child, pid, word } = await host(FAKE_CLI, folder, prompt, {}, CLOSES_ON_SIGTERM);
    expect(await word()).toBe("ready");
    child.kill("SIGTERM");
    expect([await word(), await word()].toSorted()).toEqual(["closed", "saved"]);
    await gone(pid);
    expect(leftIn(folder)).toEqual([]);
  });

  test("a shell script instead of the CLI, killed by SIGTERM", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const script = path.join(await temporaryFolder("bin"), "gemini");
    const said = JSON.stringify({ type: "message", role: "assistant", content: "ready", delta: true });
    writeFileSync(script, `#!/bin/sh\ntrap "" TERM\necho '${said}'\nwhile :; do sleep 1; done\n`, { mode: 0o755 });
    const { child, pid, word } = await host(script, folder, "hello");
    expect(await word()).toBe("ready");
    child.kill("SIGTERM");
    await once(child, "exit");
    await gone(pid);
    expect(leftIn(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "a program that exits in the middle of a run of a shell script leaves no process, not even for a moment",
    async ({ temporaryFolder }) => {
      const folder = await temporaryFolder("runs");
      const script = path.join(await temporaryFolder("bin"), "gemini");
      const said = JSON.stringify({ type: "message", role: "assistant", content: "ready", delta: true });
      writeFileSync(script, `#!/bin/sh\necho '${said}'\nwhile :; do sleep 1; done\n`, { mode: 0o755 });
      const exits = 'process.once("SIGTERM", () => process.exit(0));\n';
      const { child, word } = await host(script, folder, "hello", {}, exits);
      expect(await word()).toBe("ready");
      child.kill("SIGTERM");
      await once(child, "exit");
      expect(
        readdirSync("/proc")
          .map(commandOf)
          .filter((command) => command.includes(folder)),
      ).toEqual([]);
      expect(leftIn(folder)).toEqual([]);
    },
  );

  test("the real CLI, killed by SIGKILL while the model thinks", async ({ temporaryFolder, world }) => {
    const { server } = await world(() => silence());
    const folder = await temporaryFolder("runs");
    const { child, pid } = await host(CLI, folder, "hello", server.env);
    await server.waitFor("main");
    child.kill("SIGKILL");
    await gone(pid);
    await vi.waitFor(() => expect(leftIn(folder)).toEqual([]), { timeout: 10_000 });
  });

  test("killed before its first process is there", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    // It hears of the folder of its run as soon as that is made.
    const dies = `const { watch } = await import("node:fs");
watch(cwd, (_, name) => name.startsWith("gemini-run-") && process.kill(process.pid, "SIGKILL"));
`;
    const args = ["--input-type=module", "-e", program(dies), "--", LIBRARY, FAKE_CLI, folder, "[]", "{}"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const said = textOf(child.stdout);
    await once(child, "exit");
    expect([child.signalCode, await said]).toEqual(["SIGKILL", ""]);
    await vi.waitFor(() => expect(leftIn(folder)).toEqual([]), { timeout: 10_000 });
  });

  test("started ahead, it ends by itself for want of its prompt", async ({ temporaryFolder }) => {
    const [folder, bin] = await Promise.all([temporaryFolder("runs"), temporaryFolder("bin")]);
    const command = path.join(bin, "gemini.mjs");
    const pidFile = path.join(bin, "pid");
    const says = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\n`;
    writeFileSync(command, `${says}await import(${JSON.stringify(FAKE_CLI)});`);
    const prewarms = `const [library, command, cwd] = process.argv.slice(1);
const { createGeminiRunner } = await import(library);
createGeminiRunner({ command, cwd }).prewarm();
setInterval(() => {}, 1_000);`;
    const args = ["--input-type=module", "-e", prewarms, "--", LIBRARY, command, folder];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const pid = await pidIn(pidFile);
    child.kill("SIGKILL");
    await gone(pid);
    // The watcher cleans up when it is gone.
    await vi.waitFor(() => expect(leftIn(folder)).toEqual([]), { timeout: 10_000 });
  });
});

test("the next run removes what killed processes have left, and nothing else", async ({ temporaryFolder }) => {
  const folder = await temporaryFolder("runs");
  const { pid, place, start } = ownProcess();
  const ended = spawn(process.execPath, ["-e", ""]);
  await once(ended, "exit");
  const long = new Date(Date.now() - 2 * 60 * 60 * 1_000);
  const names = {
    gone: `gemini-run-${ended.pid}-${place}-1-AbCdEf`,
    "its id is ours now": `gemini-run-${pid}-${place}-1-AbCdEf`,
    "of another container, long ago": `gemini-run-${pid}-7-1-AbCdEf`,
    ours: `gemini-run-${pid}-${place}-${start}-AbCdEf`,
    "of another container": `gemini-run-${ended.pid}-7-1-AbCdEf`,
    "of another container, talking": `gemini-run-${ended.pid}-7-2-AbCdEf`,
    "of somebody whose start is not known": `gemini-run-${pid}-${place}-0-AbCdEf`,
    "of something else": `gemini-run-${ended.pid}`,
  };
  for (const each of Object.values(names)) {
    mkdirSync(path.join(folder, each, "tmp"), { recursive: true });
    if (each === names["of another container, talking"]) writeFileSync(path.join(folder, each, "stdout"), "");
    if (each !== names["of another container"]) utimesSync(path.join(folder, each), long, long);
  }
  const { runner, run } = await fake(folder);
  expect((await run([{ say: "one" }, { result: "success" }])).result?.text).toBe("one");
  await runner.close();
  expect(leftIn(folder).toSorted()).toEqual(
    [
      names.ours,
      names["of another container"],
      names["of another container, talking"],
      names["of somebody whose start is not known"],
      names["of something else"],
    ].toSorted(),
  );
});

test("what bears our names and belongs to another user stays as it is", async ({ temporaryFolder }) => {
  const folder = await temporaryFolder("runs");
  const { pid, place } = ownProcess();
  mkdirSync(path.join(folder, `gemini-run-${pid}-${place}-1-AbCdEf`));
  const user = vi.spyOn(process, "geteuid").mockReturnValue(4_000_000);
  await removeAbandoned(folder);
  user.mockRestore();
  expect(leftIn(folder)).toHaveLength(1);
});
