import { createHash } from "node:crypto";
import type { ModelTurn } from "../cli/guard-notes.js";
import { RunnerError } from "../errors/runner-error.js";
import type { RunResult } from "../events.js";
import type { CliRun, Exit } from "../process/cli-run.js";
import { atTheEnd } from "../process/in-time.js";
import { modelsOf } from "./model.js";
import type { Transcript } from "./transcript.js";

/** What a run returns but for its times. */
export type Answer = Omit<RunResult, "durationMs" | "queuedMs">;

/** The CLI's warning that it has stopped the run; it then ends as if all were well. */
const LOOP = /^Loop detected/;

/** Gives the answer of a run that has ended, or throws what it died of. Exit code 0 is not success. */
export async function answerOf(transcript: Transcript, exit: Exit, cli: CliRun): Promise<Answer> {
  const { version } = cli;
  const { replies, messages, events, ok } = transcript;
  const { last } = replies;
  // Without the end of a turn they were not heard: the program has no guard, or it talks to the model in a way of its own.
  // One that cannot be read must not cost the answer.
  const record = await atTheEnd(cli.record(last === undefined ? undefined : replies)).catch(() => undefined);
  // A CLI that is told to end says nothing and ends with 0.
  const succeeded = events ? ok === true : exit.exitCode === 0 && version === undefined;
  if (!succeeded || messages.some((message) => LOOP.test(message))) throw transcript.failure(exit);
  const text = wordsOf(last, transcript.said);
  if (last?.finishReason === "MAX_TOKENS") throw truncated(text);
  if (text.trim() === "") throw silence(transcript, version !== undefined);
  const { model, models } = modelsOf({
    stats: transcript.stats,
    answered: record?.models ?? [],
    init: transcript.init,
  });
  return {
    text,
    ...(model === undefined ? {} : { model }),
    models,
    recorded: record !== undefined,
    queries: record?.queries ?? [],
    sources: record?.sources ?? [],
    failures: record?.failures ?? [],
    attributions: replies.attributions,
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
function silence({ begun, replies: { asked, last } }: Transcript, guarded: boolean): RunnerError {
  if (!asked && guarded) {
    const message = "The CLI did not ask the model: the prompt is too long for its context";
    return new RunnerError("EXECUTION_ERROR", message, { reason: "too-long" });
  }
  if (last !== undefined && BLOCKED.has(last.finishReason)) {
    const message = `The answer was blocked (${last.finishReason})`;
    return new RunnerError("EXECUTION_ERROR", message, { reason: "blocked" });
  }
  const message = "The model gave an empty answer";
  return new RunnerError("EXECUTION_ERROR", message, { reason: "empty", retryable: true, unbegun: !begun });
}
