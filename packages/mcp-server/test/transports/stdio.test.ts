import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ModelServer, research, silence, startModelServer } from "@x/gemini-runner/testing";
import { ownProcess } from "@x/owned-files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { answerOf, textOf } from "../support/connect.js";
import {
  hangingGemini,
  newPlace,
  type Place,
  plainGemini,
  printing,
  processesOf,
  runsLeftIn,
  scriptGemini,
} from "../support/place.js";
import { BIN, connectServer, endServer, type StdioServer, startServer } from "../support/stdio-server.js";

let model: ModelServer;
let place: Place;
const servers: StdioServer[] = [];

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());
beforeEach(() => {
  place = newPlace();
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await endServer(server);
    expect(server.invalid).toEqual([]);
  }
  await expect.poll(() => processesOf(place.home)).toEqual([]);
  place.remove();
});

async function connect(env: Record<string, string> = {}, name?: string): Promise<StdioServer> {
  const server = await connectServer({ ...place.env, ...model.env, ...env }, name);
  servers.push(server);
  return server;
}

const query = "the harbour of Genoa";

describe("the built server with the real CLI", () => {
  test("search searches once and answers with the contract's object, and a text that says the same [search/success-format] [search/model-detected]", async () => {
    const messages: string[] = [];
    const told = (pattern: RegExp) => expect.poll(() => messages.some((message) => pattern.test(message))).toBe(true);
    const scenario = research({ topic: query });
    // A search and a page last until they have been told: at most two messages a second are.
    model.use(async (call) => {
      if (call.kind === "search") await told(new RegExp(`searching "${query}"`));
      if (call.kind === "fetch") await told(/reading \d of \d · 93\./);
      return scenario(call);
    });
    const { client } = await connect();
    const before = model.requests.length;
    const strange = 'harbour $& {{query}} @package.json "quotes"\n/help 🌍';
    const result = await client.callTool({ name: "search", arguments: { query: strange } }, undefined, {
      onprogress: ({ message }) => messages.push(message ?? ""),
    });
    expect(result.isError).toBeUndefined();
    expect(textOf(result).startsWith(String(answerOf(result)["result"]))).toBe(true);
    expect(answerOf(result)).toMatchObject({
      success: true,
      status: "completed",
      result: expect.stringContaining("Draft 1"),
      metadata: {
        query: strange,
        model: expect.stringMatching(/^gemini-/),
        duration_ms: expect.any(Number),
        sources_visited: [expect.any(String), expect.any(String)],
      },
    });
    const asked = model.requests.slice(before);
    expect(asked.filter(({ kind }) => kind === "search").map((call) => call.query)).toEqual([query]);
    expect(asked.find(({ kind }) => kind === "main")?.prompt).toContain(strange);
  });

  test("deep_search outlives its call and a killed server, and repeats no finished round [deep-search/success]", async () => {
    const scenario = research({ topic: query });
    let held = true;
    model.use((call) => (held && call.kind === "main" && /round 2 of/.test(call.prompt) ? silence() : scenario(call)));
    const before = model.requests.length;
    /** What each run of the CLI was asked. */
    const asked = () =>
      model.requests
        .slice(before)
        .filter(({ kind, turn }) => kind === "main" && turn === 0)
        .map(({ prompt }) => /first round|round 2 of/.exec(prompt)?.[0]);
    const first = await connect();
    const args = { query, max_iterations: 2 };
    const running = answerOf(
      await first.client.callTool({ name: "deep_search", arguments: { ...args, wait_seconds: 0 } }),
    );
    expect(running).toMatchObject({ success: true, status: "running", metadata: { query } });
    // Two runs of the CLI, one behind the other.
    await expect.poll(asked, { timeout: 60_000 }).toEqual(["first round", "round 2 of"]);
    expect(first.stderr()).toContain("[INFO] Round 1 completed, verified: false");
    first.child.kill("SIGKILL");
    await first.exited;
    // The CLI notices by itself that its parent is gone.
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    held = false;
    const second = await connect();
    const result = await second.client.callTool({ name: "research_result", arguments: { job_id: running.job_id } });
    expect(answerOf(result)).toMatchObject({
      status: "completed",
      job_id: running.job_id,
      verified: true,
      result: expect.stringContaining("Draft 2"),
      metadata: { iterations: 2 },
    });
    expect(asked(), "what was asked").toEqual(["first round", "round 2 of", "round 2 of"]);
    expect(second.stderr()).not.toContain("round 1/2");
    expect(second.stderr()).toContain("[INFO] Deep search round 2/2...");
    expect(second.stderr()).toContain("[INFO] Deep search completed: 2 rounds, verified: true");
    const kept = readdirSync(join(place.configDir, "rounds"));
    expect(kept).toEqual([expect.stringMatching(/\.json$/)]);
    const { report } = JSON.parse(readFileSync(join(place.configDir, "rounds", kept[0] ?? ""), "utf8"));
    const whole = { job_id: running.job_id, detail: "full" };
    const full = await second.client.callTool({ name: "research_result", arguments: whole });
    expect(answerOf(full), "the report that is kept").toMatchObject(report);
  });
});

