import { randomBytes, randomUUID } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FolderRisk, folderRisks, makeFolder } from "@x/owned-files";
import type { Config } from "./config.js";
import { inShell } from "./quoted.js";

/** Folders that nobody else may change: a setting of the CLI in them would be obeyed, and a record believed. */
export interface PrivateFolders {
  /** Rejects with an {@link UnsafeFolderError} if the folder is there and somebody else may change what lies in it. */
  check(): Promise<void>;
  /** The same, and makes those that are missing, for this user's eyes alone. */
  make(): Promise<void>;
  /** Writes a file into each folder that is there, and removes it. Rejects with the system's error, whose `path` is the folder. */
  tryWriting(): Promise<void>;
}

/** About what a short report takes. */
const TRIED_BYTES = 65_536;

/** Somebody else may change what is kept. It names all folders at once, and what mends them. */
export class UnsafeFolderError extends Error {
  readonly code = "EXECUTION_ERROR";
  readonly reason = "workspace";
  /** What to do, in the words of this server's settings. */
  readonly advice: string;

  constructor(directory: string, risks: readonly FolderRisk[]) {
    super(`What lies in ${directory} cannot be trusted: ${risks.map(({ why }) => why).join("; ")}.`);
    const command = `chmod go-w ${risks.map(({ folder }) => inShell(folder)).join(" ")}`;
    this.advice = risks.every(({ mendable }) => mendable)
      ? `Take the others' right to write away: ${command}`
      : "Set GEMINI_SEARCH_CONFIG_DIR to a folder that is yours alone, in one that nobody else may write to either.";
  }
}

/** The config directory and all that is kept in it. */
export function privateFolders({ configDir }: Pick<Config, "configDir">): PrivateFolders {
  const folders = [configDir, ...["jobs", "rounds", "runs", "pages"].map((name) => join(configDir, name))];
  // What is put right meanwhile is seen, and what was right is not looked at again.
  const good = new Set<string>();
  const check = async () => {
    const risks = new Map<string, FolderRisk>();
    for (const folder of folders) {
      if (good.has(folder) || !(await isThere(folder))) continue;
      const found = await folderRisks(folder);
      for (const risk of found) risks.set(risk.folder, risk);
      if (found.length === 0) good.add(folder);
    }
    if (risks.size > 0) throw new UnsafeFolderError(configDir, [...risks.values()]);
  };
  return {
    check,
    async make() {
      for (const folder of folders) if (!good.has(folder)) await makeFolder(folder, { mode: 0o700 });
      await check();
    },
    async tryWriting() {
      for (const folder of folders) if (await isThere(folder)) await tryWriting(folder);
    },
  };
}

/** Rights do not tell it all: a disk may be full, or read-only. */
async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, `tried-${randomUUID()}.tmp`);
  try {
    // What can be packed takes no room on some disks.
    await writeFile(file, randomBytes(TRIED_BYTES), { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    throw Object.assign(error as Error, { path: folder });
  } finally {
    await rm(file, { force: true });
  }
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
}
