import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** What a file must be like before it is read. */
export interface ReadLimits {
  /** Of a longer file nothing is read: it is refused with the code `EFBIG`. Default: any length. */
  mostBytes?: number;
  /** Hears what is known of the file that is open, which nobody can put another in the place of. It throws to refuse it. */
  check?: (found: Stats) => void;
}

/** Whoever opens a pipe otherwise waits for somebody to write. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Does something with a file that is open for reading. Rejects, with the code `EINVAL`, what is no file: whoever opens a
 * pipe that somebody has put in the place of one waits for good.
 */
export async function withFile<T>(
  path: string,
  read: (file: FileHandle) => Promise<T>,
  limits: ReadLimits = {},
): Promise<T> {
  const file = await open(path, FLAGS);
  try {
    refuseOthers(path, await file.stat(), limits);
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Reads a file as UTF-8, where it is one. */
export function readText(path: string, limits?: ReadLimits): Promise<string> {
  return withFile(path, (file) => file.readFile("utf8"), limits);
}

/** The same before anything else can be done: of what is needed to start. */
export function readTextNow(path: string, limits: ReadLimits = {}): string {
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    refuseOthers(path, found, limits);
    const buffer = Buffer.allocUnsafe(found.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < found.size; length += read)
      read = readSync(file, buffer, length, found.size - length, null);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

function refuseOthers(path: string, found: Stats, { mostBytes = Number.POSITIVE_INFINITY, check }: ReadLimits): void {
  if (found.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR" });
  if (!found.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: "EINVAL" });
  if (found.size > mostBytes)
    throw Object.assign(new Error(`${path} has more than ${mostBytes} bytes`), { code: "EFBIG" });
  check?.(found);
}
