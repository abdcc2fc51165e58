import { randomBytes, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileProblem, makeFolder, ownProcess, readProblem } from "@x/owned-files";
import { createRecordLock } from "../jobs/file-lock.js";
import { digestOf } from "./principal.js";
import { type EntryLimits, limitsByName, readTokens, type TokenEntry, TokenFileError } from "./token-file.js";

const TOKEN_BYTES = 32;

/** Limits to be set; `undefined`: to be taken away. */
export type LimitChanges = { [Name in keyof EntryLimits]: number | undefined };

/**
 * Makes a token for a tenant, keeps its digest, and gives it: it is nowhere else. The limits are the tenant's: those of its
 * other tokens hold, where nothing else is said.
 */
export async function addToken(path: string, name: string, limits: LimitChanges = {}): Promise<string> {
  const token = `xr_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const sha256 = digestOf(token).toString("hex");
  await alone(path, async () => {
    await write(path, withLimits([...(await readOrNone(path)), { name, sha256 }], name, limits));
  });
  return token;
}

/** Changes limits of a tenant. Gives those it has then; `undefined`: it has no token. */
export async function limitTenant(path: string, name: string, changes: LimitChanges): Promise<EntryLimits | undefined> {
  return alone(path, async () => {
    const entries = await readOrNone(path);
    if (!entries.some((entry) => entry.name === name)) return undefined;
    const changed = withLimits(entries, name, changes);
    if (Object.keys(changes).length > 0) await write(path, changed);
    return limitsByName(changed).get(name);
  });
}

/** All tokens of a tenant have the same. */
function withLimits(entries: readonly TokenEntry[], of: string, changes: LimitChanges): TokenEntry[] {
  const all = Object.entries({ ...limitsByName(entries).get(of), ...changes });
  const limits: EntryLimits = Object.fromEntries(all.filter(([, most]) => most !== undefined));
  const isLimited = Object.keys(limits).length > 0;
  return entries.map(({ name, sha256, ...more }) =>
    name === of ? { name, sha256, ...(isLimited && { limits }) } : { name, sha256, ...more },
  );
}

/** How many digits of a digest tell it from others. */
export const FEWEST_DIGITS = 8;

/**
 * Gives how many tokens of the tenant there were.
 *
 * @param digest Begins the digest of the one that is meant: at least {@link FEWEST_DIGITS} of its digits. Default: all.
 */
export async function removeTokens(path: string, name: string, digest?: string): Promise<number> {
  return alone(path, async () => {
    const entries = await readOrNone(path);
    const isMeant = (entry: TokenEntry) =>
      entry.name === name && (digest === undefined || entry.sha256.startsWith(digest));
    const meant = entries.filter(isMeant).length;
    if (digest !== undefined && (digest.length < FEWEST_DIGITS || meant > 1)) {
      throw new TokenFileError(
        `${digest} could be several tokens of ${name}: name more digits of the one that is meant`,
      );
    }
    if (meant > 0)
      await write(
        path,
        entries.filter((entry) => !isMeant(entry)),
      );
    return meant;
  });
}

/** While no other terminal changes the file. */
function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  return createRecordLock({ directory: dirname(path), own: ownProcess() })("tokens", work);
}

/** For a command: none in a file that is not there; root may change everybody's. */
export async function readOrNone(path: string): Promise<TokenEntry[]> {
  const isThere = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw new TokenFileError(`${path}: ${readProblem(error)}`);
  });
  return isThere === undefined ? [] : readTokens(path, isRoot());
}

async function write(path: string, entries: readonly TokenEntry[]): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path), { mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    try {
      await belongAs(file, await stat(path).catch(() => newIn(dirname(path))));
      await file.writeFile(`${JSON.stringify(entries, null, 2)}\n`);
      // After a crash the old file is there or the new one, and never an empty one.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof TokenFileError) throw error;
    throw new TokenFileError(`The tokens in ${path} cannot be written: ${fileProblem(error)}`);
  }
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

type Belongs = Pick<Stats, "uid" | "gid" | "mode">;

/** A file that root makes for another is that user's. */
async function newIn(folder: string): Promise<Belongs | undefined> {
  return isRoot() ? { ...(await stat(folder)), mode: 0o600 } : undefined;
}

/** Whoever could read the file, the server's user above all, still can when another user has changed it. */
async function belongAs(file: FileHandle, belongs: Belongs | undefined): Promise<void> {
  if (belongs === undefined) return;
  const { uid, gid, mode } = belongs;
  const made = await file.stat();
  if (made.uid !== uid || made.gid !== gid) {
    await file.chown(uid, gid).catch(() => {
      throw new TokenFileError(
        `The file of tokens belongs to user ${uid} and group ${gid}, and this user cannot leave it to them: do it as that user or as root`,
      );
    });
  }
  await file.chmod(mode & 0o777);
}
