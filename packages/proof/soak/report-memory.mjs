/** Loaded into a server under load with `--import`: on SIGUSR2 it collects garbage and writes what is left. */
import { renameSync, writeFileSync } from "node:fs";

const file = process.env.SOAK_MEMORY_FILE;
let count = 0;
process.on("SIGUSR2", async () => {
  // What the first collection finalizes is free for the second.
  globalThis.gc();
  await new Promise(setImmediate);
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  count += 1;
  writeFileSync(`${file}.next`, JSON.stringify({ count, heapUsed, external, rss }));
  renameSync(`${file}.next`, file);
});
