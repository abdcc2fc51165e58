/** What processes tell each other of a job. */
export type JobMessage =
  /** What a worker does now: an `Activity` without its long lists. */
  | { kind: "progress"; id: string; activity: unknown }
  /** It has ended, however, or its worker has given it up. */
  | { kind: "ended"; id: string }
  /** Whoever works on it stops. */
  | { kind: "stop"; id: string }
  /** Somebody waits for it. */
  | { kind: "attended"; id: string }
  /** Somebody at another front has joined it: it does not end with the call that began it. */
  | { kind: "joined"; id: string };

/** The right to work on a job, as long as this process shows that it lives. */
export interface Lease {
  /** Of the job. */
  readonly id: string;
  /** Aborts when the right is lost, or when this process is to stop. */
  readonly signal: AbortSignal;
}

/**
 * How a job was left by whoever worked on it: one that is `given-back` comes next, one that is `put-off` after those that
 * wait.
 */
export type Left = "done" | "given-back" | "put-off";

/** A job whose work fails is tried so often, so long after: mostly it is the store that fails, for a moment. */
export const MOST_TRIES = 20;
export const AGAIN_MS = 3_000;

/** What does the jobs of a queue. */
export interface Work {
  /** More than 0: nothing may be begun here for so many milliseconds; whoever else works on the queue may. */
  restsMs(): Promise<number>;
  /** Does a job. When it rejects, the job is tried again after some seconds, and is given up when that goes on. */
  do(lease: Lease): Promise<Left>;
}

export interface Taking {
  /** Takes no more, and waits until those that are worked on are left. */
  close(): Promise<void>;
}

/** Which job is worked on next, and by whom. Every method rejects while the queue is away. */
export interface JobQueue {
  /** Tells that a job waits in its owner's line. */
  wake(jobs?: number): Promise<void>;
  /** Makes good for jobs that may begin and of which nobody was told: their owner was at its limit before. */
  catchUp(): Promise<void>;
  /**
   * Works on so many jobs at once, round their owners. A lease is renewed as long as `work` goes on, and the job is taken
   * by another worker within 30 s when this process dies.
   */
  work(concurrency: number, work: Work): Promise<Taking>;
  publish(message: JobMessage): Promise<void>;
  /** Hears all messages. Gives the way to stop hearing. */
  subscribe(listener: (message: JobMessage) => void): () => void;
  close(): Promise<void>;
}