describe("a program named gemini that just prints an answer", () => {
  const answer = { success: true, report: "Plain.", metadata: {} };

  test("serves twenty calls at once", async () => {
    const { client } = await connect({ GEMINI_CLI_PATH: plainGemini(place, answer) });
    const calls = Array.from({ length: 20 }, (_, n) =>
      client.callTool({ name: "search", arguments: { query: `q${n}` } }),
    );
    const answers = (await Promise.all(calls)).map(answerOf);
    expect(answers.map((answer) => (answer as { metadata: { query: string } }).metadata.query)).toEqual(
      Array.from({ length: 20 }, (_, n) => `q${n}`),
    );
    expect(answers.every(({ success }) => success === true)).toBe(true);
  });

  test("answers before the limit that its client passes on in MCP_TOOL_TIMEOUT", async () => {
    const slow = scriptGemini(place, `sleep 3\n${printing(place, answer)}`);
    const { client } = await connect({ GEMINI_CLI_PATH: slow, MCP_TOOL_TIMEOUT: "1500" }, "claude-code");
    // This client is answered when all is done, otherwise.
    const running = await client.callTool({ name: "search", arguments: { query } });
    expect(answerOf(running)).toMatchObject({ success: true, status: "running" });
    const { job_id } = answerOf(running);
    await expect
      .poll(async () => answerOf(await client.callTool({ name: "research_result", arguments: { job_id } })))
      .toMatchObject({ status: "completed", result: "Plain." });
  });

  test("is ended when its client gives up; the next call is answered", async () => {
    const hang = 'if grep -q "question 4711" "$prompt"; then exec sleep 1000; fi';
    const { client } = await connect({
      GEMINI_CLI_PATH: scriptGemini(place, `${hang}\n${printing(place, answer)}`),
    });
    const patience = new AbortController();
    const giveUp = client.callTool({ name: "search", arguments: { query: "question 4711" } }, undefined, {
      signal: patience.signal,
    });
    await expect.poll(() => processesOf(place.configDir)).toContainEqual(expect.stringContaining("sleep 1000"));
    patience.abort("out of patience");
    await expect(giveUp).rejects.toThrow("out of patience");
    await expect.poll(() => processesOf(place.configDir)).toEqual([]);
    expect(answerOf(await client.callTool({ name: "search", arguments: { query } }))).toMatchObject({ success: true });
  });
});

