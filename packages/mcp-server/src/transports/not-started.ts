import type { Log } from "../host/log.js";
import { NOT_STARTED } from "../jobs/troubleshooting.js";

/** Says why a server or a worker does not start, and where more stands. Gives the exit code. */
export function notStarted(log: Log, problem: string): number {
  log("error", problem);
  log("error", NOT_STARTED);
  return 1;
}
