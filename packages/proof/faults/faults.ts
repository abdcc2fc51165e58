import {
  callTool,
  delay,
  filler,
  finish,
  type HttpErrorName,
  httpError,
  json,
  type ModelCall,
  type Reply,
  raw,
  reset,
  search,
  silence,
  text,
  thought,
} from "@x/gemini-runner/testing";
import { answered, type FakeStep, lines, said } from "../rig/fake-gemini.js";
import { BROKEN_JSON, SENTENCE } from "./broken-json.js";
import { clientFaults } from "./client-faults.js";
import { type Expected, type Fault, ofGroup } from "./fault.js";
import { machineFaults } from "./machine-faults.js";
import { during, type Faulty } from "./plays.js";
import { processFaults } from "./process-faults.js";
import { wallFaults } from "./wall-faults.js";
import { type Answer, REPORT, TOOLS } from "./world.js";

const ANSWERED: Expected = { success: true };

function failed(code: string, says: RegExp): Expected {
  return { success: false, code, says };
}

/** The real CLI meets a model that does this for its own turn. */
function ofModel(turn: (call: ModelCall) => Reply, expected: Faulty["expected"], more: Partial<Faulty> = {}) {
  return during({
    arrange: ({ model }) => model.use((call) => (call.kind === "main" ? turn(call) : undefined)),
    expected,
    held: ({ model }) => model.waitFor("main"),
    ...more,
  });
}

/** A CLI that does this; then the real one is there again. */
function ofFake(steps: readonly FakeStep[], expected: Faulty["expected"], more: Partial<Faulty> = {}) {
  return during({
    arrange: ({ sandbox }) => sandbox.installFake(steps),
    heal: ({ sandbox }) => sandbox.installCli(),
    expected,
    ...more,
  });
}

const CLI = ofGroup("The CLI", [
  {
    name: "no CLI",
    by: "no `gemini` on PATH",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox, env }) => {
        delete env["GEMINI_CLI_PATH"];
        return sandbox.installText("not a program", 0o644);
      },
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("CLI_NOT_FOUND", /npm install -g @google\/gemini-cli/),
    }),
  },
  {
    name: "not executable",
    by: "`GEMINI_CLI_PATH` names a file without the right to run it",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox }) => sandbox.installText("#!/bin/sh\necho no\n", 0o644),
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("EXECUTION_ERROR", /chmod|executable|GEMINI_CLI_PATH/),
    }),
  },
  {
    name: "wrong version",
    by: "a package of the CLI's name, version 0.1.9",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox }) => sandbox.installVersion("0.1.9"),
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("EXECUTION_ERROR", /npm install -g @google\/gemini-cli|update/i),
    }),
  },
  {
    name: "untrusted folder",
    by: "fake CLI: its words and exit code 55",
    withinMs: 5_000,
    play: ofFake(
      [
        {
          do: "stderr",
          text: "Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode.\n",
        },
        { do: "exit", code: 55 },
      ],
      failed("EXECUTION_ERROR", /trust/i),
    ),
  },
  {
    name: "no sign-in",
    by: "real CLI without a key or a login",
    withinMs: 15_000,
    play: during({
      arrange: ({ env }) => {
        delete env["GEMINI_API_KEY"];
        delete env["GOOGLE_GEMINI_BASE_URL"];
      },
      // Who is signed in is in the server's environment: that it answers at all is shown by a CLI without a login.
      heal: ({ sandbox }) => sandbox.installFake(answered(JSON.stringify({ success: true, report: REPORT }))),
      expected: failed("AUTH_REQUIRED", /GEMINI_API_KEY/),
    }),
  },
  {
    name: "login of an individual",
    by: "fake CLI: its words since 2026-06-18",
    withinMs: 5_000,
    play: ofFake(
      [
        {
          do: "stderr",
          text: "Error authenticating: IneligibleTierError: This client is no longer supported for Gemini Code Assist for individuals. To continue using Gemini, please migrate to the Antigravity suite of products: https://antigravity.google\n    at _doSetupUser (file:///gemini.js:1:5) {\n  ineligibleTiers: [ { reasonCode: 'UNSUPPORTED_CLIENT', tierId: 'free-tier' } ]\n}\n",
        },
        { do: "exit", code: 1 },
      ],
      failed("AUTH_REQUIRED", /individual[\s\S]*GEMINI_API_KEY/),
    ),
  },
  {
    name: "bad key",
    by: "model server: 400 `API_KEY_INVALID`",
    withinMs: 15_000,
    play: ofModel(() => httpError("bad-key"), failed("AUTH_REQUIRED", /GEMINI_API_KEY/)),
  },
]);

const AGAIN = /again|later|wait/i;
const CONNECTION = /connection|network|proxy/i;

function ofHttpError(name: HttpErrorName, expected: Expected, retryAfterMs?: number) {
  const options = retryAfterMs === undefined ? {} : { retryAfterMs };
  return ofModel(() => httpError(name, options), expected);
}

