import type { RunnerError } from "../errors/runner-error.js";

/** One deadline that was set, and what it means when it passes. */
export interface Deadline {
  name: string;
  error: () => RunnerError;
}

/** The longest time of a timer: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Timers by name. One that passes is handed over; whether it still counts is asked when its turn comes. */
export class Deadlines {
  readonly #set = new Map<string, { deadline: Deadline; timer: NodeJS.Timeout }>();
  readonly #passed: (deadline: Deadline) => void;

  constructor(passed: (deadline: Deadline) => void) {
    this.#passed = passed;
  }

  has(name: string): boolean {
    return this.#set.has(name);
  }

  /** Whether this deadline still counts: it was neither dropped nor set again since it passed. */
  counts(deadline: Deadline): boolean {
    return this.#set.get(deadline.name)?.deadline === deadline;
  }

  /** Sets the deadline of this name, in place of an earlier one. `Infinity`: no deadline. */
  set(name: string, ms: number, error: () => RunnerError): void {
    this.drop(name);
    if (ms === Number.POSITIVE_INFINITY) return;
    const deadline = { name, error };
    const timer = setTimeout(() => this.#passed(deadline), Math.min(ms, LONGEST_TIMER_MS));
    this.#set.set(name, { deadline, timer });
  }

  drop(name: string): void {
    clearTimeout(this.#set.get(name)?.timer);
    this.#set.delete(name);
  }

  clear(): void {
    for (const name of [...this.#set.keys()]) this.drop(name);
  }
}
