import { setTimeout as delay } from "node:timers/promises";
import { type SessionUpdate, stopReasonOf } from "../cli/acp.js";
import { toPromptText } from "../cli/command-line.js";
import type { GuardNote, ModelTurn } from "../cli/guard-notes.js";
import { type KnownReplies, type RunRecord, readRecord } from "../cli/session-file.js";
import type { StreamLine, StreamModel } from "../cli/stream-json.js";
import type { KeyPlace } from "../errors/key-place.js";
import { RunnerError } from "../errors/runner-error.js";
import type { CliEvent, CliRun } from "./cli-run.js";
import { Inbox } from "./inbox.js";
import { JsonRpcError } from "./json-rpc.js";
import { PooledCalls } from "./pooled-calls.js";
import type { SessionFolder } from "./session-folder.js";

/** What a run needs of the process that it shares with others. */
export interface SharedProcess {
  readonly pid: number;
  readonly version: string | undefined;
  readonly key: KeyPlace | undefined;
  /** The folder of the process. */
  readonly folder: string;
  prompt(session: string, text: string): Promise<unknown>;
  cancel(session: string): void;
  /** Called when the run does not end though it was told to: the process must serve no further ones. */
  distrust(): void;
  /** Keeps our program alive until it is let go. */
  hold(run: PooledRun): void;
  release(run: PooledRun): void;
  forget(run: PooledRun): void;
}

export interface PooledRunOptions {
  process: SharedProcess;
  session: string;
  folder: SessionFolder;
  maxOutputBytes: number;
}

/** How long a session may take to end its prompt when it is told to. */
const CANCEL_MS = 5_000;

/** One of several runs in a process. The guard tells what the protocol does not. */
export class PooledRun implements CliRun {
  readonly inbox = new Inbox<CliEvent>();
  readonly over: Promise<void>;
  readonly session: string;
  /** Whether the process was there before the request for the run. */
  warm = false;
  /** Set when it ended in a way that makes its output worthless, and why: the run is then repeated in a process of its own. */
  doubt: string | undefined;
  readonly #process: SharedProcess;
  readonly #folder: SessionFolder;
  readonly #maxOutputBytes: number;
  readonly #calls = new PooledCalls();
  readonly #use = new Map<string, StreamModel>();
  #bytes = 0;
  #turn: ModelTurn | undefined;
  /** It has said words in its last turn, not only blanks. */
  #spoke = false;
  /** The API's last message about a request that it refused; empty when it gave none. */
  #refused: string | undefined;
  #runaway = false;
  #sent = false;
  #ending = false;
  #exited = false;
  #settle: () => void = () => {};

  constructor({ process, session, folder, maxOutputBytes }: PooledRunOptions) {
    this.#process = process;
    this.session = session;
    this.#folder = folder;
    this.#maxOutputBytes = maxOutputBytes;
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  get version(): string | undefined {
    return this.#process.version;
  }

  get key(): KeyPlace | undefined {
    return this.#process.key;
  }

  get exited(): boolean {
    return this.#exited;
  }

  send(prompt: string): void {
    if (this.#exited) return;
    this.#sent = true;
    this.#process.prompt(this.session, toPromptText(prompt)).then(
      (answer) => this.#answered(stopReasonOf(answer)),
      (error) => this.#failed(error),
    );
  }

  /** Takes what the session said, a line of so many bytes. */
  update(update: SessionUpdate | undefined, bytes: number): void {
    if (this.#ending || this.#exited || this.#exceeds(bytes) || update === undefined) return;
    if (update.type === "tool-call") this.#tell(this.#calls.begin(update.id));
    else if (update.type === "tool-result") this.#tell(this.#calls.end(update));
    else {
      this.#spoke ||= /\S/.test(update.text);
      this.#tell([update]);
    }
  }

  #tell(lines: readonly StreamLine[]): void {
    for (const line of lines) this.inbox.push({ type: "line", line });
  }

  /** It has said a line that is longer than all that it may say. */
  tooLong(): void {
    if (!this.#ending && !this.#exited) this.#exceeds(this.#maxOutputBytes + 1);
  }

  /** Takes what the guard says of it, in a line of so many bytes. */
  note(note: GuardNote, bytes: number): void {
    if (this.#exited || (!this.#ending && this.#exceeds(bytes))) return;
    switch (note.type) {
      case "call":
        this.#calls.want(note.call);
        return;
      case "use":
        this.#count(note.use);
        return;
      case "pong":
        return;
      case "turn":
        if (!this.#ending) this.#tell(this.#calls.next(this.#turn !== undefined));
        this.#turn = undefined;
        this.#spoke = false;
        break;
      case "turn-end":
        this.#turn = note.turn;
        this.#refused = undefined;
        break;
      case "failure":
        this.#refused ??= "";
        if (note.failure.runaway) this.#runAway();
        break;
      case "error":
        this.#refused = note.message;
    }
    if (!this.#ending || note.type === "failure") this.inbox.push({ type: "guard", note });
  }

  #count(use: StreamModel): void {
    const { model } = use;
    const before = this.#use.get(model) ?? { model, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    this.#use.set(model, {
      model,
      inputTokens: before.inputTokens + use.inputTokens,
      outputTokens: before.outputTokens + use.outputTokens,
      totalTokens: before.totalTokens + use.totalTokens,
    });
  }

  /** Lets no further request of it out; the other runs of the process go on. */
  #runAway(): void {
    this.#runaway = true;
    this.stop();
  }

  /** Whether it has said more than it may. If so, it is ended. */
  #exceeds(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxOutputBytes) return false;
    const message = `The CLI wrote more than ${this.#maxOutputBytes} bytes`;
    const nextStep = "Raise maxOutputBytes to allow more.";
    const error = new RunnerError("EXECUTION_ERROR", message, { reason: "output-limit", nextStep });
    this.inbox.push({ type: "stop", error });
    this.stop();
    return true;
  }

