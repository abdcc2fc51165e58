import { open, rm, writeFile } from "node:fs/promises";

/** Writes a file for a person. A disk that fills up on the way leaves no half of one where there was none. */
export async function writeOut(
  file: string,
  data: Parameters<typeof writeFile>[1],
  { mayExist = true }: { mayExist?: boolean } = {},
): Promise<void> {
  const made = await open(file, "wx").catch((error: NodeJS.ErrnoException) => {
    if (!mayExist || error.code !== "EEXIST") throw error;
  });
  if (!made) return writeFile(file, data);
  try {
    await writeFile(made, data);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await made.close();
  }
}
