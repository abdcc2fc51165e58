import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Cli } from "../cli/find-cli.js";
import { atLeast } from "../cli/version.js";
import { ownFolder } from "./own-folder.js";

const PREFIX = "gemini-compile-cache-";

export interface CompileCache {
  /** What turns it on. */
  env: Record<string, string>;
  /** There is nothing in it yet: the process has to end by itself, so that Node writes what it has compiled. */
  empty: boolean;
}

const NONE: CompileCache = { env: {}, empty: false };

/**
 * Node's compile cache for the CLI (Node 22 and later; a quarter of its start-up). Code is run from it, so it is a
 * folder that nobody else can write to, beside the folders of the runs; one for each version of the CLI.
 */
export async function compileCache(
  parent: string,
  { script, version }: Cli,
  node: string = process.versions.node,
): Promise<CompileCache> {
  if (!script || version === undefined || !atLeast(node, "22.1.0")) return NONE;
  const user = process.geteuid?.();
  const prefix = `${PREFIX}${user === undefined ? "" : `${user}-`}`;
  const folder = path.join(parent, prefix + version);
  try {
    await mkdir(folder, { mode: 0o700 }).catch(() => {});
    const found = await ownFolder(folder);
    if (found === undefined || (user !== undefined && (found.mode & 0o022) !== 0)) return NONE;
    for (const name of await readdir(parent)) {
      if (!name.startsWith(prefix) || name === prefix + version) continue;
      const old = path.join(parent, name);
      if (await ownFolder(old)) await rm(old, { recursive: true, force: true });
    }
    return { env: { NODE_COMPILE_CACHE: folder }, empty: await isEmpty(folder, node) };
  } catch {
    return NONE;
  }
}

/** Each version of Node has a folder of its own in it. */
async function isEmpty(folder: string, node: string): Promise<boolean> {
  const own = (await readdir(folder)).filter((name) => name.startsWith(`v${node}-`));
  const files = await Promise.all(own.map((name) => readdir(path.join(folder, name))));
  return files.flat().length === 0;
}
