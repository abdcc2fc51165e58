import type { Job } from "./job.js";

/**
 * How a call ends before its answer, as the reason of its signal says.
 *
 * - `cancelled`: by the person, or for no reason that is known.
 * - `timed-out`: its client gave up waiting; who asked may still want to know.
 * - `closed`: the connection is gone.
 */
export type CallEnd = "cancelled" | "timed-out" | "closed";

export type Waited = "ended" | "time" | CallEnd;

export interface WaitOptions {
  /** `undefined`: no limit. */
  waitMs: number | undefined;
  /** Aborts when nobody waits any more; its reason is a {@link CallEnd}. */
  signal: AbortSignal;
}

/** Waits until the job ends, the time is over or the call ends, and says which came first. */
export async function waitFor(job: Job, { waitMs, signal }: WaitOptions): Promise<Waited> {
  const waiting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<"time">((resolve) => {
    if (waitMs !== undefined) timer = setTimeout(resolve, waitMs, "time");
  });
  const aborted = new Promise<CallEnd>((resolve) => {
    onAbort = () => resolve(callEndOf(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([job.ended(waiting.signal).then(() => "ended" as const), over, aborted]);
  } finally {
    waiting.abort();
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function callEndOf({ reason }: AbortSignal): CallEnd {
  return reason === "timed-out" || reason === "closed" ? reason : "cancelled";
}
