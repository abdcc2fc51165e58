import type { ProcessIdentity } from "@x/owned-files";
import type { Log } from "../host/log.js";
import { BusyError } from "../jobs/busy.js";
import { markCancelled } from "../jobs/cancelled.js";
import { checkAsked } from "../jobs/check-asked.js";
import { earlierOf } from "../jobs/earlier.js";
import { endedJob, type Job } from "../jobs/job.js";
import { jobLog } from "../jobs/job-log.js";
import {
  begunAgain,
  isOf,
  isUnfinished,
  type JobHead,
  type JobRecord,
  type JobRequest,
  type JobTool,
  keyOf,
  newRecord,
  startedMsOf,
  tenantIn,
} from "../jobs/job-record.js";
import type { Jobs, OwnerLimits, SharedJobs, Started } from "../jobs/jobs.js";
import { AT_ONCE_MS, CLOSED_MS, GOES_ON_MS, KEPT_MS } from "../jobs/lifetimes.js";
import { mayAsk } from "../jobs/room.js";
import { type Waited, type WaitOptions, waitFor } from "../jobs/wait.js";
import { orAway } from "./away.js";
import type { Engine } from "./engine.js";
import { inWords } from "./error-words.js";
import { JobWatch } from "./job-watch.js";
import { RemoteJob } from "./remote-job.js";

/** Jobs of one owner that wait, where nothing is said. */
const MOST_QUEUED = 1_000;
/** Jobs of a front for which nobody waits. Of one that is forgotten too early a later call does not end it. */
const MOST_ATTENDED = 10_000;
/** Of two that change a record at once, one reads again; more often than this nobody is that unlucky. */
const TRIES = 20;

export interface QueuedJobsOptions {
  engine: Pick<Engine, "store" | "queue">;
  log: Log;
  /** This process. */
  own: ProcessIdentity;
  /** Milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** When the connection of a call broke, its client has so long to ask again. Default: 15 s. */
  closedMs?: number;
  /** Jobs for which nobody waits that are remembered. Default: 10,000. */
  mostAttended?: number;
}

/** Who asks, and what it may have. */
interface Asker {
  owner: string;
  limits: OwnerLimits;
}

/** A job that a call of this front began or waits for. */
interface Attended {
  waiting: number;
  /** It does not end with its call: somebody knows its id, or it was begun by another. */
  outlives: boolean;
  closing?: NodeJS.Timeout;
}

/** The jobs of all owners, in a store and a queue that many processes share; workers do them, here or elsewhere. */
export class QueuedJobs implements SharedJobs {
  readonly #options: QueuedJobsOptions;
  readonly #now: () => number;
  readonly #attended = new Map<string, Attended>();
  readonly #watch: JobWatch;
  readonly #unsubscribe: () => void;

