import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import {
  createGeminiRunner,
  type GeminiRunner,
  type GeminiRunnerOptions,
  type RunEvent,
  type RunRequest,
  type RunResult,
  resultOf,
} from "../src/index.js";
import { type ModelServer, type Scenario, startModelServer } from "../src/testing/index.js";

const require = createRequire(import.meta.url);

/** The JavaScript of the installed CLI. */
export const CLI = path.join(path.dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

export interface World {
  server: ModelServer;
  runner: GeminiRunner;
  /** A user's home with nothing in it. */
  home: string;
  /** Everything the runner writes is under here. */
  folder: string;
  env: Record<string, string>;
  run(request: RunRequest | string): Promise<{ result: RunResult; events: RunEvent[] }>;
}

export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The real CLI, a model server that answers as the scenario says, and a home of its own. */
export async function world(scenario: Scenario, options: GeminiRunnerOptions = {}): Promise<World> {
  const home = await temporaryFolder("home");
  const folder = await temporaryFolder("runs");
  const server = await startModelServer({ scenario });
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, ...server.env };
  const runner = createGeminiRunner({ command: CLI, cwd: folder, env, retries: 0, ...options });
  onTestFinished(async () => {
    await runner.close();
    await server.close();
  });
  return {
    server,
    runner,
    home,
    folder,
    env,
    async run(request) {
      const events: RunEvent[] = [];
      const asked = typeof request === "string" ? { prompt: request, model: "gemini-2.5-flash" } : request;
      const result = await resultOf(runner.run(asked), (event) => events.push(event));
      return { result, events };
    },
  };
}