describe("when the end comes in the middle of a run", () => {
  test.each<[string, (server: StdioServer) => void]>([
    ["stdin ends", ({ child }) => child.stdin?.end()],
    ["SIGTERM", ({ child }) => child.kill("SIGTERM")],
    ["SIGINT", ({ child }) => child.kill("SIGINT")],
    ["SIGHUP", ({ child }) => child.kill("SIGHUP")],
    [
      "the client is gone",
      ({ child }) => {
        child.stdout?.destroy();
        child.stdin?.destroy();
      },
    ],
  ])("%s: everything is stopped and saved", async (_, end) => {
    const server = await connect({ GEMINI_CLI_PATH: hangingGemini(place) });
    const call = server.client.callTool({ name: "deep_search", arguments: { query } }, undefined, { onprogress() {} });
    call.catch(() => {});
    await expect.poll(() => processesOf(place.configDir).length).toBeGreaterThan(0);
    end(server);
    expect(await server.exited).toBe(0);
    // What a busy machine had no time for is done by what watches over the run.
    await expect.poll(() => processesOf(place.configDir)).toEqual([]);
    await expect.poll(() => runsLeftIn(place.configDir)).toEqual([]);
    expect(recordOfJob()).toMatchObject({ tool: "deep_search", state: "interrupted" });
  });

  test("what is known of a job is saved, however long a busy machine takes for it", async () => {
    const server = await connect({ GEMINI_CLI_PATH: hangingGemini(place) });
    const call = server.client.callTool({ name: "deep_search", arguments: { query } }, undefined, { onprogress() {} });
    call.catch(() => {});
    await expect.poll(() => processesOf(place.configDir).length).toBeGreaterThan(0);
    await expect.poll(() => recordOfJob()?.activity.now).toContain("starting");
    const { pid, start, place: machine } = ownProcess();
    const lock = [recordOfJob()?.id, pid, start, machine, randomUUID(), "lock"].join(".");
    // Nobody else writes the record before this lock has its ten seconds.
    writeFileSync(join(place.configDir, "jobs", lock), "");
    utimesSync(join(place.configDir, "jobs", lock), Date.now() / 1_000, Date.now() / 1_000 - 6);
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(recordOfJob()).toMatchObject({ state: "interrupted" });
  });

  function recordOfJob(): JobRecord | undefined {
    const folder = join(place.configDir, "jobs");
    const [file] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return file === undefined ? undefined : JSON.parse(readFileSync(join(folder, file), "utf8"));
  }
});

