import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, readText } from "@x/owned-files";
import { replaceFile } from "../host/replace-file.js";
import { headOf, isJobId, type JobRecord, ownerOf } from "./job-record.js";
import { KEEP_LIMITS, type KeepLimits, tooMany } from "./keeping.js";
import { LargeRecords, MOST_RECORD_BYTES } from "./large-records.js";
import { each, headIn, RecordIndex } from "./record-index.js";

/** Where the records of jobs are kept. What is read there may be damaged. */
export interface RecordFiles {
  /** Where they are. */
  readonly directory: string;
  /** `undefined`: there is none under this id. Rejects when it cannot be read. */
  load(id: string): Promise<unknown>;
  /** Replaces the record as a whole: a crash leaves the old one or the new one. */
  save(record: JobRecord): Promise<void>;
  /** Removes the record; one that is not there is no failure. */
  remove(id: string): Promise<void>;
  /** A record without its report; `undefined`: there is none, or it cannot be read. */
  head(id: string): Promise<unknown>;
  /** All records without their reports, that of the last saved first. Rejects when the folder cannot be read. */
  heads(): Promise<unknown[]>;
  /** Notes that a job is the last one of its question. */
  noteLast(question: string, id: string): Promise<void>;
  /** The job that was noted last for a question. */
  lastOf(question: string): Promise<string | undefined>;
}

export interface RecordFilesOptions extends Partial<KeepLimits> {
  /** Made when it is missing, for the owner's eyes alone. */
  directory: string;
  /** Milliseconds since 1970. Default: as the clock said when the process started, and the time since then. */
  now?: () => number;
}

const RECORD = /^([A-Za-z0-9_-]{1,64})\.json$/;
/** By the digest of a question: the id of its last job. */
const LAST = /^[0-9a-f]{32}\.last$/;
const UNFINISHED = /^(?:[A-Za-z0-9_-]{1,64}\.json|[0-9a-f]{32}\.last|index\.jsonl)\.[0-9a-f-]+\.tmp$/;
const MINUTE_MS = 60_000;
const LARGE_BYTES = 1_000_000;
const SWEEP_EVERY_MS = 60 * MINUTE_MS;

/**
 * One file a job: `{id}.json`, mode 600, written beside itself and renamed. It is one JSON object on two lines, its report
 * on the second: whoever lists jobs reads the first lines alone, and most of those from an index. Records past their
 * time, and those that are too many, are removed once an hour, when another is touched, and when they are listed.
 */
export function createRecordFiles(options: RecordFilesOptions): RecordFiles {
  return new FolderOfRecords(options);
}

class FolderOfRecords implements RecordFiles {
  readonly directory: string;
  readonly #now: () => number;
  readonly #keep: KeepLimits;
  readonly #index: RecordIndex;
  readonly #large = new LargeRecords();
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor({ directory, now = () => performance.timeOrigin + performance.now(), ...limits }: RecordFilesOptions) {
    this.directory = directory;
    this.#now = now;
    this.#keep = { ...KEEP_LIMITS, ...limits };
    this.#index = new RecordIndex(directory);
  }

  async load(id: string): Promise<unknown> {
    await this.#sweepNowAndThen();
    const path = this.#pathOf(id);
    if (path === undefined) return undefined;
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (!found?.isFile()) return undefined;
    if (found.size > LARGE_BYTES) return this.#large.load(path, markOf(found));
    return JSON.parse(await readText(path, { mostBytes: MOST_RECORD_BYTES }));
  }

  async head(id: string): Promise<unknown> {
    const path = this.#pathOf(id);
    return path === undefined ? undefined : headIn(path);
  }

  async save(record: JobRecord): Promise<void> {
    const path = this.#pathOf(record.id);
    if (path === undefined) throw new Error(`not an id of a job: ${JSON.stringify(record.id)}`);
    await makeFolder(this.directory, { mode: 0o700 });
    await replaceFile(path, textOf(record));
    await this.#sweepNowAndThen();
  }

  heads(): Promise<unknown[]> {
    return this.#sweep();
  }

  async remove(id: string): Promise<void> {
    const path = this.#pathOf(id);
    if (path === undefined) return;
    await rm(path, { force: true });
    await this.#index.forget();
  }

  async noteLast(question: string, id: string): Promise<void> {
    await makeFolder(this.directory, { mode: 0o700 });
    // What is lost with the machine costs one look.
    await replaceFile(this.#lastPathOf(question), JSON.stringify(id), { isDurable: false });
  }

  async lastOf(question: string): Promise<string | undefined> {
    const id = await headIn(this.#lastPathOf(question));
    return typeof id === "string" && isJobId(id) ? id : undefined;
  }

  /** An id becomes a file name: what is no plain word names nothing. */
  #pathOf(id: string): string | undefined {
    return RECORD.test(`${id}.json`) ? join(this.directory, `${id}.json`) : undefined;
  }

  #lastPathOf(question: string): string {
    return join(this.directory, `${createHash("sha256").update(question).digest("hex").slice(0, 32)}.last`);
  }

  async #sweepNowAndThen(): Promise<void> {
    if (this.#now() - this.#sweptMs < SWEEP_EVERY_MS) return;
    this.#sweptMs = this.#now();
    // A folder that cannot be read is the matter of whoever wants what is in it.
    await this.#sweep().catch(() => {});
  }

  /** Removes what is kept no longer. Gives what stays, that of the last save first. Rejects when it cannot be read. */
  async #sweep(): Promise<unknown[]> {
    const found = await filesIn(this.directory, this.#now());
    const isOld = ({ name, ageMs }: Found) => ageMs > (UNFINISHED.test(name) ? MINUTE_MS : this.#keep.keepMs);
    const records = found.filter(({ name }) => RECORD.test(name)).sort((a, b) => a.ageMs - b.ageMs);
    const heads = await this.#index.headsOf(records);
    const kept = records.map((file, at) => ({ ...file, head: heads[at], owner: ownerIn(heads[at]) }));
    const gone = new Set<Found>(tooMany(kept, this.#keep));
    const others = found.filter((file) => !RECORD.test(file.name) && isOld(file));
    await each([...gone, ...others], ({ path }) => rm(path, { force: true }));
    return kept.filter((file) => !gone.has(file)).map(({ head }) => head);
  }
}

interface Found {
  name: string;
  path: string;
  ageMs: number;
  bytes: number;
  mark: string;
}

/** Changes whenever the file does. */
function markOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}

/** Our files in a folder; none in one that is not there. */
async function filesIn(directory: string, atMs: number): Promise<Found[]> {
  const files: Found[] = [];
  const names = (await namesIn(directory)).filter(
    (name) => RECORD.test(name) || LAST.test(name) || UNFINISHED.test(name),
  );
  await each(names, async (name) => {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    // Whoever reads a pipe waits for somebody to write.
    if (!found?.isFile()) return;
    files.push({ name, path, ageMs: atMs - found.mtimeMs, bytes: found.size, mark: markOf(found) });
  });
  return files;
}

function ownerIn(head: unknown): string {
  const { owner } = (head ?? {}) as { owner?: unknown };
  return ownerOf(typeof owner === "string" ? { owner } : {});
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

function textOf(record: JobRecord): string {
  const head = JSON.stringify(headOf(record));
  return record.report === undefined ? head : `${head.slice(0, -1)},\n"report":${JSON.stringify(record.report)}}`;
}
