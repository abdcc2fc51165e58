#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { machine, table, writeSection } from "../measure/page.mjs";
import { scriptOutput } from "../measure/pnpm.mjs";
import { observable } from "../measure/process-tree.mjs";
import { median, pairedRatio } from "../measure/statistics.mjs";
import { measureCommands } from "./commands.mjs";
import { installAll } from "./installs.mjs";
import { CLI_VERSION, DEEP_ROUNDS, measureRuns } from "./runs.mjs";
import { measureStartUp } from "./start-up.mjs";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
const SERVER = join(PACKAGES, "mcp-server/dist/bin.js");
/** What each is called with. json-repair writes its own README, where the growth with adversarial texts stands as well. */
const PACKAGE_BENCHES = {
  "json-repair": ["--only", "speed", "--only", "accuracy"],
  "gemini-runner": [],
  research: [],
};
/** A package's bench that takes longer hangs. */
const PACKAGE_BENCH_LIMIT_MS = 15 * 60_000;

const PARTS = {
  start: startSection,
  commands: commandsSection,
  runs: runsSection,
  rendering: renderingSection,
  ...Object.fromEntries(Object.keys(PACKAGE_BENCHES).map((name) => [name, () => packageBench(name)])),
};

const USAGE = `Every number of docs/benchmarks.md but the load, in one run: npm run bench [-- options]

  --only PART     ${Object.keys(PARTS).join(", ")}
  --rounds N      of each measurement of the server and of runs (15)
  --dry           only prints, does not write the page`;

const values = commandLine(USAGE, {
  rounds: { type: "string", default: "15" },
  dry: { type: "boolean" },
  only: { type: "string" },
});
const rounds = Number(values.rounds);
if (!(rounds >= 1)) refuse(`--rounds ${values.rounds}: expected a number of at least 1`, USAGE);
const chosen = values.only === undefined ? Object.keys(PARTS) : [values.only];
const unknown = chosen.find((name) => PARTS[name] === undefined);
if (unknown !== undefined) refuse(`--only ${unknown}: known are ${Object.keys(PARTS).join(", ")}`, USAGE);

