import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { PageError } from "../fetch/page-error.js";
import { type FoundDocument, isWithin, MAX_DOCUMENT_BYTES } from "./find-documents.js";

/**
 * Reads a file that was found. It may have been put in the place of another one since: only a plain file is read that still
 * stands in its folder. Rejects with a {@link PageError}.
 */
export async function readDocument({ path, root }: FoundDocument): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)).catch(
    (cause: unknown) => {
      throw new PageError("unreadable", "cannot be opened any more", { cause });
    },
  );
  try {
    const state = await file.stat();
    if (!state.isFile()) throw new PageError("unreadable", "is no plain file any more");
    const real = await realpath(path);
    const now = await stat(real);
    if (!isWithin(real, root) || now.ino !== state.ino || now.dev !== state.dev) {
      throw new PageError("address", "is not in its folder any more");
    }
    return await readWhole(file, state.size);
  } catch (cause) {
    if (cause instanceof PageError) throw cause;
    throw new PageError("unreadable", "cannot be read any more", { cause });
  } finally {
    await file.close();
  }
}

/** It may grow meanwhile. */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array> {
  if (size > MAX_DOCUMENT_BYTES) {
    throw new PageError("too-large", `is larger than ${MAX_DOCUMENT_BYTES / 1_048_576} MiB`);
  }
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
