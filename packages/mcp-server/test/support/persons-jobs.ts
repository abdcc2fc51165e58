import { PERSON } from "../../src/jobs/job-record.js";
import { createJobs, type Jobs, type JobsOptions } from "../../src/jobs/jobs.js";

export type PersonsJobs = Jobs & { close(): Promise<void> };

/** Jobs of the person at the machine alone. */
export function personsJobs(options: JobsOptions): PersonsJobs {
  const shared = createJobs(options);
  return { ...shared.of(PERSON), close: () => shared.close() };
}
