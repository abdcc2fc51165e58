import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch } from "@x/research";
import type { Log } from "./log.js";
import { processIsAlive } from "./process-alive.js";

const NAME = /^temp-invalid-output-\d+\.txt$/;
/** Beside every scratch file: the id of the process that still uses it. */
const OWNER = ".owner";

/** Scratch files `temp-invalid-output-{unix-timestamp}.txt` in `dir`, for the owner's eyes alone. */
export function createScratch(dir: string, options: { pid: number; now?: () => number }): Scratch {
  const now = options.now ?? Date.now;
  return {
    async write(text) {
      for (let stamp = now(); ; stamp++) {
        const path = join(dir, `temp-invalid-output-${stamp}.txt`);
        const owner = await open(path + OWNER, "wx", 0o600).catch(unlessTaken);
        if (owner === undefined) continue;
        await owner.writeFile(String(options.pid));
        await owner.close();
        const file = await open(path, "wx", 0o600).catch(unlessTaken);
        if (file === undefined) {
          await rm(path + OWNER, { force: true });
          continue;
        }
        try {
          await file.writeFile(text);
        } finally {
          await file.close();
        }
        return path;
      }
    },
    async remove(path) {
      await rm(path);
      await rm(path + OWNER, { force: true });
    },
  };
}

function unlessTaken(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error;
}

/** Deletes what crashed servers left in `dir`, and says how many. A file that a live process uses stays. */
export async function cleanScratch(
  dir: string,
  options: { log: Log; isAlive?: (pid: number) => boolean },
): Promise<void> {
  const { log, isAlive = processIsAlive } = options;
  let names: string[];
  try {
    names = await readdir(dir);
  } catch (error) {
    log("warn", `Could not look for orphaned temporary files in the config directory: ${(error as Error).message}`);
    return;
  }
  let cleaned = 0;
  for (const name of names.filter((candidate) => NAME.test(candidate))) {
    const path = join(dir, name);
    const owner = await readFile(path + OWNER, "utf8").catch(() => undefined);
    if (owner !== undefined && isAlive(Number(owner))) continue;
    try {
      await rm(path);
      await rm(path + OWNER, { force: true });
      cleaned += 1;
    } catch (error) {
      log("warn", `Could not delete an orphaned temporary file: ${(error as Error).message}`);
    }
  }
  log("info", `Cleaned up ${cleaned} orphaned temporary file${cleaned === 1 ? "" : "s"}`);
}
