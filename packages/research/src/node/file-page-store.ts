import { createHash, randomUUID } from "node:crypto";
import { readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { makeFolder, withFile } from "@x/owned-files";
import type { PageStore } from "../page-store.js";

/** Where the texts of pages are kept, and how much of them. */
export interface FilePageStoreOptions {
  /** Folder of the texts. Made when it is missing, for the owner's eyes alone. */
  directory: string;
  /** Bytes on the disk; above them the oldest texts go. Default: 200,000,000. */
  maxBytes?: number;
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
const HASH = /^[0-9a-f]{64}$/;
const TEXT = /^[0-9a-f]{64}\.gz$/;
const UNFINISHED = /^[0-9a-f]{64}\.gz\.[0-9a-f-]+\.tmp$/;
/** A text that is made of a page is shorter. */
const MAX_TEXT_BYTES = 16_000_000;
/** What cannot be packed becomes a little longer. */
const MOST_PACKED_BYTES = 17_000_000;
/** When texts go, so many of the bytes stay: the folder is not looked through again for each new text. */
const KEPT_SHARE = 0.9;
const MINUTE_MS = 60_000;

/**
 * Keeps each text once: `{hash}.gz`, mode 600, written beside itself and renamed. A text that does not fit
 * its hash counts as missing.
 */
export function createFilePageStore({ directory, maxBytes = 200_000_000 }: FilePageStoreOptions): PageStore {
  /** Bytes on the disk; unknown until the folder was looked through. Other processes may write, too. */
  let bytes: number | undefined;
  const pathOf = (hash: string) => (HASH.test(hash) ? join(directory, `${hash}.gz`) : undefined);

  async function sweep(): Promise<void> {
    const texts: { path: string; size: number; mtimeMs: number }[] = [];
    for (const name of await readdir(directory)) {
      if (!TEXT.test(name) && !UNFINISHED.test(name)) continue;
      const path = join(directory, name);
      const { size, mtimeMs } = (await stat(path).catch(() => undefined)) ?? { size: 0, mtimeMs: 0 };
      if (TEXT.test(name)) texts.push({ path, size, mtimeMs });
      else if (Date.now() - mtimeMs > MINUTE_MS) await rm(path, { force: true });
    }
    bytes = texts.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= maxBytes) return;
    for (const { path, size } of texts.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= maxBytes * KEPT_SHARE) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  return {
    async load(hash) {
      const path = pathOf(hash);
      const packed =
        path &&
        (await withFile(path, (file) => file.readFile(), { mostBytes: MOST_PACKED_BYTES }).catch(() => undefined));
      const text = packed && (await unpack(packed, { maxOutputLength: MAX_TEXT_BYTES }).catch(() => undefined));
      if (!text || createHash("sha256").update(text).digest("hex") !== hash) return undefined;
      return text.toString("utf8");
    },
    async save(hash, text) {
      const path = pathOf(hash);
      if (path === undefined) throw new Error(`Not a hash of a text: ${JSON.stringify(hash)}`);
      const now = new Date();
      // What is used again is not old.
      const isThere = await utimes(path, now, now).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await makeFolder(directory, { mode: 0o700 });
      const packed = await pack(text);
      const draft = `${path}.${randomUUID()}.tmp`;
      try {
        await writeFile(draft, packed, { flag: "wx", mode: 0o600 });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      if (bytes !== undefined) bytes += packed.length;
      if (bytes === undefined || bytes > maxBytes) await sweep();
    },
  };
}
