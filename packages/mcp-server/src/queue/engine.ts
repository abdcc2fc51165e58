import type { Log } from "../host/log.js";
import type { JobQueue } from "../jobs/job-queue.js";
import type { SharedStore } from "./shared-store.js";

/**
 * Why an engine cannot be used now. `away`: it may be back in a moment. `unwritable`: what is there can be read, and nothing is
 * taken. `setup`: somebody must put it right first, and no job is safe before.
 */
export interface EngineProblem {
  kind: "away" | "unwritable" | "setup";
  /** In words, for the person who runs the server. */
  text: string;
}

/** Where the jobs of many processes are. */
export interface Engine {
  store: SharedStore;
  queue: JobQueue;
  /** `undefined`: it can be used. */
  problem(): Promise<EngineProblem | undefined>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** `redis://…`, `rediss://…` or `postgres://…` */
  url: string;
  log: Log;
  /** How long a record stays after it was last written. */
  keepMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** A job whose work fails is tried again so long after. Default: 3 s. */
  againMs?: number;
  /** What processes told each other of jobs is kept for so long, and up to 10 s more. Default: 50 s. */
  messagesMs?: number;
}
