import { parseLine } from "../cli/stream-json.js";
import { RunnerError } from "../errors/runner-error.js";
import type { CliEvent } from "./cli-run.js";
import type { Inbox } from "./inbox.js";
import { Lines } from "./lines.js";
import type { Tail } from "./tail.js";

export interface OutputOptions {
  inbox: Inbox<CliEvent>;
  /** How much a process may say in all, in bytes. */
  maxBytes: number;
  /** Called when the process writes more than it may. */
  onExcess(): void;
}

/** Where a process says something. */
type Source = "stdout" | "stderr" | "guard";

/** The part of it that one line may have: a line is kept until it ends, and no event is nearly as long. */
const SHARE_OF_LINE = 1 / 4;
/** What the CLI says of itself is longer than some runs may be. */
const LEAST_LINE = 64 * 1024;

/** What a process writes to stdout and stderr. It is read as fast as its events are taken, and up to a limit. */
export class Output {
  readonly #out: Tail;
  readonly #err: Tail;
  readonly #options: OutputOptions;
  readonly #bytes: Record<Source, number> = { stdout: 0, stderr: 0, guard: 0 };
  /** Lines in no known format that have not been handed on. */
  #plain: string[] = [];
  #errors: string[] = [];
  #firstError: string | undefined;
  #tooMuch = false;
  readonly #outLines: Lines;
  readonly #errLines: Lines;

  constructor([out, err]: readonly [out: Tail, err: Tail], options: OutputOptions) {
    this.#out = out;
    this.#err = err;
    this.#options = options;
    const longest = Math.max(LEAST_LINE, Math.floor(options.maxBytes * SHARE_OF_LINE));
    const tooLong = () => this.#exceeded(`${longest} characters in one line`);
    this.#outLines = new Lines((text) => this.#addOut(text), longest, tooLong);
    this.#errLines = new Lines((text) => this.#errors.push(text), longest, tooLong);
    this.#follow("stdout", out, this.#outLines);
    this.#follow("stderr", err, this.#errLines);
  }

  /** The first line of stderr. Empty: there is none. */
  get firstError(): string {
    return this.#firstError ?? "";
  }

  #follow(source: Source, tail: Tail, lines: Lines): void {
    tail.follow({
      onText: (text) => {
        lines.push(text);
        this.#handOn();
        return this.#options.inbox.room();
      },
      onSize: (bytes) => this.count(source, bytes),
    });
  }

  #addOut(text: string): void {
    const line = parseLine(text);
    if (line === undefined) {
      this.#plain.push(text);
      return;
    }
    this.#handOn();
    this.#options.inbox.push({ type: "line", line });
  }

  /** Short lines are kept joined: one by one, millions of them would take many times the memory and the time. */
  #handOn(): void {
    const { inbox } = this.#options;
    if (this.#plain.length > 0) inbox.push({ type: "plain", text: this.#plain.join("\n") });
    if (this.#errors.length > 0) {
      this.#firstError ??= this.#errors[0];
      inbox.push({ type: "stderr", text: this.#errors.join("\n") });
    }
    this.#plain = [];
    this.#errors = [];
  }

  /** Takes note of how much has been said so far. */
  count(source: Source, bytes: number): void {
    this.#bytes[source] = bytes;
    const { maxBytes } = this.#options;
    const { stdout, stderr, guard } = this.#bytes;
    if (stdout + stderr + guard > maxBytes) this.#exceeded(`${maxBytes} bytes`);
  }

  #exceeded(limit: string): void {
    if (this.#tooMuch) return;
    this.#tooMuch = true;
    const { inbox, onExcess } = this.#options;
    const message = `The CLI wrote more than ${limit}`;
    const nextStep = "Raise maxOutputBytes to allow more.";
    inbox.push({
      type: "stop",
      error: new RunnerError("EXECUTION_ERROR", message, { reason: "output-limit", nextStep }),
    });
    this.end();
    onExcess();
  }

  /** Resolves when what stands in stdout now has been handed on. */
  caughtUp(): Promise<void> {
    return this.#out.caughtUp();
  }

  /** Stops reading. */
  end(): void {
    this.#out.end();
    this.#err.end();
    this.#options.inbox.makeRoom();
  }

  /** Reads the rest. Rejects when it could not be read whole. */
  async close(): Promise<void> {
    await Promise.all([this.#out.close(), this.#err.close()]);
    if (this.#tooMuch) return;
    this.#outLines.flush();
    this.#errLines.flush();
    this.#handOn();
  }
}
