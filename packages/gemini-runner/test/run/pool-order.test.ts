import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, expect, vi } from "vitest";
import { type RunnerError, resultOf } from "../../src/index.js";
import { type Login, silence, text } from "../../src/testing/index.js";
import { packageOf, sessionFolders, startOf } from "../pooled.js";
import { CLI, gone, leftIn, lives, pidIn, promise, SHELL_CLI, test } from "../small-world.js";

const model = "gemini-2.5-flash";

const ONE_AT_A_TIME = new URL("../fixtures/one-at-a-time.mjs", import.meta.url);

/** An endpoint that takes every request and answers none. */
async function startSilentEndpoint() {
  let waiting = 0;
  const server = createServer((_, response) => {
    waiting++;
    response.on("close", () => waiting--);
  });
  const asked = once(server, "request");
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    /** How many requests have not been given up. */
    waiting: () => waiting,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe.concurrent("what a run waits for, others do not", () => {
  test("an MCP server that does not answer", async ({ world, onTestFinished }) => {
    const endpoint = await startSilentEndpoint();
    onTestFinished(() => endpoint.close());
    const { run, failureOf } = await world(() => text("ok"), { pool: true });
    const stop = new AbortController();
    const pages = { url: endpoint.url, includeTools: ["read_page"], timeoutMs: 60_000 };
    const request = { prompt: "this one waits", model, tools: [], mcpServers: { pages } };
    const waiting = failureOf({ ...request, signal: stop.signal });
    await endpoint.asked;
    const { result, events } = await run({ prompt: "hello", model });
    expect(result.text).toBe("ok");
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    expect(endpoint.waiting(), "its server is still waited for").toBe(1);
    stop.abort();
    expect((await waiting).code).toBe("CANCELLED");
  });

  test("a run that is cancelled waits for no process that is still to begin", async ({ world, temporaryFolder }) => {
    const folder = await temporaryFolder("gemini-cli");
    const pidFile = path.join(folder, "pid");
    const program = `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
setInterval(() => {}, 1000);`;
    const command = await packageOf(program, folder);
    const { failureOf, runner } = await world(() => undefined, { command, pool: true });
    const stop = new AbortController();
    const cancelled = failureOf({ prompt: "hello", model, signal: stop.signal });
    const pid = await pidIn(pidFile);
    stop.abort();
    expect((await cancelled).code).toBe("CANCELLED");
    expect(lives(pid), "it goes on to begin").toBe(true);
    await runner.close();
    expect(lives(pid)).toBe(false);
  });

  test("its own process, longer than its time allows", async ({ world }) => {
    const places = 2 * os.availableParallelism();
    const { runner, run } = await world(() => undefined, { command: SHELL_CLI, pool: { sessions: places + 1 } });
    const stop = new AbortController();
    const { resolve: taken, promise: allTaken } = promise();
    let started = 0;
    const others = Array.from({ length: places }, () =>
      resultOf(runner.run({ prompt: "sleep 600", signal: stop.signal }), ({ type }) => {
        if (type === "run-start" && ++started === places) taken();
      }).catch((error: RunnerError) => error),
    );
    await allTaken;
    await expect(run({ prompt: "echo hello", timeoutMs: 300 })).rejects.toMatchObject({ reason: "timeout" });
    stop.abort();
    for (const error of await Promise.all(others)) expect(error).toMatchObject({ code: "CANCELLED" });
  });
});

describe.concurrent("processes of a pool", () => {
  test("leave no folder when the runner is closed while sessions are opened", async ({ world }) => {
    const { run, runner, folder } = await world(() => silence(), { pool: true });
    const runs = Array.from({ length: 16 }, () => run({ prompt: "hello", model }));
    const ended = Promise.allSettled(runs);
    // The first of them have a folder then, the last wait for their turn.
    await vi.waitFor(() => expect(sessionFolders(folder).length).toBeGreaterThan(3), 90_000);
    await runner.close();
    expect(leftIn(folder)).toEqual([]);
    await ended;
    expect(leftIn(folder)).toEqual([]);
  });

  test("are not begun by what was asked for before the runner was closed", async ({ world }) => {
    const [closed, other] = await Promise.all([world(() => text("ok"), { pool: true }), world(() => text("ok"))]);
    closed.runner.prewarm({ model });
    await closed.runner.close();
    const made: (string | null)[] = [];
    const watcher = watch(closed.folder, (_, name) => made.push(name));
    // As long as a process would need to begin.
    await other.run({ prompt: "hello", model });
    watcher.close();
    expect(made).toEqual([]);
    expect(leftIn(closed.folder)).toEqual([]);
  });

  test("end with the runner, and with them the sixteen runs that go on", async ({ world }) => {
    const { run, runner, server, folder } = await world(() => silence(), { pool: true });
    const pids = new Set<number>();
    const runs = Array.from({ length: 16 }, async () => {
      for await (const event of runner.run({ prompt: "hello", model })) {
        if (event.type === "run-start") pids.add(event.pid);
      }
    });
    await server.waitFor(() => server.requests.length === runs.length);
    const ended = Promise.allSettled(runs);
    await runner.close();
    expect(pids.size, "processes").toBe(1);
    expect([...pids].map(lives)).toEqual([false]);
    expect(leftIn(folder)).toEqual([]);
    const reasons = (await ended).map((end) => (end.status === "rejected" ? end.reason.reason : "answered"));
    expect(new Set(reasons)).toEqual(new Set(["closed"]));
    await expect(run("hello")).rejects.toMatchObject({ reason: "closed" });
  });

  test("are no more than they may be, however many runs there are, which may say less than the CLI says of itself", async ({
    world,
  }) => {
    const limits = { pool: { processes: 1, sessions: 2 }, maxConcurrent: 6, maxOutputBytes: 2_000 };
    const { run } = await world(() => text("ok"), limits);
    const all = await Promise.all(Array.from({ length: 6 }, () => run({ prompt: "hello", model })));
    expect(new Set(all.map(({ events }) => startOf(events).pid)).size).toBe(1);
  });

  test("are replaced before they are missed: no run waits for the next one to start", async ({ world }) => {
    const { run, failureOf, server } = await world(({ prompt }) => (prompt.includes("long") ? silence() : text("ok")), {
      pool: { maxRuns: 2 },
    });
    const stop = new AbortController();
    const long = failureOf({ prompt: "a long one", model, signal: stop.signal });
    await server.waitFor(({ prompt }) => prompt.includes("long"));
    const starts: { pid: number; warm: boolean }[] = [];
    const pids = new Set<number>();
    while (pids.size < 2) {
      const start = startOf((await run({ prompt: "hello", model })).events);
      starts.push(start);
      pids.add(start.pid);
    }
    expect(starts.filter(({ warm }) => !warm)).toEqual([]);
    const [first = 0] = pids;
    expect(lives(first), "it serves the long one").toBe(true);
    stop.abort();
    expect((await long).code).toBe("CANCELLED");
    await gone(first);
  });

  test.for<Login>(["vertex", "enterprise", "enterprise-without-previews"])(
    "serve several runs by every way of signing in: %s",
    async (login, { world }) => {
      const warnings: string[] = [];
      const options = { pool: true, onWarning: (message: string) => warnings.push(message) };
      const { run } = await world(({ kind }) => (kind === "main" ? text("ok") : undefined), options, login);
      const all = await Promise.all([1, 2].map(() => run({ prompt: "hello", model })));
      expect(new Set(all.map(({ events }) => startOf(events).pid)).size).toBe(1);
      expect(warnings).toEqual([]);
    },
  );
});

/** A program that begins with this, and then is the real CLI. */
const realAfter = (start: string) => `${start}\nawait import(${JSON.stringify(CLI)});`;

/** Ends itself, and only the first time that it is called. */
const diesOnce = (mark: string) => `import { writeFileSync } from "node:fs";
function dieOnce() {
  try {
    writeFileSync(${JSON.stringify(mark)}, "", { flag: "wx" });
  } catch {
    return;
  }
  process.kill(process.pid, "SIGKILL");
}`;

describe.concurrent("a process that somebody kills before it serves is started again:", () => {
  test.for([
    ["as it starts", "dieOnce();"],
    [
      "as it opens its first session",
      `const { parse } = JSON;
JSON.parse = (...given) => {
  if (String(given[0]).includes('"session/new"')) dieOnce();
  return parse(...given);
};`,
    ],
  ] as const)("%s", async ([, then], { world, temporaryFolder }) => {
    const folder = await temporaryFolder("gemini-cli");
    const start = `${diesOnce(path.join(folder, "died"))}\n${then}`;
    const command = await packageOf(realAfter(start), folder);
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const { run, runner, folder: runs } = await world(() => text("ok"), { command, pool: true, onWarning });
    const all = await Promise.all([1, 2].map(() => run({ prompt: "hello", model })));
    const again = await run({ prompt: "hello", model });
    expect(new Set([...all, again].map(({ events }) => startOf(events).pid)).size, "processes").toBe(1);
    expect(startOf(again.events).warm).toBe(true);
    expect(all.flatMap(({ events }) => events.filter(({ type }) => type === "warning"))).toEqual([]);
    expect([existsSync(path.join(folder, "died")), warnings]).toEqual([true, []]);
    await runner.close();
    expect(leftIn(runs)).toEqual([]);
  });
});

describe.concurrent("a CLI that cannot serve several runs", () => {
  test("is tried twice when it ends, however many runs wait for it, and then not again for some time", async ({
    world,
    temporaryFolder,
  }) => {
    const folder = await temporaryFolder("gemini-cli");
    const log = path.join(folder, "starts");
    const program = (await readFile(ONE_AT_A_TIME, "utf8")).replace("REFUSES;", '["--acp"];');
    const counts = `import { appendFileSync } from "node:fs";
if (process.argv.includes("--acp")) appendFileSync(${JSON.stringify(log)}, "x");`;
    const command = await packageOf(`${counts}\n${program}`, folder);
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const { run } = await world(() => undefined, { command, pool: true, onWarning });
    for (let i = 0; i < 2; i++) await Promise.all([1, 2, 3].map(() => run({ prompt: "hello", model })));
    expect(await readFile(log, "utf8")).toBe("xx");
    expect(warnings).toEqual([expect.stringContaining("Each has one of its own")]);
  });

  const cannot = [
    ["does not speak the protocol", ["--acp"]],
    ["refuses the first message", ["initialize", "refuses"]],
    ["opens no session", ["session/new", "refuses"]],
    ["dies as it opens a session", ["session/new", "dies"]],
  ] as const;
  test.for(cannot)(
    "as it %s: each has its own process, and one warning says so",
    async ([, refuses], { world, temporaryFolder }) => {
      const program = await readFile(ONE_AT_A_TIME, "utf8");
      const command = await packageOf(
        program.replace("REFUSES;", `${JSON.stringify(refuses)};`),
        await temporaryFolder("gemini-cli"),
      );
      const warnings: string[] = [];
      const { run, runner, folder } = await world(() => undefined, {
        command,
        pool: true,
        onWarning: (message) => warnings.push(message),
      });
      const pids = new Set<number>();
      for (let i = 0; i < 3; i++) {
        const { result, events } = await run({ prompt: "hello", model });
        expect(result.text).toBe("ok");
        expect(events.filter(({ type }) => type === "warning")).toEqual([]);
        pids.add(startOf(events).pid);
      }
      expect(pids.size, "processes").toBe(3);
      expect(warnings).toEqual([expect.stringContaining("Each has one of its own")]);
      await runner.close();
      expect(leftIn(folder)).toEqual([]);
    },
  );
});
