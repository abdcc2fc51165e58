import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessIdentity } from "@x/owned-files";
import type { ResearchEvent, RunStore } from "@x/research";
import type { Log } from "../host/log.js";
import { allEarlierIn } from "../jobs/earlier-job.js";
import { type Failure, toFailure } from "../jobs/failure.js";
import { LocalJob } from "../jobs/job.js";
import { jobLog, logFailure, researchLog } from "../jobs/job-log.js";
import type { Lease, Left, Taking, Work } from "../jobs/job-queue.js";
import { HEARTBEAT_MS, isOf, type JobHead, type JobRecord, ownerOf } from "../jobs/job-record.js";
import type { Next, Saved } from "../jobs/job-store.js";
import type { KeyLimit } from "../jobs/key-limit.js";
import { UNATTENDED_MS } from "../jobs/lifetimes.js";
import { leftBehind, noteReading } from "../jobs/reading.js";
import { Refusals } from "../jobs/refusals.js";
import { researchOf } from "../jobs/work.js";
import type { Research } from "../research.js";
import type { Engine } from "./engine.js";
import { inWords } from "./error-words.js";
import { tellProgress } from "./progress.js";

/** How often a worker looks whether its job was taken away, where no message came through. */
const LOOK_MS = 1_000;
/** What cannot be written is tried again so often, as long. */
const AGAIN_MS = 1_000;
const AGAIN_FOR_MS = 10 * 60_000;
/** A record of a newer server is left for a newer worker. */
const NOT_OURS_MS = 2_000;

export interface JobWorkerOptions {
  engine: Pick<Engine, "store" | "queue">;
  /** @param owner Whose research is to be done. */
  research: (owner: string) => Promise<Pick<Research, "ask">>;
  log: Log;
  /** This process. */
  own: ProcessIdentity;
  /** What is told of an error. Default: {@link toFailure}, which names settings by their variables. */
  failureOf?: (error: unknown) => Failure;
  /** Milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** Hears how long a job has waited for its turn, in seconds. */
  onWaited?: (seconds: number) => void;
  /** Of the key with which this process asks the API. */
  keyLimit: Pick<KeyLimit, "restsMs" | "begin" | "ended" | "lower">;
}

