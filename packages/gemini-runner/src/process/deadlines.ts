import type { RunnerError } from "../errors/runner-error.js";
import { AwakeTimer } from "./awake-timer.js";

/** One deadline that was set, and what it means when it passes. */
export interface Deadline {
  name: string;
  error: () => RunnerError;
}

/** Timers by name. One that passes is handed over; whether it still counts is asked when its turn comes. */
export class Deadlines {
  readonly #set = new Map<string, { deadline: Deadline; timer: AwakeTimer }>();
  readonly #passed: (deadline: Deadline) => void;
  readonly #stepMs: number | undefined;

  constructor(passed: (deadline: Deadline) => void, stepMs?: number) {
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
    const deadline = { name, error };
    const timer = new AwakeTimer(ms, { passed: () => this.#passed(deadline), stepMs: this.#stepMs });
    this.#set.set(name, { deadline, timer });
  }

  drop(name: string): void {
    this.#set.get(name)?.timer.stop();
    this.#set.delete(name);
  }

  clear(): void {
    for (const name of [...this.#set.keys()]) this.drop(name);
  }
}
