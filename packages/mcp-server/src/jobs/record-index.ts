import { randomUUID } from "node:crypto";
import { type FileHandle, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { withFile } from "@x/owned-files";

/** A file with a record, as the folder shows it. */
export interface RecordFile {
  name: string;
  path: string;
  /** Changes whenever the file does. */
  mark: string;
}

/** Where the heads of many records stand in one file. */
const INDEX = "index.jsonl";
/** So many heads are read one by one sooner than an index is written. */
const FEW = 20;
/** Lines that are read in one go. */
const AT_ONCE = 200;
/** Files that are open at once. */
const ABREAST = 16;
/** Far more than a question and what is known of its research can take. */
const LONGEST_HEAD = 4 * 1024 * 1024;
const LONGEST_INDEX = 64 * 1024 * 1024;
/** Of a first line: most heads fit. */
const FIRST_CHUNK = 4 * 1024;
const CHUNK = 64 * 1024;

interface Known {
  mark: string;
  head: unknown;
}

/**
 * The first lines of the records in a folder, each read once. Those that change no more are kept in one file too, for the
 * next process: it is a copy, so whatever happens to it costs time and nothing else.
 */
export class RecordIndex {
  readonly #path: string;
  #known: Map<string, Known> | undefined;
  /** Heads that are not in the index on disk. */
  #missing = 0;

  constructor(directory: string) {
    this.#path = join(directory, INDEX);
  }

  /** The heads of these files, in their order; `undefined` for one that cannot be read. Those of others are forgotten. */
  async headsOf(files: readonly RecordFile[]): Promise<unknown[]> {
    this.#known ??= await this.#read();
    const before = this.#known;
    const known = new Map<string, Known>();
    const unread = files.filter(({ name, mark }) => before.get(name)?.mark !== mark);
    for (const { name, mark } of files) {
      const entry = before.get(name);
      if (entry?.mark === mark) known.set(name, entry);
    }
    await each(unread, async ({ name, path, mark }) => {
      known.set(name, { mark, head: await headIn(path) });
    });
    this.#known = known;
    this.#missing += unread.length;
    if (this.#missing > FEW) await this.#write(known);
    return files.map(({ name }) => known.get(name)?.head);
  }

  /** Deletes the copy on disk, which may hold what was deleted elsewhere. */
  async forget(): Promise<void> {
    this.#missing += this.#known?.size ?? 0;
    await rm(this.#path, { force: true });
  }

  async #read(): Promise<Map<string, Known>> {
    const known = new Map<string, Known>();
    const lines = await linesIn(this.#path).catch(() => []);
    for (const [at, line] of lines.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await yieldToOthers();
      const { name, mark, head } = entryIn(line);
      if (typeof name === "string" && typeof mark === "string") known.set(name, { mark, head });
    }
    return known;
  }

  async #write(known: ReadonlyMap<string, Known>): Promise<void> {
    this.#missing = 0;
    const draft = `${this.#path}.${randomUUID()}.tmp`;
    let text = "";
    for (const [name, { mark, head }] of known) {
      if (isSettled(head)) text += `${JSON.stringify({ name, mark, head })}\n`;
    }
    try {
      await writeFile(draft, text, { flag: "wx", mode: 0o600 });
      await rename(draft, this.#path);
    } catch {
      await rm(draft, { force: true }).catch(() => {});
    }
  }
}

/** One that runs is saved again soon. */
function isSettled(head: unknown): boolean {
  return typeof head === "object" && head !== null && (head as { state?: unknown }).state !== "running";
}

function entryIn(line: string): { name?: unknown; mark?: unknown; head?: unknown } {
  try {
    return { ...(JSON.parse(line) as object) };
  } catch {
    return {};
  }
}

async function linesIn(path: string): Promise<string[]> {
  return withFile(path, async (file) => {
    const { size } = await file.stat();
    return size > LONGEST_INDEX ? [] : (await file.readFile("utf8")).split("\n");
  });
}

/** What stands on the first line of a record; `undefined`: it cannot be read. */
export async function headIn(path: string): Promise<unknown> {
  try {
    const line = await withFile(path, firstLineOf);
    return JSON.parse(line.endsWith(",") ? `${line.slice(0, -1)}}` : line);
  } catch {
    return undefined;
  }
}

async function firstLineOf(file: FileHandle): Promise<string> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < LONGEST_HEAD; ) {
    const wanted = size === 0 ? FIRST_CHUNK : CHUNK;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, null);
    const chunk = buffer.subarray(0, bytesRead);
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0 || bytesRead === 0) break;
    size += bytesRead;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Does it to each, some at once. */
export async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await act(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(ABREAST, items.length) }, worker));
}
