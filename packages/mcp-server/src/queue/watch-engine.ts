import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../host/log.js";
import type { EngineProblem } from "./engine.js";

/** How often an engine is looked at. */
const AGAIN_MS = 1_000;

/**
 * Begins as soon as the engine can be used. Says from then on, too, when it cannot be, and when it can be again; until
 * nobody waits any more.
 */
export async function watchEngine(
  problemNow: () => Promise<EngineProblem | undefined>,
  log: Log,
  signal: AbortSignal,
  begin: () => Promise<void>,
  againMs = AGAIN_MS,
): Promise<void> {
  let said: EngineProblem["kind"] | undefined;
  let hasBegun = false;
  while (!signal.aborted) {
    let problem = await unlessAborted(problemNow(), signal);
    if (signal.aborted) return;
    try {
      if (problem === undefined && !hasBegun) await begin();
      hasBegun ||= problem === undefined;
    } catch (error) {
      // It went away again in that moment.
      problem = { kind: "away", text: (error as Error).message };
    }
    // While it comes and goes its reasons change.
    if (problem !== undefined && problem.kind !== said) log("error", `Not ready: ${problem.text}`);
    if (problem === undefined && said !== undefined) log("info", "The queue can be used again");
    said = problem?.kind;
    await sleep(againMs, undefined, { signal }).catch(() => {});
  }
}

/** A store that does not answer holds up no end. */
async function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const answered = new AbortController();
  const aborted = once(signal, "abort", { signal: answered.signal }).then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([asked, aborted]).finally(() => answered.abort());
}
