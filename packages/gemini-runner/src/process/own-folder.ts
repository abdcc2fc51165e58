import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";

/**
 * A folder of this user, if it is one and no link. Nothing else may be removed with all that is in it: beside ours, as in
 * `/tmp`, others can make what bears the same name, and turn a part of it into a link while it is removed.
 */
export async function ownFolder(folder: string): Promise<Stats | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  const user = process.geteuid?.();
  return found?.isDirectory() && (user === undefined || found.uid === user) ? found : undefined;
}