const scratch = mkdtempSync(join(tmpdir(), "bench-"));
try {
  for (const name of chosen) {
    const text = await PARTS[name]();
    console.log(`\n${text}`);
    if (values.dry) continue;
    writeSection("benchmarks.md", name, text);
    // The same numbers in both places.
    if (name in PACKAGE_BENCHES && name !== "json-repair") {
      writeSection(new URL(`../../${name}/README.md`, import.meta.url), "bench", text);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function startSection() {
  const servers = installAll(scratch);
  // Some look for a program named `gemini` before they answer.
  const path = `${fileURLToPath(new URL("../node_modules/.bin", import.meta.url))}:${process.env.PATH}`;
  const measured = await measureStartUp(servers, { rounds, scratch, path });
  const [ours] = measured;
  const rows = servers.map(({ name, version, bytes, packages }, i) => {
    const { initializeMs, toolsMs, exitMs, memoryMiB, tools, foreignLines } = measured[i];
    return [
      i === 0 ? `**${name}**` : name,
      version,
      `${median(initializeMs).toFixed(0)}`,
      `${median(toolsMs).toFixed(0)}`,
      i === 0 ? "1.00" : pairedRatio(ours.toolsMs, toolsMs).toFixed(2),
      median(memoryMiB).toFixed(1),
      i === 0 ? "1.00" : (median(ours.memoryMiB) / median(memoryMiB)).toFixed(2),
      (bytes / 1e6).toFixed(1),
      packages,
      tools.length,
      JSON.stringify(tools).length,
      median(exitMs).toFixed(0),
      foreignLines,
    ];
  });
  const headings = [
    ...["server", "version", "initialize ms>", "tools/list ms>", "ours ÷ theirs>", "idle MiB>", "ours ÷ theirs>"],
    ...[
      "installed MB>",
      "packages>",
      "tools>",
      "tools/list characters>",
      "exit ms>",
      "lines on stdout that are no JSON>",
    ],
  ];
  const goals = startGoals(servers, measured);
  if (goals.some(({ ok }) => !ok)) process.exitCode = 1;
  return [
    `Medians of ${rounds} rounds, each server once a round in a changing order; a ratio is the median of the rounds' own ratios. Times run from the spawn of \`node\` to the answer; memory is that of the whole process tree 1.5 s after the answer; exit is the time from the end of stdin. ${machine()}.`,
    table(headings, rows),
    table(
      ["goal", "at most>", "measured>", ""],
      goals.map(({ what, limit, value, ok }) => [what, limit, Number(value.toFixed(2)), ok ? "met" : "**missed**"]),
    ),
  ].join("\n\n");
}

/** What a host notices first is not to be slower or heavier than the lightest peer. */
function startGoals(servers, measured) {
  const [ours] = measured;
  const of = (name) => measured[servers.findIndex((server) => server.name === name)];
  const lightest = of("@choplin/mcp-gemini-cli");
  const popular = of("gemini-mcp-tool");
  return [
    ["spawn → tools/list against @choplin/mcp-gemini-cli", 1, pairedRatio(ours.toolsMs, lightest.toolsMs)],
    ["spawn → tools/list against gemini-mcp-tool", 0.5, pairedRatio(ours.toolsMs, popular.toolsMs)],
    ["idle memory against @choplin/mcp-gemini-cli", 1, median(ours.memoryMiB) / median(lightest.memoryMiB)],
    ["installed MB, without what reads PDFs", 2, (servers[0].bytes - servers[0].pdfBytes) / 1e6],
    ["what reads PDFs, MB", 2, servers[0].pdfBytes / 1e6],
    ["packages installed", 2, servers[0].packages],
    ["characters of the tool list", 6_000, JSON.stringify(ours.tools).length],
    ["lines on stdout that are no JSON", 0, ours.foreignLines],
  ].map(([what, limit, value]) => ({ what, limit, value, ok: value <= limit }));
}

async function runsSection() {
  const searchRounds = Math.max(3, Math.round(rounds / 2));
  const deepRounds = Math.max(2, Math.round(rounds / 5));
  const runs = await measureRuns({ script: SERVER, scratch, searchRounds, deepRounds });
  const row = (what, { ours, plain }) => {
    const of = (side, name) => median(side.map((each) => each[name]));
    const beyond = (side) =>
      median(
        side.map(({ bytes, prompts }) => bytes - prompts.reduce((sum, prompt) => sum + Buffer.byteLength(prompt), 0)),
      );
    const ratio = pairedRatio(
      ours.map(({ ms }) => ms),
      plain.map(({ ms }) => ms),
    );
    return [
      what,
      ours.length,
      ...[ours, plain].map((side) => of(side, "ms").toFixed(0)),
      ratio.toFixed(2),
      ...[ours, plain].map((side) => of(side, "requests")),
      ...[ours, plain].map((side) => (beyond(side) / 1024).toFixed(1)),
      (beyond(ours) / beyond(plain)).toFixed(2),
    ];
  };
  return [
    `Through the built server with the real Gemini CLI ${CLI_VERSION}, beside the same CLI started by hand with the same prompts one after the other, pair by pair. The model server answers at once, so the time is that of the programs alone; bytes are those of all requests without the prompts. Medians. ${machine()}.`,
    table(
      [
        ...["", "pairs>", "ours ms>", "plain `gemini` ms>", "ratio>", "our requests>", "its requests>"],
        ...["our KiB>", "its KiB>", "ratio>"],
      ],
      [row("`search`", runs.search), row(`\`deep_search\`, ${DEEP_ROUNDS} rounds`, runs.deep)],
    ),
  ].join("\n\n");
}

/** What a search costs beside the CLI. */
function commandsSection() {
  if (!observable) return "Measured on Linux.";
  const rows = measureCommands({ script: SERVER, scratch, rounds: Math.max(3, Math.round(rounds / 3)) });
  const [{ cpuMs: nodeMs }] = rows;
  return [
    `Time of the processor for a process and all that it starts, with a CLI that answers at once; each row the least of several batches. ${machine()}.`,
    table(
      ["", "CPU ms>", "beyond Node ms>"],
      rows.map(({ what, cpuMs }) => [what, cpuMs.toFixed(0), (cpuMs - nodeMs).toFixed(0)]),
    ),
  ].join("\n\n");
}

/** What it costs to show a long report of each kind, hostile ones among them. */
function renderingSection() {
  const script = fileURLToPath(new URL("../dist/rendering.js", import.meta.url));
  const shown = execFileSync(process.execPath, [script], { encoding: "utf8", timeout: PACKAGE_BENCH_LIMIT_MS });
  return [
    `Time of the processor for one report of 400,000 and of 5,000,000 characters: as the HTML page, in a terminal of 100 and of 20 columns, as a Markdown file, as Markdown for a host. The least of three. Goals: 500 ms, and 2,000 ms. ${machine()}.`,
    shown.trim(),
  ].join("\n\n");
}

/** A package measures itself beside its own peers and prints Markdown, or plain lines, which are set as they are. */
function packageBench(name) {
  const folder = join(PACKAGES, name);
  if (!existsSync(join(folder, "bench"))) throw new Error(`packages/${name} has no bench`);
  const write = name === "json-repair" && !values.dry ? ["--write"] : [];
  const text = scriptOutput(folder, ["bench", ...PACKAGE_BENCHES[name], ...write], PACKAGE_BENCH_LIMIT_MS);
  return /^\|[-:| ]+\|$/m.test(text) ? text.replaceAll(/^## /gm, "### ") : `\`\`\`\n${text}\n\`\`\``;
}
