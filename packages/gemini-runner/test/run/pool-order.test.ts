import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import type { RunEvent } from "../../src/index.js";
import { grounded, search, silence, text } from "../../src/testing/index.js";
import { gone, lives, pidIn, SHELL_CLI, test } from "../small-world.js";

const model = "gemini-2.5-flash";

function startOf(events: readonly RunEvent[]): { pid: number; warm: boolean } {
  const start = events.find(({ type }) => type === "run-start");
  return start?.type === "run-start" ? start : { pid: 0, warm: false };
}

/** An endpoint that takes every request and answers none. */
async function startSilentEndpoint() {
  const server = createServer(() => {});
  const asked = once(server, "request");
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
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
    const { run, failureOf, server } = await world(() => text("ok"), { pool: true });
    const stop = new AbortController();
    const pages = { url: endpoint.url, includeTools: ["read_page"], timeoutMs: 60_000 };
    const request = { prompt: "this one waits", model, tools: [], mcpServers: { pages } };
    const waiting = failureOf({ ...request, signal: stop.signal });
    await endpoint.asked;
    const { result, events } = await run({ prompt: "hello", model });
    expect(result.text).toBe("ok");
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    expect(server.requests.filter(({ prompt }) => prompt.includes("this one waits"))).toEqual([]);
    stop.abort();
    expect((await waiting).code).toBe("CANCELLED");
  });

  test("a run that is cancelled waits for no process that is still to begin", async ({ world, temporaryFolder }) => {
    const folder = await temporaryFolder("gemini-cli");
    const [command, pidFile] = [path.join(folder, "gemini.js"), path.join(folder, "pid")];
    const manifest = { name: "@google/gemini-cli", version: "0.61.0", type: "commonjs", bin: { gemini: "gemini.js" } };
    await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
    const program = `require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;
    await writeFile(command, program);
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
    const { failureOf, run } = await world(() => undefined, { command: SHELL_CLI, pool: { sessions: places + 1 } });
    const stop = new AbortController();
    const others = Array.from({ length: places }, () => failureOf({ prompt: "sleep 600", signal: stop.signal }));
    await expect(run({ prompt: "echo hello", timeoutMs: 300 })).rejects.toMatchObject({ reason: "timeout" });
    stop.abort();
    for (const error of await Promise.all(others)) expect(error.code).toBe("CANCELLED");
  });
});

describe.concurrent("processes of a pool", () => {
  test("are no more than they may be, however many runs there are", async ({ world }) => {
    const { run } = await world(() => text("ok"), { pool: { processes: 1, sessions: 2 }, maxConcurrent: 6 });
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

  test("tell no more of a run than it may say: what the module hears counts", async ({ world }) => {
    const { failureOf } = await world(
      ({ kind, turn }) => {
        if (kind === "search")
          return grounded("x".repeat(60_000), { sources: [{ url: "https://example.com/", title: "T" }] });
        if (kind !== "main") return undefined;
        return turn === 0 ? search("tides") : text("ok");
      },
      { pool: true, maxOutputBytes: 30_000 },
    );
    expect(await failureOf({ prompt: "hello", model })).toMatchObject({ reason: "output-limit" });
  });
});