  constructor(options: QueuedJobsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#watch = new JobWatch(options.engine.store);
    this.#unsubscribe = options.engine.queue.subscribe(({ kind, id }) => {
      const attended = this.#attended.get(id);
      if (attended === undefined) return;
      if (kind === "joined") attended.outlives = true;
      if (kind === "ended" && attended.waiting === 0) this.#forget(id, attended);
    });
  }

  of(owner: string, _session?: string, limits: OwnerLimits = {}): Jobs {
    return {
      start: (tool, request) => orAway(() => this.#start({ owner, limits }, tool, request)),
      look: (id) => orAway(() => this.#look(id, owner)),
      find: (id) => orAway(() => this.#find(id, { owner, limits }, ({ state }) => state === "interrupted")),
      resume: (id) => orAway(() => this.#find(id, { owner, limits }, ({ state }) => mayResume(state))),
      wait: (job, options) => this.#wait(job, owner, options),
      taken: (record) => this.#taken(record),
      cancel: (id) => orAway(() => this.#cancel(id, owner)),
      remove: (id) => orAway(() => this.#remove(id, owner)),
      list: (max) => orAway(() => this.#options.engine.store.list(owner, max)),
    };
  }

  limit(limits: ReadonlyMap<string, OwnerLimits>): Promise<void> {
    const { store, queue } = this.#options.engine;
    return orAway(async () => {
      await store.limit(limits);
      await queue.catchUp();
    });
  }

  owners(): Promise<string[]> {
    return orAway(async () => (await this.#options.engine.store.counts()).map(({ owner }) => owner));
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#watch.close();
    for (const { closing } of this.#attended.values()) clearTimeout(closing);
  }

  async #start(asker: Asker, tool: JobTool, request: JobRequest): Promise<Started> {
    await checkAsked(tool, request);
    const { owner, limits } = asker;
    const { store } = this.#options.engine;
    for (let tries = 0; tries < TRIES; tries++) {
      const last = await store.last(keyOf(owner, tool, request));
      const earlier = last?.head && (await this.#earlier(last.head, asker));
      if (earlier !== undefined) return earlier;
      mayAsk(limits);
      const record = newRecord(owner, tool, request, { own: this.#options.own, nowMs: this.#now() });
      record.activity.now = "waiting for its turn";
      if (!(await store.create(record, last?.id, inLine(limits)))) continue;
      if (tenantIn(owner) !== undefined) jobLog(this.#options.log, record)("info", `${record.id} is asked`);
      // A worker may be done with it before the next step.
      this.#attend(record.id, { waiting: 0, outlives: false });
      await this.#wake();
      return { job: this.#remote(record) };
    }
    throw new BusyError("the same question is asked again and again");
  }

  /** What an earlier call has left of a question. */
  async #earlier(head: JobHead, asker: Asker): Promise<Started | undefined> {
    const { store } = this.#options.engine;
    const ageMs = this.#now() - Date.parse(head.updatedAt);
    if (head.state === "completed") {
      const record = head.taken || ageMs > KEPT_MS ? undefined : await store.load(head.id);
      return record && { job: endedJob(record), earlier: earlierOf("kept", record) };
    }
    if (head.state === "running") return this.#joined(head);
    const goesOn = head.state === "interrupted" || (head.state === "cancelled" && head.activity.roundsDone > 0);
    if (!goesOn || ageMs > GOES_ON_MS) return undefined;
    const job = await this.#find(head.id, asker, ({ state }) => mayResume(state));
    return job && { job, earlier: earlierOf("goes-on", job.record) };
  }

  #joined(head: JobHead): Started {
    jobLog(this.#options.log, head)("info", `Joined the running job ${head.id}`);
    const job = this.#remote(head);
    if (!this.#attended.has(head.id)) {
      this.#attend(head.id, { waiting: 0, outlives: true });
      void this.#options.engine.queue.publish({ kind: "joined", id: head.id }).catch(() => {});
    }
    // Of two calls at once neither is the earlier one.
    const ageMs = this.#now() - startedMsOf(head);
    return ageMs < AT_ONCE_MS ? { job } : { job, earlier: earlierOf("joined", head) };
  }

  async #look(id: string, owner: string): Promise<JobRecord | undefined> {
    const record = await this.#options.engine.store.load(id, owner);
    return record !== undefined && isOf(record, owner) ? record : undefined;
  }

  /** A job by its id; one that stopped, and may go on, waits for its turn again. */
  async #find(id: string, asker: Asker, mayGoOn: (record: JobRecord) => boolean): Promise<Job | undefined> {
    const { store } = this.#options.engine;
    for (let tries = 0; tries < TRIES; tries++) {
      const record = await this.#look(id, asker.owner);
      if (record === undefined) return undefined;
      if (!mayGoOn(record)) return record.state === "running" ? this.#known(record) : endedJob(record);
      mayAsk(asker.limits);
      const from = record.generation ?? 0;
      const begun = begunAgain(record);
      begun.activity.now = "waiting for its turn";
      if ((await store.save(begun, "line", from, inLine(asker.limits))) === "superseded") continue;
      jobLog(this.#options.log, record)("info", `Going on with ${id}, which was left unfinished (${record.state})`);
      await this.#wake();
      return this.#known(begun);
    }
    throw new BusyError("the same research is asked for again and again");
  }

  /** The job is in its line: when this fails, a worker that counts sees it some seconds later. */
  async #wake(): Promise<void> {
    const { engine, log } = this.#options;
    await engine.queue.wake().catch((error: Error) => log("debug", `Queue: ${inWords(error)}`));
  }

  /** A job whose id somebody knows. */
  #known(record: JobRecord): Job {
    const attended = this.#attended.get(record.id);
    if (attended !== undefined) attended.outlives = true;
    return this.#remote(record);
  }

  #remote(record: JobRecord): Job {
    return new RemoteJob(record, this.#options.engine, this.#watch);
  }

  async #wait(job: Job, owner: string, options: WaitOptions): Promise<Waited> {
    const { id } = job.record;
    const attended = this.#attended.get(id) ?? { waiting: 0, outlives: true };
    this.#attend(id, attended);
    clearTimeout(attended.closing);
    attended.waiting += 1;
    const outcome = await waitFor(job, options);
    attended.waiting -= 1;
    if (outcome === "time") attended.outlives = true;
    if (attended.waiting === 0) this.#left(id, owner, outcome, attended);
    // Whoever waits for the answer need not wait for the store.
    if (outcome === "ended" && job.record.report !== undefined) void this.#taken(job.record);
    return outcome;
  }

  /** What becomes of a job when the last call of this front that waited for it has ended. */
  #left(id: string, owner: string, outcome: Waited, attended: Attended): void {
    const cancel = () => {
      // Another front's call may have joined it meanwhile.
      if (!attended.outlives) void this.#cancel(id, owner).catch(() => {});
      this.#forget(id, attended);
    };
    if (outcome === "closed" && !attended.outlives) {
      attended.closing = setTimeout(cancel, this.#options.closedMs ?? CLOSED_MS).unref();
    } else if (outcome === "cancelled") cancel();
    else if (attended.outlives || outcome === "ended") this.#forget(id, attended);
  }

  #attend(id: string, attended: Attended): void {
    this.#attended.set(id, attended);
    if (this.#attended.size <= (this.#options.mostAttended ?? MOST_ATTENDED)) return;
    for (const [other, forgotten] of this.#attended) {
      if (forgotten.waiting > 0 || other === id) continue;
      this.#forget(other, forgotten);
      return;
    }
  }

  #forget(id: string, attended: Attended): void {
    clearTimeout(attended.closing);
    if (this.#attended.get(id) === attended) this.#attended.delete(id);
  }

  async #taken(record: JobRecord): Promise<void> {
    if (record.taken) return;
    record.taken = true;
    // Then the report is given once more to whoever asks the same.
    await this.#options.engine.store.save(record).catch(() => {});
  }

  async #remove(id: string, owner: string): Promise<"removed" | "running" | undefined> {
    const record = await this.#look(id, owner);
    if (record === undefined) return undefined;
    if (record.state === "running") return "running";
    return (await this.#options.engine.store.remove(record)) ? "removed" : "running";
  }

  async #cancel(id: string, owner: string): Promise<JobRecord | undefined> {
    const { store, queue } = this.#options.engine;
    for (let tries = 0; tries < TRIES; tries++) {
      const record = await this.#look(id, owner);
      if (record === undefined || !isUnfinished(record)) return record;
      const from = record.generation ?? 0;
      markCancelled(record);
      record.generation = from + 1;
      if ((await store.save(record, "stop", from)) === "superseded") continue;
      for (const kind of ["stop", "ended"] as const) await queue.publish({ kind, id }).catch(() => {});
      return record;
    }
    throw new BusyError("the research is begun and stopped again and again");
  }
}

/** The limits of an owner's line, where nothing is said of it, too. */
function inLine({ running, queued = MOST_QUEUED }: OwnerLimits): OwnerLimits {
  return { queued, ...(running !== undefined && { running }) };
}

function mayResume(state: JobRecord["state"]): boolean {
  return state === "interrupted" || state === "failed" || state === "cancelled";
}
