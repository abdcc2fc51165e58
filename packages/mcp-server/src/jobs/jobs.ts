import { checkRequest, type ResearchEvent, type SearchRequest } from "@x/research";
import type { Log } from "../host/log.js";
import type { Research } from "../research.js";
import { newActivity } from "./activity.js";
import type { Earlier } from "./earlier.js";
import { toFailure } from "./failure.js";
import type { RecordLock } from "./file-lock.js";
import { endedJob, type Job, LocalJob } from "./job.js";
import {
  HEARTBEAT_MS,
  headOf,
  type JobHead,
  type JobRecord,
  type JobRequest,
  type JobTool,
  keyOf,
  newJobId,
} from "./job-record.js";
import { JobStore } from "./job-store.js";
import { OtherProcesses } from "./other-process.js";
import { processIsAlive } from "./process-alive.js";
import type { RecordFiles } from "./record-files.js";
import { type Waited, type WaitOptions, waitFor } from "./wait.js";
import { researchOf } from "./work.js";

/** A research that stopped is gone on with for so long after; its pages are no news after that. */
const GOES_ON_MS = 24 * 3_600_000;
/** A report that nobody took is given to whoever asks the same question for so long after. */
const KEPT_MS = 3_600_000;
/** A job that no call waits for ends after it, and can go on later. */
const UNATTENDED_MS = 3_600_000;
/** When the connection of a call broke, its client has so long to ask again before the job is cancelled. */
const CLOSED_MS = 15_000;
/** Calls within this time come from one step of a model. */
const AT_ONCE_MS = 2_000;
/** Jobs that ended here and are remembered: what the disk would not take is still found. */
const REMEMBERED = 50;

export interface JobsOptions {
  research: () => Promise<Research>;
  /** Where jobs are kept, and for how long. */
  files: RecordFiles;
  log: Log;
  pid: number;
  /** Where `pid` means this process. Default: where every other server is. */
  place?: string;
  /** Against another process that takes up the same job. Default: there is none. */
  lock?: RecordLock;
  /** Milliseconds since 1970. */
  now?: () => number;
  isAlive?: (pid: number) => boolean;
  /** When the connection of a call broke, its client has so long to ask again. Default: 15 s. */
  closedMs?: number;
}

/** A job for a question, and what of it was there before. */
interface Started {
  job: Job;
  /** `undefined`: the question is researched anew. */
  earlier?: Earlier;
}

export interface Jobs {
  /**
   * Starts the work, or joins what an earlier call began for the same question: a running job, one that had stopped and
   * goes on after its last finished round, a report that nobody has taken. Rejects with `INVALID_INPUT`: then there is
   * no job.
   */
  start(tool: JobTool, request: JobRequest): Promise<Started>;
  /** What is known of a job; starts nothing. */
  look(id: string): Promise<JobRecord | undefined>;
  /** A job by its id. One whose server ended is started again and goes on after its last finished round. */
  find(id: string): Promise<Job | undefined>;
  /** The same, and one that failed or was cancelled is started again too. */
  resume(id: string): Promise<Job | undefined>;
  /**
   * Waits until the job ends, the time is over or the call ends. A call that is cancelled takes its job along, unless
   * another call waits for it or somebody was told its id instead of a result.
   */
  wait(job: Job, options: WaitOptions): Promise<Waited>;
  /** Tells that somebody was given the report of a job. */
  taken(record: JobRecord): Promise<void>;
  /** Ends a job and waits until it is gone. `undefined`: there is none. */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** Those that changed last, newest first. Rejects when their folder cannot be read. */
  list(max: number): Promise<JobHead[]>;
  /** Interrupts all work, saves its state and waits until nothing runs any more. */
  close(): Promise<void>;
}

/** Work that outlives a call: it belongs to the server. */
export function createJobs(options: JobsOptions): Jobs {
  return new JobManager(options);
}

class JobManager implements Jobs {
  readonly #options: JobsOptions;
  readonly #now: () => number;
  readonly #lock: RecordLock;
  readonly #store: JobStore;
  readonly #others: OtherProcesses;
  readonly #running = new Map<string, LocalJob>();
  readonly #finished = new Map<string, LocalJob>();
  /** Questions for which a job is being looked for. */
  readonly #starting = new Map<string, Promise<unknown>>();
  #closing = false;

  constructor(options: JobsOptions) {
    const { files, log, pid, place = "", now = Date.now, isAlive = processIsAlive } = options;
    const { lock = (_id, work) => work() } = options;
    this.#options = options;
    this.#now = now;
    this.#lock = lock;
    this.#store = new JobStore({ files, log, now });
    const load = (id: string) => this.#store.load(id);
    this.#others = new OtherProcesses({ pid, place, now, isAlive, load, isClosing: () => this.#closing });
  }

