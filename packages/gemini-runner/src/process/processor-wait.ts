import { readFileSync } from "node:fs";

/**
 * How long the main thread of a process has waited for a processor since its start, in milliseconds. `undefined`: there is none, or
 * its system does not say; Linux does.
 */
export function processorWaitMs(pid: number): number | undefined {
  try {
    // Nanoseconds on a processor, nanoseconds in which it waited for one, times that it had one.
    const [, waitedNs, times] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return times === undefined || waitedNs === undefined || times === 0 ? undefined : waitedNs / 1e6;
  } catch {
    return undefined;
  }
}
