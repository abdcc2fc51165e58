/** One message to one host, with a home of its own, a model on loopback and our server. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeModel } from "./fake-model.mjs";
import { installPlugin } from "./install-plugin.mjs";

const SERVER = fileURLToPath(new URL("../../mcp-server/dist/bin.js", import.meta.url));
const FAKE = fileURLToPath(new URL("./fake-gemini.mjs", import.meta.url));

/**
 * @typedef {{ told: string[], offered: Set<string>, runs: number, seconds: number, code: number | null, listed?: string }} Outcome `told`: what the model saw of each call; `runs`: of the fake CLI; `listed`: what the host says of its plugins.
 * @param {import("./hosts.mjs").Host} host
 * @param {{ install: string, plan: Parameters<typeof startFakeModel>[0], limitMs?: number, hostEnv?: Record<string, string>, cli?: string, timeoutMs: number, release?: import("./release.mjs").Release }} options `release`: the server comes as the host's plugin.
 * @returns {Promise<Outcome>}
 */
export async function runHost(host, { install, plan, limitMs, hostEnv = {}, cli = FAKE, timeoutMs, release }) {
  const home = mkdtempSync(join(tmpdir(), "host-"));
  const runs = join(home, "runs.txt");
  writeFileSync(runs, "");
  const work = join(home, "work");
  mkdirSync(work);
  const model = await startFakeModel(plan);
  const env = { GEMINI_CLI_PATH: cli, GEMINI_SEARCH_CONFIG_DIR: join(home, "research") };
  const entry = release === undefined ? { command: process.execPath, args: [SERVER], env } : undefined;
  const startedMs = performance.now();
  let child;
  try {
    const run = host.set({ home, install, model: model.url, entry, limitMs });
    const PATH = [...(release === undefined ? [] : [release.bin]), process.env["PATH"]].join(delimiter);
    const own = { HOME: home, PATH, TERM: "xterm-256color", LANG: "C.UTF-8", ...run.env, ...hostEnv };
    const [file, ...first] = host.program(install);
    const listed = release && installPlugin(host, { home, work, release, env: own, program: [file, ...first] });
    child = spawn(file, [...first, ...run.args], { cwd: work, env: own, stdio: "ignore", detached: true });
    const code = await ended(child, timeoutMs);
    return {
      listed,
      told: model.talk.told,
      offered: model.offered,
      runs: readFileSync(runs, "utf8").split("\n").length - 1,
      seconds: (performance.now() - startedMs) / 1_000,
      code,
    };
  } finally {
    model.close();
    endGroup(child);
    endStrays(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ended(child, timeoutMs) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no end after ${timeoutMs / 1_000} s`)), timeoutMs);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(late);
      resolve(code);
    });
  });
}

/** A host that is ended by force leaves its servers behind. */
function endGroup(child) {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // All of it has gone by itself.
  }
}

/** Ends what has left the group of its host and would write into the home again, as Cline's hub does. */
function endStrays(home) {
  for (const pid of existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has gone, or is not ours.
    }
  }
}
