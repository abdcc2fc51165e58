import type { Log } from "../host/log.js";
import { type JobRecord, ownerOf, tenantIn } from "./job-record.js";

/** A log in which the tenant whose job it is of is named. */
export function jobLog(log: Log, record: Pick<JobRecord, "id" | "owner">): Log {
  const name = tenantIn(ownerOf(record));
  const about = { ...(name !== undefined && { tenant: name }), job: record.id };
  return (level, message, fields) =>
    log(level, name === undefined ? message : `${name}: ${message}`, { ...about, ...fields });
}

/** The same for what a research says: it quotes questions, models and the CLI, so that a tenant's is for debug lines alone. */
export function researchLog(log: Log, record: Pick<JobRecord, "id" | "owner">): Log {
  const named = jobLog(log, record);
  return tenantIn(ownerOf(record)) === undefined ? named : (_level, ...line) => named("debug", ...line);
}

/** That a research failed, and why as far as the log may say it. */
export function logFailure(log: Log, record: Pick<JobRecord, "id" | "owner" | "tool" | "failure">): void {
  const { tool, failure: { code = "", reason, message = "" } = {} } = record;
  const isOfTenant = tenantIn(ownerOf(record)) !== undefined;
  const short = `${tool} failed: ${code}${reason === undefined ? "" : ` (${reason})`}`;
  jobLog(log, record)("error", isOfTenant ? short : `${tool} failed: ${code}: ${message}`, { code });
  if (isOfTenant) researchLog(log, record)("debug", `${tool} failed: ${message}`);
}
