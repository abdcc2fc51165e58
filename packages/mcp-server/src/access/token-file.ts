import { randomBytes, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, ownProcess, withFile } from "@x/owned-files";
import type { Log } from "../host/log.js";
import { createRecordLock } from "../jobs/file-lock.js";
import { fileProblem, readProblem } from "../text/file-problem.js";
import { digestOf, type Principal, type TenantLimits, tenant } from "./principal.js";

/** One token, as it stands in the file: its digest, never itself. */
export interface TokenEntry {
  /** Of the tenant, who may have several. */
  name: string;
  /** Hexadecimal. */
  sha256: string;
  limits?: { running?: number; queued?: number; per_minute?: number; kept?: number };
}

/** Names stand in logs and in the records of jobs. */
export const TENANT_NAME = /^[A-Za-z0-9][\w.@-]{0,63}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const LIMITS = ["running", "queued", "per_minute", "kept"] as const;
/** Nobody writes so many by hand, and more are a matter for an issuer. */
const LONGEST_FILE = 4 * 1024 * 1024;
/** How long a file is taken for unchanged. */
const LOOK_MS = 1_000;
const TOKEN_BYTES = 32;

/** Something is wrong with the file of tokens. Its message says what, and what to do. */
class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** The tenants in a file of tokens, which is read again when it has changed. */
export interface TokenFile {
  /** Rejects with a `TokenFileError`. */
  load(): Promise<void>;
  /** Rejects as long as the file cannot be read: nobody knows then who may come in. */
  principalOf(token: string): Promise<Principal | undefined>;
}

export function createTokenFile(path: string, log: Log): TokenFile {
  let tenants = new Map<string, Principal>();
  let mark: string | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function load(): Promise<void> {
    // What changes while it is read has another mark at the next look.
    const read = await markOf(path);
    const entries = await readTokens(path);
    tenants = new Map(entries.map(({ name, sha256, limits }) => [sha256, tenant(name, limitsOf(limits))]));
    mark = read;
    lookedMs = performance.now();
  }

  async function look(): Promise<void> {
    if ((await markOf(path)) === mark && mark !== undefined) {
      lookedMs = performance.now();
      return;
    }
    try {
      await load();
      log("info", `Read the tokens anew: ${tenants.size}`);
    } catch (error) {
      mark = undefined;
      tenants.clear();
      throw error;
    }
  }

  return {
    load,
    async principalOf(token) {
      if (performance.now() - lookedMs > LOOK_MS) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        await looking;
      }
      // The digest is looked up: what time that takes tells of the digest alone.
      return tenants.get(digestOf(token).toString("hex"));
    },
  };
}

/**
 * The tokens in a file. Rejects with a `TokenFileError`.
 *
 * @param anyOwner Whose the file is does not matter. Default: it must be this user's or root's.
 */
export async function readTokens(path: string, anyOwner = false): Promise<TokenEntry[]> {
  let text: string;
  try {
    text = await ownText(path, anyOwner);
  } catch (error) {
    if (error instanceof TokenFileError) throw error;
    throw new TokenFileError(`The tokens in ${path} cannot be read: ${readProblem(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!Array.isArray(value)) throw new TokenFileError(`${path} is no list of tokens in JSON: ${HOW}`);
  return value.map((entry, at) => {
    const problem = problemOf(entry);
    if (problem !== undefined) throw new TokenFileError(`Token ${at + 1} in ${path}: ${problem}`);
    return entry as TokenEntry;
  });
}

const HOW = "`x-research token add NAME` writes it";

/** Makes a token for a tenant, keeps its digest, and gives it: it is nowhere else. */
export async function addToken(path: string, name: string, limits: TokenEntry["limits"] = {}): Promise<string> {
  const token = `xr_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const sha256 = digestOf(token).toString("hex");
  const entry = { name, sha256, ...(Object.keys(limits).length > 0 && { limits }) };
  await alone(path, async () => write(path, [...(await readOrNone(path)), entry]));
  return token;
}

/** Gives how many tokens of the tenant there were. */
export async function removeTokens(path: string, name: string): Promise<number> {
  return alone(path, async () => {
    const entries = await readOrNone(path);
    const left = entries.filter((entry) => entry.name !== name);
    if (left.length < entries.length) await write(path, left);
    return entries.length - left.length;
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

/** The text of a file that nobody else may write to. */
function ownText(path: string, anyOwner: boolean): Promise<string> {
  return withFile(path, async (file) => {
    const { uid, mode, size } = await file.stat();
    if (size > LONGEST_FILE) throw new TokenFileError(`${path} has more than ${LONGEST_FILE} bytes`);
    const user = process.geteuid?.();
    if (user !== undefined && uid !== user && uid !== 0 && !anyOwner) {
      throw new TokenFileError(`${path} belongs to another user (${uid}), who could let anybody in`);
    }
    if (user !== undefined && (mode & 0o022) !== 0) {
      throw new TokenFileError(`Others may write to ${path}, and let anybody in: chmod 600 ${path}`);
    }
    return file.readFile("utf8");
  });
}

async function markOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.mtimeMs} ${found.size} ${found.ino} ${found.mode}`;
}

function problemOf(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null) return "an object is expected";
  const { name, sha256, limits = {} } = entry as Record<string, unknown>;
  if (typeof name !== "string" || !TENANT_NAME.test(name)) {
    return "name must be 1 to 64 letters, digits, and _ . @ -";
  }
  if (typeof sha256 !== "string" || !DIGEST.test(sha256)) return "sha256 must be 64 hexadecimal digits";
  if (typeof limits !== "object" || limits === null) return "limits must be an object";
  for (const [key, value] of Object.entries(limits)) {
    if (!(LIMITS as readonly string[]).includes(key)) return `limits.${key} is none of ${LIMITS.join(", ")}`;
    if (!Number.isSafeInteger(value) || value < 0) return `limits.${key} must be a whole number of 0 and more`;
  }
  return undefined;
}

function limitsOf({
  running,
  queued,
  per_minute: perMinute,
  kept,
}: NonNullable<TokenEntry["limits"]> = {}): TenantLimits {
  return {
    ...(running !== undefined && { running }),
    ...(queued !== undefined && { queued }),
    ...(perMinute !== undefined && { perMinute }),
    ...(kept !== undefined && { kept }),
  };
}
