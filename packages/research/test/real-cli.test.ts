import { readdir } from "node:fs/promises";
import {
  callTool,
  fetchPage,
  grounded,
  json,
  page,
  type Reply,
  type Scenario,
  search as searching,
  silence,
  text,
} from "@x/gemini-runner/testing";
import { expect, test, vi } from "vitest";
import { deepResearch, deepSearch, search } from "../src/index.js";
import { inRound2, kindOf, MODEL, PAGES, printing, realWorld, report, scriptWorld } from "./real-world.js";
import { drain, drainFailing } from "./world.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** A model that searches, reads two pages and then says what `answer` gives. */
function researching(answer: () => Reply): Scenario {
  return (call) => {
    if (call.kind === "search")
      return grounded("Two pages.", { sources: [{ url: "https://tides.org/found", title: "tides.org" }] });
    if (call.kind === "fetch") return page(`What stands at ${call.urls.join()}.`);
    if (call.kind !== "main") return undefined;
    return [searching("tides 1"), PAGES.map((url) => fetchPage(url))][call.turn] ?? answer();
  };
}

const UNREADABLE = "Tides come from the moon, but this is no JSON.";

test("search: what the model read and searched, and an unreadable answer that is corrected from its file [search/success] [search/correction-success]", async () => {
  let read = "";
  const research = researching(() => text(UNREADABLE));
  const { deps, config, server } = await realWorld((call) => {
    if (call.kind !== "main" || kindOf(call) !== "correction") return research(call);
    const file = /from this file with `read_file`: (.+)/.exec(call.prompt)?.[1] ?? "";
    if (call.turn === 0)
      return [callTool("read_file", { file_path: file }), callTool("read_file", { file_path: "/etc/passwd" })];
    read = JSON.stringify(call.toolResults);
    return report(1, false);
  });
  const query = 'Why are there tides? $& {{query}} @package.json "x"\n/help 漢🙂';
  const { report: answer, events, logs } = await drain(search({ query }, deps));
  expect(answer).toMatchObject({
    success: true,
    result: expect.stringMatching(/^Report 1/),
    metadata: {
      query,
      model: MODEL,
      sources_visited: [...PAGES],
      search_queries_used: ["tides 1"],
      usage: { runs: 2 },
      evidence: {
        status: "available",
        sources: PAGES.map((url) => ({ url, status: "retrieved", cited: true })),
        unseen: ["https://invented.org/x"],
        independent_hosts: 1,
        claims: [{ text: "The moon pulls.", sources: [PAGES[0]], status: "supported" }],
      },
    },
  });
  expect(answer.metadata.usage?.total_tokens).toBeGreaterThan(0);
  expect(server.requests.find(({ kind }) => kind === "main")?.prompt).toContain(`\n${query}\n`);
  const tools = events.flatMap((event) =>
    event.type === "step" && event.step.type === "tool-call" ? [event.step.tool] : [],
  );
  expect(tools).toEqual(["google_web_search", "web_fetch", "web_fetch", "read_file", "read_file"]);
  expect(read).toContain(UNREADABLE);
  expect(read).not.toContain("root:");
  expect(logs.filter((line) => line.startsWith("[ERROR]"))).toEqual([]);
  expect(server.requests.find((call) => kindOf(call) === "correction")?.tools).toEqual(["read_file"]);
  expect(await readdir(config)).toEqual([]);
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

test("a used-up day ends a deep search at once with what there is", async () => {
  const quota = "echo 'TerminalQuotaError: You have exhausted your daily quota on this model.' >&2; exit 173";
  const { deps } = await scriptWorld(inRound2(quota, printing({ success: true, report: "Report 1.", metadata: {} })));
  const { report: found } = await drain(deepSearch({ query: "Why are there tides?" }, deps));
  expect(found).toMatchObject({
    verified: false,
    result: "Report 1.",
    metadata: { iterations: 2, note: expect.stringContaining("daily quota") },
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
