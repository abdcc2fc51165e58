import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { checkRequest, type ResearchEvent, type SearchRequest } from "@x/research";
import { BusyError } from "./busy.js";
import type { Earlier } from "./earlier.js";
import { askedOfResearch } from "./earlier-job.js";
import { toFailure } from "./failure.js";
import type { RecordLock } from "./file-lock.js";
import { endedJob, type Job, LocalJob } from "./job.js";
import {
  HEARTBEAT_MS,
  headOf,
  isOf,
  isUnfinished,
  type JobHead,
  type JobRecord,
  type JobRequest,
  type JobTool,
  keyOf,
  newRecord,
  ownerOf,
  tenantIn,
} from "./job-record.js";
import { JobStore } from "./job-store.js";
import type { JobsOptions, Started } from "./jobs.js";
import { OtherProcesses } from "./other-process.js";
import { DIED_READING, diedReading, noteReading } from "./reading.js";
import { type Asker, type OwnerLimits, Turns } from "./turns.js";
import { type Waited, type WaitOptions, waitFor } from "./wait.js";
import { researchOf } from "./work.js";

/** A research that stopped is gone on with for so long after; its pages are no news after that. */
export const GOES_ON_MS = 24 * 3_600_000;
/** A report that nobody took is given to whoever asks the same question for so long after. */
export const KEPT_MS = 3_600_000;
/** A job that no call waits for ends after it, and can go on later. */
export const UNATTENDED_MS = 3_600_000;
/** When the connection of a call broke, its client has so long to ask again before the job is cancelled. */
export const CLOSED_MS = 15_000;
/** Calls within this time come from one step of a model. */
export const AT_ONCE_MS = 2_000;
/** How often a job looks whether another process has taken it away. */
const LOOK_MS = 2_000;
/** A write that was under way is over by then. */
const SETTLED_MS = 100;
/** Jobs that ended here and are remembered: what the disk would not take is still found. */
const REMEMBERED = 50;
/** A longer report is not remembered when the disk has it, in characters. */
const LONG_REPORT = 100_000;
/** Jobs that run or wait. */
const MOST_OF_SESSION = 100;
const MOST_OF_OWNER = 400;

/** The jobs of all owners in this process, and what it sees of those of others. */
export class JobManager {
  readonly #options: JobsOptions;
  readonly #now: () => number;
  readonly #lock: RecordLock;
  readonly #store: JobStore;
  readonly #others: OtherProcesses;
  readonly #turns: Turns;
  readonly #running = new Map<string, LocalJob>();
  readonly #finished = new Map<string, LocalJob>();
  /** Questions for which a job is being looked for. */
  readonly #starting = new Map<string, Promise<unknown>>();
  #closing = false;

