import type { ResearchEvent } from "@x/research";
import type { Log } from "../host/log.js";
import type { JobRecord } from "./job-record.js";
import type { KeyLimit } from "./key-limit.js";

/** When the API says that its quota is used up, and not for how long. */
const QUOTA_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/** A research that the API refuses more often than this fails. */
const MOST_REFUSALS = 3;

export interface RefusalsOptions {
  /** Of the key with which this process asks the API. */
  keyLimit: Pick<KeyLimit, "lower">;
  log: Log;
}

/** A research as far as the API may refuse it. */
export interface Followed {
  hear(event: ResearchEvent): void;
  /** How long ago that was begun which the API refuses now, in milliseconds. */
  begunMsAgo(): number;
}

/** What becomes of a key, and of a research, when the API refuses since too much was asked in a minute. */
export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** Follows a research that begins now: a refusal after which it goes on by itself lets the key rest, too. */
  follow(): Followed {
    let begunMs = performance.now();
    /** The API has refused the last round. Other waits, as for an answer that could not be read, say nothing of the key. */
    let isRefused = false;
    const begunMsAgo = () => performance.now() - begunMs;
    const lower = (ms: number) => {
      if (isRefused) void this.#lower(ms, begunMsAgo());
      isRefused = false;
    };
    return {
      begunMsAgo,
      hear: (event) => {
        if (event.type === "round-failed") isRefused = event.code === "QUOTA_EXCEEDED";
        else if (event.type === "wait") lower(event.ms);
        else if (event.type === "round-start") {
          lower(QUOTA_MS);
          begunMs = performance.now();
        }
      },
    };
  }

  /** Whether that is why a research failed, and it may go on later; the key rests, and the record holds how often. */
  async putsOff(record: JobRecord, error: unknown, followed: Followed): Promise<boolean> {
    const refusal = refusalIn(error);
    if (refusal === undefined || refusal.scope === "day") return false;
    await this.#lower(refusal.retryAfterMs ?? QUOTA_MS, followed.begunMsAgo());
    record.refusals = (record.refusals ?? 0) + 1;
    if (record.refusals > MOST_REFUSALS) return false;
    record.activity.now = "waiting until the API's quota allows more";
    // It has no round that is worth going on from.
    delete record.researchId;
    delete record.reading;
    return true;
  }

  /** Nothing is begun with this key for so long, and less afterwards, by all who have it. */
  async #lower(wantedMs: number, begunMsAgo: number): Promise<void> {
    const { keyLimit, log } = this.#options;
    const retryAfterMs = Math.min(wantedMs, LONGEST_REST_MS);
    const seconds = Math.ceil(retryAfterMs / 1_000);
    log("warn", `The API's quota of a minute is used up: nothing is begun with this key for ${seconds} s, then less`);
    await keyLimit.lower({ retryAfterMs, begunMsAgo }).catch(() => {});
  }
}

interface Refusal {
  code?: string;
  /** `day`: waiting does not help. */
  scope?: string;
  retryAfterMs?: number;
}

/** The API's refusal behind an error: the older tool has one code for all of them. */
function refusalIn(error: unknown): Refusal | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const refusal: Refusal = at as Error & Refusal;
    if (refusal.code === "QUOTA_EXCEEDED") return refusal;
  }
  return undefined;
}
