import type { RunnerError } from "../errors/runner-error.js";

/** One deadline that was set, and what it means when it passes. */
export interface Deadline {
  name: string;
  error: () => RunnerError;
}

/** The longest time of a timer: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a single timer waits for. Only that much of a time in which this process was suspended counts. */
const STEP_MS = 1_000;

/**
 * Timers by name. One that passes is handed over; whether it still counts is asked when its turn comes. Time in which this
 * process is suspended, mostly with all others of its machine, is no time that a run had.
 */
export class Deadlines {
  readonly #set = new Map<string, { deadline: Deadline; timer: NodeJS.Timeout }>();
  readonly #passed: (deadline: Deadline) => void;
  readonly #stepMs: number;

  constructor(passed: (deadline: Deadline) => void, stepMs = STEP_MS) {
    this.#passed = passed;
    this.#stepMs = stepMs;
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
    this.#wait({ name, error }, ms);
  }

  #wait(deadline: Deadline, leftMs: number): void {
    const stepMs = Math.min(leftMs, this.#stepMs);
    const isLast = stepMs === leftMs;
    const timer = setTimeout(() => (isLast ? this.#passed(deadline) : this.#wait(deadline, leftMs - stepMs)), stepMs);
    this.#set.set(deadline.name, { deadline, timer });
  }

  drop(name: string): void {
    clearTimeout(this.#set.get(name)?.timer);
    this.#set.delete(name);
  }

  clear(): void {
    for (const name of [...this.#set.keys()]) this.drop(name);
  }
}
