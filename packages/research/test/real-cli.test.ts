import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  callTool,
  fetchPage,
  grounded,
  httpError,
  json,
  page,
  type Scenario,
  search as searching,
  silence,
  text,
} from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFileRunStore, deepResearch, deepSearch, search } from "../src/index.js";
import { bundled, CLI, kindOf, MODEL, realWorld, roundOf } from "./real-world.js";
import { drain, drainFailing, temporaryFolder } from "./world.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Public by its number, so that no name service is needed; nothing is contacted. */
const PAGES = ["http://93.184.215.14/moon", "http://93.184.215.14/sun"] as const;

/** A model that searches, reads two pages and then says what `answer` gives for the round. */
function researching(answer: (round: number) => ReturnType<typeof json> | ReturnType<typeof text>): Scenario {
  return (call) => {
    if (call.kind === "search")
      return grounded("Two pages.", { sources: [{ url: "https://tides.org/found", title: "tides.org" }] });
    if (call.kind === "fetch") return page(`What stands at ${call.urls.join()}.`);
    if (call.kind !== "main") return undefined;
    if (call.turn === 0) return searching(`tides ${roundOf(call)}`);
    if (call.turn === 1) return PAGES.map((url) => fetchPage(url));
    return answer(roundOf(call));
  };
}

const report = (round: number, verified: boolean) =>
  json({
    success: true,
    verified,
    report: `Report ${round}: the moon [1](${PAGES[0]}), the sun [2](${PAGES[1]}), [3](https://invented.org/x).`,
    metadata: { sources_visited: [...PAGES, "https://invented.org/x"], search_queries_used: ["invented"] },
    claims: [{ text: "The moon pulls.", sources: [PAGES[0]], status: "supported" }],
  });

test("search [search/success]", async () => {
  const { deps, server } = await realWorld(researching(() => report(1, false)));
  const query = 'Why are there tides? $& {{query}} @package.json "x"\n/help 漢🙂';
  const { report: found, events } = await drain(search({ query }, deps));
  expect(found).toMatchObject({
    success: true,
    result: expect.stringMatching(/^Report 1/),
    metadata: {
      query,
      model: MODEL,
      sources_visited: [...PAGES],
      search_queries_used: ["tides 1"],
      usage: { runs: 1 },
      evidence: {
        status: "available",
        sources: PAGES.map((url) => ({ url, status: "retrieved", cited: true })),
        unseen: ["https://invented.org/x"],
        independent_hosts: 1,
        claims: [{ text: "The moon pulls.", sources: [PAGES[0]], status: "supported" }],
      },
    },
  });
  expect(found.metadata.usage?.total_tokens).toBeGreaterThan(0);
  expect(server.requests.find(({ kind }) => kind === "main")?.prompt).toContain(`\n${query}\n`);
  const tools = events.flatMap((event) =>
    event.type === "step" && event.step.type === "tool-call" ? [event.step.tool] : [],
  );
  expect(tools).toEqual(["google_web_search", "web_fetch", "web_fetch"]);
});

test("deep search, verified in round 2 [deep-search/success] [deep-search/early-end]", async () => {
  const { deps, server } = await realWorld(researching((round) => report(round, round === 2)));
  const { report: found, logs } = await drain(deepSearch({ query: "Why are there tides?" }, deps));
  expect(found).toMatchObject({
    verified: true,
    result: expect.stringMatching(/^Report 2/),
    metadata: {
      iterations: 2,
      sources_visited: [...PAGES],
      search_queries_used: ["tides 1", "tides 2"],
      evidence: { status: "available", unsupported_verifications: [] },
    },
  });
  expect(logs.at(-1)).toBe("[INFO] Deep search completed: 2 rounds, verified: true");
  const verify = server.requests.find((call) => kindOf(call) === "verify");
  expect(verify?.prompt).toContain(`Report 1: the moon [1](${PAGES[0]})`);
  expect(verify?.prompt).toContain("- The moon pulls. (supported, ");
});

