import { setTimeout as delay } from "node:timers/promises";
import { AwakeTimer } from "./awake-timer.js";

export interface InTimeOptions<T> {
  leftMs: number;
  /** What it rejects with when the time is over. */
  late: () => Error;
  /** Rejects with its reason. */
  signal: AbortSignal;
  /** Ends what came too late. */
  end: (value: T) => Promise<void>;
  /** How long the end of what came too late is waited for. Default: 5000. */
  graceMs?: number | undefined;
  /** That of the timer. */
  stepMs?: number;
}

/**
 * Waits for what takes its time, as long as there is some. What comes later is ended, and that is waited for too, but not
 * for ever: where a file system hangs nothing can be stopped, and the caller must not hang with it.
 */
export async function inTime<T>(coming: Promise<T>, options: InTimeOptions<T>): Promise<T> {
  const { leftMs, late, signal, end, graceMs = 5_000, stepMs } = options;
  const settled = new AbortController();
  try {
    return await new Promise<T>((resolve, reject) => {
      const timer = new AwakeTimer(leftMs, { passed: () => reject(late()), stepMs });
      settled.signal.addEventListener("abort", () => timer.stop());
      signal.addEventListener("abort", () => reject(signal.reason), { signal: settled.signal });
      if (signal.aborted) reject(signal.reason);
      coming.then(resolve, reject);
    });
  } catch (error) {
    const ended = coming.then(end, () => {});
    await Promise.race([ended, delay(graceMs, undefined, { signal: settled.signal, ref: false }).catch(() => {})]);
    throw error;
  } finally {
    settled.abort();
  }
}

/** How long one of the last things of a run may take, in milliseconds. Mostly it is some, on a busy machine seconds. */
const LAST_MS = 30_000;

/**
 * Waits for one of the last things of a run, when its own time limits nothing any more. Rejects when it takes too long: it goes on,
 * and nobody waits for it.
 */
export function atTheEnd<T>(coming: Promise<T>): Promise<T> {
  const late = () => new Error(`It takes longer than ${LAST_MS} ms`);
  const { signal } = new AbortController();
  return inTime(coming, { leftMs: LAST_MS, late, signal, end: async () => {}, graceMs: 0 });
}
