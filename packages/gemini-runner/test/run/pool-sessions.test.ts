import { watch } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, vi } from "vitest";
import { silence, text } from "../../src/testing/index.js";
import { startMcpEndpoint } from "../mcp-endpoint.js";
import { packageOf, sessionFolders, startOf } from "../pooled.js";
import { leftIn, test } from "../small-world.js";

const model = "gemini-2.5-flash";

/** Answers nothing until there is a file, and writes into another how often it was asked for a session. */
const OPENS_LATE = `import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
const [asked, go] = FILES;
for await (const line of createInterface({ input: process.stdin })) {
  while (!existsSync(go)) await delay(10);
  const { id, method } = JSON.parse(line);
  if (method === "session/new") appendFileSync(asked, "+");
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { sessionId: String(id) } }));
}`;

describe.concurrent("sessions of a pool", () => {
  test("are not opened for runs that are given up before their turn", async ({ world, temporaryFolder }) => {
    const folder = await temporaryFolder("gemini-cli");
    const [asked, go] = ["asked", "go"].map((name) => path.join(folder, name));
    const command = await packageOf(OPENS_LATE.replace("FILES", JSON.stringify([asked, go])), folder);
    const { runner, failureOf, folder: runs } = await world(() => undefined, { command, pool: { sessions: 64 } });
    const stops = Array.from({ length: 40 }, () => new AbortController());
    const many = stops.map(({ signal }) => failureOf({ prompt: "hello", model, signal }));
    await vi.waitFor(() => expect(leftIn(runs)).toHaveLength(1), 30_000);
    for (const stop of stops) stop.abort();
    for (const { code } of await Promise.all(many)) expect(code).toBe("CANCELLED");
    const wanted = runner.run({ prompt: "hello", model });
    const start = wanted.next();
    await writeFile(String(go), "");
    expect((await start).value).toMatchObject({ type: "run-start" });
    expect(await readFile(String(asked), "utf8"), "sessions opened").toBe("+");
    await wanted.return(undefined as never);
  });

  test("open no more sessions ahead than they may, and end those that nobody wants any more", async ({ world }) => {
    const { run, runner, folder } = await world(() => text("ok"), { pool: true });
    const unused = new AbortController();
    const kinds = Array.from({ length: 24 }, (_, at) => `${model}-${at}`);
    for (const kind of kinds) runner.prewarm({ model: kind, signal: unused.signal });
    // It waits for its turn behind them.
    const first = await run({ prompt: "hello", model });
    expect(sessionFolders(folder)).toHaveLength(16);
    unused.abort();
    await vi.waitFor(() => expect(sessionFolders(folder)).toEqual([]), 90_000);
    const { events } = await run({ prompt: "hello", model });
    expect(startOf(events), "the process goes on").toMatchObject({ warm: true, pid: startOf(first.events).pid });
  });

  test("keep no session ahead for longer than they would stay for it", async ({ world }) => {
    const { run, failureOf, server, folder } = await world(
      ({ prompt }) => (prompt.includes("long") ? silence() : text("ok")),
      { pool: { idleMs: 500 } },
    );
    const stop = new AbortController();
    const long = failureOf({ prompt: "a long one", model, signal: stop.signal });
    await server.waitFor(({ prompt }) => prompt.includes("long"));
    const [name = ""] = leftIn(folder);
    const seen = new Set<string | null>(["1"]);
    const watcher = watch(path.join(folder, name, "sessions"), (_, session) => seen.add(session));
    await run({ prompt: "hello", model });
    await vi.waitFor(() => expect([...seen]).toEqual(["1", "2", "3"]), 90_000);
    await vi.waitFor(() => expect(sessionFolders(folder)).toEqual(["1"]), 90_000);
    watcher.close();
    stop.abort();
    expect((await long).code).toBe("CANCELLED");
  });

  test("ask no MCP server for a run that may never come", async ({ world, onTestFinished }) => {
    const endpoint = await startMcpEndpoint(() => "A page.");
    onTestFinished(() => endpoint.close());
    const { run } = await world(() => text("ok"), { pool: true });
    const pages = { url: endpoint.url, includeTools: ["read_page"] };
    const asked: number[] = [];
    for (let i = 0; i < 4; i++) {
      await run({ prompt: "hello", model, tools: [], mcpServers: { pages } });
      asked.push(endpoint.authorizations.length);
    }
    // It opens one session after another: what was to be opened before is.
    await run({ prompt: "hello", model });
    const [once = 0] = asked;
    expect(once).toBeGreaterThan(0);
    expect(endpoint.authorizations).toHaveLength(4 * once);
  });
});
