import type { CliProcess } from "./cli-process.js";
import { RunnerError } from "./errors.js";
import type { RunEvent, RunResult } from "./events.js";
import { toError } from "./failure.js";
import type { ApiFailure } from "./guard.js";
import { modelsOf } from "./model.js";
import { type LastTurn, readLastTurn } from "./responses-file.js";
import { readRecord } from "./session-file.js";
import { parseLine, type StreamLine } from "./stream-json.js";

export interface Limits {
  timeoutMs: number;
  toolTimeoutMs: number;
  idleTimeoutMs?: number;
}

/** What a run returns but for its times. */
export type Answer = Omit<RunResult, "durationMs" | "queuedMs">;

/**
 * How long the CLI may go on saying nothing after a request of its own has failed: as long as its first repetition
 * takes. Inside a tool it repeats for minutes and then begins again; its settings do not reach that far.
 */
const RETRY_GRACE_MS = 8_000;
const RECONNECT_GRACE_MS = 3_000;

function waitsTooLong(line: string): boolean {
  return Number(/Retrying after (\d+)ms/.exec(line)?.[1] ?? 0) > RETRY_GRACE_MS;
}

/** Errors of runs in which the CLI itself has tried again already: to run all again would be a third time. */
export const repeated = new WeakSet<RunnerError>();

/**
 * Reads what a process says until it has ended: yields what happens, returns the answer, throws what went wrong.
 * The first reason to end it wins.
 */
export async function* readAnswer(process: CliProcess, limits: Limits): AsyncGenerator<RunEvent, Answer, void> {
  const { inbox } = process;
  const deadlines = new Deadlines((error) => inbox.push({ type: "stop", error }));
  deadlines.set("run", limits.timeoutMs, timeout("timeout", `The run took longer than ${limits.timeoutMs} ms`));
  const tools = new Map<string, string>();
  const plain: string[] = [];
  const stderr: string[] = [];
  const messages: string[] = [];
  const apiFailures: ApiFailure[] = [];
  let init: string | undefined;
  let spoke = false;
  let text: string[] = [];
  let result: Extract<StreamLine, { type: "result" }> | undefined;
  let stopped: RunnerError | undefined;
  const idle = () => {
    const { idleTimeoutMs } = limits;
    if (idleTimeoutMs === undefined) return;
    deadlines.set("idle", idleTimeoutMs, timeout("idle", `The run said nothing for ${idleTimeoutMs} ms`));
  };
  try {
    idle();
    for (;;) {
      const event = await inbox.next();
      if (event.type === "exit") {
        deadlines.clear();
        if (stopped !== undefined) throw stopped;
        return await finish(event);
      }
      if (event.type === "stop") {
        if (result?.ok) continue;
        stopped ??= event.error;
        process.stop();
        continue;
      }
      if (stopped !== undefined) continue;
      idle();
      if (event.type === "stderr") {
        stderr.push(event.line);
        // The only sign of a failed request from a CLI that has no guard.
        if (/^Attempt \d+ failed/.test(event.line)) deadlines.set("failing", RETRY_GRACE_MS, failure, false);
        if (waitsTooLong(event.line)) inbox.push({ type: "stop", error: failure() });
        continue;
      }
      if (event.type === "api-failure") {
        apiFailures.push(event.failure);
        const graceMs = event.failure.status === undefined ? RECONNECT_GRACE_MS : RETRY_GRACE_MS;
        deadlines.set("failing", graceMs, failure, false);
        continue;
      }
      const line = parseLine(event.line);
      if (line === undefined) {
        plain.push(event.line);
        continue;
      }
      spoke = true;
      deadlines.drop("failing");
      switch (line.type) {
        case "init":
          init = line.model;
          break;
        case "user":
          break;
        case "text":
          text.push(line.text);
          yield { type: "text-delta", text: line.text };
          break;
        case "tool-call": {
          const { id, tool } = line.event;
          tools.set(id, tool);
          const limit = limits.toolTimeoutMs;
          deadlines.set(`tool ${id}`, limit, timeout("tool-timeout", `${tool} took longer than ${limit} ms`));
          yield line.event;
          break;
        }
        case "tool-result": {
          deadlines.drop(`tool ${line.id}`);
          text = [];
          const { id, ok, message } = line;
          yield {
            type: "tool-result",
            id,
            tool: tools.get(id) ?? "",
            ok,
            ...(message === undefined ? {} : { message }),
          };
          break;
        }
        case "error":
          messages.push(line.message);
          yield { type: "warning", message: line.message };
          break;
        case "result":
          result = line;
          if (line.message !== undefined) messages.push(line.message);
          // All that counts is written: the CLI's own way out takes longer and adds nothing.
          if (line.ok) process.kill();
      }
    }
  } finally {
    deadlines.clear();
  }

  function failure(exit: { exitCode?: number; signal?: string } = {}): RunnerError {
    const error = toError({ ...exit, messages, stderr: stderr.join("\n"), apiFailures });
    // The CLI has repeated the request by itself and in vain.
    if (apiFailures.filter(({ status }) => status !== undefined).length > 1) repeated.add(error);
    return error;
  }

  async function finish(exit: { exitCode?: number; signal?: string }): Promise<Answer> {
    const { folder, recordFile } = process.workspace;
    const [record, last] = await Promise.all([readRecord(folder), readLastTurn(recordFile)]);
    const said = spoke ? text.join("") : plain.join("\n").trim();
    // A turn that broke off was shown too; the whole one came after it.
    const answer = last !== undefined && last.text !== "" && said.endsWith(last.text) ? last.text : said;
    const succeeded = spoke ? result?.ok === true : exit.exitCode === 0;
    if (!succeeded || messages.some((message) => LOOP.test(message))) throw failure(exit);
    if (last?.finishReason === "MAX_TOKENS") throw truncated(answer);
    if (answer.trim() === "") throw silent(last, process.version);
    const { model, models } = modelsOf({ stats: result?.models ?? [], answered: record?.models ?? [], init });
    return {
      text: answer,
      ...(model === undefined ? {} : { model }),
      models,
      recorded: record !== undefined,
      queries: record?.queries ?? [],
      sources: record?.sources ?? [],
      failures: record?.failures ?? [],
    };
  }
}

