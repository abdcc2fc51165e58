import { stat } from "node:fs/promises";
import { makeFolder, unsafeFolder } from "@x/owned-files";

/** Folders that nobody else may change: a setting of the CLI in them would be obeyed, and a record believed. */
export interface PrivateFolders {
  /** Rejects when somebody else may change what lies in one that is there. */
  check(): Promise<void>;
  /** The same, and makes those that are missing, for this user's eyes alone. */
  make(): Promise<void>;
}

export function privateFolders(folders: readonly string[]): PrivateFolders {
  // What is put right meanwhile is seen, and what was right is not looked at again.
  const good = new Set<string>();
  const checkOne = async (folder: string) => {
    if (good.has(folder)) return;
    const why = await unsafeFolder(folder);
    if (why === undefined) return void good.add(folder);
    const message = `What lies in ${folder} cannot be trusted: ${why}.`;
    throw Object.assign(new Error(message), { code: "EXECUTION_ERROR", reason: "workspace" });
  };
  return {
    async check() {
      for (const folder of folders) if (good.has(folder) || (await isThere(folder))) await checkOne(folder);
    },
    async make() {
      for (const folder of folders) {
        if (!good.has(folder)) await makeFolder(folder, { mode: 0o700 });
        await checkOne(folder);
      }
    },
  };
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
}
