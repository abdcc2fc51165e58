import type { Next } from "../jobs/job-store.js";
import type { OwnerCount } from "../jobs/jobs.js";

/** A record as an engine keeps it: what it holds is the store's matter. */
export interface Row {
  id: string;
  /** Of the layout of `head`, `report` and the checkpoint. What is newer than one's own is not read and not written over. */
  format: number;
  generation: number;
  head: string;
  report?: Buffer | undefined;
}

/** What one owner may have. */
export interface Room {
  /** Jobs that run at once. `undefined`: as many as there is room for. */
  running: number | undefined;
  /** Jobs in its line, and those that run, too, if `running` is given. `undefined`: any number. */
  jobs: number | undefined;
}

/** A record that is written. */
export interface Write extends Row {
  /** Generation of the one that is there; otherwise nothing is written. */
  from: number;
  next: Next;
  /** Of its owner, for what is put into its line. `undefined`: as it was. */
  room?: Room | undefined;
}

/** What came of a write. */
interface Written {
  /** `false`: the record is of another generation or format, or not there. */
  written: boolean;
  /** A ticket was used up while all who waited were at their limit: now one of them may go on. */
  owesTicket: boolean;
  /** Nothing was written, for its owner has no room for one more. */
  isFull: boolean;
}

export interface NewRow extends Row {
  owner: string;
  /** Tells equal questions of one owner. */
  key: string;
  /** The last job of the question as far as one knows: of two that ask at once, one comes too late. */
  after: string | undefined;
  /** Of its owner. */
  room: Room;
}

export type { OwnerCount };

/**
 * What an engine can do, each as one step that nothing comes between: Redis does it by scripts, PostgreSQL by functions.
 * Times are those of its own clock.
 */
export interface Rows {
  /** Puts a new record at the end of its owner's line. `late`: `after` is not the last any more; `full`: there is no room. */
  create(row: NewRow): Promise<"created" | "late" | "full">;
  /** @param owner Whose it must be: nothing of another's is read. Default: anybody's. */
  row(id: string, owner?: string): Promise<Row | undefined>;
  /** The same without its report. */
  head(id: string): Promise<Row | undefined>;
  /** Those of these ids that are there, without their reports. */
  heads(ids: readonly string[]): Promise<Row[]>;
  /** The id of the last job of a question. */
  lastOf(key: string): Promise<string | undefined>;
  /** An owner's newest, without their reports; `undefined` for one that is past its time. Fewer than `max`: there are no more. */
  headsOf(owner: string, max: number): Promise<(Row | undefined)[]>;
  /** Writes a record. If that job has ended or stopped, the oldest such ones of its owner beyond {@link MOST_ENDED} are deleted. */
  write(write: Write): Promise<Written>;
  /** Deletes a record of this generation that nobody works on; otherwise `false`. */
  remove(id: string, generation: number): Promise<boolean>;
  /**
   * The job that is done for a ticket: the one that was begun with it, else the first of the owner whose turn it is.
   * `undefined`: there is none, or all who wait are at their limit.
   */
  take(ticket: string): Promise<string | undefined>;
  /** The job that was begun with a ticket. */
  takenWith(ticket: string): Promise<string | undefined>;
  /** Replaces the checkpoint of a job that is of this generation; otherwise `false`. */
  saveCheckpoint(id: string, generation: number, checkpoint: Buffer | undefined): Promise<boolean>;
  checkpoint(id: string): Promise<Buffer | undefined>;
  /** Jobs that run at once of owners who have some. `undefined`: as many as there is room for. */
  limit(owners: readonly { owner: string; running: number | undefined }[]): Promise<void>;
  countOf(owner: string): Promise<Omit<OwnerCount, "owner">>;
  counts(): Promise<OwnerCount[]>;
  /** Jobs that wait and may begin now: of each owner no more than its limit leaves room for. */
  countReady(): Promise<number>;
  /** Keeps a small text for so long. */
  remember(name: string, text: string, keepMs: number): Promise<void>;
  recall(name: string): Promise<string | undefined>;
  /** Replaces such a text if it is still `before`; `undefined`: if there is none. */
  swap(name: string, before: string | undefined, after: string, keepMs: number): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): Promise<number>;
  /** Removes what is past its time, where the engine does not do it by itself. */
  expire(): Promise<void>;
  /** Why the engine must not be used as it is set up. Rejects while it takes no writes. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What engines keep of a limit: nobody has so many jobs, and PostgreSQL knows no more in a place of this size. */
const HIGHEST = 2 ** 31 - 1;

export function kept(limit: number): number {
  return Math.min(limit, HIGHEST);
}

/** Owners that are looked at in one step, which nothing comes between. */
export const OWNERS_A_STEP = 500;

/** How engines keep the most that may run at once: 0 is no limit, and -1 is that none may. */
export function mostOf(running: number | undefined): number {
  return running === undefined ? 0 : kept(running) || -1;
}

/** Records of one owner that are known by name, those that wait among them. */
export const MOST_LISTED = 10_000;
/** Of one owner's records that wait no more and do not run so many of the last stay. */
export const MOST_ENDED = 1_000;
