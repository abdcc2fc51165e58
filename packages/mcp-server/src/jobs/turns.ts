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

/** A job that waits. */
interface Waiter {
  id: string;
  asker: Asker;
}

/** So many jobs that somebody waits for pass one that nobody waits for: it comes, too. */
const MOST_PASSED = 3;

/**
 * Whose turn it is among jobs that wait. Turns go round the owners, and round the sessions of each: however much one
 * session wants, the first job of another is the next but one of its owner's. Jobs that somebody waits for pass those of
 * clients that are gone or come back later.
 */
export class Turns {
  /** Jobs that have their turn at once. */
  atOnce: number;
  /** Turns in a row in which somebody who waits was let past. */
  #passed = 0;
  /** Who has a turn. */
  readonly #taken = new Map<string, Asker>();
  /** Jobs that an owner may have at once, where that was said after they had joined. */
  readonly #most = new Map<string, number | undefined>();
  /** In the order in which they have their turn: one that had it comes to the end. */
  readonly #owners = new Map<string, Map<string, Waiter[]>>();

  constructor(atOnce = 0) {
    this.atOnce = atOnce;
  }

  /** @param most Jobs that an owner may have at once from now on, whatever was said before. `undefined`: as many as there is room for. */
  limit(owner: string, most: number | undefined): void {
    this.#most.set(owner, most);
  }

  /** Whether a job of this owner would have its turn at once. */
  isFree(asker: Asker): boolean {
    return this.#taken.size < this.atOnce && this.#mayBegin(asker);
  }

  /** Jobs of an owner that wait. */
  waitingOf(owner: string): number {
    let count = 0;
    for (const waiters of this.#owners.get(owner)?.values() ?? []) count += waiters.length;
    return count;
  }

  /** A job waits from now on, after those of its session; one that had its turn and is to have it again comes first of all. */
  join(id: string, asker: Asker, place: "last" | "first" = "last"): void {
    const { owner, session } = asker;
    const sessions = this.#owners.get(owner) ?? new Map<string, Waiter[]>();
    const waiters = sessions.get(session) ?? [];
    if (place === "last") {
      this.#owners.set(owner, sessions.set(session, [...waiters, { id, asker }]));
      return;
    }
    toTheFront(sessions, session, [{ id, asker }, ...waiters]);
    toTheFront(this.#owners, owner, sessions);
  }

  /** Gives the next job its turn. `undefined`: nobody waits who may begin. */
  next(): string | undefined {
    if (this.#taken.size >= this.atOnce) return undefined;
    const inTurn = this.#first(() => true);
    if (inTurn === undefined) return undefined;
    const awaited = this.#passed < MOST_PASSED ? this.#first(isAwaited) : undefined;
    const waiter = awaited ?? inTurn;
    const { id, asker } = waiter;
    this.#passed = waiter === inTurn ? 0 : this.#passed + 1;
    this.#toTheEnd(asker);
    this.#remove(waiter);
    this.#taken.set(id, asker);
    return id;
  }

  /** A job waits no more, or gives its turn back. Gives who asked for it. */
  leave(id: string): Asker | undefined {
    const taken = this.#taken.get(id);
    if (this.#taken.delete(id)) return taken;
    for (const waiter of this.#waiters()) {
      if (waiter.id !== id) continue;
      this.#remove(waiter);
      return waiter.asker;
    }
    return undefined;
  }

  #mayBegin({ owner, limits }: Asker): boolean {
    const most = this.#most.has(owner) ? this.#most.get(owner) : limits?.running;
    if (most === undefined) return true;
    return [...this.#taken.values()].filter((asker) => asker.owner === owner).length < most;
  }

  /** Those that wait, in the order of turns. */
  *#waiters(): Generator<Waiter> {
    for (const sessions of this.#owners.values()) for (const waiters of sessions.values()) yield* waiters;
  }

  /** The first one that may begin and fits. */
  #first(fits: (waiter: Waiter) => boolean): Waiter | undefined {
    for (const waiter of this.#waiters()) if (this.#mayBegin(waiter.asker) && fits(waiter)) return waiter;
    return undefined;
  }

  #toTheEnd({ owner, session }: Asker): void {
    const sessions = this.#owners.get(owner);
    const waiters = sessions?.get(session);
    if (sessions === undefined || waiters === undefined) return;
    sessions.delete(session);
    sessions.set(session, waiters);
    this.#owners.delete(owner);
    this.#owners.set(owner, sessions);
  }

  #remove(waiter: Waiter): void {
    const { owner, session } = waiter.asker;
    const sessions = this.#owners.get(owner);
    const waiters = sessions?.get(session)?.filter((other) => other !== waiter) ?? [];
    if (waiters.length > 0) sessions?.set(session, waiters);
    else sessions?.delete(session);
    if (sessions?.size === 0) this.#owners.delete(owner);
  }
}

function isAwaited({ asker }: Waiter): boolean {
  return asker.isAwaited?.() ?? false;
}

/** Maps keep the order in which they were filled. */
function toTheFront<T>(map: Map<string, T>, key: string, value: T): void {
  const others = [...map].filter(([other]) => other !== key);
  map.clear();
  for (const [name, each] of [[key, value] as const, ...others]) map.set(name, each);
}
