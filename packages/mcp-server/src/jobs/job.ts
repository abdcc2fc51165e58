import type { ResearchEvent } from "@x/research";
import { update } from "./activity.js";
import { type JobRecord, keyOf, ownerOf } from "./job-record.js";
import type { Asker } from "./turns.js";

/** A job that can be waited for, wherever it runs. */
export interface Job {
  readonly record: JobRecord;
  /** Resolves when the job has ended in any way. Abort `signal` to stop waiting: nobody then looks for the end. */
  ended(signal?: AbortSignal): Promise<void>;
  /** Calls the listener for every event that is worth a line. Gives a function that stops this. */
  onChange(listener: () => void): () => void;
  /** Calls the listener with every event of a job that runs in this process. Gives a function that stops this. */
  onEvent(listener: (event: ResearchEvent) => void): () => void;
}

/** A job that has ended. */
export function endedJob(record: JobRecord): Job {
  return { record, ended: async () => {}, onChange: () => () => {}, onEvent: () => () => {} };
}

/** Why a job is stopped: for good, so that it can go on later, or since another process has taken it away. */
export type Stop = "cancelled" | "interrupted" | "superseded";

/** A job that this process works on. */
export class LocalJob implements Job {
  readonly record: JobRecord;
  readonly key: string;
  /** Who asked for it here. */
  readonly asker: Asker;
  /** Somebody was told its id instead of its result, and may come back for it. */
  toldId = false;
  /** A call has ended before the job did. */
  wasLeft = false;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<(event: ResearchEvent) => void>();
  readonly #ended: Promise<void>;
  #waiting = 0;
  #unattended: NodeJS.Timeout | undefined;

  /** @param work Does the research of the job and keeps its end in the record; never rejects. */
  constructor(record: JobRecord, asker: Asker, work: (job: LocalJob) => Promise<void>) {
    this.record = record;
    this.asker = asker;
    this.key = keyOf(ownerOf(record), record.tool, record.request);
    this.#ended = Promise.resolve()
      .then(() => work(this))
      .finally(() => clearTimeout(this.#unattended));
  }

  ended(): Promise<void> {
    return this.#ended;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onEvent(watcher: (event: ResearchEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Notes an event of the research, told at `nowMs` since 1970, and tells the listeners. */
  hear(event: ResearchEvent, nowMs: number): void {
    const changed = update(this.record.activity, event, nowMs);
    for (const watcher of this.#watchers) watcher(event);
    if (!changed) return;
    for (const listener of this.#listeners) listener();
  }

  /** Aborts when the job is stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(how: Stop): void {
    this.#controller.abort(how);
  }

  /** How it was stopped; `undefined`: it was not. */
  get stopped(): Stop | undefined {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  /** A call waits for it now. */
  enter(): void {
    this.#waiting += 1;
    clearTimeout(this.#unattended);
  }

  /** A call waits no longer. */
  leave({ ended }: { ended: boolean }): void {
    this.#waiting -= 1;
    if (!ended) this.wasLeft = true;
  }

  get isWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  /** Stops it after `ms`, unless a call waits for it before. */
  stopUnattended(ms: number, how: Stop): void {
    if (this.isWaitedFor) return;
    clearTimeout(this.#unattended);
    this.#unattended = setTimeout(() => this.stop(how), ms).unref();
  }
}
