import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Scratch } from "../events.js";
import { makeFolder } from "./make-folder.js";
import { ownPlace } from "./place.js";

export interface ScratchOptions {
  /** Where the files are made: the config directory. Made when it is missing. */
  directory: string;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Id of the process that owns the files. Default: this process. */
  pid?: number;
  /** Where that id means it. Default: here. */
  place?: string;
}

const NAME = /^temp-invalid-output-.*\.txt$/;

/*
 * Whose a file is stands in the file's time of change: `OWNER_EPOCH_S` plus the process id, in seconds, which is a day
 * of early 1980 that no file of today bears, and in its parts of a second where that id means it. So the name and the text stay what they are, nothing beside the file can
 * be left behind, and a file that anything else has made or changed has no owner.
 */
const OWNER_EPOCH_S = 315_532_800;
const MAX_PID = 2 ** 28;
/** No correction takes longer: an older file is an orphan even when its process id is in use again. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Files that this process uses now: after a crash its id may come again, as it does in containers. */
const inUse = new Set<string>();

/** How long a file is kept when its owner is of another machine or container, of which nothing is seen here. */
const FOREIGN_MS = 3_600_000;

const PARTS = 100_000;

/** A place as parts of a second, never 0: that is what a file system without them makes of any. */
function partsOf(place: string): number {
  return (Number.parseInt(place.slice(0, 8), 16) % (PARTS - 1)) + 1;
}

/** Scratch files `temp-invalid-output-{unix-timestamp}.txt`, mode 600; the timestamp is in milliseconds. */
export function createScratch({
  directory,
  now = Date.now,
  pid = process.pid,
  place = ownPlace(),
}: ScratchOptions): Scratch {
  return {
    async write(text) {
      await makeFolder(directory, { mode: 0o700 });
      for (let stamp = Math.floor(now()); ; stamp++) {
        const path = resolve(directory, `temp-invalid-output-${stamp}.txt`);
        if (pid === process.pid) inUse.add(path);
        try {
          if (await create(path, text, OWNER_EPOCH_S + pid + (partsOf(place) + 0.5) / PARTS)) return path;
        } catch (error) {
          inUse.delete(path);
          await rm(path, { force: true }).catch(() => {});
          throw error;
        }
        inUse.delete(path);
      }
    },
    async remove(path) {
      try {
        await rm(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      } finally {
        inUse.delete(path);
      }
    },
  };
}

/** `false` when the name is taken, or the file was taken for an orphan before it bore the mark of its owner. */
async function create(path: string, text: string, mark: number): Promise<boolean> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    await file.utimes(mark, mark);
    return (await file.stat()).nlink > 0;
  } finally {
    await file.close();
  }
}

export interface CleanUp {
  removed: number;
  /** Why the directory, or a file in it, could not be cleaned. */
  warning?: string;
}

/**
 * Deletes every `temp-invalid-output-*.txt` in the directory that no live process owns. Never rejects: a directory
 * that is missing or unreadable is a warning.
 */
export async function cleanUpScratch({
  directory,
  now = Date.now,
}: Pick<ScratchOptions, "directory" | "now">): Promise<CleanUp> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    return { removed: 0, warning: `cannot look for orphaned temporary files in ${directory} (${codeOf(error)})` };
  }
  let removed = 0;
  const failed: string[] = [];
  for (const name of names.filter((candidate) => NAME.test(candidate))) {
    const path = resolve(directory, name);
    try {
      if (await isOwned(path, name, now())) continue;
      await rm(path);
      removed++;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") failed.push(`${join(directory, name)} (${codeOf(error)})`);
    }
  }
  return { removed, ...(failed.length > 0 && { warning: `cannot delete ${failed.join(", ")}` }) };
}

async function isOwned(path: string, name: string, now: number): Promise<boolean> {
  if (inUse.has(path)) return true;
  const mark = Math.floor(((await stat(path)).mtimeMs / 1_000 - OWNER_EPOCH_S) * PARTS);
  const pid = Math.floor(mark / PARTS);
  if (pid <= 0 || pid > MAX_PID) return false;
  const parts = mark % PARTS;
  const age = now - Number(/-(\d+)\.txt$/.exec(name)?.[1] ?? 0);
  if (parts !== 0 && parts !== partsOf(ownPlace())) return age <= FOREIGN_MS;
  if (pid === process.pid || age > MAX_AGE_MS || !isAlive(pid)) return false;
  const startedMs = await startOf(pid);
  // The clock of the boot and that of the file differ by up to a tick.
  return startedMs === undefined || startedMs <= now - age + 1_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** When a process was started (Linux alone tells), so that a process id that came again is told from its owner. */
async function startOf(pid: number): Promise<number | undefined> {
  try {
    const [own, all] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), readFile("/proc/stat", "utf8")]);
    // Field 22, counted after the name in brackets, which may hold blanks; in hundredths of a second since the boot.
    const ticks = Number(own.slice(own.lastIndexOf(")") + 2).split(" ")[19]);
    const bootS = Number(/^btime (\d+)$/m.exec(all)?.[1]);
    const startedMs = bootS * 1_000 + ticks * 10;
    return Number.isFinite(startedMs) ? startedMs : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
