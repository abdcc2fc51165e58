import type { GuardNote } from "../cli/guard-notes.js";
import type { StreamLine } from "../cli/stream-json.js";
import { RunnerError } from "../errors/runner-error.js";
import type { RunEvent } from "../events.js";
import type { CliEvent, CliRun, Exit } from "../process/cli-run.js";
import { type Deadline, Deadlines } from "../process/deadlines.js";
import { type Answer, answerOf } from "./answer.js";
import { Transcript } from "./transcript.js";

export interface ReadOptions {
  /** What is yielded first, when the time runs. */
  first: readonly RunEvent[];
  timeoutMs: number;
  /** What is left of it. */
  leftMs: number;
  toolTimeoutMs: number;
  idleTimeoutMs: number;
  maxTurns: number;
  maxToolCalls: number;
}

/**
 * How long the CLI may go on saying nothing after a request of its own has failed: as long as its first repetition
 * takes. Inside a tool it repeats for minutes and then begins again; its settings do not reach that far.
 */
const RETRY_GRACE_MS = 8_000;
const RECONNECT_GRACE_MS = 3_000;

/** How long the CLI may take to end after it has said that it failed. */
const EXIT_GRACE_MS = 3_000;

/**
 * Reads what a run says until it has ended: yields what happens, returns the answer, throws what went wrong. The first
 * reason to end it wins.
 */
export async function* readAnswer(cli: CliRun, options: ReadOptions): AsyncGenerator<RunEvent, Answer, void> {
  const reading = new Reading(cli, options);
  try {
    yield* options.first;
    for (;;) {
      const event = await reading.next();
      if (event.type === "exit") return await reading.end(event.exit);
      const told = reading.take(event);
      if (told !== undefined) yield told;
    }
  } finally {
    reading.close();
  }
}

/** What the caller is to hear of a note. */
function toldOf(note: GuardNote): RunEvent | undefined {
  if (note.type === "turn") return { type: "turn-start" };
  return note.type === "tool-output" ? note : undefined;
}

/** One run as it is read: what was said so far, until when it may go on, and why it was stopped. */
class Reading {
  readonly #cli: CliRun;
  readonly #options: ReadOptions;
  readonly #transcript: Transcript;
  readonly #deadlines: Deadlines;
  #stopped: RunnerError | undefined;
  #silent = false;