const API = ofGroup("The API", [
  {
    name: "429, the minute",
    by: "model server: a `PerMinute` quota, again in 2 s",
    withinMs: 15_000,
    play: ofHttpError("quota-minute", failed("QUOTA_EXCEEDED", /minute[\s\S]*(wait|again)/i), 2_000),
  },
  {
    name: "429, the day",
    by: "model server: a `PerDay` quota",
    withinMs: 15_000,
    play: ofHttpError("quota-day", failed("QUOTA_EXCEEDED", /da(y|ily)[\s\S]*(wait|GEMINI_MODEL)/i)),
  },
  {
    name: "429, the day, on a search",
    tools: TOOLS,
    by: "model server: the search inside a run is refused; no model is set",
    withinMs: 30_000,
    play: during({
      arrange({ model, env }) {
        delete env["GEMINI_MODEL"];
        model.use(({ kind, turn }) => {
          if (kind === "search") return httpError("quota-day");
          if (kind !== "main") return undefined;
          return turn === 0 ? search("tides") : json({ success: true, verified: true, report: REPORT, metadata: {} });
        });
      },
      held: ({ model }) => model.waitFor("search"),
      expected: failed("QUOTA_EXCEEDED", /wait|GEMINI_MODEL/i),
      inspect({ model, problems }) {
        const count = model.requests.filter(({ kind }) => kind === "search").length;
        if (count > 100) problems.push(`${count} requests for one search reached the API`);
      },
    }),
  },
  {
    name: "500",
    by: "model server",
    withinMs: 20_000,
    play: ofHttpError("server", failed("EXECUTION_ERROR", AGAIN)),
  },
  {
    name: "503",
    by: "model server",
    withinMs: 20_000,
    play: ofHttpError("unavailable", failed("EXECUTION_ERROR", AGAIN)),
  },
  {
    name: "reset",
    by: "model server: TCP reset",
    withinMs: 20_000,
    play: ofModel(() => reset(), failed("EXECUTION_ERROR", CONNECTION)),
  },
  {
    name: "refused",
    by: "nothing listens at the API's address",
    withinMs: 20_000,
    play: during({
      arrange: ({ env }) => {
        env["GOOGLE_GEMINI_BASE_URL"] = "http://127.0.0.1:1";
      },
      heal: ({ sandbox }) => sandbox.installFake(answered(JSON.stringify({ success: true, report: REPORT }))),
      expected: failed("EXECUTION_ERROR", CONNECTION),
    }),
  },
  {
    name: "silence",
    tools: TOOLS,
    by: "model server: takes the request and says nothing; `GEMINI_SEARCH_TIMEOUT` 8 s",
    withinMs: 12_000,
    play: ofModel(() => silence(), failed("EXECUTION_ERROR", /GEMINI_SEARCH_TIMEOUT/), {
      arrange({ model, env }) {
        env["GEMINI_SEARCH_TIMEOUT"] = "8000";
        model.use(({ kind }) => (kind === "main" ? silence() : undefined));
      },
    }),
  },
  {
    name: "slow trickle",
    tools: TOOLS,
    by: "model server: a few letters every 150 ms",
    withinMs: 30_000,
    play: ofModel(
      () =>
        text(JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} }), {
          chunkLength: 8,
          everyMs: 150,
        }),
      { success: true, holds: hasReport(REPORT) },
    ),
  },
  {
    name: "cut stream",
    by: "model server: the connection breaks in the middle of an answer",
    withinMs: 30_000,
    play: ofModel(
      () => [...text('{"success": true, "report": "The tides'), reset()],
      failed("EXECUTION_ERROR", CONNECTION),
    ),
  },
  {
    name: "no API at all",
    by: "model server: a page of HTML with status 200",
    withinMs: 20_000,
    play: ofModel(
      () => raw("<!doctype html><title>Sign in to the hotel's network</title>"),
      failed("EXECUTION_ERROR", AGAIN),
    ),
  },
]);

function hasReport(report: string): (answer: Answer) => boolean {
  return ({ result, report: older }) => (result ?? older ?? "").includes(report);
}

const REPHRASE = /again|rephras|narrow|GEMINI_MODEL|other (?:words|model)/i;
const HUGE_BYTES = 5_000_000;

