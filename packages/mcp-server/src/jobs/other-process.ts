import { isGone, type ProcessIdentity } from "@x/owned-files";
import { markCancelled } from "./cancelled.js";
import { endedJob, type Job } from "./job.js";
import { HEARTBEAT_MS, type JobHead, type JobRecord } from "./job-record.js";
import { leftBehind } from "./reading.js";

/** How long a running job of another machine or container may be silent before it counts as dead. */
const SILENT_MS = 4 * HEARTBEAT_MS;
const POLL_MS = 1_000;

export interface OtherProcessesOptions {
  /** This process. */
  own: ProcessIdentity;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Default: as the machine says. */
  isGone?: typeof isGone;
  load: (id: string) => Promise<JobRecord | undefined>;
  /** Whether this process works on a job. */
  isHere: (id: string) => boolean;
  /** Whether a record was deleted. */
  isDeleted: (id: string) => Promise<boolean>;
  /** Whether this process is about to end: then every wait ends. */
  isClosing: () => boolean;
}

/** Jobs that this process does not work on, as their records tell. */
export class OtherProcesses {
  readonly #options: OtherProcessesOptions;

  constructor(options: OtherProcessesOptions) {
    this.#options = options;
  }

  /** Whether nobody works on a job that has not ended. */
  isLeft(record: JobRecord): boolean {
    return record.state === "interrupted" || (record.state === "running" && !this.isWorkedOn(record));
  }

  /** A job that was killed with its process does not run, though its record says so. */
  asItIs<T extends JobHead>(record: T): T {
    const isLeft = record.state === "running" && this.isLeft(record) && !this.#options.isHere(record.id);
    return isLeft ? leftBehind(record) : record;
  }

  /** A job that has ended, or that another process works on. */
  jobOf(record: JobRecord): Job {
    const ended = endedJob(record);
    return record.state === "running" ? { ...ended, ended: (signal) => this.#end(record, signal) } : ended;
  }

  /**
   * Whether another process is at it. On one machine it works as long as it lives, however silent it is: both may have
   * slept. Of a process elsewhere no more is seen than that it is not silent.
   */
  isWorkedOn({ pid, place, start = "0", updatedAt }: JobRecord): boolean {
    const { own, now } = this.#options;
    if (pid === own.pid && place === own.place && start === own.start) return false;
    const gone = (this.#options.isGone ?? isGone)({ pid, place, start });
    return gone === undefined ? now() - Date.parse(updatedAt) < SILENT_MS : !gone;
  }

  /** Reads the record again and again, while somebody waits. */
  async #end(record: JobRecord, signal?: AbortSignal): Promise<void> {
    while (record.state === "running") {
      await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS).unref());
      if (this.#options.isClosing() || signal?.aborted) return;
      const now = await this.#options.load(record.id);
      if (now === undefined && (await this.#options.isDeleted(record.id))) markCancelled(record);
      else Object.assign(record, this.asItIs(now ?? record));
    }
  }
}
