import { REPOSITORY } from "../host/version.js";
import type { Failure } from "./failure.js";

const PAGE = `${REPOSITORY}/blob/main/docs/troubleshooting.md`;
/** Of these the row says no more than the message, without a reason. */
const WITHOUT_A_ROW: ReadonlySet<string> = new Set(["CANCELLED", "INVALID_INPUT", "EXECUTION_ERROR"]);

/** Where more stands about a server or a worker that does not start. */
export const NOT_STARTED = `More: ${PAGE}#http-or-worker-does-not-start`;

/** Where more stands about a failure; `undefined` where there is no more to say. */
export function rowOf({ code, reason }: Pick<Failure, "code" | "reason">): string | undefined {
  if (reason !== undefined) return `More: the row \`${reason}\` of ${PAGE}#reasons`;
  return WITHOUT_A_ROW.has(code) ? undefined : `More: the row \`${code}\` of ${PAGE}#error-codes`;
}
