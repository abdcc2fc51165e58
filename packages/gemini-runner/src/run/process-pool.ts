import { EndedError } from "../process/ended-error.js";
import type { PoolProcess } from "../process/pool-process.js";
import type { PooledRun } from "../process/pooled-run.js";
import { type Site, startPoolProcess, survey, unwritable } from "./launch.js";
import type { ResolvedOptions } from "./resolve-options.js";
import { keyOf, type StartRequest } from "./start-request.js";
import { type WarmOptions, WarmPool } from "./warm-pool.js";

type PoolLimits = NonNullable<ResolvedOptions["pool"]>;

/** No process of the pool can serve a run. The pool has told why. */
export class PoolError extends Error {}

/** How many sessions of a kind are kept open for runs to come. */
const AHEAD = 4;

/** How many a process keeps of all kinds. */
const AHEAD_IN_ALL = 16;

/** How many kinds of runs are remembered, to tell those that come again. */
const KINDS = 16;

/** How long no process is started again of a CLI of which none could be. */
const PAUSE_MS = 600_000;

/** The longest time of a timer: Node fires a longer one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A process, from before its start. */
interface Member {
  /** What it was started with: another CLI or another sign-in need another process. */
  site: string;
  starting: Promise<PoolProcess>;
  /** Once it serves. */
  process?: PoolProcess;
  /** Runs that it has or is to have. */
  runs: number;
  /** Sessions that wait for a run, by kind. */
  ahead: WarmPool<PooledRun>;
  /** It gets no more runs: another takes its place, or is about to. */
  successor?: Promise<unknown>;
  retired: boolean;
  idle?: NodeJS.Timeout | undefined;
}

/** Processes that serve several runs each. */
export class ProcessPool {
  readonly #options: ResolvedOptions;
  readonly #limits: PoolLimits;
  readonly #members = new Set<Member>();
  readonly #ending = new Set<Promise<void>>();
  /** What nobody waits for, but the end of the pool. */
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #endRun: (run: PooledRun) => Promise<void>;
  readonly #kinds: string[] = [];
  #paused: { site: string; untilMs: number } | undefined;
  /** The last one that ended before it served, when none has served since. */
  #endedEarly: Member | undefined;
  readonly #closing = new AbortController();

  /** `endRun` ends a run and resolves when nothing of it is left; it does not reject. */
  constructor(options: ResolvedOptions, limits: PoolLimits, endRun: (run: PooledRun) => Promise<void>) {
    this.#options = options;
    this.#limits = limits;
    this.#endRun = endRun;
  }

