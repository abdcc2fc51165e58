import {
  type AttemptEvent,
  extractJson,
  type JsonExtractError,
  jsonAttempts,
  type StandardSchemaV1,
} from "@x/json-repair";
import type { Answer } from "../answer.js";
import type { TempFiles } from "../deps.js";
import { endsResearch, ResearchError, runFailure } from "../errors.js";
import type { ResearchEvent } from "../events.js";
import { renderPrompt } from "../prompts/render.js";
import type { RunEvent } from "../runner.js";
import { foldLines } from "./fold-lines.js";
import { BudgetError, noRecord, type ResearchRun, type Session } from "./session.js";

/** What one answer is asked with. */
export interface Question<T> {
  prompt: string;
  /** Reads the answer. */
  schema: StandardSchemaV1<unknown, T>;
  /** The expected form, for the correction. */
  example: string;
  /** Round of the events. */
  round: number;
  /** Tools that the main runs may use. Default: those that search and read. */
  tools?: readonly string[];
  /** Hears every step of a main run. */
  onStep?: (step: RunEvent) => void;
  /** Reads the answers once more, less strictly, when no attempt fits. Default: an error. */
  otherwise?: StandardSchemaV1<unknown, T>;
  /** Makes an answer of the plain text of a run that really searched, when no attempt gave the asked form. Default: an error. */
  fromText?: (text: string) => T;
}

/** What the model answered, and how it came to it. */
export interface Answered<T> {
  /** The answer, as the schema read it. */
  value: T;
  /** Main runs of all attempts, the one that gave the answer last: what any of them searched was really searched. */
  runs: ResearchRun[];
  /** Whether the answer broke off: its end is missing. */
  cutOff: boolean;
  /** Whether the answer is a run's plain text, because no attempt gave the form. */
  unstructured: boolean;
}

/** An event of a run, on its way through the attempts. */
type Forwarded = { type: "forwarded"; event: ResearchEvent };

/** Asks until an answer has the asked shape: main run, local repair, correction, wait, and again. */
export function ask<T>(session: Session, question: Question<T>): AsyncGenerator<ResearchEvent, Answered<T>, void> {
  return new Asking(session, question).run();
}

class Asking<T> {
  readonly #session: Session;
  readonly #question: Question<T>;
  readonly #runs: ResearchRun[] = [];
  /** What is told behind the event that comes next. */
  readonly #later: ResearchEvent[] = [];
  #complete = true;
  #broken = false;
  /** Characters that were read in vain. */
  #unread = 0;

  constructor(session: Session, question: Question<T>) {
    this.#session = session;
    this.#question = question;
  }

