import { randomUUID } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";

export interface ReplaceFileOptions {
  /** Rights of the file. Default: its owner's alone. */
  mode?: number;
  /** Whether it is on the disk before it is in its place. Default `true`. */
  isDurable?: boolean;
}

/** Writes a file beside its place and moves it there: a crash or a full disk leaves the old one as it was. */
export async function replaceFile(
  path: string,
  data: Parameters<typeof writeFile>[1],
  { mode = 0o600, isDurable = true }: ReplaceFileOptions = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      // Whatever the process masks.
      await file.chmod(mode);
      await writeFile(file, data);
      if (isDurable) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
