import { OneAtATime } from "./one-at-a-time.js";
import { Reader, type ReaderOptions } from "./reader.js";

/** A worker that has nothing to do is kept for so long: what one takes to start is little beside a run of the CLI. */
const IDLE_MS = 1_000;
const MOST_IDLE = 2;
/** Tasks at once; researches have turns of their own. */
const MOST_TASKS = 2;
/** Tasks that wait. */
const MOST_WAITING = 100;

/** The workers of this process: started when they are needed, used again, ended when nobody needs them. */
export class Readers {
  /** For reading a long answer: several at once would take many times the memory. */
  readonly longAnswers = new OneAtATime();
  readonly #options: ReaderOptions;
  readonly #idle: Reader[] = [];
  readonly #all = new Set<Reader>();
  readonly #waiting: (() => void)[] = [];
  #tasks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** A worker for one piece of work; {@link give} it back. */
  take(): Reader {
    let reader = this.#idle.pop();
    while (reader !== undefined && !reader.isUsable) reader = this.#idle.pop();
    reader ??= new Reader(this.#options);
    this.#all.add(reader);
    return reader;
  }

  give(reader: Reader): void {
    this.#all.delete(reader);
    if (!reader.isUsable || this.#idle.length >= MOST_IDLE) return void reader.close();
    this.#idle.push(reader);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const idle of this.#idle.splice(0)) void idle.close();
    }, IDLE_MS).unref();
  }

  /** Does a pure task of the worker's program. */
  async task<T>(name: string, input: unknown): Promise<T> {
    await this.#turn();
    const reader = this.take();
    try {
      return (await reader.work({ type: "task", name, input })) as T;
    } finally {
      this.give(reader);
      this.#tasks -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#tasks >= MOST_TASKS) {
      if (this.#waiting.length >= MOST_WAITING) throw new Error("Busy: too many long reports are asked for at once.");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#tasks += 1;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#all, ...this.#idle].map((reader) => reader.close()));
  }
}
