/** Loaded into a server under load with `--import`: on SIGUSR2 it collects garbage and writes what is left. */
import { renameSync, writeFileSync } from "node:fs";
import { getHeapSpaceStatistics } from "node:v8";

const file = process.env.SOAK_MEMORY_FILE;
let count = 0;
process.on("SIGUSR2", async () => {
  // What the first collection finalizes is free for the second.
  globalThis.gc();
  await new Promise(setImmediate);
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space").physical_space_size;
  count += 1;
  writeFileSync(`${file}.next`, JSON.stringify({ count, heapUsed, external, young }));
  renameSync(`${file}.next`, file);
});
