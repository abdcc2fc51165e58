import { constants, type FileHandle, open } from "node:fs/promises";

/**
 * Does something with a file that is open for reading. Rejects, with the code `EINVAL`, what is no file: whoever opens a
 * pipe that somebody has put in the place of one waits for good.
 */
export async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR" });
    if (!found.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: "EINVAL" });
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Reads a file as UTF-8, where it is one. */
export function readText(path: string): Promise<string> {
  return withFile(path, (file) => file.readFile("utf8"));
}
