import { resultOf } from "@x/gemini-runner";
import {
  checkRequest,
  type DeepResearchRequest,
  type DeepSearchRequest,
  type ResearchEvent,
  type RunStore,
  type SearchRequest,
} from "@x/research";
import type { Log } from "../host/log.js";
import type { Research } from "../research.js";
import { newActivity, update } from "./activity.js";
import { toFailure } from "./failure.js";
import type { RecordLock } from "./file-lock.js";
import {
  asJobRecord,
  HEARTBEAT_MS,
  isJobId,
  type JobRecord,
  type JobRequest,
  type JobTool,
  keyOf,
  newJobId,
  type Report,
} from "./job-record.js";
import { processIsAlive } from "./process-alive.js";

/** How long a running job of another process may be silent before it counts as dead. */
const SILENT_MS = 4 * HEARTBEAT_MS;
const REMOTE_POLL_MS = 1_000;

export interface JobsOptions {
  research: () => Promise<Research>;
  /** Where jobs are kept, and for how long. */
  store: RunStore;
  log: Log;
  pid: number;
  /** Where `pid` means this process. Default: where every other server is. */
  place?: string;
  /** Against another process that takes up the same job. Default: there is none. */
  lock?: RecordLock;
  now?: () => number;
  isAlive?: (pid: number) => boolean;
}

/** A job that can be waited for, wherever it runs. */
export interface Job {
  readonly record: JobRecord;
  /** Resolves when it has ended, however. Whoever stops waiting aborts `signal`: then nothing is done to know it. */
  ended(signal?: AbortSignal): Promise<void>;
  /** Called on every event that is worth a line. Gives the way to stop listening. */
  onChange(listener: () => void): () => void;
  /** Called with every event of a job that runs here. Gives the way to stop listening. */
  onEvent(listener: (event: ResearchEvent) => void): () => void;
}

export interface Jobs {
  /** Starts the work, or joins a running job of the same question. Rejects with `INVALID_INPUT`: then there is no job. */
  start(tool: JobTool, request: JobRequest): Promise<Job>;
  /** What is known of a job; starts nothing. */
  look(id: string): Promise<JobRecord | undefined>;
  /** A job by its id. One whose server ended is started again and goes on after its last finished round. */
  find(id: string): Promise<Job | undefined>;
  /**
   * Waits until the job ends, `waitMs` is over (`undefined`: no limit) or `signal` aborts. When `signal` aborts, no other
   * call waits for the job and nobody was told its id instead of a result, the job is cancelled.
   */
  wait(job: Job, options: { waitMs: number | undefined; signal: AbortSignal }): Promise<"ended" | "time" | "aborted">;
  /** Ends a job and waits until it is gone. `undefined`: there is none. */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** Those that changed last, newest first. */
  list(max: number): Promise<JobRecord[]>;
  /** Interrupts all work, saves its state and waits until nothing runs any more. */
  close(): Promise<void>;
}

interface LocalJob extends Job {
  readonly key: string;
  readonly controller: AbortController;
  readonly listeners: Set<() => void>;
  readonly watchers: Set<(event: ResearchEvent) => void>;
  waiting: number;
  /** A call has ended before the job did: somebody may come back for the result. */
  handedOff: boolean;
}