  constructor(options: JobsOptions) {
    const { files, log, own, now = Date.now, isGone, maxRunning = 2 * availableParallelism() } = options;
    const { lock = (_id, work) => work() } = options;
    this.#options = options;
    this.#now = now;
    this.#lock = lock;
    this.#turns = new Turns(maxRunning);
    this.#store = new JobStore({ files, log, now });
    const load = (id: string) => this.#store.load(id);
    this.#others = new OtherProcesses({
      ...{ own, now, load, isClosing: () => this.#closing },
      ...(isGone !== undefined && { isGone }),
    });
  }

  async start(asker: Asker, tool: JobTool, request: JobRequest): Promise<Started> {
    checkRequest(askedOfResearch(request) as Partial<SearchRequest>);
    const key = keyOf(asker.owner, tool, request);
    // Whoever asks in the same moment joins what the first one finds.
    while (this.#starting.has(key)) await this.#starting.get(key);
    const local = [...this.#running.values()].find((job) => job.key === key);
    if (local !== undefined && local.stopped === undefined) return this.#joined(local);
    const starting = this.#begin(asker, tool, request, local);
    const settled = starting.then(
      () => this.#starting.delete(key),
      () => this.#starting.delete(key),
    );
    this.#starting.set(key, settled);
    return starting;
  }

  /** @param stopping A job of the same question that is being stopped: over for whoever asks now, and may then go on. */
  async #begin(asker: Asker, tool: JobTool, request: JobRequest, stopping?: LocalJob): Promise<Started> {
    await stopping?.ended();
    const earlier = await this.#earlier(asker, tool, request);
    if (earlier !== undefined) return earlier;
    this.#mustHaveRoom(asker);
    return { job: this.#launch(this.#newRecord(asker.owner, tool, request), asker) };
  }

  #mustHaveRoom(asker: Asker): void {
    const { owner, session, limits = {} } = asker;
    this.#mustKeepTo(limits, asker);
    const own = [...this.#running.values()].filter(({ asker }) => asker.owner === owner);
    const ofSession = own.filter(({ asker }) => asker.session === session).length;
    if (ofSession >= MOST_OF_SESSION) throw new BusyError(`${ofSession} researches of this client wait or run already`);
    if (own.length >= MOST_OF_OWNER) throw new BusyError(`${own.length} researches wait or run already`);
  }

  #mustKeepTo({ running, queued }: OwnerLimits, asker: Asker): void {
    const waiting = this.#turns.waitingOf(asker.owner);
    const few = (count: number) => `${count} ${count === 1 ? "research" : "researches"}`;
    if (running === 0) throw new BusyError("no research may be asked for", { scope: "tenant" });
    if (queued === undefined || waiting < queued || this.#turns.isFree(asker)) return;
    const what = running === undefined ? "" : `${few(running)} may run and `;
    throw new BusyError(`${what}${few(queued)} may wait`, { scope: "tenant" });
  }

  #joined(job: Job): Started {
    this.#log(job.record, "info", `Joined the running job ${job.record.id}`);
    const ageMs = this.#now() - Date.parse(job.record.startedAt ?? job.record.createdAt);
    // Of two calls at once neither is the earlier one. A client may give up without a word.
    if (job instanceof LocalJob && !job.wasLeft && ageMs < AT_ONCE_MS) return { job };
    return { job, earlier: earlierOf("joined", job.record) };
  }

  #newRecord(owner: string, tool: JobTool, request: JobRequest): JobRecord {
    return newRecord(owner, tool, request, { own: this.#options.own, nowMs: this.#now() });
  }

  /** What an earlier call has left of this question, here or in another process. */
  async #earlier(asker: Asker, tool: JobTool, request: JobRequest): Promise<Started | undefined> {
    const last = await this.#store.lastOf(keyOf(asker.owner, tool, request));
    if (last === undefined) return undefined;
    const ageMs = this.#now() - Date.parse(last.updatedAt);
    if (last.state === "completed") {
      const isTaken = this.#local(last.id)?.record.taken ?? last.taken;
      if (isTaken || ageMs > KEPT_MS) return undefined;
      const record = await this.#store.load(last.id);
      return record && { job: endedJob(record), earlier: earlierOf("kept", record) };
    }
    const isLeft = this.#others.isLeft(last);
    if (isLeft && diedReading(last)) return undefined;
    const goesOn = (record: JobRecord) => this.#mayGoOn(record) || record.state === "cancelled";
    if (goesOn(last) && (last.state !== "cancelled" || last.activity.roundsDone > 0)) {
      if (ageMs > GOES_ON_MS) return undefined;
      const job = await this.#restart(last.id, asker, goesOn);
      return job && { job, earlier: earlierOf("goes-on", job.record) };
    }
    return last.state === "running" ? this.#joined(this.#others.jobOf(last)) : undefined;
  }

  #launch(record: JobRecord, asker: Asker): LocalJob {
    const job = new LocalJob(record, asker, (launched) => this.#work(launched));
    this.#running.set(record.id, job);
    if (tenantIn(asker.owner) !== undefined) this.#log(record, "info", `${record.id} is asked`);
    void this.#store.begin(record);
    return job;
  }

  async #work(job: LocalJob): Promise<void> {
    const { record } = job;
    const { research } = this.#options;
    const heartbeat = setInterval(() => void this.#save(job), HEARTBEAT_MS);
    const look = setInterval(() => void this.#lookAfter(job), LOOK_MS).unref();
    let leave = () => {};
    try {
      if (this.#closing) job.stop("interrupted");
      record.activity.now = "waiting for its turn";
      leave = await this.#turns.enter({ ...job.asker, isAwaited: () => job.isWaitedFor }, job.signal);
      const { ask } = await research();
      record.report = await researchOf(ask, record, job.signal, (event) => this.#heard(job, event));
      record.state = "completed";
    } catch (error) {
      if (job.stopped === "interrupted") record.state = "interrupted";
      else if (job.stopped === "cancelled") markCancelled(record);
      else if (job.stopped === undefined) {
        record.state = "failed";
        record.failure = (this.#options.failureOf ?? toFailure)(error);
        this.#log(record, "error", `${record.tool} failed: ${record.failure.code}: ${record.failure.message}`);
      }
    } finally {
      leave();
      clearInterval(heartbeat);
      clearInterval(look);
    }
    delete record.reading;
    if (job.stopped === "superseded") Object.assign(record, await this.#store.load(record.id));
    const saved = job.stopped === "superseded" ? "superseded" : await this.#store.save(record);
    this.#running.delete(record.id);
    if (saved !== "failed" && isLong(record)) return;
    this.#finished.set(record.id, job);
    for (const oldest of [...this.#finished.keys()].slice(0, -REMEMBERED)) this.#finished.delete(oldest);
  }

  #heard(job: LocalJob, event: ResearchEvent): void {
    if (event.type === "log") this.#log(job.record, event.level, event.message);
    if (event.type === "research-start") job.record.researchId = event.id;
    job.hear(event);
    const isNoted = noteReading(job.record, event);
    if (isNoted || event.type === "research-start" || event.type === "round-end") void this.#save(job);
  }

  async #save(job: LocalJob): Promise<void> {
    const { record, stopped } = job;
    const state = stopped === "interrupted" ? "interrupted" : record.state;
    if ((await this.#store.save({ ...record, state })) === "superseded") this.#superseded(job);
  }

  async #lookAfter(job: LocalJob): Promise<void> {
    if (await this.#store.isSuperseded(job.record)) this.#superseded(job);
  }

  #superseded(job: LocalJob): void {
    if (job.stopped !== undefined || !this.#running.has(job.record.id)) return;
    this.#log(job.record, "info", `${job.record.id} was taken away by another process`);
    job.stop("superseded");
  }

  async look(id: string, owner: string): Promise<JobRecord | undefined> {
    const record = this.#local(id)?.record ?? (await this.#store.load(id));
    return record !== undefined && isOf(record, owner) ? record : undefined;
  }

  /** A job of this process that runs, or that ended and can be looked at. */
  #local(id: string): LocalJob | undefined {
    const job = this.#running.get(id) ?? this.#finished.get(id);
    // Another process may have gone on with it.
    return job?.record.state === "interrupted" || job?.stopped === "superseded" ? undefined : job;
  }

  async find(id: string, asker: Asker): Promise<Job | undefined> {
    const record = await this.look(id, asker.owner);
    if (record === undefined) return undefined;
    const local = this.#local(id);
    if (local !== undefined) return local;
    if (!this.#others.isLeft(record)) return this.#others.jobOf(record);
    return diedReading(record) ? this.#givenUp(id) : told(await this.#restart(id, asker));
  }

  /** Whether a job that nobody works on is gone on with by itself. */
  #mayGoOn(record: JobRecord): boolean {
    return this.#others.isLeft(record) && !diedReading(record);
  }

  /** A job whose server ended over the answer it read. */
  #givenUp(id: string): Promise<Job | undefined> {
    return this.#lock(id, async () => {
      const record = await this.#store.load(id);
      if (record === undefined) return undefined;
      if (!this.#others.isLeft(record) || !diedReading(record)) return this.#others.jobOf(record);
      delete record.reading;
      Object.assign(record, { state: "failed", failure: DIED_READING, generation: (record.generation ?? 0) + 1 });
      await this.#store.save(record);
      return endedJob(record);
    });
  }

  async resume(id: string, asker: Asker): Promise<Job | undefined> {
    const record = await this.look(id, asker.owner);
    if (record?.state !== "failed" && record?.state !== "cancelled") return this.find(id, asker);
    const mayGoOn = ({ state }: JobRecord) => state !== "completed" && state !== "running";
    return told(await this.#restart(id, asker, mayGoOn));
  }

  /** Of several processes that find a job stopped, one goes on with it, and the others see in its record who does. */
  #restart(id: string, asker: Asker, mayGoOn = (record: JobRecord) => this.#mayGoOn(record)): Promise<Job | undefined> {
    return this.#lock(id, async () => {
      const running = this.#running.get(id);
      if (running !== undefined) return running;
      const record = await this.#store.load(id);
      if (record === undefined) return undefined;
      if (!mayGoOn(record)) return this.#others.jobOf(record);
      this.#log(record, "info", `Going on with ${id}, which was left unfinished (${record.state})`);
      const { failure, reading: _, ...rest } = record;
      // What failed has no round that is worth going on from.
      if (failure !== undefined && failure.code !== "CANCELLED") delete rest.researchId;
      this.#finished.delete(id);
      const startedAt = new Date(this.#now()).toISOString();
      const begun: JobRecord = { ...rest, ...this.#options.own, state: "running", startedAt };
      begun.generation = (record.generation ?? 0) + 1;
      const job = this.#launch(begun, asker);
      // Before another process may look at it.
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

  async cancel(id: string, owner: string): Promise<JobRecord | undefined> {
    const local = this.#running.get(id);
    if (local !== undefined && isOf(local.record, owner)) {
      local.stop("cancelled");
      await local.ended();
      return local.record;
    }
    const record = await this.look(id, owner);
    return record !== undefined && isUnfinished(record) ? this.#lock(id, () => this.#cancelElsewhere(id)) : record;
  }

  /** Takes a job away from whoever works on it, if anybody does. */
  async #cancelElsewhere(id: string): Promise<JobRecord | undefined> {
    const record = await this.#store.load(id);
    if (record === undefined || !isUnfinished(record)) return record;
    markCancelled(record);
    record.generation = (record.generation ?? 0) + 1;
    // Whoever works on it may write in the same moment, and looks before it writes again.
    for (let tries = 0; tries < 3; tries++) {
      await this.#store.save(record);
      await sleep(SETTLED_MS);
      if (!(await this.#store.isOlder(record))) break;
    }
    return record;
  }

  async remove(id: string, owner: string): Promise<"removed" | "running" | undefined> {
    if ((await this.look(id, owner)) === undefined) return undefined;
    return this.#lock(id, async () => {
      const record = await this.#store.load(id);
      if (this.#running.has(id) || (record?.state === "running" && !this.#others.isLeft(record))) return "running";
      this.#finished.delete(id);
      await this.#store.remove(id);
      if (record?.researchId !== undefined) await this.#options.forget?.(record.researchId);
      return "removed";
    });
  }

  async list(max: number, owner: string): Promise<JobHead[]> {
    const here = new Map<string, JobHead>();
    for (const job of [...this.#finished.values(), ...this.#running.values()]) {
      if (this.#local(job.record.id) !== undefined) here.set(job.record.id, headOf(job.record));
    }
    const others = (await this.#store.heads()).filter(({ id }) => !here.has(id));
    const own = [...here.values(), ...others].filter((head) => isOf(head, owner));
    return own.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, max);
  }

  /** A tenant is named, so that the log tells whose job it is of. */
  #log(record: Pick<JobRecord, "owner">, level: "debug" | "info" | "warn" | "error", message: string): void {
    const name = tenantIn(ownerOf(record));
    this.#options.log(level, name === undefined ? message : `${name}: ${message}`);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const jobs = [...this.#running.values()];
    for (const job of jobs) job.stop("interrupted");
    // A busy machine may not have the time to wait for the end of their processes.
    for (const job of jobs) void this.#save(job);
    await Promise.all(jobs.map((job) => job.ended()));
    await this.#store.settled();
  }
}

function isLong({ report }: JobRecord): boolean {
  const text = report === undefined ? "" : "report" in report ? report.report : report.result;
  return text.length > LONG_REPORT;
}

function told(job: Job | undefined): Job | undefined {
  if (job instanceof LocalJob) job.toldId = true;
  return job;
}

export function earlierOf(how: Earlier["how"], { activity, createdAt }: JobRecord): Earlier {
  return { how, rounds: activity.roundsDone, askedAt: createdAt };
}

export function markCancelled(record: JobRecord): void {
  record.state = "cancelled";
  record.failure = toFailure(Object.assign(new Error("The research was cancelled."), { code: "CANCELLED" }));
}
