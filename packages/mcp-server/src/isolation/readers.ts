import { type Size, TooManyTasks } from "./offload.js";
import { OneAtATime } from "./one-at-a-time.js";
import { Reader, type ReaderOptions } from "./reader.js";

/** A worker that has nothing to do is kept for so long: what one takes to start is little beside a run of the CLI. */
const IDLE_MS = 1_000;
const MOST_IDLE = 2;
/** Tasks at once, and characters that they work on together; researches have turns of their own. */
const MOST_TASKS = 2;
const MOST_LENGTH = 6_000_000;
/** Tasks that wait, and characters that they work on together. */
const MOST_WAITING = 200;
const MOST_WAITING_LENGTH = 24_000_000;

interface Waiting {
  size: Size;
  begin: () => void;
}

/** The workers of this process: started when they are needed, used again, ended when nobody needs them. */
export class Readers {
  /** For reading a long answer: several at once would take many times the memory. */
  readonly longAnswers = new OneAtATime();
  readonly #options: ReaderOptions;
  readonly #idle: Reader[] = [];
  readonly #all = new Set<Reader>();
  /** By what they work on, in the order of their turns: whoever wants much of one report lets others of other reports past. */
  readonly #waiting = new Map<unknown, Waiting[]>();
  readonly #atWork = new Set<Size>();
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
  async task<T>(name: string, input: unknown, { of, length }: Size = { of: input, length: 0 }): Promise<T> {
    const size = { of, length };
    await this.#turn(size);
    const reader = this.take();
    try {
      return (await reader.work({ type: "task", name, input })) as T;
    } finally {
      this.give(reader);
      this.#atWork.delete(size);
      this.#next();
    }
  }

  async #turn(size: Size): Promise<void> {
    if (this.#waiting.size === 0 && this.#mayBegin(size)) {
      this.#atWork.add(size);
      return;
    }
    if (!this.#hasRoomFor(size)) throw new TooManyTasks("too many tasks wait");
    await new Promise<void>((begin) => {
      const same = this.#waiting.get(size.of) ?? [];
      same.push({ size, begin });
      this.#waiting.set(size.of, same);
    });
  }

  /** Each needs many times the memory of what it works on. */
  #mayBegin({ length }: Size): boolean {
    if (this.#atWork.size === 0) return true;
    return this.#atWork.size < MOST_TASKS && lengthOf(this.#atWork) + length <= MOST_LENGTH;
  }

  #next(): void {
    for (const [of, waiting] of this.#waiting) {
      const [first] = waiting;
      if (first === undefined || !this.#mayBegin(first.size)) return;
      waiting.shift();
      this.#waiting.delete(of);
      // At the end.
      if (waiting.length > 0) this.#waiting.set(of, waiting);
      this.#atWork.add(first.size);
      first.begin();
    }
  }

  /** Whoever waits keeps what is to be worked on in memory. */
  #hasRoomFor({ of, length }: Size): boolean {
    const waiting = [...this.#waiting.values()];
    if (waiting.flat().length >= MOST_WAITING) return false;
    if (waiting.length === 0 || this.#waiting.has(of)) return true;
    const sizes = waiting.flatMap(([first]) => (first === undefined ? [] : [first.size]));
    return lengthOf(sizes) + length <= MOST_WAITING_LENGTH;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#all, ...this.#idle].map((reader) => reader.close()));
  }
}

function lengthOf(sizes: Iterable<Size>): number {
  return [...sizes].reduce((sum, { length }) => sum + length, 0);
}
