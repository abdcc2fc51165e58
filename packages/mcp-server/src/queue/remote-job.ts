import type { Activity } from "../jobs/activity.js";
import type { Job } from "../jobs/job.js";
import type { JobMessage, JobQueue } from "../jobs/job-queue.js";
import type { JobRecord } from "../jobs/job-record.js";
import type { JobStore } from "../jobs/job-store.js";
import type { JobWatch } from "./job-watch.js";

/** A worker hears so often that somebody waits for its job. */
const ATTEND_MS = 60_000;

/** A job that some worker does, or will. */
export class RemoteJob implements Job {
  readonly record: JobRecord;
  readonly #store: JobStore;
  readonly #queue: JobQueue;
  readonly #watch: JobWatch;

  constructor(record: JobRecord, { store, queue }: { store: JobStore; queue: JobQueue }, watch: JobWatch) {
    this.record = record;
    this.#store = store;
    this.#queue = queue;
    this.#watch = watch;
  }

  onChange(listener: () => void): () => void {
    return this.#queue.subscribe((message) => {
      if (message.id !== this.record.id || message.kind !== "progress") return;
      Object.assign(this.record.activity, message.activity as Activity);
      listener();
    });
  }

  onEvent(): () => void {
    return () => {};
  }

  async ended(signal?: AbortSignal): Promise<void> {
    const bell = new Bell();
    const stop = this.#queue.subscribe((message: JobMessage) => {
      if (message.id === this.record.id && message.kind === "ended") bell.ring();
    });
    const unwatch = this.#watch.watch(this.record.id, bell.ring);
    const attend = () => void this.#queue.publish({ kind: "attended", id: this.record.id }).catch(() => {});
    // Most clients wait for less than a minute at a time.
    attend();
    const attending = setInterval(attend, ATTEND_MS);
    signal?.addEventListener("abort", bell.ring, { once: true });
    try {
      while (!signal?.aborted && (await this.#isRunning())) await bell.rings();
    } finally {
      stop();
      unwatch();
      clearInterval(attending);
      signal?.removeEventListener("abort", bell.ring);
    }
  }

  /** Brings the record up to date when the job has ended. */
  async #isRunning(): Promise<boolean> {
    if (this.record.state !== "running") return false;
    try {
      const head = await this.#store.head(this.record.id);
      if (head?.state === "running") return true;
      // A record that is gone, or that a newer server has written, has nothing more to wait for.
      Object.assign(this.record, (await this.#store.load(this.record.id)) ?? { state: "interrupted" });
      return false;
    } catch {
      // The store is away; the job may go on all the same.
      return true;
    }
  }
}

/** Wakes whoever waits for it, also when it rang before. */
class Bell {
  #rang = false;
  #wake = () => {};

  ring = (): void => {
    this.#rang = true;
    this.#wake();
  };

  async rings(): Promise<void> {
    if (!this.#rang) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#rang = false;
  }
}
