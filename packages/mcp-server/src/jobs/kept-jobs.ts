import { fileProblem, readProblem } from "@x/owned-files";
import type { Log } from "../host/log.js";
import { type Failure, toFailure } from "./failure.js";
import type { FileJobStore } from "./file-job-store.js";
import { InOrder } from "./in-order.js";
import { isUnfinished, type JobHead, type JobRecord, keyOf, ownerOf } from "./job-record.js";
import type { Next, Saved } from "./job-store.js";

export interface KeptJobsOptions {
  store: FileJobStore;
  /** Where it keeps them. */
  directory: string;
  /** What is told of an error. Default: {@link toFailure}. */
  failureOf?: (error: unknown) => Failure;
  log: Log;
}

/** The records of the jobs of this process. What cannot be written or read is said in the log, and the work goes on. */
export class KeptJobs {
  readonly #options: KeptJobsOptions;
  /** What a job does is not written before it is kept as the last of its question. */
  readonly #writes = new InOrder();
  /** Jobs whose state is not saved, which was said: not with every change. */
  readonly #unsaved = new Set<string>();

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
        this.#failed(record, "keep", error);
      }
    });
  }

  save(record: JobRecord, next: Next = "keep", from?: number): Promise<Saved | "failed"> {
    return this.#writes.do(record.id, async () => {
      try {
        const saved = await this.#options.store.save(record, next, from);
        this.#unsaved.delete(record.id);
        return saved;
      } catch (error) {
        this.#failed(record, next, error);
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

  #failed(record: JobRecord, next: Next, error: unknown): void {
    const { directory, log, failureOf = toFailure } = this.#options;
    const { id } = record;
    const isEnd = next === "end";
    if (this.#unsaved.has(id) && !isEnd) return;
    this.#unsaved.add(id);
    const what = `The ${isEnd ? "end" : "state"} of ${id} could not be saved in ${directory}: ${fileProblem(error)}`;
    const kept = isUnfinished(record) ? GOES_ON : isEnd && KNOWN_HERE;
    log("warn", [what.replace(/\.?$/, "."), kept, failureOf(error).details].filter(Boolean).join(" "));
  }
}

const GOES_ON = "If this program ends before it can be saved, the research goes on later from what was saved before.";
const KNOWN_HERE = "What came of it is known to this program alone, until it ends.";
