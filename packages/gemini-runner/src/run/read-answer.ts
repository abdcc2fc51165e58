import { createHash } from "node:crypto";
import type { ModelTurn } from "../cli/guard-notes.js";
import { readRecord } from "../cli/session-file.js";
import { parseLine } from "../cli/stream-json.js";
import { RunnerError } from "../errors/runner-error.js";
import type { RunEvent, RunResult } from "../events.js";
import type { CliProcess, Exit } from "../process/cli-process.js";
import { Deadlines } from "../process/deadlines.js";
import { modelsOf } from "./model.js";
import type { Replies } from "./replies.js";
import { Heard } from "./transcript.js";

export interface ReadOptions {
  /** What is yielded first, when the time runs. */
  first: readonly RunEvent[];
  timeoutMs: number;
  /** What is left of it. */
  leftMs: number;
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

/** How long the CLI may take to end after it has said that it failed. */
const EXIT_GRACE_MS = 3_000;

/** Errors of runs in which the CLI itself has tried again in vain: to run all again would be a third time. */
export const repeated = new WeakSet<RunnerError>();

/** Errors of processes that ended by themselves before they did anything with their prompt: nothing was spent. */
export const unbegun = new WeakSet<RunnerError>();

/**
 * Reads what a process says until it has ended: yields what happens, returns the answer, throws what went wrong.
 * The first reason to end it wins.
 */
export async function* readAnswer(process: CliProcess, options: ReadOptions): AsyncGenerator<RunEvent, Answer, void> {
  const { inbox } = process;
  const { first, timeoutMs, leftMs, toolTimeoutMs, idleTimeoutMs } = options;
  const heard = new Heard();
  const deadlines = new Deadlines((deadline) => {
    inbox.push({ type: "deadline", deadline });
    // At the end of its time the process goes, also while nobody reads the run.
    if (deadline.name === "run") process.stop();
  });
  const failing = (graceMs: number) => {
    if (!deadlines.has("failing")) deadlines.set("failing", graceMs, () => failure(heard));
  };
  let stopped: RunnerError | undefined;
  const stop = (error: RunnerError) => {
    if (stopped !== undefined || heard.ok) return;
    stopped = error;
    process.stop();
  };
  deadlines.set("run", leftMs, () => tookTooLong(timeoutMs));
  try {
    yield* first;
    for (let silent = false; ; ) {
      if (idleTimeoutMs !== undefined && !silent) {
        deadlines.set("idle", idleTimeoutMs, timeout("idle", `The run said nothing for ${idleTimeoutMs} ms`));
      }
      const event = await inbox.next();
      silent = event.type === "deadline";
      switch (event.type) {
        case "exit":
          if (stopped !== undefined) throw stopped;
          return await finish(heard, event.exit, process).catch((error: RunnerError) => {
            if (!heard.begun) unbegun.add(error);
            throw error;
          });
        case "stop":
          stop(event.error);
          break;
        case "deadline":
          if (deadlines.counts(event.deadline)) stop(event.deadline.error());
          break;
        case "guard":
          heard.guarded = true;
          if (event.note.type !== "failure") {
            heard.replies.add(event.note);
            if (event.note.type === "turn-end" || event.note.type === "looked-up") deadlines.drop("failing");
            break;
          }
          heard.apiFailures.push(event.note.failure);
          failing(event.note.failure.status === undefined ? RECONNECT_GRACE_MS : RETRY_GRACE_MS);
          break;
        case "stderr":
          heard.addStderr(event.line);
          // While pages are read it is about one of them, unless the guard has told of a request to the API that failed.
          if (heard.guarded && heard.reading && !deadlines.has("failing")) break;
          if (/^Attempt \d+ failed/.test(event.line)) failing(RETRY_GRACE_MS);
          if (announcedWaitMs(event.line) > RETRY_GRACE_MS) stop(failure(heard));
          break;
        case "stdout": {
          const line = parseLine(event.line);
          if (line === undefined) {
            heard.addPlain(event.line);
            break;
          }
          // A call is told before what it asks of the API, but may be read after the guard has told how that went.
          if (!heard.guarded || line.type !== "tool-call") deadlines.drop("failing");
          if (line.type === "tool-result") deadlines.drop(`tool ${line.id}`);
          if (line.type === "tool-call") {
            const { id, tool } = line.event;
            const late = timeout("tool-timeout", `${tool} took longer than ${toolTimeoutMs} ms`);
            deadlines.set(`tool ${id}`, toolTimeoutMs, late);
          }
          const told = heard.add(line);
          if (told !== undefined && stopped === undefined) yield told;
          if (heard.ok) process.finish();
          // The exit code tells more of a failure, if it comes.
          if (heard.ok === false) deadlines.set("exit", EXIT_GRACE_MS, () => failure(heard));
        }
      }
    }
  } finally {
    deadlines.clear();
  }
}

export function tookTooLong(timeoutMs: number): RunnerError {
  return timeout("timeout", `The run took longer than ${timeoutMs} ms`)();
}

const LIMITS = { timeout: "timeoutMs", idle: "idleTimeoutMs", "tool-timeout": "toolTimeoutMs" } as const;

function timeout(reason: keyof typeof LIMITS, message: string): () => RunnerError {
  return () =>
    new RunnerError("EXECUTION_ERROR", message, { reason, nextStep: `Raise ${LIMITS[reason]} to allow more.` });
}

/** How long the CLI says it will wait before it tries again. */
function announcedWaitMs(line: string): number {
  return Number(/Retrying after (\d+)ms/.exec(line)?.[1] ?? 0);
}

function failure(heard: Heard, exit?: Exit): RunnerError {
  const error = heard.failure(exit);
  if (heard.apiFailures.filter(({ status }) => status !== undefined).length > 1) repeated.add(error);
  return error;
}

/** The CLI's warning that it has stopped the run; it then ends as if all were well. */
const LOOP = /^Loop detected/;

/** Gives the answer of a run that has ended, or throws what it died of. Exit code 0 is not success. */
async function finish(heard: Heard, exit: Exit, { workspace, version }: CliProcess): Promise<Answer> {
  const { replies } = heard;
  const { last } = replies;
  // Without the end of a turn they were not heard: the program has no guard, or it talks to the model in a way of its own.
  const record = await readRecord(workspace.folder, last === undefined ? undefined : replies);
  // A CLI that is told to end says nothing and ends with 0.
  const succeeded = heard.events ? heard.ok === true : exit.exitCode === 0 && version === undefined;
  if (!succeeded || heard.messages.some((message) => LOOP.test(message))) throw failure(heard, exit);
  const text = wordsOf(last, heard.said);
  if (last?.finishReason === "MAX_TOKENS") throw truncated(text);
  if (text.trim() === "") throw silence(replies, version !== undefined);
  const { model, models } = modelsOf({ stats: heard.stats, answered: record?.models ?? [], init: heard.init });
  return {
    text,
    ...(model === undefined ? {} : { model }),
    models,
    recorded: record !== undefined,
    queries: record?.queries ?? [],
    sources: record?.sources ?? [],
    failures: record?.failures ?? [],
  };
}

/** The words of the last turn. A turn that broke off was shown too, before the one that was made instead. */
function wordsOf(last: ModelTurn | undefined, said: string): string {
  if (last === undefined || last.length === 0 || last.length >= said.length) return said;
  const words = said.slice(-last.length);
  return createHash("sha256").update(words, "utf16le").digest("hex") === last.hash ? words : said;
}

function truncated(text: string): RunnerError {
  const message = "The answer was cut off at the model's limit";
  return new RunnerError("EXECUTION_ERROR", message, { reason: "truncated", text });
}

const BLOCKED = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER"]);

/** A run that ended well and said nothing. A CLI of a known version has a guard, which hears what is asked. */
function silence({ asked, last }: Replies, guarded: boolean): RunnerError {
  if (!asked && guarded) {
    const message = "The CLI did not ask the model: the prompt is too long for its context";
    return new RunnerError("EXECUTION_ERROR", message, { reason: "too-long" });
  }
  if (last !== undefined && BLOCKED.has(last.finishReason)) {
    const message = `The answer was blocked (${last.finishReason})`;
    return new RunnerError("EXECUTION_ERROR", message, { reason: "blocked" });
  }
  return new RunnerError("EXECUTION_ERROR", "The model gave an empty answer", { reason: "empty", retryable: true });
}
