import { randomUUID } from "node:crypto";
import { constants, type FileHandle, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "@x/owned-files";
import { headOf, type JobRecord } from "./job-record.js";

/** Where the records of jobs are kept. What is read there may be damaged. */
export interface RecordFiles {
  /** `undefined`: there is none under this id. Rejects when it cannot be read. */
  load(id: string): Promise<unknown>;
  /** Replaces the record as a whole: a crash leaves the old one or the new one. */
  save(record: JobRecord): Promise<void>;
  /** A record without its report; `undefined`: there is none, or it cannot be read. */
  head(id: string): Promise<unknown>;
  /** All records without their reports, that of the last saved first. Rejects when the folder cannot be read. */
  heads(): Promise<unknown[]>;
}

export interface RecordFilesOptions {
  /** Made when it is missing, for the owner's eyes alone. */
  directory: string;
  /** How long a record stays after it was last saved. Default: 7 days. */
  keepMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

const RECORD = /^([A-Za-z0-9_-]{1,64})\.json$/;
const UNFINISHED = /^[A-Za-z0-9_-]{1,64}\.json\.[0-9a-f-]+\.tmp$/;
const MINUTE_MS = 60_000;
const SWEEP_EVERY_MS = 60 * MINUTE_MS;
/** Far more than a question and what is known of its research can take. */
const LONGEST_HEAD = 4 * 1024 * 1024;
const CHUNK = 64 * 1024;

/**
 * One file a job: `{id}.json`, mode 600, written beside itself and renamed. It is one JSON object on two lines, its report
 * on the second: whoever lists jobs reads the first lines alone. Records past their time are removed once an hour, when
 * another is touched, and when they are listed.
 */
export function createRecordFiles({
  directory,
  keepMs = 7 * 24 * 3_600_000,
  now = Date.now,
}: RecordFilesOptions): RecordFiles {
  // An id becomes a file name: what is no plain word names nothing.
  const pathOf = (id: string) => (RECORD.test(`${id}.json`) ? join(directory, `${id}.json`) : undefined);
  const heads = new Map<string, { mark: string; head: unknown }>();
  let sweptMs = Number.NEGATIVE_INFINITY;

  async function sweepNowAndThen(): Promise<void> {
    if (now() - sweptMs < SWEEP_EVERY_MS) return;
    sweptMs = now();
    // A folder that cannot be read is the matter of whoever wants what is in it.
    await sweep().catch(() => {});
  }

  /** Removes what is past its time. Gives what stays, that of the last saved first. Rejects when it cannot be read. */
  async function sweep(): Promise<Kept[]> {
    const kept: Kept[] = [];
    const at = now();
    for (const name of await namesIn(directory)) {
      const isRecord = RECORD.test(name);
      if (!isRecord && !UNFINISHED.test(name)) continue;
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      // Whoever reads a pipe waits for somebody to write.
      if (!found?.isFile()) continue;
      const age = at - found.mtimeMs;
      if (age > (isRecord ? keepMs : Math.min(keepMs, MINUTE_MS))) await rm(path, { force: true });
      else if (isRecord) kept.push({ path, age, mark: `${found.mtimeMs} ${found.size} ${found.ino}` });
    }
    for (const path of [...heads.keys()]) if (!kept.some((file) => file.path === path)) heads.delete(path);
    return kept.sort((a, b) => a.age - b.age);
  }

  return {
    async load(id) {
      await sweepNowAndThen();
      const path = pathOf(id);
      if (path === undefined) return undefined;
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
      return found?.isFile() ? JSON.parse(await readFile(path, "utf8")) : undefined;
    },

    async head(id) {
      const path = pathOf(id);
      return path === undefined ? undefined : headIn(path);
    },

    async save(record) {
      const path = pathOf(record.id);
      if (path === undefined) throw new Error(`not an id of a job: ${JSON.stringify(record.id)}`);
      await makeFolder(directory, { mode: 0o700 });
      await replace(path, textOf(record));
      await sweepNowAndThen();
    },

    async heads() {
      const list: unknown[] = [];
      for (const { path, mark } of await sweep()) {
        const known = heads.get(path);
        const head = known?.mark === mark ? known.head : await headIn(path);
        heads.set(path, { mark, head });
        list.push(head);
      }
      return list;
    },
  };
}

/** None in a folder that is not there. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

interface Kept {
  path: string;
  age: number;
  /** Changes whenever the file does. */
  mark: string;
}

function textOf(record: JobRecord): string {
  const head = JSON.stringify(headOf(record));
  return record.report === undefined ? head : `${head.slice(0, -1)},\n"report":${JSON.stringify(record.report)}}`;
}

async function replace(path: string, text: string): Promise<void> {
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
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** What stands on the first line; `undefined`: it cannot be read. */
async function headIn(path: string): Promise<unknown> {
  let file: FileHandle | undefined;
  try {
    // Not a pipe that somebody has put in its place: whoever opens one waits for good.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const line = await firstLineOf(file);
    return JSON.parse(line.endsWith(",") ? `${line.slice(0, -1)}}` : line);
  } catch {
    return undefined;
  } finally {
    await file?.close().catch(() => {});
  }
}

async function firstLineOf(file: FileHandle): Promise<string> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < LONGEST_HEAD; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, null);
    const chunk = buffer.subarray(0, bytesRead);
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0 || bytesRead === 0) break;
    size += bytesRead;
  }
  return Buffer.concat(chunks).toString("utf8");
}
