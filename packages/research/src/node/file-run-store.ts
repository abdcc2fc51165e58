import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileProblem, makeFolder, readText } from "@x/owned-files";
import { damagedRecord, ResearchError } from "../errors.js";
import type { RunStore } from "../run-store.js";

/** Where a store keeps its records, and for how long. */
export interface FileRunStoreOptions {
  /** Folder of the records. Made when it is missing, for the owner's eyes alone. */
  directory: string;
  /** Milliseconds that a record stays after it was last saved. Default: 7 days. */
  keepMs?: number;
  /** Bytes on the disk; above them the oldest records go. Default: 500,000,000. */
  maxBytes?: number;
  /** Gives milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

const RECORD = /^([A-Za-z0-9_-]{1,64})\.json$/;
const UNFINISHED = /^[A-Za-z0-9_-]{1,64}\.json\.[0-9a-f-]+\.tmp$/;
/** Of a longer one nothing is read: to read it would take several times its size. */
const MOST_RECORD_BYTES = 64 * 1024 * 1024;
const MINUTE_MS = 60_000;
const SWEEP_EVERY_MS = 60 * MINUTE_MS;
/** The folder is looked through too when so much of the bytes was written since. */
const SWEEP_EVERY_SHARE = 0.1;

/**
 * Keeps one file a research: `{id}.json`, mode 600, written beside itself and renamed, so a crash leaves the old state or
 * the new one. Records past their time, and the oldest of too many bytes, are removed once an hour, when a tenth of the bytes
 * was written, and by `list`.
 */
export function createFileRunStore(options: FileRunStoreOptions): RunStore {
  const { directory, keepMs = 7 * 24 * 3_600_000, maxBytes = 500_000_000, now = Date.now } = options;
  let sweptMs = Number.NEGATIVE_INFINITY;
  /** Bytes since the folder was looked through. */
  let written = 0;

  async function sweepNowAndThen(): Promise<void> {
    if (now() - sweptMs < SWEEP_EVERY_MS && written < maxBytes * SWEEP_EVERY_SHARE) return;
    sweptMs = now();
    written = 0;
    await sweep({ directory, keepMs, maxBytes, at: sweptMs });
  }

  return {
    async load(id) {
      await sweepNowAndThen();
      const path = pathOf(directory, id);
      return path === undefined ? undefined : readRecord(path);
    },
    async save(id, state) {
      const path = pathOf(directory, id);
      if (path === undefined)
        throw new ResearchError("INVALID_INPUT", `Not an id of a research: ${JSON.stringify(id)}`);
      try {
        await makeFolder(directory, { mode: 0o700 });
        written += await writeRecord(path, state);
      } catch (cause) {
        throw new ResearchError("EXECUTION_ERROR", `${directory}: ${fileProblem(cause)}`, { cause });
      }
      await sweepNowAndThen();
    },
    list: () => sweep({ directory, keepMs, maxBytes, at: now() }),
    async remove(id) {
      const path = pathOf(directory, id);
      if (path !== undefined) await rm(path, { force: true });
    },
    locate: (id) => pathOf(directory, id) ?? directory,
  };
}

/** An id becomes a file name: what is no plain word names nothing. */
function pathOf(directory: string, id: string): string | undefined {
  return RECORD.test(`${id}.json`) ? join(directory, `${id}.json`) : undefined;
}

interface SweepOptions {
  directory: string;
  keepMs: number;
  maxBytes: number;
  at: number;
}

/** Removes the records that are kept no longer, and drafts of a crash; gives the ids of the others, the newest first. */
async function sweep({ directory, keepMs, maxBytes, at }: SweepOptions): Promise<string[]> {
  const found: { id: string; path: string; age: number; size: number }[] = [];
  for (const name of await readdir(directory).catch(() => [] as string[])) {
    const id = RECORD.exec(name)?.[1];
    if (id === undefined && !UNFINISHED.test(name)) continue;
    const path = join(directory, name);
    const { mtimeMs, size } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: at, size: 0 };
    const age = at - mtimeMs;
    if (age > (id === undefined ? Math.min(keepMs, MINUTE_MS) : keepMs)) await rm(path, { force: true });
    else if (id !== undefined) found.push({ id, path, age, size });
  }
  const kept: string[] = [];
  let bytes = 0;
  for (const { id, path, size } of found.sort((a, b) => a.age - b.age)) {
    bytes += size;
    // The last one may be of a research that goes on.
    if (bytes <= maxBytes || kept.length === 0) kept.push(id);
    else await rm(path, { force: true });
  }
  return kept;
}

async function readRecord(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readText(path, { mostBytes: MOST_RECORD_BYTES });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new ResearchError("EXECUTION_ERROR", `The saved research cannot be read (${code}): ${path}`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedRecord(path, { cause });
  }
}

/** Writes beside the record and renames. Gives its length. */
async function writeRecord(path: string, state: unknown): Promise<number> {
  const text = JSON.stringify(state);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return text.length;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
