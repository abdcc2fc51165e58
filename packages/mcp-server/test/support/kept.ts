import { join } from "node:path";
import { newActivity } from "../../src/jobs/activity.js";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { createRecordFiles } from "../../src/jobs/record-files.js";

/** Where the records of the person with this home are. */
export function recordsIn(home: string): string {
  return join(home, ".config", "gemini-research", "jobs");
}

/** Keeps researches, each a minute older than the one before, with ids that end in 0, 1, 2 … */
export async function keepIn(home: string, ...records: Partial<JobRecord>[]): Promise<void> {
  const files = createRecordFiles({ directory: recordsIn(home) });
  for (const [index, record] of records.entries()) {
    const at = new Date(Date.now() - index * 60_000).toISOString();
    await files.save({
      id: `deep-search-000000000${index}`,
      tool: "deep_search",
      request: { query: "Is it so?" },
      state: "completed",
      pid: 1,
      place: "",
      createdAt: at,
      updatedAt: at,
      activity: newActivity(),
      ...record,
    });
  }
}
