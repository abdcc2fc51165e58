import { randomUUID } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isGone, makeFolder, type ProcessIdentity } from "@x/owned-files";

/** Does `work` while nobody else, in this process or another, does any under the same id. */
export type RecordLock = <T>(id: string, work: () => Promise<T>) => Promise<T>;

export interface RecordLockOptions {
  /** Made when it is missing. */
  directory: string;
  /** This process. */
  own: ProcessIdentity;
  /** Default: as the machine says. */
  isGone?: typeof isGone;
}

const NAME = /^([A-Za-z0-9_-]+)\.(\d+)\.(\d+)\.([0-9a-f]+)\.[0-9a-f-]+\.lock$/;
/** Reading and writing a record takes milliseconds: an older lock was left by a process that nobody here can see. */
const STALE_MS = 10_000;
const LONGEST_PAUSE_MS = 50;
const GONE = Number.POSITIVE_INFINITY;

/**
 * One file for each who wants the lock, and it is theirs when no other's is there: of two that come at once at least
 * one sees the other, steps back and tries again. A file says in its name whose it is, so what a killed process left
 * is told apart and removed, and no lock is ever broken that somebody has just taken. Where no file can be made, the
 * work is done without: the record could not be changed either.
 */
export function createRecordLock({ directory, own, isGone: hasGone = isGone }: RecordLockOptions): RecordLock {
  return async (id, work) => {
    const name = `${id}.${own.pid}.${own.start}.${own.place}.${randomUUID()}.lock`;
    while (await put(name)) {
      try {
        if (!(await isContested(id, name))) return await work();
      } finally {
        await rm(join(directory, name), { force: true }).catch(() => {});
      }
      await sleep(Math.random() * LONGEST_PAUSE_MS);
    }
    return work();
  };

  async function put(name: string): Promise<boolean> {
    try {
      await makeFolder(directory, { mode: 0o700 });
      await writeFile(join(directory, name), "", { flag: "wx", mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  async function isContested(id: string, ownName: string): Promise<boolean> {
    // By the clock of the folder's own machine.
    const now = await madeAt(ownName);
    // This process slept so long that others took its lock for one that was left behind.
    if (now === GONE) return true;
    let contested = false;
    for (const name of await readdir(directory)) {
      const [, wanted, pid, start = "0", place = ""] = NAME.exec(name) ?? [];
      if (wanted === undefined || name === ownName) continue;
      // Whether a process is gone is read from the system, and this one may hold as many as it has jobs.
      if (wanted !== id && Number(pid) === own.pid && start === own.start && place === own.place) continue;
      if (hasGone({ pid: Number(pid), start, place }) || now - (await madeAt(name)) > STALE_MS) {
        await rm(join(directory, name), { force: true }).catch(() => {});
      } else if (wanted === id) contested = true;
    }
    return contested;
  }

  /** Milliseconds since 1970. */
  async function madeAt(name: string): Promise<number> {
    return (await stat(join(directory, name)).catch(() => undefined))?.mtimeMs ?? GONE;
  }
}
