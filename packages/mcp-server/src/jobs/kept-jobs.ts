import { fileProblem, readProblem } from "@x/owned-files";
import type { Log } from "../host/log.js";
import type { FileJobStore } from "./file-job-store.js";
import { InOrder } from "./in-order.js";
import { type JobHead, type JobRecord, keyOf, ownerOf } from "./job-record.js";
import type { Next, Saved } from "./job-store.js";

export interface KeptJobsOptions {
  store: FileJobStore;
  log: Log;
}

/** The records of the jobs of this process. What cannot be written or read is said in the log, and the work goes on. */
export class KeptJobs {
  readonly #options: KeptJobsOptions;
  /** What a job does is not written before it is kept as the last of its question. */
  readonly #writes = new InOrder();

  constructor(options: KeptJobsOptions) {
    this.#options = options;
  }

  /** @param owner Whose it must be. Default: anybody's. */
  async load(id: string, owner?: string): Promise<JobRecord | undefined> {
    try {
      return await this.#options.store.load(id, owner);
    } catch (error) {
      this.#options.log("warn", `The state of ${id} could not be read: ${readProblem(error)}`);
      return undefined;
    }
  }

  /** An owner's last job of a question, by its {@link keyOf}. */
  async last(question: string): Promise<JobHead | undefined> {
    return (await this.#options.store.last(question).catch(() => undefined))?.head;
  }

  /** Keeps a new record as the last of its question. */
  begin(record: JobRecord): Promise<void> {
    const { store } = this.#options;
    const question = keyOf(ownerOf(record), record.tool, record.request);
    return this.#writes.do(record.id, async () => {
      try {
        while (!(await store.create(record, (await store.last(question))?.id)));
      } catch (error) {
        this.#failed(record, error);
      }
    });
  }

  save(record: JobRecord, next?: Next, from?: number): Promise<Saved | "failed"> {
    return this.#writes.do(record.id, async () => {
      try {
        return await this.#options.store.save(record, next, from);
      } catch (error) {
        this.#failed(record, error);
        return "failed";
      }
    });
  }

  /** Resolves when all that was to be written is, or was refused. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  /** Whether another process has gone on with it, ended or deleted it. */
  isSuperseded(record: JobRecord): Promise<boolean> {
    return this.#options.store.isSuperseded(record);
  }

  #failed({ id }: JobRecord, error: unknown): void {
    this.#options.log("warn", `The state of ${id} could not be saved: ${fileProblem(error)}`);
  }
}
