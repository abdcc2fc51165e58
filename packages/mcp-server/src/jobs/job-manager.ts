import { createMemoryRunStore } from "@x/research";
import { BusyError } from "./busy.js";
import { markCancelled } from "./cancelled.js";
import { checkAsked } from "./check-asked.js";
import { earlierOf } from "./earlier.js";
import { FileJobStore } from "./file-job-store.js";
import { endedJob, type Job, LocalJob } from "./job.js";
import {
  begunAgain,
  headOf,
  isOf,
  isUnfinished,
  type JobHead,
  type JobRecord,
  type JobRequest,
  type JobTool,
  keyOf,
  newRecord,
  startedMsOf,
} from "./job-record.js";
import type { JobsOptions, OwnerCount, Started } from "./jobs.js";
import { KeptJobs } from "./kept-jobs.js";
import { AT_ONCE_MS, CLOSED_MS, GOES_ON_MS, KEPT_MS, UNATTENDED_MS } from "./lifetimes.js";
import { LocalJobs } from "./local-jobs.js";
import { OtherProcesses } from "./other-process.js";
import type { Asker, OwnerLimits } from "./turns.js";
import { type Waited, type WaitOptions, waitFor } from "./wait.js";

/** Of two processes that change a record at once, one reads again; more often than this nobody is that unlucky. */
const TRIES = 20;

/** The jobs of all owners in this process, and what it sees of those of others. */
export class JobManager {
  readonly #options: JobsOptions;
  readonly #now: () => number;
  readonly #store: FileJobStore;
  readonly #kept: KeptJobs;
  readonly #others: OtherProcesses;
  readonly #local: LocalJobs;
  /** Questions for which a job is being looked for. */
  readonly #starting = new Map<string, Promise<unknown>>();

  constructor(options: JobsOptions) {
    const { files, own, now = Date.now, isGone, onEnded } = options;
    const { lock = (_id, work) => work(), rounds = createMemoryRunStore() } = options;
    this.#options = options;
    this.#now = now;
    this.#store = new FileJobStore({ files, lock, rounds, now, onEnded });
    this.#kept = new KeptJobs({ ...options, store: this.#store, directory: files.directory });
    this.#local = new LocalJobs({ ...options, kept: this.#kept });
    const load = (id: string) => this.#kept.load(id);
    this.#others = new OtherProcesses({
      ...{ own, now, load, isDeleted: (id) => this.#store.isGone(id) },
      ...{ isHere: (id) => this.#local.running(id) !== undefined, isClosing: () => this.#local.isClosing },
      ...(isGone !== undefined && { isGone }),
    });
  }

