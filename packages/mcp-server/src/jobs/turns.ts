/** Who wants a turn. */
export interface Asker {
  owner: string;
  /** Tells the clients of one owner from each other. */
  session: string;
  /** Default: as much as anybody. */
  limits?: OwnerLimits | undefined;
  /** Whether somebody waits for what comes of it. Default: nobody. */
  isAwaited?(): boolean;
}

/** What one owner may have. */
export interface OwnerLimits {
  /** Jobs that run at once. */
  running?: number;
  /** Jobs that wait. */
  queued?: number;
}

interface Waiter {
  begin: () => void;
  isAwaited: () => boolean;
  /** Jobs of its owner that may run beside it, and itself. */
  most: number;
}

/** Who is next. */
interface Next {
  owner: string;
  session: string;
  waiter: Waiter;
}

/** So many jobs that somebody waits for pass one that nobody waits for: it comes, too. */
const MOST_PASSED = 3;

/**
 * So many jobs at once; the others wait. Turns go round the owners, and round the sessions of each: however much one
 * session wants, the first job of another is the next but one of its owner's. Jobs that somebody waits for pass those of
 * clients that are gone or come back later.
 */
export class Turns {
  readonly #atOnce: number;
  #taken = 0;
  /** Turns in a row in which somebody who waits was let past. */
  #passed = 0;
  /** Turns that each owner has. */
  readonly #takenBy = new Map<string, number>();
  /** In the order in which they have their turn: one that had it comes to the end. */
  readonly #owners = new Map<string, Map<string, Waiter[]>>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Whether a job of this owner would have its turn at once. */
  isFree({ owner, limits }: Asker): boolean {
    return this.#taken < this.#atOnce && (this.#takenBy.get(owner) ?? 0) < mostOf(limits);
  }

  /** Jobs of an owner that wait. */
  waitingOf(owner: string): number {
    let count = 0;
    for (const waiters of this.#owners.get(owner)?.values() ?? []) count += waiters.length;
    return count;
  }

  /** Resolves with the way to give the turn back. Rejects with the signal's reason when it aborts before. */
  async enter(asker: Asker, signal: AbortSignal): Promise<() => void> {
    const { owner } = asker;
    signal.throwIfAborted();
    if (this.isFree(asker)) this.#take(owner);
    else await this.#wait(asker, signal);
    return () => this.#leave(owner);
  }

  #take(owner: string): void {
    this.#taken += 1;
    this.#takenBy.set(owner, (this.#takenBy.get(owner) ?? 0) + 1);
  }

  #wait({ owner, session, limits, isAwaited = () => false }: Asker, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#remove(owner, session, waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        most: mostOf(limits),
        isAwaited,
        begin() {
          signal.removeEventListener("abort", abort);
          resolve();
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      const sessions = this.#owners.get(owner) ?? new Map<string, Waiter[]>();
      this.#owners.set(owner, sessions);
      sessions.set(session, [...(sessions.get(session) ?? []), waiter]);
    });
  }

  /** Hands the turn to whoever is next. */
  #leave(owner: string): void {
    const left = (this.#takenBy.get(owner) ?? 1) - 1;
    if (left > 0) this.#takenBy.set(owner, left);
    else this.#takenBy.delete(owner);
    this.#taken -= 1;
    // An owner who was at the limit may have the turn that another has left before.
    while (this.#taken < this.#atOnce && this.#beginNext());
  }

  /** `false`: nobody waits who may begin. */
  #beginNext(): boolean {
    const inTurn = this.#next(() => true);
    if (inTurn === undefined) return false;
    const awaited = this.#passed < MOST_PASSED ? this.#next((waiter) => waiter.isAwaited()) : undefined;
    const { owner, session, waiter } = awaited ?? inTurn;
    this.#passed = waiter === inTurn.waiter ? 0 : this.#passed + 1;
    this.#toTheEnd(owner, session);
    this.#remove(owner, session, waiter);
    this.#take(owner);
    waiter.begin();
    return true;
  }

  /** The first one in the order of turns that may begin and fits. */
  #next(fits: (waiter: Waiter) => boolean): Next | undefined {
    for (const [owner, sessions] of this.#owners) {
      const taken = this.#takenBy.get(owner) ?? 0;
      for (const [session, waiters] of sessions) {
        const waiter = waiters.find((each) => taken < each.most && fits(each));
        if (waiter !== undefined) return { owner, session, waiter };
      }
    }
    return undefined;
  }

  #toTheEnd(owner: string, session: string): void {
    const sessions = this.#owners.get(owner);
    const waiters = sessions?.get(session);
    if (sessions === undefined || waiters === undefined) return;
    sessions.delete(session);
    sessions.set(session, waiters);
    this.#owners.delete(owner);
    this.#owners.set(owner, sessions);
  }

  #remove(owner: string, session: string, waiter: Waiter): void {
    const sessions = this.#owners.get(owner);
    const waiters = sessions?.get(session)?.filter((other) => other !== waiter) ?? [];
    if (waiters.length > 0) sessions?.set(session, waiters);
    else sessions?.delete(session);
    if (sessions?.size === 0) this.#owners.delete(owner);
  }
}

function mostOf(limits: OwnerLimits | undefined): number {
  return limits?.running ?? Number.POSITIVE_INFINITY;
}