/** Work that outlives a call: it belongs to the server. */
export function createJobs(options: JobsOptions): Jobs {
  const { research, store, log, pid, place = "", now = Date.now, isAlive = processIsAlive } = options;
  const { lock = (_id, work) => work() } = options;
  const running = new Map<string, LocalJob>();
  /** Finished here; what the disk would not take is still found. */
  const finished = new Map<string, LocalJob>();
  const saves = new Map<string, Promise<void>>();
  let closing = false;

  return { start, look, find, wait, cancel, list, close };

  async function start(tool: JobTool, request: JobRequest): Promise<Job> {
    checkRequest(request as Partial<SearchRequest>);
    const key = keyOf(tool, request);
    // One that is being cancelled is over for whoever asks now.
    const same = [...running.values()].find((job) => job.key === key && !job.controller.signal.aborted);
    if (same !== undefined) {
      log("info", `Joined the running job ${same.record.id}`);
      return same;
    }
    const at = new Date(now()).toISOString();
    return launch({
      id: newJobId(tool),
      tool,
      request,
      state: "running",
      pid,
      place,
      createdAt: at,
      updatedAt: at,
      activity: newActivity(),
    });
  }

  function launch(record: JobRecord): LocalJob {
    const listeners: LocalJob["listeners"] = new Set();
    const watchers: LocalJob["watchers"] = new Set();
    const ended = Promise.resolve().then(() => work(job));
    const job: LocalJob = {
      record,
      key: keyOf(record.tool, record.request),
      controller: new AbortController(),
      listeners,
      watchers,
      waiting: 0,
      handedOff: false,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onEvent(watcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
      ended: () => ended,
    };
    running.set(record.id, job);
    save(record);
    return job;
  }

  async function work(job: LocalJob): Promise<void> {
    const { record, controller } = job;
    const heartbeat = setInterval(() => save(record), HEARTBEAT_MS);
    try {
      if (closing) controller.abort();
      record.report = await resultOf(run(await research(), record, controller.signal), (event) => heard(job, event));
      record.state = "completed";
    } catch (error) {
      if (closing) {
        record.state = "interrupted";
      } else if (controller.signal.aborted) {
        markCancelled(record);
      } else {
        record.state = "failed";
        record.failure = toFailure(error);
        log("error", `${record.tool} failed: ${record.failure.code}: ${record.failure.message}`);
      }
    } finally {
      clearInterval(heartbeat);
      running.delete(record.id);
      finished.set(record.id, job);
      for (const oldest of [...finished.keys()].slice(0, -50)) finished.delete(oldest);
    }
    await save(record);
  }

  function heard(job: LocalJob, event: ResearchEvent): void {
    if (event.type === "log") log(event.level, event.message);
    if (event.type === "research-start") job.record.researchId = event.id;
    if (event.type === "research-start" || event.type === "round-end") save(job.record);
    const changed = update(job.record.activity, event);
    for (const watcher of job.watchers) watcher(event);
    if (!changed) return;
    for (const listener of job.listeners) listener();
  }

  /** One write at a time for each job, so that the last state is the one that stays. */
  function save(record: JobRecord): Promise<void> {
    record.updatedAt = new Date(now()).toISOString();
    const state = structuredClone(record);
    const done = (saves.get(record.id) ?? Promise.resolve())
      .then(() => store.save(record.id, state))
      .catch((error: Error) => log("warn", `The state of ${record.id} could not be saved: ${error.message}`))
      .finally(() => {
        if (saves.get(record.id) === done) saves.delete(record.id);
      });
    saves.set(record.id, done);
    return done;
  }

  async function look(id: string): Promise<JobRecord | undefined> {
    return (running.get(id) ?? finished.get(id))?.record ?? (await load(id));
  }

  async function find(id: string): Promise<Job | undefined> {
    const local = running.get(id) ?? finished.get(id);
    if (local !== undefined) return local;
    const record = await load(id);
    if (record === undefined) return undefined;
    return isLeft(record) ? lock(id, () => takeUp(id)) : ofOthers(record);
  }

  /** Of several processes that find a job left, one goes on with it, and the others see in its record who does. */
  async function takeUp(id: string): Promise<Job | undefined> {
    const local = running.get(id) ?? finished.get(id);
    if (local !== undefined) return local;
    const record = await load(id);
    if (record === undefined) return undefined;
    if (!isLeft(record)) return ofOthers(record);
    log("info", `Going on with ${id}, which an earlier server left unfinished`);
    const job = launch({ ...record, state: "running", pid, place });
    job.handedOff = true;
    await saves.get(id);
    return job;
  }

  /** A job that has ended, or that another process works on. */
  function ofOthers(record: JobRecord): Job {
    return record.state === "running" ? elsewhere(record) : ended(record);
  }

  /** Whether it has not ended and nobody works on it. */
  function isLeft(record: JobRecord): boolean {
    return record.state === "interrupted" || (record.state === "running" && !isRunningElsewhere(record));
  }

  function isRunningElsewhere(record: JobRecord): boolean {
    if (now() - Date.parse(record.updatedAt) >= SILENT_MS) return false;
    // Of another place no more is seen than that it is not silent.
    return record.place !== place || (record.pid !== pid && isAlive(record.pid));
  }

  function ended(record: JobRecord): Job {
    return { record, ended: async () => {}, onChange: () => () => {}, onEvent: () => () => {} };
  }

  /** A job that another process works on: its record is read again and again, while somebody waits. */
  function elsewhere(record: JobRecord): Job {
    return { ...ended(record), ended: until };
    async function until(signal?: AbortSignal): Promise<void> {
      while (record.state === "running" && isRunningElsewhere(record)) {
        await new Promise<void>((resolve) => setTimeout(resolve, REMOTE_POLL_MS).unref());
        if (closing || signal?.aborted) return;
        Object.assign(record, await load(record.id));
      }
    }
  }

  async function load(id: string): Promise<JobRecord | undefined> {
    if (!isJobId(id)) return undefined;
    try {
      return asJobRecord(await store.load(id));
    } catch (error) {
      log("warn", `The state of ${id} could not be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  async function wait(
    job: Job,
    { waitMs, signal }: { waitMs: number | undefined; signal: AbortSignal },
  ): Promise<"ended" | "time" | "aborted"> {
    const local = running.get(job.record.id);
    if (local !== undefined) local.waiting += 1;
    const waiting = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const over = new Promise<"time">((resolve) => {
      if (waitMs !== undefined) timer = setTimeout(resolve, waitMs, "time");
    });
    const aborted = new Promise<"aborted">((resolve) => {
      onAbort = () => resolve("aborted");
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
    const outcome = await Promise.race([job.ended(waiting.signal).then(() => "ended" as const), over, aborted]);
    waiting.abort();
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    if (local !== undefined) {
      local.waiting -= 1;
      if (outcome === "time") local.handedOff = true;
      if (outcome === "aborted" && local.waiting === 0 && !local.handedOff && !closing) local.controller.abort();
    }
    return outcome;
  }

  async function cancel(id: string): Promise<JobRecord | undefined> {
    const local = running.get(id);
    if (local !== undefined) {
      local.controller.abort();
      await local.ended();
      return local.record;
    }
    const record = finished.get(id)?.record ?? (await load(id));
    return record !== undefined && isLeft(record) ? lock(id, () => cancelLeft(id)) : record;
  }

  async function cancelLeft(id: string): Promise<JobRecord | undefined> {
    if (running.has(id)) return cancel(id);
    const record = await load(id);
    if (record !== undefined && isLeft(record)) {
      markCancelled(record);
      await save(record);
    }
    return record;
  }

  async function list(max: number): Promise<JobRecord[]> {
    const here = new Map([...finished, ...running].map(([id, { record }]) => [id, record]));
    const others: JobRecord[] = [];
    for (const id of await store.list().catch(() => [])) {
      if (others.length >= max) break;
      const record = here.has(id) ? undefined : await load(id);
      if (record !== undefined) others.push(record);
    }
    return [...here.values(), ...others].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, max);
  }

  async function close(): Promise<void> {
    closing = true;
    const jobs = [...running.values()];
    for (const job of jobs) job.controller.abort();
    await Promise.all(jobs.map((job) => job.ended()));
    await Promise.all(saves.values());
  }
}

function markCancelled(record: JobRecord): void {
  record.state = "cancelled";
  record.failure = toFailure(Object.assign(new Error("The research was cancelled."), { code: "CANCELLED" }));
}

function run(research: Research, record: JobRecord, signal: AbortSignal): AsyncGenerator<ResearchEvent, Report, void> {
  const request = { ...record.request, signal };
  switch (record.tool) {
    case "search":
      return research.search(request as unknown as SearchRequest);
    case "deep_search":
      return research.deepSearch(
        (record.researchId === undefined ? request : { ...request, resume: record.researchId }) as DeepSearchRequest,
      );
    case "deep_research":
      return research.deepResearch(request as unknown as DeepResearchRequest);
  }
}