test("a correction reads the answer from its file [search/correction] [search/correction-success] [deep-search/correction-file]", async () => {
  const broken = "Tides come from the moon, but this is no JSON.";
  let read = "";
  const { deps, config, server } = await realWorld((call) => {
    if (call.kind !== "main") return undefined;
    if (kindOf(call) !== "correction") return text(broken);
    const file = /from this file with `read_file`: (.+)/.exec(call.prompt)?.[1] ?? "";
    if (call.turn === 0)
      return [callTool("read_file", { file_path: file }), callTool("read_file", { file_path: "/etc/passwd" })];
    read = JSON.stringify(call.toolResults);
    return json({ success: true, report: "Tides come from the moon.", metadata: {} });
  });
  const { report: found, logs } = await drain(search({ query: "Why are there tides?" }, deps));
  expect(found.result).toBe("Tides come from the moon.");
  expect(read).toContain(broken);
  expect(read).not.toContain("root:");
  expect(logs.filter((line) => line.startsWith("[ERROR]"))).toEqual([]);
  expect(server.requests.find((call) => kindOf(call) === "correction")?.tools).toEqual(["read_file"]);
  expect(await readdir(config)).toEqual([]);
});

test("a used-up day ends a deep search at once with what there is", async () => {
  const { deps } = await realWorld((call) => {
    if (call.kind !== "main") return undefined;
    return roundOf(call) === 2 ? httpError("quota-day") : report(1, false);
  });
  const { report: found } = await drain(deepSearch({ query: "Why are there tides?" }, deps));
  expect(found).toMatchObject({
    verified: false,
    result: expect.stringMatching(/^Report 1/),
    metadata: { iterations: 2, note: expect.stringContaining("daily quota") },
  });
});

test("deep_research [design/deep-research-stays]", async () => {
  const { deps } = await realWorld(
    researching(() => json({ success: true, report: "The moon.", metadata: { iterations: 2 } })),
  );
  const { report: found } = await drain(deepResearch({ topic: "tides", depth: "concise" }, deps));
  expect(found).toMatchObject({
    success: true,
    report: "The moon.",
    metadata: { topic: "tides", depth: "concise", model: MODEL, iterations: 2 },
  });
});

test("cancelling ends the CLI", async () => {
  const { deps, server } = await realWorld(() => silence());
  const stop = new AbortController();
  const running = drainFailing(search({ query: "Why are there tides?", signal: stop.signal }, deps));
  await server.waitFor("main");
  stop.abort();
  const { error, events } = await running;
  expect(error).toMatchObject({ code: "CANCELLED" });
  const pids = events.flatMap((event) =>
    event.type === "step" && event.step.type === "run-start" ? [event.step.pid] : [],
  );
  expect(pids).toHaveLength(1);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a deep search whose process was killed in round 2 goes on with round 2 in another", async () => {
  const directory = await temporaryFolder();
  let held = true;
  const { deps, server, env } = await realWorld((call) => {
    if (call.kind !== "main") return undefined;
    const round = roundOf(call);
    return held && round === 2 ? silence() : report(round, round === 2);
  });
  const script = await bundled(fileURLToPath(new URL("fixtures/deep-search-process.ts", import.meta.url)));
  const options = JSON.stringify({
    directory,
    env,
    command: CLI,
    model: MODEL,
    query: "Why are there tides?",
    maxRounds: 2,
  });
  const child = spawn(process.execPath, [script, options], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const clis: number[] = [];
  onTestFinished(() => {
    child.kill("SIGKILL");
    for (const pid of clis) endGroup(pid);
  });
  let id = "";
  createInterface(child.stdout).on("line", (line) => {
    const event = JSON.parse(line);
    if (event.type === "research-start") id = event.id;
    if (event.type === "step" && event.step.type === "run-start") clis.push(event.step.pid);
  });
  await server.waitFor((call) => call.kind === "main" && roundOf(call) === 2);
  child.kill("SIGKILL");
  await once(child, "exit");
  // The CLI notices by itself that its parent is gone, and leaves nothing.
  await expect.poll(() => clis.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  held = false;

  const first = server.requests.filter((call) => kindOf(call) === "first").length;
  const store = createFileRunStore({ directory });
  expect(await store.list()).toEqual([id]);
  const { report: found, logs } = await drain(deepSearch({ resume: id }, { ...deps, store }));
  expect(logs[0]).toBe("[INFO] Deep search round 2/2...");
  expect(found).toMatchObject({
    verified: true,
    result: expect.stringMatching(/^Report 2/),
    metadata: { query: "Why are there tides?", iterations: 2 },
  });
  expect(server.requests.filter((call) => kindOf(call) === "first")).toHaveLength(first);
  expect(JSON.parse(await readFile(join(directory, `${id}.json`), "utf8")).report).toEqual(
    JSON.parse(JSON.stringify(found)),
  );
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** For a test that fails halfway. */
function endGroup(pid: number) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