/** Does jobs that wait in the queue, whoever asked for them. */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #now: () => number;
  /** Of one job there may be two: one whose lease was lost, until its CLI has ended, and the one that goes on. */
  readonly #running = new Set<LocalJob>();
  readonly #unsubscribe: () => void;
  readonly #refusals: Refusals;
  #taking: Taking | undefined;
  #closing = false;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#refusals = new Refusals(options);
    this.#unsubscribe = options.engine.queue.subscribe(({ kind, id }) => {
      for (const job of this.#running) {
        if (job.record.id !== id) continue;
        if (kind === "stop") void this.#lookAfter(job);
        if (kind === "attended") job.stopUnattended(UNATTENDED_MS, "interrupted");
      }
    });
  }

  /** Takes so many jobs at once from now on. */
  async start(concurrency: number): Promise<void> {
    const { engine, keyLimit } = this.#options;
    const work: Work = { restsMs: () => keyLimit.restsMs(), do: (lease) => this.#work(lease) };
    this.#taking = await engine.queue.work(concurrency, work);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Stops what runs, gives it back to the queue, and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#running) job.stop("interrupted");
    await this.#taking?.close();
    this.#unsubscribe();
  }

  async #work({ id, signal }: Lease): Promise<Left> {
    const { engine, keyLimit } = this.#options;
    if (signal.aborted) return "given-back";
    const record = await engine.store.load(id);
    if (record === undefined) return this.#cannotLoad(id, signal);
    if (record.state !== "running") return "done";
    const from = record.generation ?? 0;
    const startedAt = new Date(this.#now()).toISOString();
    const left: JobRecord = { ...leftBehind(record), ...this.#options.own, generation: from + 1, startedAt };
    if (left.state === "failed") return this.#giveUp(left, from);
    // Only what begins is counted: a ticket may find no job, or one that was cancelled.
    const run = randomUUID();
    if ((await keyLimit.begin(run)) > 0) return "given-back";
    try {
      return await this.#begin({ ...left, state: "running" }, { from, waitingSince: record.updatedAt }, signal);
    } finally {
      await keyLimit.ended(run);
    }
  }

  /** @param known Of the record as it was: its generation, and when it was last written. */
  async #begin(begun: JobRecord, known: { from: number; waitingSince: string }, signal: AbortSignal): Promise<Left> {
    // Somebody has changed it meanwhile, or this very write came through and its answer did not: the next look tells.
    if ((await this.#options.engine.store.save(begun, "keep", known.from)) === "superseded") return "given-back";
    // It is told to end meanwhile: whoever takes the job next begins it.
    if (signal.aborted || this.#closing) return "given-back";
    this.#logBegun(begun, known.from);
    this.#options.onWaited?.(Math.max(0, this.#now() - Date.parse(known.waitingSince)) / 1_000);
    let left: Left = "done";
    const job = new LocalJob(begun, { owner: ownerOf(begun), session: "" }, async (launched) => {
      left = await this.#research(launched);
    });
    this.#running.add(job);
    const lost = () => job.stop(this.#closing ? "interrupted" : "superseded");
    signal.addEventListener("abort", lost, { once: true });
    try {
      await job.ended();
    } finally {
      signal.removeEventListener("abort", lost);
      this.#running.delete(job);
    }
    return left;
  }

  /** Whoever looks for what became of a worker's jobs finds here who went on with each. */
  #logBegun({ id, activity, ...record }: JobRecord, from: number): void {
    const what = from === 1 ? "is begun" : `goes on here after ${roundsDone(activity)}`;
    jobLog(this.#options.log, { id, ...record })("info", `${id} ${what}`);
  }

  async #cannotLoad(id: string, signal: AbortSignal): Promise<Left> {
    const why = await this.#options.engine.store.setAside(id);
    if (why === "newer") {
      await sleep(NOT_OURS_MS, undefined, { signal }).catch(() => {});
      return "put-off";
    }
    if (why === "damaged") this.#options.log("error", `${id} is damaged in the store: nobody works on it any more`);
    return "done";
  }

  /** A job that the workers before have ended over. */
  async #giveUp(record: JobRecord, from: number): Promise<Left> {
    const { store, queue } = this.#options.engine;
    jobLog(this.#options.log, record)("error", `${record.id} is given up: ${record.failure?.message}`);
    if ((await store.save(record, "end", from)) === "saved") {
      await queue.publish({ kind: "ended", id: record.id }).catch(() => {});
    }
    return "done";
  }

  async #research(job: LocalJob): Promise<Left> {
    const { record } = job;
    const { research, log } = this.#options;
    const followed = this.#refusals.follow();
    const hear = (event: ResearchEvent) => {
      followed.hear(event);
      this.#heard(job, event);
    };
    const heartbeat = setInterval(() => void this.#save(job), HEARTBEAT_MS);
    const look = setInterval(() => void this.#lookAfter(job), LOOK_MS);
    const told = tellProgress(job, this.#options.engine.queue);
    job.stopUnattended(UNATTENDED_MS, "interrupted");
    try {
      const { ask } = await research(ownerOf(record));
      record.report = await researchOf(ask, record, job.signal, hear, this.#roundsOf(job));
      record.state = "completed";
    } catch (error) {
      if (job.stopped === undefined) {
        if (await this.#refusals.putsOff(record, error, followed)) return this.#putBack(job);
        record.state = "failed";
        record.failure = (this.#options.failureOf ?? toFailure)(error);
        logFailure(log, record);
      }
    } finally {
      told();
      clearInterval(heartbeat);
      clearInterval(look);
    }
    return this.#leave(job);
  }

  /** Keeps how it ended, and tells whoever waits. */
  async #leave(job: LocalJob): Promise<Left> {
    const { record } = job;
    const { queue } = this.#options.engine;
    const { id } = record;
    delete record.reading;
    if (record.state === "running") {
      if (job.stopped === "superseded") return "done";
      // This process ends: the next worker goes on.
      if (this.#closing) {
        await this.#save(job);
        return "given-back";
      }
      // Nobody waited for it.
      record.state = "interrupted";
    }
    await this.#keep(record, record.state === "interrupted" ? "stop" : "end");
    await queue.publish({ kind: "ended", id }).catch(() => {});
    return "done";
  }

  #heard(job: LocalJob, event: ResearchEvent): void {
    const { record } = job;
    if (event.type === "log") researchLog(this.#options.log, record)(event.level, event.message);
    if (event.type === "research-start") record.researchId = event.id;
    job.hear(event, this.#now());
    const isNoted = noteReading(record, event);
    if (isNoted || event.type === "research-start" || event.type === "round-end") void this.#save(job);
  }

  /** Rounds are read before the first one begins, and kept before the next one, however long the store is away. */
  #roundsOf({ record, signal }: LocalJob): RunStore {
    const rounds = this.#options.engine.store.roundsOf(record);
    return {
      ...rounds,
      load: (id) => this.#again(async () => (await rounds.load(id)) ?? this.#earlierRounds(id, record), signal),
      save: (id, state) => this.#again(() => rounds.save(id, state), signal),
    };
  }

  /** Those of the job that a record follows or renews, if it is of the same owner. */
  async #earlierRounds(researchId: string, record: JobRecord): Promise<unknown> {
    const { store } = this.#options.engine;
    const earlier = allEarlierIn(record).find(({ research }) => research === researchId);
    const head = earlier && (await store.head(earlier.job));
    return head !== undefined && isOf(head, ownerOf(record)) ? store.roundsOf(head).load(researchId) : undefined;
  }

  async #save(job: LocalJob): Promise<void> {
    const { generation } = job.record;
    const saved = await this.#options.engine.store.save(job.record).catch(() => undefined);
    if (saved === "superseded" && job.record.generation === generation) await this.#lookAfter(job);
  }

  async #lookAfter(job: LocalJob): Promise<void> {
    const { record } = job;
    const head = await this.#options.engine.store.head(record.id).catch(() => record);
    // The store may have lost it, as when another takes its place.
    if (head === undefined || (head.generation ?? 0) > (record.generation ?? 0)) this.#superseded(job, head);
  }

  #superseded(job: LocalJob, now: JobHead | undefined): void {
    if (job.stopped !== undefined || !this.#running.has(job)) return;
    const { id } = job.record;
    jobLog(this.#options.log, job.record)("info", `${id} ${whatBecame(now)}`);
    job.stop("superseded");
  }

  /** As the next generation: what was read or written while the job ran does not come after its end. */
  #keep(record: JobRecord, next: Next): Promise<Saved> {
    const from = record.generation ?? 0;
    record.generation = from + 1;
    return this.#again(() => this.#options.engine.store.save(record, next, from));
  }

  /** Does it again while the store is away. */
  async #again<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const untilMs = performance.now() + AGAIN_FOR_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        const isOver = (error as { code?: unknown }).code === "CANCELLED" || performance.now() > untilMs;
        if (isOver || signal?.aborted || this.#closing) throw error;
        if (tries === 1) this.#options.log("warn", `The queue cannot be reached: ${inWords(error as Error)}`);
        await sleep(AGAIN_MS);
      }
    }
  }

  async #putBack(job: LocalJob): Promise<Left> {
    await this.#again(() => this.#options.engine.store.save(job.record), job.signal).catch(() => {});
    return "given-back";
  }
}

function roundsDone({ roundsDone }: JobRecord["activity"]): string {
  return roundsDone === 1 ? "1 round" : `${roundsDone} rounds`;
}

function whatBecame(now: JobHead | undefined): string {
  if (now === undefined) return "is not in the store any more";
  return now.state === "running" ? "was taken away by another worker" : `has ended elsewhere: ${now.state}`;
}
