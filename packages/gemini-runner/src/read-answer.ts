import type { CliProcess } from "./cli-process.js";
import { RunnerError } from "./errors.js";
import type { RunEvent, RunResult } from "./events.js";
import { toError } from "./failure.js";
import type { ApiFailure } from "./guard.js";
import { modelsOf } from "./model.js";
import { lastFinishReason } from "./responses-file.js";
import { readRecord } from "./session-file.js";
import { parseLine, type StreamLine } from "./stream-json.js";

export interface Limits {
  timeoutMs: number;
  toolTimeoutMs: number;
  idleTimeoutMs?: number;
}

type Answer = Omit<RunResult, "durationMs" | "queuedMs">;

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
        return await finish(event.exitCode, event.signal);
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
        continue;
      }
      if (event.type === "api-failure") {
        apiFailures.push(event.failure);
        continue;
      }
      const line = parseLine(event.line);
      if (line === undefined) {
        plain.push(event.line);
        continue;
      }
      spoke = true;
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
          deadlines.set(`tool ${line.id}`);
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

  async function finish(exitCode: number | undefined, signal: string | undefined): Promise<Answer> {
    const answer = spoke ? text.join("") : plain.join("\n").trim();
    const [record, reason] = await Promise.all([
      readRecord(process.workspace.folder),
      lastFinishReason(process.workspace.recordFile),
    ]);
    const succeeded = spoke ? result?.ok === true : exitCode === 0;
    if (!succeeded || answer.trim() === "" || messages.some((message) => /Loop detected/.test(message))) {
      throw toError({
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal }),
        messages,
        stderr: stderr.join("\n"),
        apiFailures,
      });
    }
    if (reason === "MAX_TOKENS") {
      throw new RunnerError("EXECUTION_ERROR", "The answer was cut off at the model's limit", {
        reason: "truncated",
        text: answer,
      });
    }
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

function timeout(reason: "timeout" | "idle" | "tool-timeout", message: string): RunnerError {
  return new RunnerError("EXECUTION_ERROR", message, { reason });
}

/** Timers by name, each of which stops the run with its error. */
class Deadlines {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop: (error: RunnerError) => void;

  constructor(stop: (error: RunnerError) => void) {
    this.#stop = stop;
  }

  /** Sets a deadline anew, or without arguments takes it away. */
  set(name: string, ms?: number, error?: RunnerError): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    if (ms !== undefined && error !== undefined)
      this.#timers.set(
        name,
        setTimeout(() => this.#stop(error), ms),
      );
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
