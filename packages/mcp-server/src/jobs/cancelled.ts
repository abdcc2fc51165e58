import { toFailure } from "./failure.js";
import type { JobRecord } from "./job-record.js";

export function markCancelled(record: JobRecord): void {
  record.state = "cancelled";
  record.failure = toFailure(Object.assign(new Error("The research was cancelled."), { code: "CANCELLED" }));
}
