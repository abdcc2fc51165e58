import { availableParallelism } from "node:os";
import type { ResearchEvent } from "@x/research";
import { newActivity } from "./activity.js";
import { markCancelled } from "./cancelled.js";
import { toFailure } from "./failure.js";
import { LocalJob } from "./job.js";
import { jobLog, logFailure, researchLog } from "./job-log.js";
import type { Lease, Left } from "./job-queue.js";
import { HEARTBEAT_MS, type JobRecord, ownerOf, tenantIn } from "./job-record.js";
import type { JobsOptions, OwnerCount } from "./jobs.js";
import type { KeptJobs } from "./kept-jobs.js";
import { LocalQueue } from "./local-queue.js";
import { noteReading } from "./reading.js";
import { Refusals } from "./refusals.js";
import { mustHaveRoom } from "./room.js";
import { type Asker, type OwnerLimits, Turns } from "./turns.js";
import { researchOf } from "./work.js";

/** How often a job looks whether another process has taken it away. */
const LOOK_MS = 2_000;
/** Jobs that ended here and are remembered, since the disk would not take them. */
const REMEMBERED = 50;

/** Of a job to be worked on. */
interface Turn {
  /** Gives it back, once. */
  leave(how: Left): void;
}

type LocalJobsOptions = Pick<JobsOptions, "research" | "failureOf" | "log" | "maxRunning" | "key" | "now"> & {
  kept: KeptJobs;
};

/** The jobs that this process works on, and those that ended here and are nowhere else. */
export class LocalJobs {
  readonly #options: LocalJobsOptions;
  readonly #turns = new Turns();
  readonly #queue = new LocalQueue({ turns: this.#turns });
  /** Those that wait for their turn: what begins them. */
  readonly #waiting = new Map<string, (turn: Turn) => void>();
  readonly #refusals: Refusals | undefined;
  readonly #running = new Map<string, LocalJob>();
  readonly #unsaved = new Map<string, LocalJob>();
  #closing = false;

