import type { SharedStore } from "./shared-store.js";

/** Ends a job at which one worker after the other died or failed, so that it does not take them all. */
export async function markHopeless(store: SharedStore, id: string): Promise<void> {
  const record = await store.load(id);
  if (record === undefined) return void (await store.setAside(id));
  if (record.state !== "running") return;
  const from = record.generation ?? 0;
  record.state = "failed";
  record.generation = from + 1;
  record.failure = {
    code: "EXECUTION_ERROR",
    message: "The research was given up: the process that worked on it died, or lost the store, again and again.",
    details: "Ask in other words, or look into the log of the workers.",
  };
  await store.save(record, "end", from);
}
