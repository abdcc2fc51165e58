import type { Log } from "../host/log.js";
import { fileProblem, readProblem } from "../text/file-problem.js";
import { asJobHead, asJobRecord, isJobId, type JobHead, type JobRecord, keyOf, ownerOf } from "./job-record.js";
import type { RecordFiles } from "./record-files.js";

export interface JobStoreOptions {
  files: RecordFiles;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What came of a save: `superseded` when a newer generation of the record is there, which stays. */
export type Saved = "saved" | "superseded" | "failed";

function questionOf(record: Pick<JobRecord, "owner" | "tool" | "request">): string {
  return keyOf(ownerOf(record), record.tool, record.request);
}

/** The records of jobs on disk. What cannot be written or read is said in the log, and the work goes on. */
export class JobStore {
  readonly #options: JobStoreOptions;
  readonly #saves = new Map<string, Promise<Saved>>();

  constructor(options: JobStoreOptions) {
    this.#options = options;
  }

  /** One write at a time for each job, so that the last state is the one that stays. */
  save(record: JobRecord): Promise<Saved> {
    record.updatedAt = new Date(this.#options.now()).toISOString();
    // A report may have megabytes, and nobody changes one.
    const { report, ...head } = record;
    const state: JobRecord = { ...structuredClone(head), ...(report && { report }) };
    const done = (this.#saves.get(record.id) ?? Promise.resolve())
      .then(async () => ((await this.isSuperseded(state)) ? "superseded" : this.#write(state)))
      .finally(() => {
        if (this.#saves.get(record.id) === done) this.#saves.delete(record.id);
      });
    this.#saves.set(record.id, done);
    return done;
  }

  async #write(state: JobRecord): Promise<Saved> {
    try {
      await this.#options.files.save(state);
      return "saved";
    } catch (error) {
      this.#options.log("warn", `The state of ${state.id} could not be saved: ${fileProblem(error)}`);
      return "failed";
    }
  }

  /** Whether another process has gone on with it, or ended it. */
  async isSuperseded(record: JobRecord): Promise<boolean> {
    return (await this.#ahead(record)) > 0;
  }

  /** Whether what is on disk is of a generation before this one. */
  async isOlder(record: JobRecord): Promise<boolean> {
    return (await this.#ahead(record)) < 0;
  }

  /** By how many generations the record on disk is ahead of this one. */
  async #ahead({ id, generation = 0 }: JobRecord): Promise<number> {
    const head = asJobHead(await this.#options.files.head(id).catch(() => undefined));
    return head === undefined ? 0 : (head.generation ?? 0) - generation;
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
      this.#options.log("warn", `The state of ${id} could not be read: ${readProblem(error)}`);
      return undefined;
    }
  }

  /** Removes the record. Rejects when it cannot be removed. */
  async remove(id: string): Promise<void> {
    await this.saved(id);
    await this.#options.files.remove(id);
  }

  /** All jobs, that of the last save first. Rejects when their folder cannot be read. */
  async heads(): Promise<JobHead[]> {
    return (await this.#options.files.heads()).map(asJobHead).filter((head) => head !== undefined);
  }

  /** Saves a job as the last one of its question. */
  async begin(record: JobRecord): Promise<Saved> {
    const saved = this.save(record);
    const noted = this.#options.files.noteLast(questionOf(record), record.id);
    // Whoever asks again asks anew.
    await noted.catch((error: unknown) => this.#options.log("debug", `${record.id}: ${fileProblem(error)}`));
    return saved;
  }

  /** The last job of a question, by its {@link keyOf}, which names its owner too. */
  async lastOf(question: string): Promise<JobHead | undefined> {
    const id = await this.#options.files.lastOf(question).catch(() => undefined);
    if (id === undefined) return undefined;
    await this.saved(id);
    const head = asJobHead(await this.#options.files.head(id).catch(() => undefined));
    return head !== undefined && questionOf(head) === question ? head : undefined;
  }
}
