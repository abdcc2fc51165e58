import type { RunStore } from "@x/research";
import type { JobHead, JobRecord, JobState } from "./job-record.js";
import type { OwnerLimits } from "./turns.js";

/** What came of a write: `superseded` when somebody else has gone on with the job, or ended it. */
export type Saved = "saved" | "superseded";

/**
 * What becomes of a job with a write, where jobs wait for whoever takes them:
 * - `keep`: nothing else.
 * - `line`: it waits for a turn of its owner.
 * - `stop`: it waits no more and nobody works on it; it may go on from its checkpoint.
 * - `end`: the same for good.
 */
export type Next = "keep" | "line" | "stop" | "end";

/** Hears that a job of an owner has ended or stopped. */
export type OnEnded = (owner: string, state: JobState) => void;

/** The records of jobs, which several processes share. Every method rejects while the store is away. */
export interface JobStore {
  /**
   * Keeps a new record as the last of its question, and puts it into its owner's line where there is one. `false`:
   * `after`, the last job as one knows it, is not the last any more. Rejects with a `BusyError` when its owner's line is full.
   */
  create(record: JobRecord, after: string | undefined, limits?: OwnerLimits): Promise<boolean>;
  /**
   * `undefined`: there is none, or it cannot be read by this version.
   *
   * @param owner Another's is as good as none, and how long its report is does not show in the time that it takes. Default: anybody's.
   */
  load(id: string, owner?: string): Promise<JobRecord | undefined>;
  /** The same without its report. */
  head(id: string): Promise<JobHead | undefined>;
  /** Those of these jobs that do not run: they have ended or stopped, or are not to be read. */
  atRest(ids: readonly string[]): Promise<string[]>;
  /** An owner's last job of a question, by its `keyOf`. A job that cannot be read has an id alone. */
  last(key: string): Promise<{ id: string; head?: JobHead } | undefined>;
  /** An owner's newest, without what cannot be read. Fewer than `max`: there are no more. */
  list(owner: string, max: number): Promise<JobHead[]>;
  /**
   * Replaces a record whose generation is `from`; by default its own. What a newer server has written stays. Rejects with
   * a `BusyError` when it is to be in a line that is full.
   */
  save(record: JobRecord, next?: Next, from?: number, limits?: OwnerLimits): Promise<Saved>;
  /** Deletes a record that nobody works on, and its rounds. `false`: somebody has begun it meanwhile. */
  remove(record: Pick<JobRecord, "id" | "generation">): Promise<boolean>;
  /** Where the rounds of a job are kept, as long as its generation is this one. */
  roundsOf(record: Pick<JobRecord, "id" | "generation">): RunStore;
}
