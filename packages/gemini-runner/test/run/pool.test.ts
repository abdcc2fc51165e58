import { readFileSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { type RunEvent, resultOf } from "../../src/index.js";
import {
  callTool,
  finish,
  grounded,
  httpError,
  type ModelCall,
  type Scenario,
  search,
  silence,
  text,
} from "../../src/testing/index.js";
import { startMcpEndpoint } from "../mcp-endpoint.js";
import { CLI, gone, leftIn, lives, promise, SHELL_CLI, test } from "../small-world.js";

const model = "gemini-2.5-flash";

/** Which run a request is of: prompts, queries and all that comes of them bear its number. */
function runOf(call: ModelCall): string {
  return /task-(\d+)/.exec(JSON.stringify(call.body))?.[1] ?? "";
}

const url = (n: string) => `https://example.com/task-${n}`;

/** In as many pieces each, and by so many hundred tokens longer as its number says. */
const answerOf = (n: string) => `Answer of task-${n}. `.repeat(50).padEnd(1_000 + 400 * Number(n), ".");

/** Each run searches for its own number, finds its own page and answers with it. */
const searches: Scenario = (call) => {
  const n = runOf(call);
  if (call.kind === "search") return grounded(`Found task-${n}.`, { sources: [{ url: url(n), title: `Title ${n}` }] });
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? search(`query of task-${n}`) : text(answerOf(n), { chunkLength: answerOf(n).length / 25 });
};

function pidOf(events: readonly RunEvent[]): number {
  const start = events.findLast(({ type }) => type === "run-start");
  return start?.type === "run-start" ? start.pid : 0;
}

const warningsIn = (events: readonly RunEvent[]) => events.filter(({ type }) => type === "warning");

describe.concurrent("one process for many runs", () => {
  test("sixteen at once are answered by one process, each with its own words, queries, sources and tokens", async ({
    world,
  }) => {
    const { run, server, runner, folder } = await world(searches, { pool: true });
    // Of two digits: nothing differs in length but the answers.
    const numbers = Array.from({ length: 16 }, (_, i) => String(10 + i));
    const all = await Promise.all(numbers.map((n) => run({ prompt: `This is task-${n}.`, model })));
    for (const [i, { result, events }] of all.entries()) {
      const n = numbers[i] ?? "";
      expect(result).toMatchObject({
        text: answerOf(n),
        model,
        recorded: true,
        queries: [`query of task-${n}`],
        sources: [{ url: url(n), title: `Title ${n}`, status: "found" }],
        failures: [],
        attributions: [{ text: `Found task-${n}.`, urls: [url(n)] }],
      });
      const told = events.filter(({ type }) => type !== "text-delta");
      expect(
        JSON.stringify([result, told])
          .match(/task-\d+/g)
          ?.filter((each) => each !== `task-${n}`),
      ).toEqual([]);
      expect(events).toContainEqual(expect.objectContaining({ type: "tool-call", query: `query of task-${n}` }));
      expect(warningsIn(events)).toEqual([]);
    }
    expect(new Set(all.map(({ events }) => pidOf(events))).size, "processes").toBe(1);
    const tokens = all.map(({ result }) => result.models.map(({ outputTokens }) => outputTokens));
    expect(tokens, "tokens").toEqual(tokens.map((_, i) => [Number(tokens[0]) + 100 * i]));
    const ofRun = (n: string) => server.requests.filter((call) => runOf(call) === n);
    expect(numbers.map((n) => ofRun(n).length)).toEqual(Array(16).fill(3));
    const pid = pidOf(all[0]?.events ?? []);
    await runner.close();
    expect(lives(pid)).toBe(false);
    expect(leftIn(folder)).toEqual([]);
  });

  test("each has the tools, files, servers and the model that it asked for, and no others", async ({
    world,
    temporaryFolder,
  }) => {
    const [one, two] = await Promise.all([temporaryFolder("files"), temporaryFolder("files")]);
    const file = (folder: string, name: string) => path.join(folder, name);
    await Promise.all([
      writeFile(file(one, "mine.txt"), "MINE"),
      writeFile(file(one, "beside.txt"), "BESIDE"),
      writeFile(file(two, "theirs.txt"), "THEIRS"),
    ]);
    const endpoint = await startMcpEndpoint(() => "A page.");
    const said: Record<string, string[]> = { 1: [], 2: [], 3: [] };
    const reads = [file(one, "mine.txt"), file(one, "beside.txt"), file(two, "theirs.txt")];
    const { run, server } = await world(
      (call) => {
        if (call.kind !== "main") return undefined;
        for (const { name, response } of call.toolResults)
          said[runOf(call)]?.push(`${name}: ${JSON.stringify(response)}`);
        if (call.turn > 0) return text("done");
        return [
          ...reads.map((file_path) => callTool("read_file", { file_path })),
          callTool("mcp_pages_read_page", { url: "https://example.com/" }),
          callTool("run_shell_command", { command: "id", description: "x" }),
        ];
      },
      { pool: true },
    );
    try {
      const pages = { url: endpoint.url, headers: { authorization: "Bearer one" }, includeTools: ["read_page"] };
      const all = await Promise.all([
        run({ prompt: "task-1", model, tools: ["read_file"], files: [file(one, "mine.txt")] }),
        run({ prompt: "task-2", model: "gemini-2.5-pro", tools: [], mcpServers: { pages } }),
        run({ prompt: "task-3", model: "gemini-2.5-pro" }),
      ]);
      expect(new Set(all.map(({ events }) => pidOf(events))).size).toBe(1);
    } finally {
      await endpoint.close();
    }
    const [mine, beside, theirs, page, shell] = said["1"] ?? [];
    expect(mine).toContain("MINE");
    for (const each of [beside, theirs, page, shell]) expect(each).toMatch(/denied|not found|not in workspace/);
    expect(said["2"]?.[3]).toContain("A page.");
    expect(new Set(endpoint.authorizations)).toEqual(new Set(["Bearer one"]));
    const others = [...(said["2"] ?? []).filter((_, i) => i !== 3), ...(said["3"] ?? [])];
    expect(others).toHaveLength(9);
    for (const each of others) expect(each).toMatch(/denied|not found/);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toMatch(/BESIDE|THEIRS/);
    const first = (n: number) => server.requests.find((call) => runOf(call) === String(n));
    expect([1, 2, 3].map((n) => first(n)?.model)).toEqual([model, "gemini-2.5-pro", "gemini-2.5-pro"]);
    expect([1, 2, 3].map((n) => first(n)?.tools.toSorted())).toEqual([
      ["read_file"],
      ["mcp_pages_read_page"],
      ["google_web_search", "web_fetch"],
    ]);
  });

  test("a prompt reaches the model whole: commands and files in it are text", async ({ world }) => {
    const prompts = ["/help", "$ls", "@/etc/passwd and @./", " /about\n", "//x", "é漢🙂 {{x}} $& \u2028 end "];
    const { run, server } = await world(() => text("ok"), { pool: true });
    for (const prompt of prompts) await run({ prompt, model });
    const got = server.requests.filter(({ kind }) => kind === "main").map(({ prompt }) => prompt);
    expect(got).toEqual(prompts.map((prompt) => `# Request\n${prompt}\n\n(end of the request)\n`));
  });

  test("a run that is cancelled ends at once, with its request, and no other does", async ({ world }) => {
    const asked = promise();
    const { run, failureOf } = await world(
      (call) => {
        if (runOf(call) !== "0") return searches(call);
        asked.resolve();
        return silence();
      },
      { pool: true },
    );
    const stop = new AbortController();
    const cancelled = failureOf({ prompt: "task-0", model, signal: stop.signal });
    await asked.promise;
    const other = run({ prompt: "task-1", model });
    stop.abort("enough");
    expect(await cancelled).toMatchObject({ code: "CANCELLED", cause: "enough" });
    expect((await other).result.queries).toEqual(["query of task-1"]);
  });

  // What else the API refuses: `pool-same.test.ts`.
  test("what the API refuses, also on a search, and an end that says nothing are told to the run that asked alone", async ({
    world,
  }) => {
    const failures: [Scenario, object][] = [
      [
        (call) => (call.kind === "main" ? searches(call) : httpError("quota-day")),
        { code: "QUOTA_EXCEEDED", scope: "day", retryable: false },
      ],
      [() => httpError("unavailable"), { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
      [() => finish("SAFETY"), { code: "EXECUTION_ERROR", reason: "blocked" }],
    ];
    const { run, failureOf, server } = await world((call) => (failures[Number(runOf(call))]?.[0] ?? searches)(call), {
      pool: true,
    });
    const [others, errors] = await Promise.all([
      Promise.all([17, 18, 19].map((n) => run({ prompt: `task-${n}`, model }))),
      Promise.all([
        // By the CLI's choice of a model.
        failureOf({ prompt: "task-0" }),
        ...[1, 2].map((n) => failureOf({ prompt: `task-${n}`, model })),
      ]),
    ]);
    expect(errors).toMatchObject(failures.map(([, expected]) => expected));
    for (const { message } of errors) expect(message).not.toMatch(/it said nothing|undefined/);
    const tries = (n: number) => server.requests.filter((call) => runOf(call) === String(n)).length;
    expect(tries(1), "tries of one that is unavailable").toBe(2);
    expect(tries(2), "tries of one that says nothing: it is made again by itself").toBeGreaterThan(1);
    for (const { result, events } of others) {
      expect(result).toMatchObject({ queries: [expect.any(String)], sources: [{ status: "found" }] });
      expect(warningsIn(events)).toEqual([]);
    }
  });

  // Three starts of the CLI, one after another.
  test("what was left in doubt is not asked of a shared process again", { timeout: 240_000 }, async ({ world }) => {
    const { run } = await world((call) => (call.kind === "main" && call.index < 4 ? finish("STOP") : text("ok")), {
      pool: true,
      retries: 1,
    });
    const { result, events } = await run({ prompt: "hello", model });
    expect(result.text).toBe("ok");
    const warnings = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
    const again = warnings.flatMap((message) => message.match(/made again|tried again/) ?? []);
    expect(again).toEqual(["made again", "tried again"]);
    const pids = events.flatMap((event) => (event.type === "run-start" ? [event.pid] : []));
    expect(new Set(pids).size).toBe(3);
  });
});

describe.concurrent("a process that serves several", () => {
  const lost: [string, NodeJS.Signals, RegExp][] = [
    ["dies", "SIGKILL", /ended\. The run is made again/],
    ["does not answer any more", "SIGSTOP", /did not answer\. The run is made again/],
  ];
  test.for(lost)("%s: its runs are made again, each by itself", async ([, signal, why], { world }) => {
    let asked = 0;
    const all = promise();
    const { run, folder, runner } = await world(
      (call) => {
        if (++asked > 2) return searches(call);
        if (asked === 2) all.resolve();
        return silence();
      },
      { pool: { hangMs: 5_000 } },
    );
    const pids: number[] = [];
    const runs = [0, 1].map((n) => run({ prompt: `task-${n}`, model }));
    await all.promise;
    const pid = pidInUse(folder);
    process.kill(pid, signal);
    for (const [n, { result, events }] of (await Promise.all(runs)).entries()) {
      expect(result).toMatchObject({ queries: [`query of task-${n}`], sources: [{ url: url(String(n)) }] });
      expect(warningsIn(events)).toEqual([{ type: "warning", message: expect.stringMatching(why) }]);
      pids.push(pidOf(events));
    }
    expect(new Set([pid, ...pids]).size).toBe(3);
    await gone(pid);
    await runner.close();
    expect(leftIn(folder)).toEqual([]);
  });

  // After its number of runs: `pool-order.test.ts`.
  test("is replaced with more memory than it may take", async ({ world }) => {
    const { run } = await world(() => text("ok"), { pool: { maxMemoryBytes: 1, maxRuns: 100_000 } });
    const pids = new Set<number>();
    while (pids.size < 2) pids.add(pidOf((await run({ prompt: "hello", model })).events));
    const [first = 0] = pids;
    await gone(first);
  });

  test("goes when it has had nothing to do for its time, without what a run has left that is read late: its queries and sources are told all the same", async ({
    world,
  }) => {
    const { runner, folder } = await world(searches, { pool: { idleMs: 0 } });
    const run = runner.run({ prompt: "This is task-1.", model });
    const { value: start } = await run.next();
    await gone(start !== undefined && "pid" in start ? start.pid : 0);
    expect(await resultOf(run)).toMatchObject({
      recorded: true,
      queries: ["query of task-1"],
      sources: [{ url: url("1"), status: "found" }],
    });
    await expect.poll(() => leftIn(folder), { timeout: 10_000 }).toEqual([]);
  });

  test("goes on when one run says a line that is longer than a run may say, and one says more in many", async ({
    world,
  }) => {
    const told = promise();
    // How long and how many the searches of a run are.
    const loud = [
      [150_000, 1],
      [30_000, 4],
    ] as const;
    const { run, failureOf } = await world(
      async (call) => {
        const n = runOf(call);
        const [length, many] = loud[Number(n)] ?? [];
        if (length === undefined) {
          if (call.kind === "main" && call.turn === 1) await told.promise;
          return searches(call);
        }
        if (call.kind === "search") return grounded("x".repeat(length), { sources: [{ url: url(n), title: "T" }] });
        return call.turn > 0 ? text("ok") : Array.from({ length: many }, (_, i) => search(`${i} of task-${n}`));
      },
      { pool: true, maxOutputBytes: 100_000 },
    );
    const other = run({ prompt: "task-2", model });
    const failed = loud.map((_, n) => failureOf({ prompt: `task-${n}`, model }));
    const errors = await Promise.all(failed).finally(() => told.resolve());
    expect(errors).toMatchObject([{ reason: "output-limit" }, { reason: "output-limit" }]);
    const { result, events } = await other;
    expect(result.queries).toEqual(["query of task-2"]);
    expect(warningsIn(events)).toEqual([]);
  });

  test("is none for a program that is not Gemini CLI: each run has its own, and one warning says so", async ({
    world,
  }) => {
    const warnings: string[] = [];
    const { run } = await world(() => undefined, {
      command: SHELL_CLI,
      pool: true,
      onWarning: (message) => warnings.push(message),
    });
    for (let i = 0; i < 2; i++) expect((await run({ prompt: "echo hello" })).result.text).toBe("hello");
    expect(warnings).toEqual([expect.stringContaining("Each has one of its own")]);
  });

  test("is there as soon as the program is Gemini CLI", async ({ world, temporaryFolder }) => {
    const command = path.join(await temporaryFolder("bin"), "gemini");
    await symlink(SHELL_CLI, command);
    const { run } = await world(() => text("ok"), { command, pool: true });
    expect((await run({ prompt: "echo hello" })).result.text).toBe("hello");
    await rm(command);
    await symlink(CLI, command);
    const { events } = await run({ prompt: "hello", model });
    const again = await run({ prompt: "hello", model });
    expect(again.events[0]).toMatchObject({ type: "run-start", warm: true, pid: pidOf(events) });
  });
});

/** The process that has its folder there. */
function pidInUse(folder: string): number {
  const [name = ""] = leftIn(folder);
  const home = path.join(folder, name);
  const child = /gemini-run-(\d+)-/.exec(name)?.[1];
  const children = readFileSync(`/proc/${child}/task/${child}/children`, "utf8").trim().split(" ").map(Number);
  return children.find((pid) => lives(pid) && environmentOf(pid).includes(home)) ?? 0;
}

/** Empty for one that has gone meanwhile. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
