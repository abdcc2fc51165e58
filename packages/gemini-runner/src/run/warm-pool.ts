import type { CliRun } from "../process/cli-run.js";

/** How long a process waits for a prompt. It holds some 240 MB meanwhile. */
const WARM_MS = 60_000;

interface Warm {
  key: string;
  process: Promise<CliRun>;
  /** Nothing will end it any more: neither its time nor the caller. */
  settle: () => void;
}

/** Processes that were started ahead, each for one kind of request. */
export class WarmPool {
  readonly #limit: number;
  readonly #warm: Warm[] = [];
  readonly #ending = new Set<Promise<void>>();
  readonly #end: (process: CliRun) => Promise<void>;

  /** `end` ends a process and resolves when nothing of it is left; it does not reject. */
  constructor(limit: number, end: (process: CliRun) => Promise<void>) {
    this.#limit = limit;
    this.#end = end;
  }

  /**
   * Starts a process for requests of this kind, unless as many as may run at once are waiting. The signal ends it when
   * no request has taken it.
   */
  add(key: string, start: () => Promise<CliRun>, signal?: AbortSignal): void {
    if (this.#warm.length >= this.#limit) return;
    const process = start();
    const drop = () => this.#drop(entry);
    const timer = setTimeout(drop, WARM_MS).unref();
    signal?.addEventListener("abort", drop, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", drop);
    };
    const entry = { key, process, settle };
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
  async take(key: string): Promise<CliRun | undefined> {
    const entry = this.#warm.find((each) => each.key === key);
    if (entry === undefined) return undefined;
    this.#forget(entry);
    const process = await entry.process.catch(() => undefined);
    if (process?.exited) {
      await this.#end(process);
      return undefined;
    }
    process?.hold();
    return process;
  }

  /** Ends all of them and waits until they are gone. */
  async close(): Promise<void> {
    for (const entry of [...this.#warm]) this.#drop(entry);
    await Promise.all(this.#ending);
  }

  #drop(entry: Warm): void {
    this.#forget(entry);
    const ended = entry.process.then(
      async (process) => {
        // It let the program end before it; now the program waits for it to be gone.
        process.hold();
        process.kill();
        await this.#end(process);
      },
      () => {},
    );
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }

  #forget(entry: Warm): void {
    entry.settle();
    this.#warm.splice(this.#warm.indexOf(entry), 1);
  }
}
