import type { Log } from "../host/log.js";
import { fileProblem } from "../text/file-problem.js";
import { asJobHead, asJobRecord, isJobId, type JobHead, type JobRecord, keyOf } from "./job-record.js";
import type { RecordFiles } from "./record-files.js";

export interface JobStoreOptions {
  files: RecordFiles;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The records of jobs on disk. What cannot be written or read is said in the log, and the work goes on. */
export class JobStore {
  readonly #options: JobStoreOptions;
  readonly #saves = new Map<string, Promise<void>>();

  constructor(options: JobStoreOptions) {
    this.#options = options;
  }

  /** One write at a time for each job, so that the last state is the one that stays. */
  save(record: JobRecord): Promise<void> {
    const { files, log, now } = this.#options;
    record.updatedAt = new Date(now()).toISOString();
    const state = structuredClone(record);
    const done = (this.#saves.get(record.id) ?? Promise.resolve())
      .then(() => files.save(state))
      .catch((error: Error) => log("warn", `The state of ${record.id} could not be saved: ${fileProblem(error)}`))
      .finally(() => {
        if (this.#saves.get(record.id) === done) this.#saves.delete(record.id);
      });
    this.#saves.set(record.id, done);
    return done;
  }

  /** Resolves when what was saved last under this id is on disk. */
  async saved(id: string): Promise<void> {
    await this.#saves.get(id);
  }

  /** Resolves when all that was saved is on disk. */
  async settled(): Promise<void> {
    await Promise.all(this.#saves.values());
  }

  async load(id: string): Promise<JobRecord | undefined> {
    if (!isJobId(id)) return undefined;
    try {
      return asJobRecord(await this.#options.files.load(id));
    } catch (error) {
      this.#options.log("warn", `The state of ${id} could not be read: ${fileProblem(error)}`);
      return undefined;
    }
  }

  /** All jobs, that of the last save first. Rejects when their folder cannot be read. */
  async heads(): Promise<JobHead[]> {
    const heads = await this.#options.files.heads();
    return heads.map(asJobHead).filter((head) => head !== undefined);
  }

  /** The last job of a question, by its {@link keyOf}. */
  async lastOf(key: string): Promise<JobHead | undefined> {
    return (await this.heads().catch(() => [] as JobHead[])).find(({ tool, request }) => keyOf(tool, request) === key);
  }
}
