/** Who wants a turn. */
export interface Asker {
  owner: string;
  /** Tells the clients of one owner from each other. */
  session: string;
}

interface Waiter {
  begin: () => void;
}

/**
 * So many jobs at once; the others wait. Turns go round the owners, and round the sessions of each: however much one
 * session wants, the first job of another is the next but one of its owner's.
 */
export class Turns {
  readonly #atOnce: number;
  #taken = 0;
  /** In the order in which they have their turn: one that had it comes to the end. */
  readonly #owners = new Map<string, Map<string, Waiter[]>>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Resolves with the way to give the turn back. Rejects with the signal's reason when it aborts before. */
  async enter({ owner, session }: Asker, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken >= this.#atOnce) await this.#wait(owner, session, signal);
    else this.#taken += 1;
    return () => this.#leave();
  }

  #wait(owner: string, session: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#remove(owner, session, waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
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
  #leave(): void {
    const [owner, sessions] = firstOf(this.#owners) ?? [];
    const [session, waiters] = (sessions && firstOf(sessions)) ?? [];
    const [next, ...rest] = waiters ?? [];
    if (owner === undefined || sessions === undefined || session === undefined || next === undefined) {
      this.#taken -= 1;
      return;
    }
    sessions.delete(session);
    if (rest.length > 0) sessions.set(session, rest);
    this.#owners.delete(owner);
    if (sessions.size > 0) this.#owners.set(owner, sessions);
    next.begin();
  }

  #remove(owner: string, session: string, waiter: Waiter): void {
    const sessions = this.#owners.get(owner);
    const waiters = sessions?.get(session)?.filter((other) => other !== waiter) ?? [];
    if (waiters.length > 0) sessions?.set(session, waiters);
    else sessions?.delete(session);
    if (sessions?.size === 0) this.#owners.delete(owner);
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  for (const entry of map) return entry;
  return undefined;
}
