import { type Size, TooManyTasks } from "./offload.js";
import { OneAtATime } from "./one-at-a-time.js";
import { Reader, type ReaderOptions } from "./reader.js";

/** A worker that has nothing to do is kept for so long: what one takes to start is little beside a run of the CLI. */
const IDLE_MS = 1_000;
const MOST_IDLE = 2;
/** Tasks at once; researches have turns of their own. */
const MOST_TASKS = 2;
/** Tasks that wait, and characters that they work on together. */
const MOST_WAITING = 200;
const MOST_WAITING_LENGTH = 24_000_000;

/** The workers of this process: started when they are needed, used again, ended when nobody needs them. */
export class Readers {
  /** For reading a long answer: several at once would take many times the memory. */
  readonly longAnswers = new OneAtATime();
  readonly #options: ReaderOptions;
  readonly #idle: Reader[] = [];
  readonly #all = new Set<Reader>();
  readonly #waiting: { size: Size; begin: () => void }[] = [];
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
  async task<T>(name: string, input: unknown, size: Size = { of: input, length: 0 }): Promise<T> {
    await this.#turn(size);
    const reader = this.take();
    try {
      return (await reader.work({ type: "task", name, input })) as T;
    } finally {
      this.give(reader);
      const next = this.#waiting.shift();
      if (next === undefined) this.#tasks -= 1;
      else next.begin();
    }
  }

  async #turn(size: Size): Promise<void> {
    if (this.#tasks < MOST_TASKS) {
      this.#tasks += 1;
      return;
    }
    if (!this.#hasRoomFor(size)) throw new TooManyTasks("too many tasks wait");
    // Whoever ends hands its place on.
    await new Promise<void>((begin) => this.#waiting.push({ size, begin }));
  }

  /** Whoever waits keeps what is to be worked on in memory. */
  #hasRoomFor({ of, length }: Size): boolean {
    const lengths = new Map(this.#waiting.map(({ size }) => [size.of, size.length]));
    if (this.#waiting.length >= MOST_WAITING) return false;
    if (lengths.size === 0 || lengths.has(of)) return true;
    return [...lengths.values()].reduce((sum, each) => sum + each, length) <= MOST_WAITING_LENGTH;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#all, ...this.#idle].map((reader) => reader.close()));
  }
}
