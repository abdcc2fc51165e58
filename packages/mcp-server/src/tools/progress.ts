import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "../jobs/activity.js";
import type { Job } from "../jobs/job.js";
import { startedMsOf } from "../jobs/job-record.js";
import { outgoingText } from "../report/outgoing.js";

const BEAT_MS = 9_000;
/** At most two a second. */
const GAP_MS = 500;
/** A client that reads a notification and the answer in one go may handle the answer first. */
const BEFORE_ANSWER_MS = 30;

export interface ProgressReporter {
  /** Sends nothing more; resolves when the answer may follow. */
  stop(): Promise<void>;
}

/** Sends what a job does: at once, on every change, and every {@link BEAT_MS} when nothing changes. */
export function reportProgress(job: Job, send: (progress: number, message: string) => Promise<void>): ProgressReporter {
  let count = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let pending: NodeJS.Timeout | undefined;
  let stopped = false;
  let sending = false;
  const startedAt = startedMsOf(job.record);

  const sendNow = () => {
    clearTimeout(pending);
    pending = undefined;
    // A client that does not read gets no heap of them when it does.
    if (stopped || sending) return;
    sending = true;
    lastAt = performance.now();
    count += 1;
    const seconds = Math.max(0, Math.round((Date.now() - startedAt) / 1000));
    // Whoever reads it may be gone; the end of the connection is noticed elsewhere.
    send(count, `${outgoingText(describe(job.record.activity))} · ${seconds} s · ${job.record.id}`)
      .catch(() => {})
      .finally(() => {
        sending = false;
      });
    beat.refresh();
  };
  const beat = setInterval(sendNow, BEAT_MS);
  const forget = job.onChange(() => {
    pending ??= setTimeout(sendNow, Math.max(0, lastAt + GAP_MS - performance.now()));
  });
  sendNow();

  return {
    async stop() {
      stopped = true;
      forget();
      clearInterval(beat);
      clearTimeout(pending);
      const left = lastAt + BEFORE_ANSWER_MS - performance.now();
      if (left > 0) await sleep(left);
    },
  };
}