  async *run(): AsyncGenerator<ResearchEvent, Answered<T>, void> {
    const loop = this.#attempts();
    try {
      for (;;) {
        const step = await loop.next();
        yield* this.#later.splice(0);
        if (step.done) {
          const cutOff = this.#broken || !this.#complete;
          return { value: step.value, runs: this.#runs, cutOff, unstructured: false };
        }
        if (step.value.type === "forwarded") yield step.value.event;
        else yield* eventsOf(step.value, this.#question.round);
        if (step.value.type === "correction-failed" && concernsAll(step.value.error)) throw step.value.error;
        const unread = unreadIn(step.value);
        this.#unread += unread?.error.text.length ?? 0;
        if (unread !== undefined && this.#unread > MOST_UNREAD)
          return yield* this.#fromWhatIsThere(unread.error, unread.attempt);
      }
    } catch (error) {
      yield* this.#later.splice(0);
      if (this.#session.signal.aborted) this.#session.check();
      if (!isExhausted(error)) throw error;
      return yield* this.#fromWhatIsThere(error, this.#session.deps.attempts ?? ATTEMPTS);
    } finally {
      await loop.return(undefined as never);
    }
  }

  #attempts() {
    const { deps, signal, capabilities } = this.#session;
    const { attempts = ATTEMPTS, delaysMs, sleep, tempFiles } = deps;
    // Without a way to read the file, an answer is asked for again.
    const files = capabilities.files === undefined ? undefined : tempFiles;
    return jsonAttempts<T, Forwarded>({
      schema: this.#question.schema,
      attempts,
      ...(delaysMs !== undefined && { delaysMs }),
      ...(sleep !== undefined && { sleep }),
      // Every attempt that the settings allow is made, also when two corrections end in the same text.
      stopOnRepeat: false,
      signal,
      generate: () => this.#generate(),
      ...(files !== undefined && { correct: ({ text }: { text: string }) => this.#correct(files, text) }),
      onAccepted: (answer) => {
        this.#complete = answer.complete;
      },
    });
  }

  async *#generate(): AsyncGenerator<Forwarded, string, void> {
    const { prompt, round, tools, onStep } = this.#question;
    this.#broken = false;
    try {
      const result = yield* forward(this.#session.run({ prompt, ...(tools && { tools }) }, round), onStep);
      this.#runs.push(result);
      return result.text;
    } catch (error) {
      // An answer that reached the model's limit is text that may still be read.
      const failure = runFailure(error);
      if (failure?.reason !== "truncated" || !failure.text) throw error;
      this.#broken = true;
      // Of such a run the runner tells the text alone.
      this.#runs.push({ ...noRecord, text: failure.text });
      return failure.text;
    }
  }

  async *#correct(files: TempFiles, text: string): AsyncGenerator<Forwarded, string, void> {
    const { example, round } = this.#question;
    const { deps, capabilities } = this.#session;
    const file = await files.write(foldLines(text));
    try {
      const filled = renderPrompt(deps.prompts.correction, { json_example: example, file_path: file });
      const request = { prompt: filled, tools: capabilities.files ? [capabilities.files.tool] : [], files: [file] };
      const model = deps.correctionModel ?? null;
      return (yield* forward(this.#session.run(request, round, { model }))).text;
    } finally {
      await files.remove(file).catch((error: unknown) => {
        const message = `Cannot delete the temporary file ${file}: ${messageOf(error)}`;
        this.#later.push({ type: "log", level: "error", message });
      });
    }
  }

  /** No attempt gave the asked form: an answer in a less strict one serves, or the text of a run that searched. */
  async *#fromWhatIsThere(error: JsonExtractError, attempts: number): AsyncGenerator<ResearchEvent, Answered<T>, void> {
    const { otherwise, fromText } = this.#question;
    const looser = otherwise && readLooser(this.#runs, otherwise);
    if (looser !== undefined) return looser;
    const spoken = fromText === undefined ? undefined : longestProse(this.#runs);
    if (fromText === undefined || spoken === undefined) {
      throw unreadable(error, attempts);
    }
    yield {
      type: "log",
      level: "warn",
      message: "No attempt gave the asked form: the text of a run that searched serves",
    };
    const others = this.#runs.filter((run) => run !== spoken);
    return { value: fromText(spoken.text.trim()), runs: [...others, spoken], cutOff: false, unstructured: true };
  }
}

const ATTEMPTS = 3;
/** Characters. Several times what a model can write in one answer: to have more of it read costs, and mends nothing. */
const MOST_UNREAD = 2_000_000;

/** Hands the events of a run on, as part of an attempt. */
async function* forward(
  run: AsyncGenerator<ResearchEvent, ResearchRun, void>,
  onStep?: (step: RunEvent) => void,
): AsyncGenerator<Forwarded, ResearchRun, void> {
  try {
    for (;;) {
      const next = await run.next();
      if (next.done) return next.value;
      if (next.value.type === "step") onStep?.(next.value.step);
      yield { type: "forwarded", event: next.value };
    }
  } finally {
    // Ends the run when nobody reads on; nothing happens when it has ended.
    await run.return(undefined as never);
  }
}

/** What is told of a text that could not be read; `undefined`: another event, or there was no text. */
function unreadIn(event: AttemptEvent | Forwarded): { attempt: number; error: JsonExtractError } | undefined {
  if (event.type !== "attempt-failed" && event.type !== "correction-failed") return undefined;
  const { attempt, error } = event;
  // Of this class there may be two in one process.
  const isOfText = error instanceof Error && error.name === "JsonExtractError";
  return isOfText ? { attempt, error: error as JsonExtractError } : undefined;
}

/** Whether the next main run would end in the same way as this correction. */
function concernsAll(error: unknown): boolean {
  return error instanceof BudgetError || runFailure(error)?.code === "CANCELLED" || endsResearch(error);
}

function* eventsOf(event: AttemptEvent, round: number): Generator<ResearchEvent, void, void> {
  const { type } = event;
  if (type === "attempt-failed") {
    const reason = messageOf(event.error);
    yield { type, round, attempt: event.attempt, of: event.of, reason };
    yield {
      type: "log",
      level: "warn",
      message: `Attempt ${event.attempt}/${event.of}: the answer cannot be read (${reason})`,
    };
  } else if (type === "correction-start") {
    yield { type, round, attempt: event.attempt };
  } else if (type === "correction-failed") {
    yield { type, round, attempt: event.attempt, reason: event.reason };
    yield { type: "log", level: "error", message: `JSON correction failed: ${event.reason}` };
  } else if (type === "wait") {
    yield { type, round, ms: event.ms };
    yield { type: "log", level: "info", message: `Waiting ${event.ms} ms before attempt ${event.attempt}` };
  }
}

/** How much of an unreadable answer goes into the error. */
const EXCERPT = 500;

/** The error of json-repair that holds every attempt, by its code: of this class there may be two in one process. */
function isExhausted(error: unknown): error is JsonExtractError {
  return error instanceof Error && "code" in error && error.code === "exhausted";
}

function unreadable(error: JsonExtractError, attempts: number): ResearchError {
  const message = `All retry and correction attempts were exhausted: no readable answer in ${attempts} ${attempts === 1 ? "attempt" : "attempts"}.`;
  const details = [
    messageOf(error.cause ?? error),
    error.text.trim() && `The last answer began: ${error.text.trim().slice(0, EXCERPT)}`,
  ];
  return new ResearchError("EXECUTION_ERROR", message, {
    reason: "unreadable",
    details: details.filter(Boolean).join("\n"),
    cause: error,
  });
}

/** The last answer that fits a less strict schema. */
function readLooser<T>(runs: readonly ResearchRun[], schema: StandardSchemaV1<unknown, T>): Answered<T> | undefined {
  for (const run of [...runs].reverse()) {
    const read = extractJson(run.text, { schema });
    if (!read.ok) continue;
    const others = runs.filter((other) => other !== run);
    return { value: read.value, runs: [...others, run], cutOff: !read.complete, unstructured: false };
  }
  return undefined;
}

/** The sources and queries that an answer lists; for plain text, the sources of the run that gave it. */
export function listedIn({ value, runs, unstructured }: Answered<Answer>): Answer["metadata"] {
  const sources = runs.at(-1)?.sources ?? [];
  return unstructured ? { ...value.metadata, sources_visited: sources.map(({ url }) => url) } : value.metadata;
}

/** The longest text in words, not in JSON, among the runs that really searched. */
function longestProse(runs: readonly ResearchRun[]): ResearchRun | undefined {
  const [longest] = runs
    .filter(({ recorded, queries, sources }) => recorded && queries.length + sources.length > 0)
    .filter(({ text }) => text.trim() !== "" && !/^(?:```\w*\s*)?[{[]/.test(text.trimStart()))
    .sort((a, b) => b.text.length - a.text.length);
  return longest;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
