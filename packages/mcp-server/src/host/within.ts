import { setTimeout as sleep } from "node:timers/promises";

/** Waits for `work`, but no longer than `ms`. */
export async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const done = new AbortController();
  // The timer must hold the process: with nothing else to wait for, Node ends it in the middle of an `await`.
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([work, late]);
  done.abort();
}