  constructor(options: LocalJobsOptions) {
    const { maxRunning = 2 * availableParallelism(), key, log } = options;
    this.#options = options;
    this.#refusals = key && new Refusals({ keyLimit: key.limit, log });
    this.#queue.limit(key?.running);
    void this.#queue.work(maxRunning, {
      restsMs: async () => key?.limit.begin() ?? 0,
      do: (lease) => this.#begun(lease),
    });
  }

  /** Whether this process is about to end. */
  get isClosing(): boolean {
    return this.#closing;
  }

  running(id: string): LocalJob | undefined {
    return this.#running.get(id);
  }

  /** The one that runs for a question. */
  ofQuestion(key: string): LocalJob | undefined {
    return [...this.#running.values()].find((job) => job.key === key);
  }

  /** A job that runs, or that ended and can be looked at here alone. */
  get(id: string): LocalJob | undefined {
    const job = this.#running.get(id) ?? this.#unsaved.get(id);
    // Another process may have gone on with it.
    return job?.record.state === "interrupted" || job?.stopped === "superseded" ? undefined : job;
  }

  /** All that {@link get} gives. */
  all(): LocalJob[] {
    const ids = new Set([...this.#unsaved.keys(), ...this.#running.keys()]);
    return [...ids].map((id) => this.get(id)).filter((job) => job !== undefined);
  }

  /** Who waits and runs: all, or one owner, who may have nothing. */
  counts(owner?: string): OwnerCount[] {
    const counts = new Map<string, OwnerCount>();
    if (owner !== undefined) counts.set(owner, { owner, waiting: 0, running: 0 });
    for (const { record, asker } of this.#running.values()) {
      if (owner !== undefined && asker.owner !== owner) continue;
      const count = counts.get(asker.owner) ?? { owner: asker.owner, waiting: 0, running: 0 };
      count[this.#waiting.has(record.id) ? "waiting" : "running"] += 1;
      counts.set(asker.owner, count);
    }
    return [...counts.values()];
  }

  /** What owners may have from now on, of those that wait, too. */
  limit(limits: ReadonlyMap<string, OwnerLimits>): void {
    for (const [owner, { running }] of limits) this.#turns.limit(owner, running);
    void this.#queue.wake();
  }

  forget(id: string): void {
    this.#unsaved.delete(id);
  }

  /** Throws a `BusyError` when whoever asks has enough jobs. */
  mustHaveRoom(asker: Asker): void {
    mustHaveRoom(asker, [...this.#running.values()], this.#turns);
  }

  /** Begins the work on a new record. */
  begin(record: JobRecord, asker: Asker): LocalJob {
    const job = this.launch(record, asker);
    void this.#options.kept.begin(record);
    return job;
  }

  /** Begins the work on a record that is kept. */
  launch(record: JobRecord, asker: Asker): LocalJob {
    const job = new LocalJob(record, asker, (launched) => this.#work(launched));
    this.#unsaved.delete(record.id);
    this.#running.set(record.id, job);
    if (tenantIn(asker.owner) !== undefined) this.log(record, "info", `${record.id} is asked`);
    return job;
  }

  /** A tenant is named, so that the log tells whose job it is of. */
  log(record: Pick<JobRecord, "id" | "owner">, level: "debug" | "info" | "warn" | "error", message: string): void {
    jobLog(this.#options.log, record)(level, message);
  }

  /** Interrupts all work, and waits until it is saved and nothing of it is left. */
  async close(): Promise<void> {
    this.#closing = true;
    const jobs = [...this.#running.values()];
    for (const job of jobs) job.stop("interrupted");
    // A busy machine may not have the time to wait for the end of their processes.
    for (const job of jobs) void this.#save(job);
    await Promise.all(jobs.map((job) => job.ended()));
    await Promise.all([this.#queue.close(), this.saved()]);
  }

  /** Resolves when all that is known of the jobs by now is written, or was refused. */
  saved(): Promise<void> {
    return this.#options.kept.settled();
  }

  async #work(job: LocalJob): Promise<void> {
    const heartbeat = setInterval(() => void this.#save(job), HEARTBEAT_MS);
    try {
      await this.#research(job);
    } catch (error) {
      this.#failed(job, error);
    } finally {
      clearInterval(heartbeat);
    }
    await this.#keep(job);
  }

  async #research(job: LocalJob): Promise<void> {
    if (this.#closing) job.stop("interrupted");
    job.record.activity.now = "waiting for its turn";
    const waitedFrom = performance.now();
    let turn = await this.#turnOf(job, () => this.#join(job));
    job.record.activity.now = newActivity().now;
    try {
      // Hundreds may wait: they are looked at when their turn comes.
      if (performance.now() - waitedFrom > LOOK_MS) await this.#lookAfter(job);
      job.signal.throwIfAborted();
      while ((await this.#ask(job)) === "put-off") turn = await this.#turnOf(job, () => turn.leave("given-back"));
    } finally {
      turn.leave("done");
    }
  }

  /** `put-off`: the API refuses for the moment, and the job is to have its turn again. */
  async #ask(job: LocalJob): Promise<"answered" | "put-off"> {
    const { record, signal } = job;
    const followed = this.#refusals?.follow();
    const look = setInterval(() => void this.#lookAfter(job), LOOK_MS).unref();
    try {
      const { ask } = await this.#options.research(ownerOf(record));
      record.report = await researchOf(ask, record, signal, (event) => {
        followed?.hear(event);
        this.#heard(job, event);
      });
      record.state = "completed";
      return "answered";
    } catch (error) {
      const isPutOff = followed && !signal.aborted && (await this.#refusals?.putsOff(record, error, followed));
      if (!isPutOff) throw error;
    } finally {
      clearInterval(look);
    }
    void this.#save(job);
    return "put-off";
  }

  #join(job: LocalJob): void {
    this.#turns.join(job.record.id, { ...job.asker, isAwaited: () => job.isWaitedFor });
    void this.#queue.wake();
  }

  /** Lets a job wait, and resolves when it is its turn. Rejects with the signal's reason when it is stopped before. */
  #turnOf({ record: { id }, signal }: LocalJob, wait: () => void): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.#waiting.delete(id)) this.#turns.leave(id);
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.set(id, (turn) => {
        signal.removeEventListener("abort", stop);
        resolve(turn);
      });
      wait();
    });
  }

  /** It is the turn of a job, until it leaves it; one that was stopped meanwhile has left it. */
  async #begun({ id }: Lease): Promise<Left> {
    const begin = this.#waiting.get(id);
    if (!this.#waiting.delete(id)) return "done";
    return new Promise((leave) => begin?.({ leave }));
  }

  #failed({ record, stopped }: LocalJob, error: unknown): void {
    if (stopped === "interrupted") record.state = "interrupted";
    else if (stopped === "cancelled") markCancelled(record);
    else if (stopped === undefined) {
      record.state = "failed";
      record.failure = (this.#options.failureOf ?? toFailure)(error);
      logFailure(this.#options.log, record);
    }
  }

  /** Keeps how it ended: on disk, or here where that does not take it. */
  async #keep(job: LocalJob): Promise<void> {
    const { kept } = this.#options;
    const { record } = job;
    delete record.reading;
    if (job.stopped === "superseded") {
      const now = await kept.load(record.id);
      if (now === undefined) markCancelled(record);
      else Object.assign(record, now);
    }
    const next = record.state === "interrupted" ? "stop" : "end";
    const saved = job.stopped === "superseded" ? "superseded" : await kept.save(record, next);
    this.#running.delete(record.id);
    if (saved !== "failed") return;
    this.#unsaved.set(record.id, job);
    for (const oldest of [...this.#unsaved.keys()].slice(0, -REMEMBERED)) this.#unsaved.delete(oldest);
  }

  #heard(job: LocalJob, event: ResearchEvent): void {
    if (event.type === "log") researchLog(this.#options.log, job.record)(event.level, event.message);
    if (event.type === "research-start") job.record.researchId = event.id;
    job.hear(event, (this.#options.now ?? Date.now)());
    const isNoted = noteReading(job.record, event);
    if (isNoted || event.type === "research-start" || event.type === "round-end") void this.#save(job);
  }

  async #save(job: LocalJob): Promise<void> {
    const { record, stopped } = job;
    const state = stopped === "interrupted" ? "interrupted" : record.state;
    if ((await this.#options.kept.save({ ...record, state })) === "superseded") this.#superseded(job);
  }

  async #lookAfter(job: LocalJob): Promise<void> {
    if (await this.#options.kept.isSuperseded(job.record)) this.#superseded(job);
  }

  #superseded(job: LocalJob): void {
    if (job.stopped !== undefined || !this.#running.has(job.record.id)) return;
    this.log(job.record, "info", `${job.record.id} was taken away by another process`);
    job.stop("superseded");
  }
}
