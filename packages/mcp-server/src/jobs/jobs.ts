import type { isGone, ProcessIdentity } from "@x/owned-files";
import type { RunStore } from "@x/research";
import type { Log } from "../host/log.js";
import type { Research } from "../research.js";
import type { Earlier } from "./earlier.js";
import type { Failure, toFailure } from "./failure.js";
import type { RecordLock } from "./file-lock.js";
import type { Job } from "./job.js";
import { JobManager } from "./job-manager.js";
import type { JobHead, JobRecord, JobRequest, JobTool } from "./job-record.js";
import type { OnEnded } from "./job-store.js";
import type { KeyLimit } from "./key-limit.js";
import type { RecordFiles } from "./record-files.js";
import type { OwnerLimits } from "./turns.js";
import type { Waited, WaitOptions } from "./wait.js";

export type { OwnerLimits };

export interface JobsOptions {
  /** @param owner Whose research is to be done. */
  research: (owner: string) => Promise<Pick<Research, "ask">>;
  /** Where jobs are kept, and for how long. */
  files: RecordFiles;
  log: Log;
  /** This process. */
  own: ProcessIdentity;
  /** Against another process that changes the same record. Default: there is none. */
  lock?: RecordLock;
  /** Where the research keeps finished rounds: those of a job that is deleted go with it. Default: nowhere. */
  rounds?: RunStore;
  /** What is told of an error. Default: {@link toFailure}, which names settings by their variables. */
  failureOf?: (error: unknown) => Failure;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Whether a process has ended. Default: as the machine says. */
  isGone?: typeof isGone;
  /** Jobs that run at once; the others wait. Default: two for each processor. */
  maxRunning?: number;
  /**
   * Of the key with which this process asks the API, and how many researches may run with it at once. What the API refuses since
   * too much was asked in a minute then waits, and fails otherwise. Default: no limit but the API's.
   */
  key?: { limit: Pick<KeyLimit, "begin" | "lower">; running: number | undefined };
  /** When the connection of a call broke, its client has so long to ask again. Default: 15 s. */
  closedMs?: number;
  /** Hears of each job that has ended or stopped in this process. Default: nobody does. */
  onEnded?: OnEnded;
}

/** A job for a question, and what of it was there before. */
export interface Started {
  job: Job;
  /** `undefined`: the question is researched anew. */
  earlier?: Earlier;
}

/** The jobs of one owner; those of others are as good as none. */
export interface Jobs {
  /**
   * Starts the work, or joins what an earlier call began for the same question: a running job, one that had stopped and
   * goes on after its last finished round, a report that nobody has taken. Rejects with `INVALID_INPUT`, or with
   * `QUOTA_EXCEEDED` when too many jobs wait: then there is no job.
   */
  start(tool: JobTool, request: JobRequest): Promise<Started>;
  /** What is known of a job; starts nothing. */
  look(id: string): Promise<JobRecord | undefined>;
  /** A job by its id. One whose server ended is started again and goes on after its last finished round. */
  find(id: string): Promise<Job | undefined>;
  /** A job by its id, as `find` gives it. One that failed or was cancelled is started again, too. */
  resume(id: string): Promise<Job | undefined>;
  /**
   * Waits until the job ends, the time is over or the call ends. A call that is cancelled takes its job along, unless
   * another call waits for it or somebody was told its id instead of a result.
   */
  wait(job: Job, options: WaitOptions): Promise<Waited>;
  /** Tells that somebody was given the report of a job. */
  taken(record: JobRecord): Promise<void>;
  /** Ends a job and waits until it is gone; one of another process ends soon after. `undefined`: there is none. */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** Deletes a job that has ended or was left. `running`: somebody works on it, and it stays. `undefined`: there is none. */
  remove(id: string): Promise<"removed" | "running" | undefined>;
  /** Those that were asked last, newest first; fewer than `max`: there are no more. Rejects when the folder of the records cannot be read. */
  list(max: number): Promise<JobHead[]>;
}

/** Work that outlives a call: it belongs to the server, and to whoever asked for it. */
export interface SharedJobs {
  /**
   * @param session Tells the clients of one owner from each other: their jobs take turns.
   * @param limits Of this owner.
   */
  of(owner: string, session?: string, limits?: OwnerLimits): Jobs;
  /**
   * What owners may have from now on, of their jobs that wait, too: one that may have none running keeps those that wait, and
   * none of them begins.
   */
  limit(limits: ReadonlyMap<string, OwnerLimits>): Promise<void>;
  /** Who has jobs that wait or run. */
  owners(): Promise<string[]>;
  /** Interrupts all work, saves its state and waits until nothing runs any more. */
  close(): Promise<void>;
}

/** What an owner has of jobs that have not ended. */
export interface OwnerCount {
  owner: string;
  waiting: number;
  running: number;
}

/** The jobs that one process works on. */
export interface OwnJobs extends SharedJobs {
  /** Who waits and runs in this process: all, or one owner. */
  counts(owner?: string): OwnerCount[];
  /** Resolves when all that is known of them by now is written, or was refused. */
  saved(): Promise<void>;
}

export function createJobs(options: JobsOptions): OwnJobs {
  const manager = new JobManager(options);
  return {
    of: (owner, session = "", limits?) => ({
      start: (tool, request) => manager.start({ owner, session, limits }, tool, request),
      look: (id) => manager.look(id, owner),
      find: (id) => manager.find(id, { owner, session, limits }),
      resume: (id) => manager.resume(id, { owner, session, limits }),
      wait: (job, wait) => manager.wait(job, wait),
      taken: (record) => manager.taken(record),
      cancel: (id) => manager.cancel(id, owner),
      remove: (id) => manager.remove(id, owner),
      list: (max) => manager.list(max, owner),
    }),
    limit: async (limits) => manager.limit(limits),
    owners: async () => manager.counts().map(({ owner }) => owner),
    counts: (owner) => manager.counts(owner),
    close: () => manager.close(),
    saved: () => manager.saved(),
  };
}
