import type { CliRun } from "../process/cli-run.js";

/** How long a process waits for a prompt. It holds some 240 MB meanwhile. */
const WARM_MS = 60_000;

interface Warm<Run> {
  key: string;
  process: Promise<Run>;
  /** Nothing will end it any more: neither its time nor the caller. */
  settle: () => void;
  /** Fires when no request takes it. */
  unwanted: AbortController;
}

export interface WarmOptions {
  /** Ends it when no request has taken it. */
  signal?: AbortSignal | undefined;
  /** How long it waits for a request. */
  keepMs?: number;
}

/** Processes, or sessions of a process, that were started ahead, each for one kind of request. */
export class WarmPool<Run extends CliRun = CliRun> {
  readonly #limit: number;
  readonly #warm: Warm<Run>[] = [];
  readonly #ending = new Set<Promise<void>>();
  readonly #end: (process: Run) => Promise<void>;

  /** `end` ends a process and resolves when nothing of it is left; it does not reject. */
  constructor(limit: number, end: (process: Run) => Promise<void>) {
    this.#limit = limit;
    this.#end = end;
  }

  /** How many wait for requests of this kind. */
  waiting(key: string): number {
    return this.#warm.filter((each) => each.key === key).length;
  }

  /** Starts one for requests of this kind, unless as many as may wait are waiting. What is unwanted need not be started any more. */
  add(
    key: string,
    start: (unwanted: AbortSignal) => Promise<Run>,
    { signal, keepMs = WARM_MS }: WarmOptions = {},
  ): void {
    if (this.#warm.length >= this.#limit || signal?.aborted) return;
    const unwanted = new AbortController();
    const process = start(unwanted.signal);
    const drop = () => this.#drop(entry);
    const timer = setTimeout(drop, keepMs).unref();
    signal?.addEventListener("abort", drop, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", drop);
    };
    const entry = { key, process, settle, unwanted };
    this.#warm.push(entry);
    process.then(
      (started) => {
        started.release();
        // One that ends by itself leaves its files.
        void started.over.then(() => this.#warm.includes(entry) && this.#drop(entry));
      },
      // The run that takes it hears of it.
      () => {},
    );
  }

  /** Takes the process that waits for this kind of request, if one does. */
  async take(key: string): Promise<Run | undefined> {
    const entry = this.#warm.find((each) => each.key === key);
    if (entry === undefined) return undefined;
    this.#forget(entry);
    const process = await entry.process.catch(() => undefined);
    process?.hold();
    if (!process?.exited) return process;
    // Another one need not wait for that.
    this.#leave(this.#end(process));
    return undefined;
  }

  #leave(ended: Promise<void>): void {
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }

  /** Ends all of them and waits until they are gone. */
  async close(): Promise<void> {
    for (const entry of [...this.#warm]) this.#drop(entry);
    await Promise.all(this.#ending);
  }

  #drop(entry: Warm<Run>): void {
    this.#forget(entry);
    entry.unwanted.abort();
    const ended = entry.process.then(
      async (process) => {
        // It let the program end before it; now the program waits for it to be gone.
        process.hold();
        process.kill();
        await this.#end(process);
      },
      () => {},
    );
    this.#leave(ended);
  }

  #forget(entry: Warm<Run>): void {
    entry.settle();
    this.#warm.splice(this.#warm.indexOf(entry), 1);
  }
}