/** The CLI's warning that it has stopped the run; it then ends as if all were well. */
const LOOP = /^Loop detected/;

function truncated(answer: string): RunnerError {
  const message = "The answer was cut off at the model's limit";
  return new RunnerError("EXECUTION_ERROR", message, { reason: "truncated", text: answer });
}

/** A run that ended well and said nothing. Newer CLIs record what the model said: no record is no turn. */
function silent(last: LastTurn | undefined, version: string | undefined): RunnerError {
  if (last === undefined && version !== undefined) {
    const message = "The CLI did not ask the model: the prompt is too long for its context";
    return new RunnerError("EXECUTION_ERROR", message, { reason: "too-long" });
  }
  if (last?.finishReason !== undefined && BLOCKED.has(last.finishReason)) {
    const message = `The answer was blocked (${last.finishReason})`;
    return new RunnerError("EXECUTION_ERROR", message, { reason: "blocked" });
  }
  return new RunnerError("EXECUTION_ERROR", "The model gave an empty answer", { reason: "empty", retryable: true });
}

const BLOCKED = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER"]);

function timeout(reason: "timeout" | "idle" | "tool-timeout", message: string): () => RunnerError {
  return () => new RunnerError("EXECUTION_ERROR", message, { reason });
}

/** Timers by name, each of which stops the run with its error. */
class Deadlines {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop: (error: RunnerError) => void;

  constructor(stop: (error: RunnerError) => void) {
    this.#stop = stop;
  }

  /** Sets a deadline: anew, or only when there is none of this name. */
  set(name: string, ms: number, error: () => RunnerError, anew = true): void {
    if (!anew && this.#timers.has(name)) return;
    this.drop(name);
    this.#timers.set(
      name,
      setTimeout(() => this.#stop(error()), ms),
    );
  }

  drop(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
