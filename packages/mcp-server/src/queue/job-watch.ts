import type { JobStore } from "../jobs/job-store.js";

/** Where no message came through: how often one looks. */
const LOOK_MS = 1_000;
/** Jobs in one look. */
const AT_ONCE = 500;

/** Looks after all jobs that calls of this front wait for, in one question to the store, however many they are. */
export class JobWatch {
  readonly #store: Pick<JobStore, "atRest">;
  readonly #watchers = new Map<string, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(store: Pick<JobStore, "atRest">) {
    this.#store = store;
  }

  /** Calls `ring` once a second when the job does not run. Gives the way to stop that. */
  watch(id: string, ring: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(ring));
    if (this.#timer === undefined && !this.#closed) this.#lookLater();
    return () => {
      watchers.delete(ring);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    const ids = [...this.#watchers.keys()];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      // While the store is away a job may go on all the same.
      const resting = await this.#store.atRest(ids.slice(from, from + AT_ONCE)).catch(() => []);
      for (const id of resting) for (const ring of this.#watchers.get(id) ?? []) ring();
    }
    this.#timer = undefined;
    if (this.#watchers.size > 0 && !this.#closed) this.#lookLater();
  }
}
