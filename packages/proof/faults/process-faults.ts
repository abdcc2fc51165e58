import { readdir } from "node:fs/promises";
import path from "node:path";
import { json, silence } from "@x/gemini-runner/testing";
import { answered, type FakeStep, lines, said } from "../rig/fake-gemini.js";
import { lastOf, processesOf, watchesOver } from "../rig/leftovers.js";
import { type Expected, type Fault, ofGroup } from "./fault.js";
import { answersAgain, check, during, noLockStays, nothingRunsOfKilled, ofFake, seconds } from "./plays.js";
import { REPORT, TOOLS, wellAnswered } from "./world.js";

const GOOD = JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} });
const CRASHED: Expected = { success: false, code: "EXECUTION_ERROR", says: /again|doctor|update|version/i };

/** The timeout of a run that would never end. */
function withTimeout(steps: readonly FakeStep[]): Fault["play"] {
  return ofFake(
    steps,
    { success: false, code: "EXECUTION_ERROR", says: /GEMINI_SEARCH_TIMEOUT/ },
    {
      arrange: ({ sandbox, env }) => {
        env["GEMINI_SEARCH_TIMEOUT"] = "6000";
        return sandbox.installFake(steps);
      },
    },
  );
}

export const processFaults = ofGroup("The CLI's process", [
  {
    name: "crash at the start",
    by: "fake CLI: a stack on stderr and exit code 1",
    withinMs: 8_000,
    play: ofFake(
      [
        { do: "stderr", text: "TypeError: undefined is not a function\n    at main (file:///gemini.js:1:5)\n" },
        { do: "exit", code: 1 },
      ],
      CRASHED,
    ),
  },
  {
    name: "crash in the middle",
    by: "fake CLI: half an answer, then SIGABRT",
    withinMs: 8_000,
    play: ofFake(
      [
        { do: "stdout", text: lines({ type: "init", model: "gemini-2.5-flash" }, said(GOOD.slice(0, 60))) },
        { do: "kill", signal: "SIGABRT" },
        { do: "hang" },
      ],
      CRASHED,
    ),
  },
  {
    name: "crash after the answer",
    by: "fake CLI: the whole answer, then SIGSEGV",
    withinMs: 8_000,
    play: ofFake(
      [...answered(GOOD).filter((step) => step.do !== "exit"), { do: "kill", signal: "SIGSEGV" }, { do: "hang" }],
      { success: true },
    ),
  },
  {
    name: "an answer that is no event",
    by: "fake CLI: prints just the answer, as an older one does",
    withinMs: 8_000,
    play: ofFake(
      [
        { do: "stdout", text: `${GOOD}\n` },
        { do: "exit", code: 0 },
      ],
      { success: true },
    ),
  },
  {
    name: "hang at the start",
    by: "fake CLI: says nothing; `GEMINI_SEARCH_TIMEOUT` 6 s",
    tools: TOOLS,
    withinMs: 10_000,
    play: withTimeout([{ do: "hang" }]),
  },
  {
    name: "hang that ignores signals",
    by: "fake CLI and a child of it ignore SIGTERM, SIGINT and SIGHUP",
    tools: TOOLS,
    withinMs: 10_000,
    play: withTimeout([{ do: "ignore-signals" }, { do: "grandchild" }, { do: "hang" }]),
  },
  {
    name: "flood",
    by: "fake CLI: 20 MB on stderr and 20 MB of lines that are no events, then the answer",
    withinMs: 20_000,
    play: ofFake(
      [
        { do: "stderr", text: `${"noise ".repeat(200)}\n`.repeat(17_000) },
        { do: "stdout", text: `${"{ noise ".repeat(150)}\n`.repeat(17_000) },
        ...answered(GOOD),
      ],
      { success: true },
    ),
  },
  {
    name: "SIGKILL of the CLI",
    by: "real CLI, killed when its request is at the API",
    withinMs: 20_000,
    play: during({
      arrange: ({ model }) =>
        model.use((call) => (call.kind === "main" && call.index === 0 ? silence() : wellAnswered(call))),
      async meanwhile({ model, sandbox }, { server }) {
        await model.waitFor("main");
        // Another one may be there by then, started ahead for the next round.
        const found = (await processesOf(sandbox, [server.pid])).filter((each) => !watchesOver(each));
        const [first] = found.map(({ pid }) => pid).sort((a, b) => a - b);
        if (first !== undefined) process.kill(first, "SIGKILL");
      },
      // A round that fails is passed over, and the next one answers; a run that shared its process is made again.
      expected: (tool, way) =>
        way === "http" || tool === "deep_search" || tool === "research_result" ? { success: true } : CRASHED,
    }),
  },
  {
    name: "SIGKILL of the server",
    by: "while the CLI's request is at the API; a new server then goes on with the job",
    tools: ["search", "deep_search", "deep_research"],
    withinMs: 2_000,
    async play(world, tool, withinMs) {
      const { model, sandbox, problems } = world;
      // The second round of a deep search is the one that is broken off.
      const held = tool === "deep_search" ? 1 : 0;
      model.use((call) => {
        if (call.kind !== "main" || call.index > held) return wellAnswered(call);
        return call.index === held ? silence() : json({ success: true, verified: false, report: REPORT, metadata: {} });
      });
      const first = await world.connect();
      const job_id = await world.begin(first.client, tool);
      await model.waitFor(({ kind, index }) => kind === "main" && index === held);
      const from = performance.now();
      first.server.child.kill("SIGKILL");
      await first.server.exited;
      await nothingRunsOfKilled(world, withinMs);
      // A folder goes after the last file in it.
      const runs = await lastOf(() => readdir(path.join(sandbox.config, "runs")).catch(() => []), withinMs);
      const ms = performance.now() - from;
      if (runs.length > 0) problems.push(`${runs.length} folders of runs stay`);
      const second = await world.connect();
      const answer = await world.call(second.client, "research_result", { job_id });
      check(world, tool, answer, { success: true });
      const rounds = model.requests.filter(({ kind }) => kind === "main").length;
      if (rounds !== held + 2) problems.push(`${rounds} rounds were asked of the model, where ${held + 2} would do`);
      await answersAgain(world, second.client);
      await noLockStays(world);
      return `all gone ${seconds(ms)}, ${answer.status ?? "answered"} by the next server`;
    },
  },
]);