const ANSWER = ofGroup("The model's answer", [
  {
    name: "empty",
    by: "model server",
    withinMs: 30_000,
    play: ofModel(() => finish("STOP"), failed("EXECUTION_ERROR", REPHRASE)),
  },
  {
    name: "blocked",
    by: "model server: `SAFETY`",
    withinMs: 30_000,
    play: ofModel(() => finish("SAFETY"), failed("EXECUTION_ERROR", REPHRASE)),
  },
  {
    name: "only thoughts",
    by: "model server",
    withinMs: 30_000,
    play: ofModel(() => thought("Let me think about the tides."), failed("EXECUTION_ERROR", REPHRASE)),
  },
  {
    name: "loop stop",
    by: "fake CLI: its warning, no answer, exit code 0",
    withinMs: 10_000,
    play: ofFake(
      [
        {
          do: "stdout",
          text: lines(
            { type: "init", session_id: "fake", model: "gemini-2.5-flash" },
            said("tides tides tides tides"),
            { type: "error", severity: "warning", message: "Loop detected, stopping execution" },
            { type: "result", status: "success", stats: {} },
          ),
        },
        { do: "exit", code: 0 },
      ],
      failed("EXECUTION_ERROR", REPHRASE),
    ),
  },
  {
    name: "MAX_TOKENS",
    by: "model server: the report stops in the middle",
    withinMs: 60_000,
    play: ofModel(
      () => [
        ...text(`{"success": true, "verified": true, "report": ${JSON.stringify(REPORT).slice(0, -1)}`),
        finish("MAX_TOKENS"),
      ],
      // What is there is given, and is not passed off as whole.
      { success: true, holds: (answer) => hasReport("# Tides")(answer) && mentionsTheCut(answer) },
    ),
  },
  {
    name: "5 MB",
    by: "model server: a report of 5,000,000 bytes",
    withinMs: 60_000,
    play: ofModel(
      () =>
        text(JSON.stringify({ success: true, verified: true, report: filler(HUGE_BYTES), metadata: {} }), {
          chunkLength: 65_536,
        }),
      {
        success: true,
        // In pages: no message takes so much.
        holds: ({ report, result = report, metadata }) =>
          result?.startsWith(filler(HUGE_BYTES).slice(0, 1_000)) === true && Number(metadata?.["pages"]) > 100,
      },
    ),
  },
  ...Object.entries(BROKEN_JSON).map(([name, words]) => ({
    name: `broken JSON: ${name}`,
    by: "model server",
    withinMs: 20_000,
    play: ofModel(() => text(words), { success: true, holds: hasReport(SENTENCE) } as const, {
      inspect({ model, problems }, tool) {
        const count = model.requests.filter(({ kind }) => kind === "main").length;
        if (count > 1 && tool !== "research_cancel") problems.push(`${count} runs, where one and a repair would do`);
      },
    }),
  })),
  {
    name: "no JSON, corrected",
    by: "model server: prose; the correction run answers well",
    withinMs: 30_000,
    play: ofModel(
      ({ tools }) =>
        tools.includes("read_file")
          ? json({ success: true, verified: true, report: REPORT, metadata: {} })
          : text("I looked at the tides, and they are high."),
      { success: true, holds: hasReport(REPORT) },
    ),
  },
  {
    name: "no JSON, never",
    by: "model server: prose, and prose from every correction",
    withinMs: 60_000,
    play: ofModel(
      () => text("I looked at the tides, and they are high."),
      failed("EXECUTION_ERROR", /exhausted[\s\S]*(again|GEMINI_MODEL)/i),
    ),
  },
  {
    name: "wrong shape",
    by: "model server: JSON without a report",
    withinMs: 60_000,
    play: ofModel(
      () => json({ success: true, verified: true, summary: 16 }),
      failed("EXECUTION_ERROR", /exhausted[\s\S]*report/i),
    ),
  },
  {
    name: "the model says it failed",
    by: "model server: `success: false`",
    withinMs: 30_000,
    play: ofModel(
      () => json({ success: false, verified: false, report: "Nothing was found about it.", metadata: {} }),
      (tool) => failed(tool === "deep_research" ? "RESEARCH_FAILED" : "EXECUTION_ERROR", /Nothing was found/),
    ),
  },
  {
    name: "forbidden tools",
    by: "model server: calls shell, write and read of `/etc/passwd`, then answers",
    withinMs: 30_000,
    play: ofModel(
      ({ turn }) =>
        turn === 0
          ? [
              callTool("run_shell_command", { command: "touch $HOME/pwned" }),
              callTool("write_file", { file_path: "pwned", content: "x" }),
              callTool("read_file", { file_path: "/etc/passwd" }),
            ]
          : [delay(10), ...json({ success: true, verified: true, report: REPORT, metadata: {} })],
      ANSWERED,
      {
        inspect({ model, problems }) {
          const leaked = model.requests
            .flatMap(({ toolResults }) => toolResults)
            .find(({ response }) => JSON.stringify(response).includes("root:"));
          if (leaked) problems.push("the model read /etc/passwd");
        },
      },
    ),
  },
]);

function mentionsTheCut({ metadata, report }: Answer): boolean {
  return report !== undefined || /cut|broke off|incomplete|truncated/i.test(JSON.stringify(metadata));
}

/** The matrix, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  ...CLI,
  ...API,
  ...ANSWER,
  ...processFaults,
  ...machineFaults,
  ...clientFaults,
  ...wallFaults,
];
