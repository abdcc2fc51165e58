import {
  AGAIN_MS,
  type JobMessage,
  type JobQueue,
  type Left,
  MOST_TRIES,
  type Taking,
  type Work,
} from "./job-queue.js";
import type { Turns } from "./turns.js";

export interface LocalQueueOptions {
  /** Where jobs wait, and whose turn it is. */
  turns: Turns;
  /** A job whose work fails is tried again so long after. Default: 3 s. */
  againMs?: number;
}

/** Who works on jobs. */
interface Worker {
  readonly work: Work;
  readonly concurrency: number;
  /** What it works on. */
  readonly busy: Set<Promise<void>>;
  /** Aborts when it is to stop. */
  readonly stopping: AbortController;
  /** It takes nothing for some time. */
  resting?: NodeJS.Timeout | undefined;
}

/** The jobs that wait in this process, and who works on them here: a lease is lost with the process alone. */
export class LocalQueue implements JobQueue {
  readonly #options: LocalQueueOptions;
  readonly #workers = new Set<Worker>();
  readonly #listeners = new Set<(message: JobMessage) => void>();
  /** How often the work of a job has failed. */
  readonly #failures = new Map<string, number>();
  #most = Number.POSITIVE_INFINITY;

  constructor(options: LocalQueueOptions) {
    this.#options = options;
  }

  async wake(): Promise<void> {
    this.#begin();
  }

  async catchUp(): Promise<void> {
    this.#begin();
  }

  async work(concurrency: number, work: Work): Promise<Taking> {
    const worker: Worker = { work, concurrency, busy: new Set(), stopping: new AbortController() };
    this.#workers.add(worker);
    this.#count();
    this.#begin();
    return { close: () => this.#stop(worker) };
  }

  async publish(message: JobMessage): Promise<void> {
    for (const listener of this.#listeners) listener(message);
  }

  subscribe(listener: (message: JobMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Jobs at once, over all workers. `undefined`: as many as they have room for. */
  limit(running = Number.POSITIVE_INFINITY): void {
    this.#most = running;
    this.#count();
    this.#begin();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.#stop(worker)));
  }

  async #stop(worker: Worker): Promise<void> {
    this.#workers.delete(worker);
    this.#count();
    clearTimeout(worker.resting);
    worker.stopping.abort("closing");
    await Promise.all(worker.busy);
  }

  #count(): void {
    const room = [...this.#workers].reduce((sum, { concurrency }) => sum + concurrency, 0);
    this.#options.turns.atOnce = Math.min(this.#most, room);
  }

  /** Gives every worker that has room the job whose turn it is. */
  #begin(): void {
    for (const worker of this.#workers) {
      while (worker.busy.size < worker.concurrency && worker.resting === undefined) {
        const id = this.#options.turns.next();
        if (id === undefined) return;
        const working: Promise<void> = this.#use(worker, id).finally(() => {
          worker.busy.delete(working);
          this.#begin();
        });
        worker.busy.add(working);
      }
    }
  }

  async #use(worker: Worker, id: string): Promise<void> {
    const left = await this.#do(worker, id);
    const asker = this.#options.turns.leave(id);
    if (asker === undefined || left === "done") return void this.#failures.delete(id);
    const join = (place: "first" | "last") => this.#options.turns.join(id, asker, place);
    if (left !== "failed") return join(left === "given-back" ? "first" : "last");
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (failures >= MOST_TRIES) return void this.#failures.delete(id);
    const again = () => {
      join("first");
      this.#begin();
    };
    setTimeout(again, this.#options.againMs ?? AGAIN_MS).unref();
  }

  async #do(worker: Worker, id: string): Promise<Left | "failed"> {
    const { work, stopping } = worker;
    try {
      const restsMs = await work.restsMs();
      if (restsMs > 0) this.#rest(worker, restsMs);
      return restsMs > 0 ? "given-back" : await work.do({ id, signal: stopping.signal });
    } catch {
      return "failed";
    }
  }

  /** A worker takes nothing for so long; others do. */
  #rest(worker: Worker, ms: number): void {
    if (worker.resting !== undefined || worker.stopping.signal.aborted) return;
    const resume = () => {
      worker.resting = undefined;
      this.#begin();
    };
    worker.resting = setTimeout(resume, ms).unref();
  }
}
