/**
 * What a command of the terminal costs beside Gemini CLI: the time of the processor for a search whose CLI is a shell script
 * that answers at once, beside an empty program and with one ability more from row to row.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Processes between two looks: the system counts in steps of 10 ms. */
const BATCH = 5;
const STEP_MS = 10;

const ANSWER = JSON.stringify({
  success: true,
  report: "# Tides\n\nSixteen metres [1].",
  metadata: { sources_visited: ["https://example.org/a"], search_queries_used: ["tides"] },
});
const EMPTY_THREAD = `new (require("node:worker_threads").Worker)("", { eval: true });`;

/** @returns rows `{ what, cpuMs }`: the least mean of a batch, with all that the process has started */
export function measureCommands({ script, scratch, rounds }) {
  const home = join(scratch, "commands");
  mkdirSync(home);
  const cli = join(home, "gemini");
  writeFileSync(cli, `#!/bin/sh\ncat >/dev/null\nprintf '%s' '${ANSWER}'\n`);
  chmodSync(cli, 0o755);
  const env = { PATH: process.env.PATH, HOME: home, GEMINI_CLI_PATH: cli };
  const run = (args, more = {}) => {
    const { status, stderr } = spawnSync(process.execPath, args, { env: { ...env, ...more }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  };
  let asked = 0;
  const search = (pages) => {
    asked += 1;
    const settings = { GEMINI_SEARCH_CONFIG_DIR: join(home, "config"), GEMINI_RESEARCH_PAGES: pages };
    run([script, "search", `How high are tides (${asked})?`, "--json"], settings);
  };
  const rows = [
    ["Node alone", () => run(["-e", ""])],
    ["Node with a thread that does nothing", () => run(["-e", EMPTY_THREAD])],
    ["`x-research --version`", () => run([script, "--version"])],
    ["`x-research search`, pages left to Gemini CLI", () => search("google")],
    ["`x-research search`, with the tool that reads pages", () => search("auto")],
  ].map(([what, work]) => ({ what, work, cpuMs: Number.POSITIVE_INFINITY }));
  // The first round warms the disk and is not counted.
  for (let round = -1; round < rounds; round++) {
    for (const row of rows) {
      const before = childrenCpuMs();
      for (let i = 0; i < BATCH; i++) row.work();
      if (round >= 0) row.cpuMs = Math.min(row.cpuMs, (childrenCpuMs() - before) / BATCH);
    }
  }
  return rows;
}

/** The processor's time of all processes that this one has started and that have ended. */
function childrenCpuMs() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15);
  return (Number(user) + Number(system)) * STEP_MS;
}
