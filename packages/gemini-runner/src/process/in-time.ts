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
