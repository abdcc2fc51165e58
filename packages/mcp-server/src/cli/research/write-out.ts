import { open, realpath, rm, stat, writeFile } from "node:fs/promises";
import { replaceFile } from "../../host/replace-file.js";

type Data = Parameters<typeof writeFile>[1];

/** Writes a file for a person. A disk that fills up on the way leaves what was there, and no half of what was not. */
export async function writeOut(
  file: string,
  data: Data,
  { mayExist = true }: { mayExist?: boolean } = {},
): Promise<void> {
  const made = await open(file, "wx").catch((error: NodeJS.ErrnoException) => {
    if (!mayExist || error.code !== "EEXIST") throw error;
  });
  if (!made) return writeOver(file, data);
  try {
    await writeFile(made, data);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await made.close();
  }
}

/** Where nothing can be put beside a file or into its place: the folder may not be written, or the file is mounted there. */
const FIXED = new Set<string | undefined>(["EACCES", "EPERM", "EBUSY"]);

/** A device, a pipe and the file of another user stay what they are. */
async function writeOver(file: string, data: Data): Promise<void> {
  const found = await stat(file);
  const isOwn = found.uid === (process.geteuid?.() ?? found.uid);
  if (!found.isFile() || !isOwn) return writeFile(file, data);
  try {
    await replaceFile(await realpath(file), data, { mode: found.mode & 0o777 });
  } catch (error) {
    if (!FIXED.has((error as NodeJS.ErrnoException).code)) throw error;
    await writeFile(file, data);
  }
}