  /** The prompt is over. */
  #answered(stopReason: string): void {
    const doubt = doubtIn(stopReason, this.#turn, this.#spoke);
    if (this.#runaway) this.#result(false);
    else if (!this.#ending && doubt === undefined) this.#result(true);
    else if (!this.#ending && doubt !== undefined) this.#end(doubt);
    this.#exit();
  }

  #failed(error: Error): void {
    if (!(error instanceof JsonRpcError)) this.lose(error.message);
    else if (!this.#ending && !this.#exited) {
      if (this.#refused === undefined) this.#end(error.message);
      else this.#result(false, this.#refused || error.message);
    }
    this.#exit();
  }

  #result(ok: boolean, message?: string): void {
    const models = [...this.#use.values()];
    this.#tell([{ type: "result", ok, models, ...(message === undefined ? {} : { message }) }]);
  }

  /** It ended without an answer and without a failure. */
  #end(doubt: string): void {
    this.doubt = doubt;
    this.inbox.push({ type: "stop", error: new RunnerError("EXECUTION_ERROR", doubt, { reason: "crash" }) });
  }

  /** The process is gone, or does not answer. */
  lose(why: string): void {
    if (this.#exited) return;
    if (!this.#ending) this.#end(why);
    this.#exit();
  }

  #exit(): void {
    if (this.#exited) return;
    this.#exited = true;
    this.inbox.push({ type: "exit", exit: {} });
    this.#process.release(this);
    this.#settle();
  }

  stop(): void {
    if (this.#ending || this.#exited) return;
    this.#ending = true;
    if (this.#sent) void this.#cancel();
    else this.#exit();
  }

  async #cancel(): Promise<void> {
    this.#process.cancel(this.session);
    const waiting = new AbortController();
    const late = delay(CANCEL_MS, true, { ref: false, signal: waiting.signal }).catch(() => false);
    if (await Promise.race([late, this.over.then(() => false)])) {
      this.#process.distrust();
      this.#exit();
    }
    waiting.abort();
  }

  kill(): void {
    this.stop();
  }

  finish(): void {
    // It ends with the answer to its prompt.
  }

  release(): void {
    this.#process.release(this);
  }

  hold(): void {
    this.#process.hold(this);
  }

  record(known: KnownReplies | undefined): Promise<RunRecord | undefined> {
    return readRecord(this.#process.folder, known, { name: this.session, unrecorded: this.#calls.unrecorded });
  }

  async gone(): Promise<void> {
    await this.over;
    try {
      await this.#folder.remove(this.session);
    } finally {
      this.#process.forget(this);
    }
  }
}

/** Finish reasons after which the words of a turn can be used, all of them or as far as they go. */
const WHOLE = new Set(["STOP", "MAX_TOKENS"]);

/** Why a prompt failed that has ended normally by the protocol: to it nearly every failure is a normal end. */
function doubtIn(stopReason: string, last: ModelTurn | undefined, spoke: boolean): string | undefined {
  if (stopReason !== "end_turn") return `The CLI ended it with the reason ${stopReason}`;
  if (last === undefined) return "The model's answer came to no end";
  if (!spoke) return "The model gave an empty answer";
  return WHOLE.has(last.finishReason) ? undefined : `The model ended its answer with ${last.finishReason}`;
}
