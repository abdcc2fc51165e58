import { callTool, delay, filler, finish, json, text, thought } from "@x/gemini-runner/testing";
import { lines, said } from "../rig/fake-gemini.js";
import { BROKEN_JSON, SENTENCE } from "./broken-json.js";
import { failed, hasReport, ofGroup } from "./fault.js";
import { ofFake, ofModel } from "./plays.js";
import { type Answer, REPORT } from "./world.js";

const REPHRASE = /again|rephras|narrow|GEMINI_MODEL|other (?:words|model)/i;
const HUGE_BYTES = 5_000_000;

export const answerFaults = ofGroup("The model's answer", [
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
      { success: true },
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