  async start(asker: Asker, tool: JobTool, request: JobRequest): Promise<Started> {
    await checkAsked(tool, request);
    const key = keyOf(asker.owner, tool, request);
    // Whoever asks in the same moment joins what the first one finds.
    while (this.#starting.has(key)) await this.#starting.get(key);
    const local = this.#local.ofQuestion(key);
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
    // Whoever asks without end is refused before the disk is asked.
    this.#local.mustHaveRoom(asker);
    await stopping?.ended();
    const earlier = await this.#earlier(asker, tool, request);
    if (earlier !== undefined) return earlier;
    // Others may have begun meanwhile.
    this.#local.mustHaveRoom(asker);
    const record = newRecord(asker.owner, tool, request, { own: this.#options.own, nowMs: this.#now() });
    return { job: this.#local.begin(record, asker) };
  }

  #joined(job: Job): Started {
    this.#local.log(job.record, "info", `Joined the running job ${job.record.id}`);
    const ageMs = this.#now() - startedMsOf(job.record);
    // Of two calls at once neither is the earlier one. A client may give up without a word.
    if (job instanceof LocalJob && !job.wasLeft && ageMs < AT_ONCE_MS) return { job };
    return { job, earlier: earlierOf("joined", job.record) };
  }

  /** What an earlier call has left of this question, here or in another process. */
  async #earlier(asker: Asker, tool: JobTool, request: JobRequest): Promise<Started | undefined> {
    const found = await this.#kept.last(keyOf(asker.owner, tool, request));
    if (found === undefined) return undefined;
    const last = this.#others.asItIs(found);
    const ageMs = this.#now() - Date.parse(last.updatedAt);
    if (last.state === "completed") {
      const isTaken = this.#local.get(last.id)?.record.taken ?? last.taken;
      if (isTaken || ageMs > KEPT_MS) return undefined;
      const record = await this.#kept.load(last.id);
      return record && { job: endedJob(record), earlier: earlierOf("kept", record) };
    }
    const goesOn = ({ state }: JobHead) => state === "interrupted" || state === "cancelled";
    if (goesOn(last) && (last.state !== "cancelled" || last.activity.roundsDone > 0)) {
      if (ageMs > GOES_ON_MS) return undefined;
      const job = await this.#restart(last.id, asker, goesOn);
      return job && { job, earlier: earlierOf("goes-on", job.record) };
    }
    if (last.state !== "running") return undefined;
    return this.#joined(this.#local.running(last.id) ?? this.#others.jobOf(last));
  }

  async look(id: string, owner: string): Promise<JobRecord | undefined> {
    const record = await this.#recordOf(id, owner);
    return record && this.#others.asItIs(record);
  }

  /** What stands in a record. */
  async #recordOf(id: string, owner: string): Promise<JobRecord | undefined> {
    const record = this.#local.get(id)?.record ?? (await this.#kept.load(id, owner));
    return record !== undefined && isOf(record, owner) ? record : undefined;
  }

  async find(id: string, asker: Asker): Promise<Job | undefined> {
    const record = await this.#recordOf(id, asker.owner);
    if (record === undefined) return undefined;
    const local = this.#local.get(id);
    if (local !== undefined) return local;
    return this.#others.isLeft(record) ? told(await this.#restart(id, asker)) : this.#others.jobOf(record);
  }

  /** Looks at a record, and again as long as another process changes it in the same moment. */
  async #change<T>(
    id: string,
    change: (record: JobRecord, generation: number) => Promise<T | "again">,
  ): Promise<T | undefined> {
    for (let tries = 0; tries < TRIES; tries++) {
      const record = await this.#kept.load(id);
      if (record === undefined) return undefined;
      const changed = await change(this.#others.asItIs(record), record.generation ?? 0);
      if (changed !== "again") return changed;
    }
    throw new BusyError("the research is begun and stopped again and again");
  }

  async resume(id: string, asker: Asker): Promise<Job | undefined> {
    const record = await this.look(id, asker.owner);
    if (record?.state !== "failed" && record?.state !== "cancelled") return this.find(id, asker);
    const mayGoOn = ({ state }: JobRecord) => state !== "completed" && state !== "running";
    return told(await this.#restart(id, asker, mayGoOn));
  }

  /** Of several processes that find a job stopped, one goes on with it, and the others see in its record who does. */
  #restart(
    id: string,
    asker: Asker,
    mayGoOn = ({ state }: JobRecord) => state === "interrupted",
  ): Promise<Job | undefined> {
    return this.#change(id, async (record, from) => {
      const running = this.#local.running(id);
      if (running !== undefined) return running;
      if (!mayGoOn(record)) return this.#others.jobOf(record);
      this.#local.mustHaveRoom(asker);
      const startedAt = new Date(this.#now()).toISOString();
      const begun: JobRecord = { ...begunAgain(record), ...this.#options.own, startedAt };
      // Before another process may look at it.
      if ((await this.#kept.save(begun, "line", from)) === "superseded") return "again";
      this.#local.log(record, "info", `Going on with ${id}, which was left unfinished (${record.state})`);
      return this.#local.running(id) ?? this.#local.launch(begun, asker);
    });
  }

  async wait(job: Job, options: WaitOptions): Promise<Waited> {
    const local = this.#local.running(job.record.id);
    local?.enter();
    const outcome = await waitFor(job, options);
    local?.leave({ ended: outcome === "ended" });
    const goesOn = !this.#local.isClosing && this.#local.running(job.record.id) !== undefined;
    if (local !== undefined && goesOn) this.#left(local, outcome);
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
    await this.#kept.save(record);
  }

  async cancel(id: string, owner: string): Promise<JobRecord | undefined> {
    const local = this.#local.running(id);
    if (local !== undefined && isOf(local.record, owner)) {
      local.stop("cancelled");
      await local.ended();
      return local.record;
    }
    const found = await this.look(id, owner);
    if (found === undefined || !isUnfinished(found)) return found;
    // It is taken away from whoever works on it, if anybody does.
    return this.#change(id, async (record, from) => {
      if (!isUnfinished(record)) return record;
      markCancelled(record);
      record.generation = from + 1;
      return (await this.#kept.save(record, "stop", from)) === "superseded" ? "again" : record;
    });
  }

  async remove(id: string, owner: string): Promise<"removed" | "running" | undefined> {
    if ((await this.#recordOf(id, owner)) === undefined) return undefined;
    const removed = await this.#change(id, async (record) => {
      if (record.state === "running" || this.#local.running(id) !== undefined) return "running";
      return (await this.#store.remove(record)) ? "removed" : "again";
    });
    if (removed === "running") return removed;
    this.#local.forget(id);
    return "removed";
  }

  async list(max: number, owner: string): Promise<JobHead[]> {
    const here = new Map(this.#local.all().map(({ record }): [string, JobHead] => [record.id, headOf(record)]));
    const others = (await this.#store.list(owner, max + here.size)).filter(({ id }) => !here.has(id));
    // Each list has the newest first, which decides between those of one millisecond.
    const own = [...[...here.values()].reverse(), ...others].filter((head) => isOf(head, owner));
    const newest = own.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, max);
    return newest.map((head) => this.#others.asItIs(head));
  }

  limit(limits: ReadonlyMap<string, OwnerLimits>): void {
    this.#local.limit(limits);
  }

  counts(owner?: string): OwnerCount[] {
    return this.#local.counts(owner);
  }

  /** Interrupts all work, and waits until it is saved and nothing of it is left. */
  close(): Promise<void> {
    return this.#local.close();
  }

  saved(): Promise<void> {
    return this.#local.saved();
  }
}

function told(job: Job | undefined): Job | undefined {
  if (job instanceof LocalJob) job.toldId = true;
  return job;
}
