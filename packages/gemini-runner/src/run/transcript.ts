import type { ApiFailure } from "../cli/guard.js";
import type { StreamLine, StreamModel } from "../cli/stream-json.js";
import { toError } from "../errors/classify.js";
import type { RunnerError } from "../errors/runner-error.js";
import type { RunEvent } from "../events.js";
import type { Exit } from "../process/cli-process.js";
import { Replies } from "./replies.js";

const STDERR_LINES = 2_000;

/** What a run has said so far. */
export class Heard {
  /** The model as the CLI named it at its start. */
  init: string | undefined;
  /** Tokens by model, from the closing statistics. */
  stats: StreamModel[] = [];
  /** The CLI said at its end that all went well (`true`) or not. */
  ok: boolean | undefined;
  /** What the CLI itself said of problems. */
  readonly messages: string[] = [];
  readonly apiFailures: ApiFailure[] = [];
  readonly replies = new Replies();
  readonly #tools = new Map<string, string>();
  readonly #stderr: string[] = [];
  readonly #plain: string[] = [];
  #text: string[] = [];
  #events = false;

  /** Whether the output was in the CLI's own format. */
  get events(): boolean {
    return this.#events;
  }

  /** Whether the program has done anything with its prompt, as far as can be heard. */
  get begun(): boolean {
    return this.#events || this.#plain.length > 0 || this.replies.asked || this.apiFailures.length > 0;
  }

  /** The words after the last tool; of a program with another format all that it printed. */
  get said(): string {
    return this.#events ? this.#text.join("") : this.#plain.join("\n").trim();
  }

  /** A line of stdout in no known format. */
  addPlain(line: string): void {
    this.#plain.push(line);
  }

  addStderr(line: string): void {
    this.#stderr.push(line);
    if (this.#stderr.length > STDERR_LINES) this.#stderr.shift();
  }

  /** Takes an event of the CLI and gives what the caller is to hear of it. */
  add(line: StreamLine): RunEvent | undefined {
    this.#events = true;
    switch (line.type) {
      case "init":
        this.init = line.model;
        return undefined;
      case "user":
        // The prompt, echoed.
        return undefined;
      case "text":
        this.#text.push(line.text);
        return { type: "text-delta", text: line.text };
      case "tool-call":
        this.#tools.set(line.event.id, line.event.tool);
        return line.event;
      case "tool-result": {
        this.#text = [];
        const { id, ok, message } = line;
        const tool = this.#tools.get(id) ?? "";
        return { type: "tool-result", id, tool, ok, ...(message === undefined ? {} : { message }) };
      }
      case "error":
        this.messages.push(line.message);
        return { type: "warning", message: line.message };
      case "result":
        this.ok = line.ok;
        this.stats = line.models;
        if (line.message !== undefined) this.messages.push(line.message);
        return undefined;
    }
  }

  /** What the run dies of, by all that is known. */
  failure(exit: Exit = {}): RunnerError {
    const { messages, apiFailures } = this;
    return toError({ ...exit, messages, stderr: this.#stderr.join("\n"), apiFailures });
  }
}
