import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface MakeFolderOptions {
  /** Mode of the folders that are made. Default: `0o777`, less what the process masks. */
  mode?: number;
}

/**
 * Makes a folder and those above it, where they are missing. `mkdir` with `recursive` does not: where a folder cannot be
 * made and the system says `ENOENT` of it, as under `/proc`, Node tries again without end, in a thread that nothing stops.
 */
export async function makeFolder(folder: string, { mode = 0o777 }: MakeFolderOptions = {}): Promise<void> {
  // Most are there.
  if (await isThere(folder)) return;
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === folder) throw error;
    await makeFolder(parent, { mode });
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // There, also when another process has made it this moment, or when nothing can be made beside it.
    if (!(await isThere(folder))) throw error;
  }
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
}
