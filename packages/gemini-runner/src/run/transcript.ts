import type { GuardNote } from "../cli/guard-notes.js";
import type { StreamLine, StreamModel } from "../cli/stream-json.js";
import type { ApiFailure } from "../errors/api-failure.js";
import { toError } from "../errors/classify.js";
import type { KeyPlace } from "../errors/key-place.js";
import type { RunnerError } from "../errors/runner-error.js";
import type { RunEvent } from "../events.js";
import type { Exit } from "../process/cli-run.js";
import { FOLDER_PREFIX } from "../process/workspace.js";
import { LineBuffer } from "./line-buffer.js";
import { Replies } from "./replies.js";

/** How much of stderr is kept, in UTF-16 units: the end says what a run died of. */
const STDERR_LENGTH = 200_000;

/** What a run has said so far. */
export class Transcript {
  /** The key that it was started with, where a variable held it. */
  readonly #key: KeyPlace | undefined;
  /** The model as the CLI named it at its start. */
  init: string | undefined;
  /** Tokens by model, from the closing statistics. */
  stats: StreamModel[] = [];
  /** The CLI said at its end that all went well (`true`) or not. */
  ok: boolean | undefined;
  /** The guard in the CLI's process has been heard: it tells of every request to the API that fails. */
  guarded = false;
  /** What the CLI itself said of problems. */
  readonly messages: string[] = [];
  readonly apiFailures: ApiFailure[] = [];
  readonly replies = new Replies();
  readonly #tools = new Map<string, string>();
  readonly #reading = new Set<string>();
  readonly #stderr = new LineBuffer(STDERR_LENGTH);
  /** What stderr says while pages are read. It is forgotten with the result, which says what came of it. */
  #stderrOfPages = new LineBuffer(STDERR_LENGTH);
  readonly #plain = new LineBuffer();
  /** What was said before the last tool result. */
  readonly #earlier: string[] = [];
  #text: string[] = [];
  #events = false;

  constructor(key?: KeyPlace) {
    this.#key = key;
  }

  /** Whether the output was in the CLI's own format. */
  get events(): boolean {
    return this.#events;
  }

  /** Whether pages are read at the moment. */
  get reading(): boolean {
    return this.#reading.size > 0;
  }

  /** Whether the program has done anything with its prompt, as far as can be heard. */
  get begun(): boolean {
    return this.#events || !this.#plain.isEmpty || this.replies.asked || this.apiFailures.length > 0;
  }

  /** The words after the last tool; of a program with another format all that it printed. */
  get said(): string {
    return this.#events ? this.#text.join("") : this.#plain.text().trim();
  }

  /** Takes lines of stdout in no known format. */
  addPlain(lines: string): void {
    this.#plain.add(lines);
  }

  addStderr(lines: string): void {
    const buffer = this.guarded && this.reading ? this.#stderrOfPages : this.#stderr;
    buffer.add(lines);
  }

  addNote(note: GuardNote): void {
    this.guarded = true;
    if (note.type === "failure") this.apiFailures.push(note.failure);
    else if (note.type === "error") this.#stderr.add(note.message);
    else this.replies.add(note);
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
        if (line.event.tool === "web_fetch") this.#reading.add(line.event.id);
        return line.event;
      case "tool-result":
        return this.#addToolResult(line);
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

  get toolCalls(): number {
    return this.#tools.size;
  }

  /** All the words so far, also those between calls of tools. */
  get words(): string {
    return [...this.#earlier, this.said].filter((words) => words.trim() !== "").join("\n\n");
  }

  #addToolResult({ id, ok, message }: Extract<StreamLine, { type: "tool-result" }>): RunEvent {
    if (this.#text.length > 0) this.#earlier.push(this.#text.join(""));
    this.#text = [];
    const tool = this.#tools.get(id) ?? "";
    if (this.#reading.delete(id) && !this.reading) this.#stderrOfPages = new LineBuffer(STDERR_LENGTH);
    return { type: "tool-result", id, tool, ok, ...(message === undefined ? {} : { message }) };
  }

  /** What the run dies of, by all that is known. */
  failure(exit: Exit = {}): RunnerError {
    const { messages, apiFailures } = this;
    const stderr = `${this.#stderr.text()}\n${this.#stderrOfPages.text()}`;
    const refused = apiFailures.filter(({ status }) => status !== undefined);
    return toError({
      ...exit,
      messages,
      stderr,
      apiFailures,
      ownFolder: FOLDER_PREFIX,
      key: this.#key,
      repeated: refused.length > 1,
      unbegun: !this.begun,
    });
  }
}