describe("without a usable CLI", () => {
  test("CLI_NOT_FOUND says how to install it, and AUTH_REQUIRED, once it is there, how to sign in [search/cli-not-found] [deep-search/cli-not-found]", async () => {
    const gemini = join(place.home, "gemini");
    const server = await connectServer({ ...place.env, GEMINI_CLI_PATH: gemini });
    servers.push(server);
    const { client } = server;
    for (const [name, args] of [
      ["search", { query }],
      ["deep_search", { query }],
      ["deep_research", { topic: query }],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      expect(answerOf(result)).toMatchObject({
        success: false,
        error: { code: "CLI_NOT_FOUND", details: expect.stringContaining("npm install -g @google/gemini-cli") },
      });
    }
    symlinkSync(place.env["GEMINI_CLI_PATH"] ?? "", gemini);
    expect(answerOf(await client.callTool({ name: "search", arguments: { query } }))).toMatchObject({
      success: false,
      error: { code: "AUTH_REQUIRED", details: expect.stringMatching(/GEMINI_API_KEY.*Vertex AI.*Code Assist/s) },
    });
  });
});

describe("at the start", () => {
  test("orphaned temporary files are removed without a client, and bad settings are named [deep-search/orphans]", async () => {
    mkdirSync(place.configDir);
    for (const name of ["temp-invalid-output-1.txt", "temp-invalid-output-2.txt", "mine.txt"]) {
      writeFileSync(join(place.configDir, name), "x");
    }
    const server = startServer({ ...place.env, GEMINI_SEARCH_TIMEOUT: "5m" });
    await expect.poll(() => server.stderr()).toContain("[INFO] Cleaned up 2 orphaned temporary files\n");
    expect(server.stderr()).toMatch(/^\[WARN\] GEMINI_SEARCH_TIMEOUT is "5m": expected .*; using 300000$/m);
    expect(readdirSync(place.configDir)).toEqual(["mine.txt"]);
    expect(await endServer(server)).toBe(0);
  });

  test("on a new machine the warning of a folder that is missing says that nothing is wrong", async () => {
    const server = startServer(place.env);
    await expect.poll(() => server.stderr()).toContain("[INFO] Cleaned up 0 orphaned temporary files\n");
    expect(server.stderr()).toContain(`[WARN] ${place.configDir} is not there yet: nothing was left in it\n`);
    expect(await endServer(server)).toBe(0);
  });

  test("a HOME that is no path does not stop it", async () => {
    const server = startServer({ ...place.env, HOME: "x".repeat(5_000) });
    await expect.poll(() => server.stderr()).toContain("[INFO] Cleaned up 0 orphaned temporary files\n");
    expect(await endServer(server)).toBe(0);
  });

  test("a working directory that is gone does not stop it", async () => {
    const cwd = join(place.home, "gone");
    mkdirSync(cwd);
    const start = 'rmdir "$PWD" && exec "$0" "$1" --version';
    const { stdout } = await promisify(execFile)("sh", ["-c", start, process.execPath, BIN], { cwd, env: place.env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("nothing is written and no process is started before there is work", async () => {
    const { client } = await connect();
    await client.listPrompts();
    await client.listResources();
    expect(readdirSync(place.home)).toEqual([]);
    expect(processesOf(place.home)).toEqual([]);
  });
});

describe("a client that misbehaves", () => {
  test("garbage on stdin is refused, and holds nobody up", async () => {
    const { line, child, ...server } = startServer(place.env);
    const answers: unknown[] = [];
    line.onmessage = (message) => answers.push(message);
    await line.start();
    const garbage = [
      "",
      "\0\u0001",
      "{",
      "[]",
      "null",
      "5",
      '{"jsonrpc":"1.0"}',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
    ];
    garbage.push(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":7}',
      "x".repeat(11 * 2 ** 20),
    );
    for (const text of garbage) child.stdin?.write(`${text}\n`);
    child.stdin?.write(Buffer.from([0xff, 0xfe, 0x0a]));
    child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    child.stdin?.write('{"jsonrpc":"2.0","id":3,"method":"no/such"}\n');
    child.stdin?.write('{"jsonrpc":"2.0","id":4,"method":"ping","extra":1}\n');
    child.stdin?.write('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x"},"extra":1}\n');
    await expect.poll(() => answers.length).toBe(15);
    const refused = (code: number, says = "") => ({
      id: null,
      error: { code, message: expect.stringContaining(says) },
    });
    const noJson = refused(-32_700, "not JSON");
    expect(answers).toMatchObject([
      noJson,
      noJson,
      refused(-32_600, "batch"),
      ...Array.from({ length: 4 }, () => refused(-32_600)),
      refused(-32_600, "batch"),
      { id: 2, error: { code: -32_600 } },
      refused(-32_600, "a line of more than"),
      noJson,
      { id: 1, result: {} },
      { id: 3, error: { code: -32_601 } },
      { id: 4, result: {} },
      { id: 5, error: { code: -32_602 } },
    ]);
    expect(await endServer({ child, exited: server.exited })).toBe(0);
    expect(server.invalid).toEqual([]);
  });

  test("one that never reads does not hold the server", async () => {
    const gemini = plainGemini(place, { success: true, report: "long ".repeat(200_000), metadata: {} });
    const { child, exited } = startServer({ ...place.env, GEMINI_CLI_PATH: gemini });
    const params = { name: "search", arguments: { query }, _meta: { progressToken: 0 } };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    await expect
      .poll(() => existsSync(place.configDir) && readdirSync(join(place.configDir, "jobs")))
      .toContainEqual(expect.stringMatching(/\.json$/));
    expect(await endServer({ child, exited })).toBe(0);
  });
});
