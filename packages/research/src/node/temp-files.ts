import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isGone, makeFolder, ownProcess, type ProcessIdentity, readText } from "@x/owned-files";
import type { TempFiles } from "../deps.js";

/** Where temporary files are made, and by which clock. */
export interface TempFilesOptions {
  /** Folder of the files: the config directory. Made when it is missing, for the owner's eyes alone. */
  directory: string;
  /** Gives milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

const TEXT = /^(temp-invalid-output-.*)\.txt$/;
/** Beside each text, while it is used: who uses it. */
const OWNER = /^(temp-invalid-output-.*)\.owner$/;
/** For this long, an owner's file that cannot be read may still be being written. */
const MAKING_MS = 60_000;
const LONGEST_OWNER_BYTES = 10_000;
/** A file is kept for so long when its owner is of another machine or container, of which nothing is seen here. */
const FOREIGN_MS = 3_600_000;
/** No correction takes longer: an older file is an orphan even when its process id is in use again. */
const MAX_AGE_MS = 24 * 3_600_000;

/**
 * Makes temporary files `temp-invalid-output-{unix-timestamp}.txt`, mode 600; the timestamp is in milliseconds. While one
 * is there, a `.owner` file beside it says whose it is.
 */
export function createTempFiles({ directory, now = Date.now }: TempFilesOptions): TempFiles {
  return {
    async write(text) {
      await makeFolder(directory, { mode: 0o700 });
      const owner = JSON.stringify(ownProcess());
      for (let stamp = Math.floor(now()); ; stamp++) {
        const stem = join(directory, `temp-invalid-output-${stamp}`);
        // Whoever has the owner's file has the name: the text is never there without it.
        if (!(await create(`${stem}.owner`, owner))) continue;
        try {
          if (await create(`${stem}.txt`, text)) return `${stem}.txt`;
        } catch (error) {
          await rm(`${stem}.owner`, { force: true }).catch(() => {});
          throw error;
        }
        await rm(`${stem}.owner`, { force: true });
      }
    },
    async remove(path) {
      await removeBoth(path.replace(/\.txt$/, ""));
    },
  };
}

/** `false` when the name is taken. What cannot be written whole is not left. */
async function create(path: string, text: string): Promise<boolean> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** The text first: alone it would have no owner. */
async function removeBoth(stem: string): Promise<void> {
  await rm(`${stem}.txt`, { force: true });
  await rm(`${stem}.owner`, { force: true });
}

/** What a clean-up did. */
export interface CleanUp {
  /** Texts that were deleted. */
  removed: number;
  /** Why the directory, or a file in it, could not be cleaned. */
  warning?: string;
}

/**
 * Deletes every `temp-invalid-output-*.txt` in the directory that no live process owns. Never rejects: a directory
 * that is missing or unreadable is a warning.
 */
export async function cleanUpTempFiles({ directory, now = Date.now }: TempFilesOptions): Promise<CleanUp> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    const warning =
      codeOf(error) === "ENOENT"
        ? `${directory} is not there yet: nothing was left in it`
        : `cannot look for orphaned temporary files in ${directory} (${codeOf(error)})`;
    return { removed: 0, warning };
  }
  const texts = new Set(names.flatMap((name) => TEXT.exec(name)?.[1] ?? []));
  const stems = new Set([...texts, ...names.flatMap((name) => OWNER.exec(name)?.[1] ?? [])]);
  let removed = 0;
  const failed: string[] = [];
  for (const stem of stems) {
    const path = join(directory, stem);
    try {
      const hasText = texts.has(stem);
      if (await isUsed(path, { hasText, now: now() })) continue;
      await removeBoth(path);
      if (hasText) removed++;
    } catch (error) {
      failed.push(`${path}.txt (${codeOf(error)})`);
    }
  }
  return { removed, ...(failed.length > 0 && { warning: `cannot delete ${failed.join(", ")}` }) };
}

async function isUsed(stem: string, { hasText, now }: { hasText: boolean; now: number }): Promise<boolean> {
  const made = (await stat(`${stem}.owner`).catch(() => undefined))?.mtimeMs;
  if (made === undefined) return false;
  const ageMs = now - made;
  const owner = await readOwner(`${stem}.owner`);
  if (owner === undefined) return !hasText && ageMs < MAKING_MS;
  const gone = isGone(owner);
  return gone === undefined ? ageMs < FOREIGN_MS : !gone && ageMs < MAX_AGE_MS;
}

async function readOwner(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const { pid, place, start } = JSON.parse(await readText(path, { mostBytes: LONGEST_OWNER_BYTES })) ?? {};
    return typeof pid === "number" && typeof place === "string" && typeof start === "string"
      ? { pid, place, start }
      : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
