import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { toRecord } from "../parse-record.js";

/**
 * Makes a folder and those above it, where they are missing. `mkdir` with `recursive` does not: where a folder cannot be
 * made and the system says `ENOENT` of it, as under `/proc`, Node tries again without end, in a thread that nothing stops.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (toRecord(error)["code"] !== "ENOENT" || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    // There, also when another run has made it this moment, or when nothing can be made beside it.
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw error;
  }
}
