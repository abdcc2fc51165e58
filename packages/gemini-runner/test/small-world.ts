import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test as base } from "vitest";
import {
  createGeminiRunner,
  type GeminiRunner,
  type GeminiRunnerOptions,
  type RunEvent,
  type RunnerError,
  type RunRequest,
  type RunResult,
  resultOf,
} from "../src/index.js";
import { type Login, type ModelCall, type ModelServer, type Scenario, startModelServer } from "../src/testing/index.js";

const require = createRequire(import.meta.url);

/** The JavaScript of the installed CLI. */
export const CLI = path.join(path.dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

/** A program that does what its prompt tells it, for what the real CLI cannot be made to do. */
export const FAKE_CLI = path.join(import.meta.dirname, "fixtures/fake-gemini.mjs");

/** The same in the words of the shell: costs a twentieth, and has no module of the runner in its process. */
export const SHELL_CLI = path.join(import.meta.dirname, "fixtures/shell.sh");

/** Node's compile cache (Node 22 and later) stands beside the folders of the runs, and is meant to stay. */
export const COMPILE_CACHE = "gemini-compile-cache-";

/** What is left in the folder of runs. */
export function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith(COMPILE_CACHE));
}

/** The prompt as the model got it, without the lines that stand around it. */
export function promptOf(call: ModelCall | undefined): string | undefined {
  return /^(?:\/\/ Request|# Request(?:\n\n\/request)?)\n([\s\S]*)\n\n\(end of the request\)\n?$/.exec(
    call?.prompt ?? "",
  )?.[1];
}

/** Whether a process lives; one that has ended and waits to be reaped does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** The process id that a program writes into a file, as soon as it has. */
export async function pidIn(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await delay(10);
  return Number(readFileSync(file, "utf8"));
}

/** A promise that is kept from outside. */
export function promise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

/** Resolves when the process is gone. */
export async function gone(pid: number): Promise<void> {
  while (lives(pid)) await delay(10);
}

interface World {
  server: ModelServer;
  runner: GeminiRunner;
  /** A user's home with nothing in it. */
  home: string;
  /** Everything the runner writes is under here. */
  folder: string;
  /** Runs a prompt, by a model of its own unless the request says otherwise. */
  run(request: RunRequest | string): Promise<{ result: RunResult; events: RunEvent[] }>;
  /** Runs a prompt that must fail. */
  failureOf(request: RunRequest | string): Promise<RunnerError>;
}

interface Fixtures {
  /** A directory that is removed after the test. */
  temporaryFolder: (name: string) => Promise<string>;
  /** The real CLI, a model server that answers as the scenario says, and a home; all gone after the test. */
  world: (scenario: Scenario, options?: GeminiRunnerOptions, login?: Login) => Promise<World>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern.
  temporaryFolder: async ({}, use) => {
    const folders: string[] = [];
    await use(async (name) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), `${name}-`));
      folders.push(folder);
      return folder;
    });
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  },
  world: async ({ temporaryFolder }, use) => {
    const closing: (() => Promise<void>)[] = [];
    await use(async (scenario, options = {}, login = "api-key") => {
      const [home, folder] = await Promise.all([temporaryFolder("home"), temporaryFolder("runs")]);
      const server = await startModelServer({ scenario });
      const { PATH = "" } = process.env;
      const env = { PATH, HOME: home, ...server.envFor(login), ...options.env };
      const runner = createGeminiRunner({ command: CLI, cwd: folder, retries: 0, ...options, env });
      closing.push(async () => {
        await runner.close();
        await server.close();
      });
      const run: World["run"] = async (request) => {
        const events: RunEvent[] = [];
        const asked = typeof request === "string" ? { prompt: request, model: "gemini-2.5-flash" } : request;
        const result = await resultOf(runner.run(asked), (event) => events.push(event));
        return { result, events };
      };
      const failureOf: World["failureOf"] = (request) =>
        run(request).then(
          ({ result }) => {
            throw new Error(`No failure, but ${JSON.stringify(result)}`);
          },
          (error: RunnerError) => error,
        );
      return { server, runner, home, folder, run, failureOf };
    });
    await Promise.all(closing.map((close) => close()));
  },
});
