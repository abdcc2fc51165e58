import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { fileRisk, readProblem, readText } from "@x/owned-files";
import type { Log } from "../host/log.js";
import { inShell } from "../host/quoted.js";
import { digestOf, type Principal, type TenantLimits, tenant } from "./principal.js";

/** One token, as it stands in the file: its digest, never itself. */
export interface TokenEntry {
  /** Of the tenant, who may have several. */
  name: string;
  /** Hexadecimal. */
  sha256: string;
  limits?: EntryLimits;
}

/** Limits of a tenant as they stand in the file. */
export type EntryLimits = { [Name in (typeof LIMITS)[number]]?: number };

/** Names stand in logs and in the records of jobs. */
export const TENANT_NAME = /^[A-Za-z0-9][\w.@-]{0,63}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const LIMITS = ["running", "queued", "per_minute", "kept"] as const;
/** Nobody writes so many by hand, and more are a matter for an issuer. */
const LONGEST_FILE = 4 * 1024 * 1024;
/** How long a file is taken for unchanged. */
const LOOK_MS = 1_000;

/** Something is wrong with the file of tokens. Its message says what, and what to do. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** The tenants in a file of tokens, which is read again when it has changed. */
export interface TokenFile {
  /** Rejects with a `TokenFileError`. */
  load(): Promise<void>;
  /** Rejects as long as the file cannot be read: nobody knows then who may come in. */
  principalOf(token: string): Promise<Principal | undefined>;
  /** The limits of each who may come in, by their owner. Rejects as long as the file cannot be read. */
  tenants(): Promise<ReadonlyMap<string, TenantLimits>>;
}

/** @param common What a tenant has no limit of its own for is limited so. */
export function createTokenFile(path: string, log: Log, common: TenantLimits = {}): TokenFile {
  let tenants = new Map<string, Principal>();
  let mark: string | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function load(): Promise<void> {
    // What changes while it is read has another mark at the next look.
    const read = await markOf(path);
    const entries = await readTokens(path);
    const own = limitsByName(entries);
    const limits = (name: string) => ({ ...common, ...limitsOf(own.get(name)) });
    tenants = new Map(entries.map(({ name, sha256 }) => [sha256, tenant(name, limits(name))]));
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
      log("info", `Read ${path} anew: ${tenants.size} ${tenants.size === 1 ? "token" : "tokens"}`);
    } catch (error) {
      mark = undefined;
      tenants.clear();
      throw error;
    }
  }

  async function present(): Promise<ReadonlyMap<string, Principal>> {
    if (performance.now() - lookedMs > LOOK_MS) {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await looking;
    }
    return tenants;
  }

  return {
    load,
    // The digest is looked up: what time that takes tells of the digest alone.
    principalOf: async (token) => (await present()).get(digestOf(token).toString("hex")),
    tenants: async () => new Map([...(await present()).values()].map(({ owner, limits }) => [owner, limits])),
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
  const seen = new Map<string, number>();
  return value.map((entry, at) => {
    const problem = problemOf(entry) ?? twice(seen, (entry as TokenEntry).sha256, at + 1);
    if (problem !== undefined) throw new TokenFileError(`Token ${at + 1} in ${path}: ${problem}`);
    return entry as TokenEntry;
  });
}

/** One token would open the server for either of two tenants. */
function twice(seen: Map<string, number>, sha256: string, at: number): string | undefined {
  const before = seen.get(sha256);
  seen.set(sha256, before ?? at);
  return before === undefined ? undefined : `its sha256 is that of token ${before}`;
}

/** Limits are the tenant's, whichever token comes: of several that stand there the lowest. */
export function limitsByName(entries: readonly TokenEntry[]): Map<string, EntryLimits> {
  const all = new Map<string, EntryLimits>();
  for (const { name, limits = {} } of entries) {
    const known = all.get(name) ?? {};
    all.set(name, known);
    for (const limit of LIMITS) {
      const most = limits[limit];
      if (most !== undefined) known[limit] = Math.min(most, known[limit] ?? most);
    }
  }
  return all;
}

const HOW = "repair it, or move it away, and `x-research token add NAME` writes a new one";

/** The text of a file that nobody else may write to. */
function ownText(path: string, anyOwner: boolean): Promise<string> {
  const check = (found: Stats) => {
    const risk = fileRisk(anyOwner ? { ...found, uid: 0 } : found);
    if (risk === "owner") {
      throw new TokenFileError(`${path} belongs to another user (${found.uid}), who could let anybody in`);
    }
    if (risk === "mode") {
      throw new TokenFileError(`Others may write to ${path}, and let anybody in: chmod 600 ${inShell(path)}`);
    }
  };
  return readText(path, { mostBytes: LONGEST_FILE, check });
}

async function markOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && [found.mtimeMs, found.ctimeMs, found.size, found.ino, found.mode].join(" ");
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

function limitsOf({ running, queued, per_minute: perMinute, kept }: EntryLimits = {}): TenantLimits {
  return {
    ...(running !== undefined && { running }),
    ...(queued !== undefined && { queued }),
    ...(perMinute !== undefined && { perMinute }),
    ...(kept !== undefined && { kept }),
  };
}