  async start(tool: JobTool, request: JobRequest): Promise<Started> {
    checkRequest(request as Partial<SearchRequest>);
    const key = keyOf(tool, request);
    // Whoever asks in the same moment joins what the first one finds.
    while (this.#starting.has(key)) await this.#starting.get(key);
    const local = [...this.#running.values()].find((job) => job.key === key);
    if (local !== undefined && local.stopped === undefined) return this.#joined(local);
    const starting = this.#begin(tool, request, local);
    const settled = starting.then(
      () => this.#starting.delete(key),
      () => this.#starting.delete(key),
    );
    this.#starting.set(key, settled);
    return starting;
  }

  /** @param stopping A job of the same question that is being stopped: over for whoever asks now, and may then go on. */
  async #begin(tool: JobTool, request: JobRequest, stopping?: LocalJob): Promise<Started> {
    await stopping?.ended();
    return (await this.#earlier(tool, request)) ?? { job: this.#launch(this.#newRecord(tool, request)) };
  }

  #joined(job: Job): Started {
    this.#options.log("info", `Joined the running job ${job.record.id}`);
    const ageMs = this.#now() - Date.parse(job.record.startedAt ?? job.record.createdAt);
    // Of two calls at once neither is the earlier one. A client may give up without a word.
    if (job instanceof LocalJob && !job.wasLeft && ageMs < AT_ONCE_MS) return { job };
    return { job, earlier: earlierOf("joined", job.record) };
  }

  #newRecord(tool: JobTool, request: JobRequest): JobRecord {
    const { pid, place = "" } = this.#options;
    const at = new Date(this.#now()).toISOString();
    const [createdAt, updatedAt, startedAt] = [at, at, at];
    const activity = newActivity();
    return {
      ...{ id: newJobId(tool), tool, request, state: "running", pid, place },
      ...{ createdAt, updatedAt, startedAt, activity },
    };
  }

  /** What an earlier call has left of this question, here or in another process. */
  async #earlier(tool: JobTool, request: JobRequest): Promise<Started | undefined> {
    const last = await this.#store.lastOf(keyOf(tool, request));
    if (last === undefined) return undefined;
    const ageMs = this.#now() - Date.parse(last.updatedAt);
    if (last.state === "completed") {
      if (last.taken || ageMs > KEPT_MS) return undefined;
      const record = await this.#store.load(last.id);
      return record && { job: endedJob(record), earlier: earlierOf("kept", record) };
    }
    if (this.#others.isLeft(last) || (last.state === "cancelled" && last.activity.roundsDone > 0)) {
      if (ageMs > GOES_ON_MS) return undefined;
      const job = await this.#restart(last.id, (found) => this.#others.isLeft(found) || found.state === "cancelled");
      return job && { job, earlier: earlierOf("goes-on", job.record) };
    }
    return last.state === "running" ? this.#joined(this.#others.jobOf(last)) : undefined;
  }

  #launch(record: JobRecord): LocalJob {
    const job = new LocalJob(record, (launched) => this.#work(launched));
    this.#running.set(record.id, job);
    void this.#store.save(record);
    return job;
  }

