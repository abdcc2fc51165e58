import { join } from "node:path";
import {
  addToken,
  FEWEST_DIGITS,
  type LimitChanges,
  limitTenant,
  readOrNone,
  removeTokens,
} from "../../access/token-edits.js";
import { type EntryLimits, TENANT_NAME, type TokenEntry } from "../../access/token-file.js";
import { type Config, parseConfig } from "../../host/config.js";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { shortLine } from "../../text/plain-text.js";

/** A limit of a tenant, as the command line gives it. */
export type Most = number | "none";

/** Limits of a tenant, as the command line gives them. */
export interface TokenOptions {
  running?: Most;
  queued?: Most;
  perMinute?: Most;
  kept?: Most;
}

/** Each gives the exit code. The token is all that goes to stdout, so that a script can take it. */
export async function addTo(name: string, options: TokenOptions, io: Io): Promise<number> {
  if (!TENANT_NAME.test(name)) {
    io.stderr.write(`A name is 1 to 64 letters, digits, and _ . @ -, and begins with a letter or a digit.\n`);
    return EXIT.usage;
  }
  const { config, path } = fileOf(io);
  io.stdout.write(`${await addToken(path, name, changesOf(options))}\n`);
  io.stderr.write(`A token for ${name}. It is shown this once; only its digest is kept, in ${path}\n`);
  if (config.http.tokensFile === undefined) io.stderr.write(`Start the server with MCP_SERVER_TOKENS=${path}\n`);
  return EXIT.ok;
}

export async function listTokens({ json = false }: { json?: boolean }, io: Io): Promise<number> {
  const { path } = fileOf(io);
  const entries = await readOrNone(path);
  if (json) io.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  else if (entries.length === 0)
    io.stderr.write(`There is no token in ${path} yet: ${io.command} token add NAME makes one.\n`);
  else for (const entry of entries) io.stdout.write(`${lineOf(entry)}\n`);
  return EXIT.ok;
}

function lineOf({ name, sha256, limits }: TokenEntry): string {
  return [name, sha256.slice(0, FEWEST_DIGITS), ...wordsOf(limits)].join("  ");
}

function wordsOf(limits: EntryLimits = {}): string[] {
  return Object.entries(limits).map(([limit, value]) => `${limit.replace("_", " ")} ${value}`);
}

/** Without options it shows them. */
export async function limitsOf(name: string, options: TokenOptions, io: Io): Promise<number> {
  const changes = changesOf(options);
  const limits = await limitTenant(fileOf(io).path, name, changes);
  if (limits === undefined) {
    io.stderr.write(noneOfName(io));
    return EXIT.failed;
  }
  const words = wordsOf(limits);
  io.stdout.write(`${[name, ...(words.length > 0 ? words : ["no limit of its own"])].join("  ")}\n`);
  if (Object.keys(changes).length > 0) io.stderr.write(`${HEARD}\n`);
  return EXIT.ok;
}

function changesOf({ running, queued, perMinute, kept }: TokenOptions): LimitChanges {
  const given = Object.entries({ running, queued, per_minute: perMinute, kept });
  return Object.fromEntries(
    given.filter(([, most]) => most !== undefined).map(([limit, most]) => [limit, most === "none" ? undefined : most]),
  );
}

const HEARD = "A running server hears of it within two seconds.";
const noneOfName = ({ command }: Io) => `There is no such token; ${command} token list shows them.\n`;

const DIGITS = new RegExp(`^[0-9a-f]{${FEWEST_DIGITS},64}$`, "i");

/** @param digest Begins the digest of the one that is meant. Default: all of the tenant. */
export async function removeFrom(name: string, { digest }: { digest?: string }, io: Io): Promise<number> {
  if (digest !== undefined && !DIGITS.test(digest)) {
    io.stderr.write(
      `--digest is "${shortLine(digest, 100)}": expected ${FEWEST_DIGITS} or more of the hexadecimal digits that ${io.command} token list shows. Nothing was removed.\n`,
    );
    return EXIT.usage;
  }
  const removed = await removeTokens(fileOf(io).path, name, digest?.toLowerCase());
  io.stderr.write(
    removed === 0 ? noneOfName(io) : `Removed ${removed} ${removed === 1 ? "token" : "tokens"} of ${name}. ${HEARD}\n`,
  );
  return removed === 0 ? EXIT.failed : EXIT.ok;
}

function fileOf(io: Io): { config: Config; path: string } {
  const { config } = parseConfig(io.env, io.host);
  return { config, path: config.http.tokensFile ?? join(config.configDir, "tokens.json") };
}