  constructor(cli: CliRun, options: ReadOptions) {
    this.#cli = cli;
    this.#options = options;
    this.#transcript = new Transcript(cli.key);
    this.#deadlines = new Deadlines((deadline) => {
      const passed = { type: "deadline" as const, deadline };
      // First it is heard whether the program has ended meanwhile.
      if (deadline.name !== "run") return void setImmediate(() => cli.inbox.push(passed));
      // At the end of its time the run goes, also while nobody reads it; the reason is heard before what comes of that.
      cli.inbox.push(passed);
      cli.stop();
    });
    this.#deadlines.set("run", options.leftMs, () => tookTooLong(options.timeoutMs));
  }

  async next(): Promise<CliEvent> {
    const { idleTimeoutMs } = this.#options;
    if (!this.#silent) {
      this.#deadlines.set("idle", idleTimeoutMs, timeout("idle", `The run said nothing for ${idleTimeoutMs} ms`));
    }
    const event = await this.#cli.inbox.next();
    this.#silent = event.type === "deadline";
    return event;
  }

  /** Takes what was said and gives what the caller is to hear of it. */
  take(event: Exclude<CliEvent, { type: "exit" }>): RunEvent | undefined {
    switch (event.type) {
      case "stop":
        this.#stop(event.error);
        return undefined;
      case "deadline":
        if (this.#counts(event.deadline)) this.#stop(event.deadline.error());
        return undefined;
      case "guard":
        this.#takeNote(event.note);
        return this.#stopped === undefined ? toldOf(event.note) : undefined;
      case "stderr":
        this.#takeStderr(event.text);
        return undefined;
      case "plain":
        this.#transcript.addPlain(event.text);
        return undefined;
      case "line":
        return this.#takeLine(event.line);
    }
  }

  /**
   * Of a program that has ended only the run's own time counts, or its silence where it has none: it has said all, and what is left
   * for us to do takes long on a busy machine.
   */
  #counts(deadline: Deadline): boolean {
    const own = Number.isFinite(this.#options.leftMs) ? "run" : "idle";
    return this.#deadlines.counts(deadline) && (deadline.name === own || !this.#cli.exited);
  }

  #takeNote(note: GuardNote): void {
    this.#transcript.addNote(note);
    const { maxTurns } = this.#options;
    if (this.#transcript.replies.turns > maxTurns)
      this.#stop(this.#tooMany("turns", "maxTurns", `asked for ${maxTurns} turns`));
    if (note.type === "failure") this.#failing(note.failure.status === undefined ? RECONNECT_GRACE_MS : RETRY_GRACE_MS);
    else if (note.type === "turn-end" || note.type === "looked-up") this.#deadlines.drop("failing");
    // The CLI will wait as long as the API asks it to.
    else if (note.type === "error" && askedToWaitMs(note.message) > RETRY_GRACE_MS)
      this.#stop(this.#transcript.failure());
  }

  #takeStderr(lines: string): void {
    const { guarded, reading } = this.#transcript;
    this.#transcript.addStderr(lines);
    // While pages are read it is about one of them, unless the guard has told of a request to the API that failed.
    if (guarded && reading && !this.#deadlines.has("failing")) return;
    if (/^Attempt \d+ failed/m.test(lines)) this.#failing(RETRY_GRACE_MS);
    if (announcedWaitMs(lines) > RETRY_GRACE_MS) this.#stop(this.#transcript.failure());
  }

  #takeLine(line: StreamLine): RunEvent | undefined {
    // A call is told before what it asks of the API, but may be read after the guard has told how that went.
    if (!this.#transcript.guarded || line.type !== "tool-call") this.#deadlines.drop("failing");
    if (line.type === "tool-call") this.#watchTool(line.event.id, line.event.tool);
    if (line.type === "tool-result") this.#deadlines.drop(`tool ${line.id}`);
    const told = this.#transcript.add(line);
    const { maxToolCalls } = this.#options;
    if (this.#transcript.toolCalls > maxToolCalls) {
      this.#stop(this.#tooMany("tool-calls", "maxToolCalls", `made ${maxToolCalls} calls of tools`));
    }
    if (this.#transcript.ok) this.#cli.finish();
    // The exit code tells more of a failure, if it comes.
    if (this.#transcript.ok === false) this.#deadlines.set("exit", EXIT_GRACE_MS, () => this.#transcript.failure());
    return this.#stopped === undefined ? told : undefined;
  }

  #watchTool(id: string, tool: string): void {
    const { toolTimeoutMs } = this.#options;
    const late = timeout("tool-timeout", `${tool} took longer than ${toolTimeoutMs} ms`);
    this.#deadlines.set(`tool ${id}`, toolTimeoutMs, late);
  }

  #failing(graceMs: number): void {
    if (this.#deadlines.has("failing")) return;
    this.#deadlines.set("failing", graceMs, () => this.#transcript.failure());
  }

  #tooMany(reason: "turns" | "tool-calls", limit: string, what: string): RunnerError {
    const message = `The model ${what} and wanted more`;
    const nextStep = `Raise ${limit} to allow more, or ask for less at once.`;
    return new RunnerError("EXECUTION_ERROR", message, { reason, nextStep, text: this.#transcript.words });
  }

  #stop(error: RunnerError): void {
    if (this.#stopped !== undefined || this.#transcript.ok) return;
    this.#stopped = error;
    this.#cli.stop();
  }

  /** Gives the answer of the run, which has ended, or throws what it died of. */
  async end(exit: Exit): Promise<Answer> {
    if (this.#stopped !== undefined) throw this.#withModel(this.#stopped);
    return await answerOf(this.#transcript, exit, this.#cli);
  }

  /** Which model refused the call the guard may have told after the CLI said that it will wait. */
  #withModel(stopped: RunnerError): RunnerError {
    const later = stopped.model === undefined ? this.#transcript.failure() : stopped;
    return later.code === stopped.code && later.model !== undefined ? later : stopped;
  }

  close(): void {
    this.#deadlines.clear();
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

/** How long the CLI says it will wait before it tries again; the longest, where it says so more than once. */
function announcedWaitMs(lines: string): number {
  const waits = [...lines.matchAll(/Retrying after (\d+)ms/g)].map(([, ms]) => Number(ms));
  return waits.reduce((a, b) => Math.max(a, b), 0);
}

/** How long the API asks to wait with the next request, by the details of its error. A day's quota the CLI does not wait for. */
function askedToWaitMs(error: string): number {
  if (/PerDay|daily quota/i.test(error)) return 0;
  return Number(/"retryDelay":\s*"([\d.]+)s"/.exec(error)?.[1] ?? 0) * 1_000;
}
