import type { Config } from "../../host/config.js";
import { durationOf } from "../../text/duration.js";
import type { Check } from "./check.js";

/** The CLI alone takes seconds to start. */
const TOO_SHORT_MS = 10_000;

/** Limits that no research can keep: mostly, seconds were meant. */
export function* timeLimitChecks({ timeoutMs, maxWaitMs, origins }: Config): Generator<Check, void, void> {
  const limits = [
    { variable: "GEMINI_SEARCH_TIMEOUT", ms: timeoutMs, what: "a run of the CLI ends" },
    { variable: "MAX_WAIT_MS", ms: maxWaitMs ?? 0, what: "a call is answered" },
  ];
  for (const { variable, ms, what } of limits) {
    if (ms === 0 || ms >= TOO_SHORT_MS) continue;
    const meant = ms * 1_000;
    yield {
      name: "Time limit",
      status: "warning",
      summary: `${origins.get(variable)?.name ?? variable} is ${ms}: ${what} after ${durationOf(ms)}, before there is an answer`,
      fix: `It counts in milliseconds: ${meant} are ${durationOf(meant)}. Correct it, or unset it.`,
    };
  }
}
