// Runners that the contract is run against.
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createGeminiRunner, RunnerError } from "@x/gemini-runner";
import { grounded, httpError, search, silence, startModelServer, text } from "@x/gemini-runner/testing";
import type { Runner } from "@x/research";
import type { Harness, Play } from "@x/research/testing";

const require = createRequire(import.meta.url);
const CLI = join(dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

/** The real Gemini CLI, a process for each run. */
export const geminiCli: Harness = { start: (model) => startGeminiCli(model, { pool: false }) };

/** The same, one process for all runs of all checks: what one leaves behind would meet the next. */
export class PooledGeminiCli implements Harness {
  #model: (prompt: string) => Play = () => "is silent";
  #started: ReturnType<Harness["start"]> | undefined;

  async start(model: (prompt: string) => Play): ReturnType<Harness["start"]> {
    this.#model = model;
    this.#started ??= startGeminiCli((prompt) => this.#model(prompt), { pool: true });
    const { runner } = await this.#started;
    return { runner, close: async () => {} };
  }

  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}

async function startGeminiCli(
  model: (prompt: string) => Play,
  { pool }: { pool: boolean },
): ReturnType<Harness["start"]> {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const server = await startModelServer({
    scenario(call) {
      const play = model(call.prompt);
      if (play === "is silent") return silence();
      if (play === "refuses the key") return httpError("bad-key");
      if (play === "has no quota today") return httpError("quota-day");
      if (call.kind === "search" && play.searches !== undefined) {
        const { query, finds } = play.searches;
        return grounded("Something.", { queries: [query], sources: [{ title: "Something", url: finds }] });
      }
      if (call.kind !== "main") return undefined;
      return play.searches !== undefined && call.turn === 0 ? search(play.searches.query) : text(play.says);
    },
  });
  const env = { PATH: process.env["PATH"], HOME: folder, ...server.env };
  const runner = createGeminiRunner({ command: CLI, cwd: folder, env, pool });
  return {
    runner,
    async close() {
      await runner.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A search, and nothing else: what a research cannot do without. */
const SCRIPTED = { search: { tool: "look_up" }, mcpServers: [] };

/** No program: what is least. */
export const scripted: Harness = {
  async start(model) {
    return { runner: { capabilities: SCRIPTED, run: (request) => scriptedRun(model, request) }, close: async () => {} };
  },
};

async function* scriptedRun(
  model: (prompt: string) => Play,
  { prompt, signal, timeoutMs = 60_000 }: Parameters<Runner["run"]>[0],
): ReturnType<Runner["run"]> {
  const cancelled = () => new RunnerError("CANCELLED", "The run was cancelled", { cause: signal?.reason });
  if (signal?.aborted) throw cancelled();
  yield { type: "run-start", pid: 1, queuedMs: 0, warm: false };
  const play = model(prompt);
  if (play === "refuses the key") throw new RunnerError("AUTH_REQUIRED", "The key was refused");
  if (play === "has no quota today") throw new RunnerError("QUOTA_EXCEEDED", "No quota", { scope: "day" });
  if (play === "is silent") {
    await delay(timeoutMs, undefined, signal ? { signal } : {}).catch(() => {});
    throw signal?.aborted ? cancelled() : new RunnerError("EXECUTION_ERROR", "It took too long", { reason: "timeout" });
  }
  const { says, searches } = play;
  return {
    text: says,
    models: [],
    recorded: searches !== undefined,
    queries: searches ? [searches.query] : [],
    sources: searches ? [{ url: searches.finds, status: "found" }] : [],
    failures: [],
    attributions: [],
  };
}