  /**
   * A session for the request. Rejects with {@link PoolError} when there is none, with `RunnerError` when no CLI could serve it.
   * The signal says that it is not wanted any more.
   */
  async take(request: StartRequest, signal: AbortSignal): Promise<PooledRun> {
    const site = await this.#survey(request);
    const member = this.#choose(site);
    const warm = member.process !== undefined;
    member.runs++;
    clearTimeout(member.idle);
    try {
      const run = (await member.ahead.take(keyOf(request))) ?? (await this.#open(member, request, site, signal));
      this.#endedEarly = undefined;
      run.warm = warm;
      run.hold();
      void run.over.then(() => this.#left(member));
      this.#expect(member, request, site);
      return run;
    } catch (error) {
      this.#left(member);
      if (error instanceof PoolError) throw error;
      // That says nothing of the process.
      if (signal.aborted) throw new PoolError("It is not wanted any more", { cause: error });
      const why = error instanceof Error ? error.message : String(error);
      // One that has opened sessions before may do so again.
      if (member.process?.served) throw new PoolError(why, { cause: error });
      if (error instanceof EndedError && this.#isFirstToEnd(member)) return await this.take(request, signal);
      throw this.#pause(member.site, why);
    }
  }

  /** What ended one process before it served may be over with it, as when somebody killed it; two in a row say that it is the CLI. */
  #isFirstToEnd(member: Member): boolean {
    const before = this.#endedEarly;
    if (this.#isPaused(member.site) || (before?.site === member.site && before !== member)) return false;
    this.#endedEarly = member;
    return true;
  }

  /** Opens a session for a request that is to come. The signal ends it when no run has taken it. */
  prepare(request: StartRequest, signal?: AbortSignal): void {
    const prepared = this.#survey(request).then((site) => {
      if (signal?.aborted) return;
      const member = this.#choose(site);
      this.#openAhead(member, request, site, { signal });
      this.#rest(member);
    });
    // When it fails, the run hears of it.
    this.#await(prepared.catch(() => {}));
  }

  #await(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #survey(request: StartRequest): Promise<Site> {
    if (this.#closed) throw new PoolError("The pool is closed");
    try {
      return await survey(request, this.#options);
    } catch (error) {
      throw unwritable(error, this.#options);
    }
  }

  /** The process that is best placed to serve one more run, or a new one. */
  #choose({ cli, signIn, ...rest }: Site): Member {
    const site = JSON.stringify([cli, signIn]);
    if (this.#isPaused(site)) throw new PoolError("The pool is paused");
    if (!cli.script || cli.version === undefined) throw this.#pause(site, `${cli.file} is another program`);
    for (const member of this.#members) if (member.site !== site) this.#retire(member);
    const usable = [...this.#members].filter(({ retired, process }) => !retired && !process?.distrusted);
    const [best] = usable.toSorted((a, b) => this.#burden(a) - this.#burden(b));
    if (best !== undefined && (best.runs === 0 || usable.length >= this.#limits.processes)) return best;
    return this.#add({ cli, signIn, ...rest }, site);
  }

  /** How long a run is likely to wait for it: one that has still to start comes after all that serve. */
  #burden({ process, runs }: Member): number {
    return runs + (process === undefined || runs >= this.#limits.sessions ? Number.MAX_SAFE_INTEGER / 2 : 0);
  }

  #add(place: Site, site: string): Member {
    if (this.#closed) throw new PoolError("The pool is closed");
    const starting = startPoolProcess(place, this.#options, {
      hangMs: this.#limits.hangMs,
      signal: this.#closing.signal,
    });
    const ahead = new WarmPool<PooledRun>(AHEAD_IN_ALL, this.#endRun);
    const member: Member = { site, starting, runs: 0, ahead, retired: false };
    this.#members.add(member);
    starting.then(
      (process) => {
        member.process = process;
        // One that dies leaves its files.
        void process.over.then(() => this.#end(member));
        if (this.#closed) this.#end(member);
      },
      (error: unknown) => {
        this.#members.delete(member);
        // Whoever waits for it tries once more.
        if (error instanceof EndedError) return;
        this.#pause(site, error instanceof Error ? error.message : String(error));
      },
    );
    return member;
  }

  #isPaused(site: string): boolean {
    return this.#paused?.site === site && this.#options.now() < this.#paused.untilMs;
  }

  /** For some time no process of this CLI is started, and whoever asks for a session of it has none. */
  #pause(site: string, why: string): PoolError {
    const pausedAlready = this.#closed || this.#isPaused(site);
    this.#paused = { site, untilMs: this.#options.now() + PAUSE_MS };
    this.#endedEarly = undefined;
    const message = `Gemini CLI cannot serve several runs in a process: ${why}. Each has one of its own`;
    if (!pausedAlready) this.#options.onWarning(message);
    return new PoolError(message);
  }

  async #open(member: Member, request: StartRequest, { folders }: Site, signal: AbortSignal): Promise<PooledRun> {
    const { model, grants } = request;
    const process = await member.starting;
    return await process.open({ model, grants, folders }, signal);
  }

  /** What was asked for before may be asked for again: for that a session is opened ahead. */
  #expect(member: Member, request: StartRequest, site: Site): void {
    // Its servers are asked for no run that may never come, and may be others by then.
    if (Object.keys(request.grants.mcpServers).length > 0) return;
    const kind = keyOf(request);
    const known = this.#kinds.includes(kind);
    if (!known) this.#kinds.unshift(kind);
    this.#kinds.splice(KINDS);
    // Not for long: the CLI tells its model on which day the session was opened.
    if (known) this.#openAhead(member, request, site, { keepMs: Math.min(this.#limits.idleMs, LONGEST_TIMER_MS) });
  }

  #openAhead(member: Member, request: StartRequest, site: Site, options: WarmOptions): void {
    const kind = keyOf(request);
    if (member.ahead.waiting(kind) >= AHEAD) return;
    member.ahead.add(kind, (unwanted) => this.#open(member, request, site, unwanted), options);
  }

  /** A run has left it, or never came. */
  #left(member: Member): void {
    member.runs--;
    const { process } = member;
    if (process?.distrusted) this.#retire(member);
    else if (process !== undefined && this.#isOld(process)) this.#replace(member);
    this.#rest(member);
  }

  #isOld({ opened, memoryBytes }: PoolProcess): boolean {
    return opened >= this.#limits.maxRuns || memoryBytes > this.#limits.maxMemoryBytes;
  }

  /** Retires it when another is ready to take its place. */
  #replace(member: Member): void {
    if (member.retired || member.successor !== undefined) return;
    const successor = this.#survey({ grants: NOTHING })
      .then((site) => this.#add(site, JSON.stringify([site.cli, site.signIn])).starting)
      .catch(() => {});
    member.successor = successor;
    this.#await(successor.then(() => this.#retire(member)));
  }

  #retire(member: Member): void {
    member.retired = true;
    if (member.runs === 0) this.#end(member);
  }

  /** Ends it when it is not needed any more. */
  #rest(member: Member): void {
    if (member.runs > 0) return;
    const { idleMs } = this.#limits;
    clearTimeout(member.idle);
    if (member.retired) this.#end(member);
    else if (idleMs < LONGEST_TIMER_MS) member.idle = setTimeout(() => this.#retire(member), idleMs).unref();
  }

  #end(member: Member): void {
    clearTimeout(member.idle);
    if (!this.#members.delete(member)) return;
    const ended = member.starting
      .then((process) => Promise.all([process.end(), member.ahead.close()]))
      .then(() => {})
      .catch((error: unknown) => {
        if (member.process !== undefined)
          this.#options.onWarning(`The folder of a pool could not be removed: ${error}`);
      });
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }

  /** Ends all of them and waits until they are gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const member of [...this.#members]) this.#end(member);
    await Promise.all([...this.#underWay, ...this.#ending]);
  }
}

const NOTHING = { tools: [], mcpServers: {}, files: [] };