  async #work(job: LocalJob): Promise<void> {
    const { record } = job;
    const { research, log } = this.#options;
    const heartbeat = setInterval(() => void this.#store.save(record), HEARTBEAT_MS);
    try {
      if (this.#closing) job.stop("interrupted");
      record.report = await researchOf(await research(), record, job.signal, (event) => this.#heard(job, event));
      record.state = "completed";
    } catch (error) {
      if (job.stopped === "interrupted") record.state = "interrupted";
      else if (job.stopped === "cancelled") markCancelled(record);
      else {
        record.state = "failed";
        record.failure = toFailure(error);
        log("error", `${record.tool} failed: ${record.failure.code}: ${record.failure.message}`);
      }
    } finally {
      clearInterval(heartbeat);
      this.#running.delete(record.id);
      this.#finished.set(record.id, job);
      for (const oldest of [...this.#finished.keys()].slice(0, -REMEMBERED)) this.#finished.delete(oldest);
    }
    await this.#store.save(record);
  }

  #heard(job: LocalJob, event: ResearchEvent): void {
    if (event.type === "log") this.#options.log(event.level, event.message);
    if (event.type === "research-start") job.record.researchId = event.id;
    job.hear(event);
    if (event.type === "research-start" || event.type === "round-end") void this.#store.save(job.record);
  }

  async look(id: string): Promise<JobRecord | undefined> {
    return this.#local(id)?.record ?? (await this.#store.load(id));
  }

  /** A job of this process that runs, or that ended and can be looked at. */
  #local(id: string): LocalJob | undefined {
    const job = this.#running.get(id) ?? this.#finished.get(id);
    // Another process may have gone on with it.
    return job?.record.state === "interrupted" ? undefined : job;
  }

  async find(id: string): Promise<Job | undefined> {
    const local = this.#local(id);
    if (local !== undefined) return local;
    const record = await this.#store.load(id);
    if (record === undefined) return undefined;
    return this.#others.isLeft(record) ? this.#told(await this.#restart(id)) : this.#others.jobOf(record);
  }

  async resume(id: string): Promise<Job | undefined> {
    const record = await this.look(id);
    if (record?.state !== "failed" && record?.state !== "cancelled") return this.find(id);
    return this.#told(await this.#restart(id, (found) => found.state !== "completed" && found.state !== "running"));
  }

  #told(job: Job | undefined): Job | undefined {
    if (job instanceof LocalJob) job.toldId = true;
    return job;
  }

  /** Of several processes that find a job stopped, one goes on with it, and the others see in its record who does. */
  #restart(id: string, mayGoOn = (record: JobRecord) => this.#others.isLeft(record)): Promise<Job | undefined> {
    return this.#lock(id, async () => {
      const running = this.#running.get(id);
      if (running !== undefined) return running;
      const record = await this.#store.load(id);
      if (record === undefined) return undefined;
      if (!mayGoOn(record)) return this.#others.jobOf(record);
      const { pid, place = "", log } = this.#options;
      log("info", `Going on with ${id}, which was left unfinished (${record.state})`);
      const { failure, ...rest } = record;
      // What failed has no round that is worth going on from.
      if (failure !== undefined && failure.code !== "CANCELLED") delete rest.researchId;
      this.#finished.delete(id);
      const job = this.#launch({
        ...rest,
        state: "running",
        pid,
        place,
        startedAt: new Date(this.#now()).toISOString(),
      });
      await this.#store.saved(id);
      return job;
    });
  }

  async wait(job: Job, options: WaitOptions): Promise<Waited> {
    const local = this.#running.get(job.record.id);
    local?.enter();
    const outcome = await waitFor(job, options);
    local?.leave({ ended: outcome === "ended" });
    if (local !== undefined && !this.#closing && this.#running.has(local.record.id)) this.#left(local, outcome);
    // Whoever waits for the answer need not wait for the disk.
    if (outcome === "ended" && job.record.report !== undefined) void this.taken(job.record);
    return outcome;
  }

  /** What becomes of a running job when a call that waited for it has ended. */
  #left(job: LocalJob, outcome: Waited): void {
    if (outcome === "time") job.toldId = true;
    if (job.isWaitedFor) return;
    const endsWithItsCall = !job.toldId && (outcome === "cancelled" || outcome === "closed");
    if (!endsWithItsCall) job.stopUnattended(UNATTENDED_MS, "interrupted");
    else if (outcome === "closed") job.stopUnattended(this.#options.closedMs ?? CLOSED_MS, "cancelled");
    else job.stop("cancelled");
  }

  async taken(record: JobRecord): Promise<void> {
    if (record.taken) return;
    record.taken = true;
    await this.#store.save(record);
  }

  async cancel(id: string): Promise<JobRecord | undefined> {
    const local = this.#running.get(id);
    if (local !== undefined) {
      local.stop("cancelled");
      await local.ended();
      return local.record;
    }
    const record = await this.look(id);
    return record !== undefined && this.#others.isLeft(record) ? this.#lock(id, () => this.#cancelLeft(id)) : record;
  }

  async #cancelLeft(id: string): Promise<JobRecord | undefined> {
    if (this.#running.has(id)) return this.cancel(id);
    const record = await this.#store.load(id);
    if (record !== undefined && this.#others.isLeft(record)) {
      markCancelled(record);
      await this.#store.save(record);
    }
    return record;
  }

  async list(max: number): Promise<JobHead[]> {
    const here = new Map<string, JobHead>();
    for (const { record } of [...this.#finished.values(), ...this.#running.values()]) {
      if (record.state !== "interrupted") here.set(record.id, headOf(record));
    }
    const others = (await this.#store.heads()).filter(({ id }) => !here.has(id)).slice(0, max);
    return [...here.values(), ...others].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, max);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const jobs = [...this.#running.values()];
    for (const job of jobs) job.stop("interrupted");
    await Promise.all(jobs.map((job) => job.ended()));
    await this.#store.settled();
  }
}

function earlierOf(how: Earlier["how"], { activity, createdAt }: JobRecord): Earlier {
  return { how, rounds: activity.roundsDone, askedAt: createdAt };
}

function markCancelled(record: JobRecord): void {
  record.state = "cancelled";
  record.failure = toFailure(Object.assign(new Error("The research was cancelled."), { code: "CANCELLED" }));
}
