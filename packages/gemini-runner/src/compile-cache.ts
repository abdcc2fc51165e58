import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Cli } from "./availability.js";

const PREFIX = "gemini-compile-cache-";

/**
 * What turns Node's compile cache on for the CLI (Node 22 and later; a quarter of its start-up). Code is run from it,
 * so it is a folder that nobody else can write to, beside the folders of the runs; one for each version of the CLI.
 */
export async function compileCache(parent: string, { script, version }: Cli): Promise<Record<string, string>> {
  const { uid } = os.userInfo();
  if (!script || version === undefined || Number.parseInt(process.versions.node, 10) < 22) return {};
  const prefix = `${PREFIX}${uid < 0 ? "" : `${uid}-`}`;
  const folder = path.join(parent, prefix + version);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory() || (uid >= 0 && (found.uid !== uid || (found.mode & 0o022) !== 0))) return {};
    await forgetOthers(parent, prefix, version);
    return { NODE_COMPILE_CACHE: folder };
  } catch {
    return {};
  }
}

/** Earlier versions of the CLI leave their caches behind. */
async function forgetOthers(parent: string, prefix: string, version: string): Promise<void> {
  const old = (await readdir(parent)).filter((name) => name.startsWith(prefix) && name !== prefix + version);
  await Promise.all(old.map((name) => rm(path.join(parent, name), { recursive: true, force: true })));
}
