import { endedJob, type Job } from "./job.js";
import { HEARTBEAT_MS, type JobRecord } from "./job-record.js";

/** How long a running job of another process may be silent before it counts as dead. */
const SILENT_MS = 4 * HEARTBEAT_MS;
const POLL_MS = 1_000;

export interface OtherProcessesOptions {
  pid: number;
  /** Where `pid` means this process. */
  place: string;
  /** Milliseconds since 1970. */
  now: () => number;
  isAlive: (pid: number) => boolean;
  load: (id: string) => Promise<JobRecord | undefined>;
  /** This process ends: nobody waits for anything any more. */
  isClosing: () => boolean;
}

/** Jobs that this process does not work on, as their records tell. */
export class OtherProcesses {
  readonly #options: OtherProcessesOptions;

  constructor(options: OtherProcessesOptions) {
    this.#options = options;
  }

  /** Whether it has not ended and nobody works on it. */
  isLeft(record: JobRecord): boolean {
    return record.state === "interrupted" || (record.state === "running" && !this.#isWorkedOn(record));
  }

  /** A job that has ended, or that another process works on. */
  jobOf(record: JobRecord): Job {
    const ended = endedJob(record);
    return record.state === "running" ? { ...ended, ended: (signal) => this.#end(record, signal) } : ended;
  }

  #isWorkedOn(record: JobRecord): boolean {
    const { pid, place, now, isAlive } = this.#options;
    if (now() - Date.parse(record.updatedAt) >= SILENT_MS) return false;
    // Of another place no more is seen than that it is not silent.
    return record.place !== place || (record.pid !== pid && isAlive(record.pid));
  }

  /** Reads the record again and again, while somebody waits. */
  async #end(record: JobRecord, signal?: AbortSignal): Promise<void> {
    while (record.state === "running" && this.#isWorkedOn(record)) {
      await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS).unref());
      if (this.#options.isClosing() || signal?.aborted) return;
      Object.assign(record, await this.#options.load(record.id));
    }
  }
}
