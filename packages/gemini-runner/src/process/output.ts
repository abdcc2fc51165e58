import { parseLine } from "../cli/stream-json.js";
import { RunnerError } from "../errors/runner-error.js";
import type { CliEvent } from "./cli-run.js";
import type { Inbox } from "./inbox.js";
import { Lines } from "./lines.js";
import type { Tail } from "./tail.js";

export interface OutputOptions {
  inbox: Inbox<CliEvent>;
  /** How much a process may write to stdout and stderr together. */
  maxBytes: number;
  /** It wrote more. */
  onExcess(): void;
}

/** What a process writes to stdout and stderr, read no faster than it is heard, and no further than is allowed. */
export class Output {
  readonly #tails: readonly [out: Tail, err: Tail];
  readonly #lines: readonly [out: Lines, err: Lines];
  readonly #options: OutputOptions;
  readonly #sizes = [0, 0];
  #tooMuch = false;

  constructor(tails: readonly [out: Tail, err: Tail], options: OutputOptions) {
    const { inbox } = options;
    this.#tails = tails;
    this.#options = options;
    this.#lines = [
      new Lines((text) => {
        const line = parseLine(text);
        inbox.push(line === undefined ? { type: "plain", text } : { type: "line", line });
      }),
      new Lines((text) => inbox.push({ type: "stderr", text })),
    ];
    for (const which of [0, 1] as const) this.#follow(which);
  }

  #follow(which: 0 | 1): void {
    this.#tails[which].follow({
      onText: (text) => {
        this.#lines[which].push(text);
        return this.#options.inbox.room();
      },
      onSize: (bytes) => {
        this.#sizes[which] = bytes;
        this.#check();
      },
    });
  }

  #check(): void {
    const { inbox, maxBytes, onExcess } = this.#options;
    const [out = 0, err = 0] = this.#sizes;
    if (this.#tooMuch || out + err <= maxBytes) return;
    this.#tooMuch = true;
    const message = `The CLI wrote more than ${maxBytes} bytes`;
    const nextStep = "Raise maxOutputBytes to allow more.";
    inbox.push({
      type: "stop",
      error: new RunnerError("EXECUTION_ERROR", message, { reason: "output-limit", nextStep }),
    });
    this.end();
    onExcess();
  }

  /** Reads no more: nobody wants it. */
  end(): void {
    for (const tail of this.#tails) tail.end();
    this.#options.inbox.makeRoom();
  }

  /** Reads the rest. Rejects when it could not be read whole. */
  async close(): Promise<void> {
    await Promise.all(this.#tails.map((tail) => tail.close()));
    if (!this.#tooMuch) for (const lines of this.#lines) lines.flush();
  }
}
