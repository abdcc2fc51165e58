import { createHash } from "node:crypto";
import { ResearchError, type RunStore } from "@x/research";
import type { RecordLock } from "./file-lock.js";
import { InOrder } from "./in-order.js";
import { asJobHead, asJobRecord, isJobId, isOf, type JobHead, type JobRecord, keyOf, ownerOf } from "./job-record.js";
import type { JobStore, Next, OnEnded, Saved } from "./job-store.js";
import type { RecordFiles } from "./record-files.js";

export interface FileJobStoreOptions {
  files: RecordFiles;
  /** Where the rounds of all researches are. */
  rounds: RunStore;
  /** Against another process that changes the same record. */
  lock: RecordLock;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Default: nobody hears it. */
  onEnded?: OnEnded | undefined;
}

/** The records of jobs as files. Whoever asks works on the job: nothing waits in a line for somebody else. */
export class FileJobStore implements JobStore {
  readonly #options: FileJobStoreOptions;
  /** So that the last state of a record is the one that stays. */
  readonly #writes = new InOrder();
  /** Running jobs that this process has written: one whose record is not there any more was deleted. */
  readonly #written = new Set<string>();

  constructor(options: FileJobStoreOptions) {
    this.#options = options;
  }

  create(record: JobRecord, after: string | undefined): Promise<boolean> {
    const { files, lock } = this.#options;
    const question = keyOf(ownerOf(record), record.tool, record.request);
    const state = copyOf(record);
    return this.#writes.do(record.id, () =>
      lock(nameOf(question), async () => {
        if ((await files.lastOf(question)) !== after) return false;
        // Whoever sees the record then finds it by its question, too.
        await files.noteLast(question, record.id);
        await this.#save(state);
        return true;
      }),
    );
  }

  async load(id: string, owner?: string): Promise<JobRecord | undefined> {
    if (!isJobId(id)) return undefined;
    if (owner !== undefined) {
      const head = await this.head(id);
      if (head !== undefined && !isOf(head, owner)) return undefined;
    }
    return asJobRecord(await this.#options.files.load(id));
  }

  async head(id: string): Promise<JobHead | undefined> {
    return isJobId(id) ? asJobHead(await this.#options.files.head(id)) : undefined;
  }

  async atRest(ids: readonly string[]): Promise<string[]> {
    const heads = await Promise.all(ids.map((id) => this.head(id)));
    return ids.filter((_, at) => heads[at]?.state !== "running");
  }

  async last(key: string): Promise<{ id: string; head?: JobHead } | undefined> {
    const id = await this.#options.files.lastOf(key);
    if (id === undefined) return undefined;
    await this.#writes.settled(id);
    const head = await this.head(id);
    const isOfQuestion = head !== undefined && keyOf(ownerOf(head), head.tool, head.request) === key;
    return isOfQuestion ? { id, head } : { id };
  }

  async list(owner: string, max: number): Promise<JobHead[]> {
    const heads = (await this.#options.files.heads()).map(asJobHead).filter((head) => head !== undefined);
    const own = heads.filter((head) => isOf(head, owner));
    return own.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, max);
  }

  /** A record that was never there is written too: what the disk would not take at first it may take now. */
  save(record: JobRecord, next: Next = "keep", from = record.generation ?? 0): Promise<Saved> {
    const { lock, now, onEnded } = this.#options;
    record.updatedAt = new Date(now()).toISOString();
    const state = copyOf(record);
    return this.#writes.do(record.id, () =>
      lock(record.id, async () => {
        if (await this.#isPast(record.id, from)) return "superseded";
        await this.#save(state);
        if (next === "stop" || next === "end") onEnded?.(ownerOf(state), state.state);
        return "saved";
      }),
    );
  }

  remove({ id, generation = 0 }: Pick<JobRecord, "id" | "generation">): Promise<boolean> {
    const { files, lock, rounds } = this.#options;
    return this.#writes.do(id, () =>
      lock(id, async () => {
        if (await this.#isPast(id, generation)) return false;
        const research = (await this.head(id))?.researchId;
        await files.remove(id);
        this.#written.delete(id);
        if (research !== undefined) await rounds.remove(research);
        return true;
      }),
    );
  }

  roundsOf({ id, generation = 0 }: Pick<JobRecord, "id" | "generation">): RunStore {
    const { rounds } = this.#options;
    return {
      ...rounds,
      save: async (research, state) => {
        if (!(await this.#isPast(id, generation))) return rounds.save(research, state);
        throw new ResearchError("CANCELLED", "Another process has gone on with this research, or it was cancelled.");
      },
    };
  }

  /** Whether a record is not there; one that cannot be read is. */
  isGone(id: string): Promise<boolean> {
    return this.#options.files.load(id).then(
      (found) => found === undefined,
      () => false,
    );
  }

  /** Whether somebody else has gone on with a job as this process knows it, has ended or deleted it. */
  isSuperseded({ id, generation = 0 }: Pick<JobRecord, "id" | "generation">): Promise<boolean> {
    return this.#isPast(id, generation);
  }

  /**
   * Whether somebody has gone on with a job that was of this generation, or deleted it, or a server has written it that is not
   * understood.
   */
  async #isPast(id: string, generation: number): Promise<boolean> {
    const found = await this.#options.files.head(id).catch(() => undefined);
    if (found === undefined) return this.#written.has(id) && this.isGone(id);
    const head = asJobHead(found);
    return head === undefined || (head.generation ?? 0) > generation;
  }

  async #save(record: JobRecord): Promise<void> {
    await this.#options.files.save(record);
    if (record.state === "running") this.#written.add(record.id);
    else this.#written.delete(record.id);
  }
}

/** As it is now. A report may have megabytes, and nobody changes one. */
function copyOf({ report, ...head }: JobRecord): JobRecord {
  return { ...structuredClone(head), ...(report && { report }) };
}

/** A name for the lock of a question. */
function nameOf(question: string): string {
  return createHash("sha256").update(question).digest("hex").slice(0, 32);
}
