import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Cli, findCli } from "./availability.js";
import { CliProcess } from "./cli-process.js";
import { FIRST_CHUNK, MAX_STDIN_BYTES, toArguments, toStdin } from "./command-line.js";
import { type Environment, passedEnvironment, variablesIn } from "./environment.js";
import { RunnerError } from "./errors.js";
import type { AgentRun, GeminiRunner, PrewarmRequest, RunRequest } from "./events.js";
import type { Grants, McpServers } from "./policy.js";
import { Queue } from "./queue.js";
import { readAnswer } from "./read-answer.js";
import { readSignIn } from "./sign-in.js";
import { createWorkspace } from "./workspace.js";

export interface GeminiRunnerOptions {
  /** The CLI: a path, or a name on PATH. Default: `gemini`. */
  command?: string;
  /** The directory under which each run has its own, for as long as it lasts. Default: a private temporary one. */
  cwd?: string;
  /**
   * The caller's environment, the one place it is read from. The CLI sees what it, Node, proxies and certificates need.
   * Default: `process.env`.
   */
  env?: Environment;
  /** Name or alias as `--model` takes it, for requests that name none. Default: the CLI's own choice. */
  model?: string;
  /** How long one run may take, from the start of its process. Default: 300000. */
  timeoutMs?: number;
  /** How long a run may say nothing. Default: no limit but `timeoutMs`. */
  idleTimeoutMs?: number;
  /** How long one call of a tool may take. Default: 90000. */
  toolTimeoutMs?: number;
  /** How long a process that was asked to end may take before it is killed. Default: 1000. */
  killAfterMs?: number;
  /** Runs at once; the others wait in order. Default: two per core. */
  maxConcurrent?: number;
  /** How often a run that failed for the moment (network, server, a minute's quota) is tried again. Default: 1. */
  retries?: number;
  /** MCP servers whose named tools the model may use too. Default: none. */
  mcpServers?: McpServers;
  /** Waits between attempts. Default: a timer. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The clock of durations, in ms. Default: `Date.now`. */
  now?: () => number;
  /** Hears what did not go as it should but stopped nothing. Default: nobody. */
  onWarning?: (message: string) => void;
}

const DEFAULT_TOOLS = ["google_web_search", "web_fetch"];

/** A runner of the user's own Gemini CLI. Nothing is started, read or written before the first run. */
export function createGeminiRunner(options: GeminiRunnerOptions = {}): GeminiRunner {
  const {
    env = process.env,
    timeoutMs = 300_000,
    toolTimeoutMs = 90_000,
    killAfterMs = 1_000,
    maxConcurrent = 2 * os.availableParallelism(),
    now = Date.now,
  } = options;
  const queue = new Queue(maxConcurrent);
  const running = new Set<{ close: () => void; over: Promise<void> }>();
  let parent: Promise<string> | undefined;

  const folder = () => {
    parent ??=
      options.cwd === undefined ? mkdtemp(path.join(os.tmpdir(), "gemini-runner-")) : Promise.resolve(options.cwd);
    return parent;
  };

  async function start(request: PrewarmRequest): Promise<{ process: CliProcess; cli: Cli }> {
    const cli = await findCli({ command: options.command, env });
    const model = request.model ?? options.model;
    const grants: Grants = {
      tools: request.tools ?? DEFAULT_TOOLS,
      mcpServers: options.mcpServers ?? {},
      files: request.files ?? [],
    };
    const signIn = await readSignIn(env);
    const wanted = Object.values(grants.mcpServers).flatMap(({ env: own = {} }) =>
      Object.values(own).flatMap(variablesIn),
    );
    const passed = passedEnvironment(env, wanted);
    const workspace = await createWorkspace({
      parent: await folder(),
      grants,
      signIn,
      model: model ?? env["GEMINI_MODEL"],
    });
    try {
      const args = toArguments({
        sessionId: randomUUID(),
        model,
        policyFile: workspace.policyFile,
        recordFile: workspace.recordFile,
        folders: [...new Set(grants.files.map((file) => path.dirname(file)))],
        mcpServers: Object.keys(grants.mcpServers),
      });
      const process = await CliProcess.start({
        cli,
        args,
        env: { ...passed, ...signIn.env, NO_BROWSER: "true", NO_COLOR: "1", ...workspace.env },
        workspace,
        killAfterMs,
      });
      return { process, cli };
    } catch (error) {
      await workspace.remove();
      throw error;
    }
  }

  async function* run(request: RunRequest): AgentRun {
    check(request);
    const { signal } = request;
    const queuedAt = now();
    const leave = await queue.enter(signal).catch(() => {
      throw cancelled(signal);
    });
    const startedAt = now();
    try {
      const { process, cli } = await start(request);
      const stop = (error: RunnerError) => process.inbox.push({ type: "stop", error });
      const onAbort = () => stop(cancelled(signal));
      const entry = {
        close: () => stop(new RunnerError("EXECUTION_ERROR", "The runner was closed", { reason: "closed" })),
        over: Promise.resolve(),
      };
      let finished = () => {};
      entry.over = new Promise((resolve) => {
        finished = resolve;
      });
      running.add(entry);
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) onAbort();
      try {
        const queuedMs = startedAt - queuedAt;
        process.send(request.prompt);
        yield {
          type: "run-start",
          pid: process.pid,
          ...(cli.version === undefined ? {} : { version: cli.version }),
          queuedMs,
          warm: false,
        };
        const idleTimeoutMs = request.idleTimeoutMs ?? options.idleTimeoutMs;
        const limits = {
          timeoutMs: request.timeoutMs ?? timeoutMs,
          toolTimeoutMs,
          ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
        };
        const answer = yield* readAnswer(process, limits);
        const durationMs = now() - startedAt;
        yield { type: "run-end", durationMs };
        return { ...answer, durationMs, queuedMs };
      } finally {
        signal?.removeEventListener("abort", onAbort);
        process.stop();
        await process.gone();
        running.delete(entry);
        finished();
      }
    } finally {
      leave();
    }
  }

  return {
    run,
    prewarm() {},
    async close() {
      const entries = [...running];
      for (const entry of entries) entry.close();
      await Promise.all(entries.map(({ over }) => over));
      if (parent !== undefined && options.cwd === undefined) await rm(await parent, { recursive: true, force: true });
      parent = undefined;
    },
  };
}

function check({ prompt }: RunRequest): void {
  if (prompt.trim() === "") {
    throw new RunnerError("EXECUTION_ERROR", "The prompt is empty", { reason: "input" });
  }
  if (Buffer.byteLength(FIRST_CHUNK + toStdin(prompt)) > MAX_STDIN_BYTES) {
    throw new RunnerError("EXECUTION_ERROR", "The prompt is longer than 8 MiB, the most that the CLI reads", {
      reason: "too-long",
    });
  }
}

function cancelled(signal: AbortSignal | undefined): RunnerError {
  return new RunnerError("CANCELLED", "The run was cancelled", { cause: signal?.reason });
}
