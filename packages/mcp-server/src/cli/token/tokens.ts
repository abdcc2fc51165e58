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
import { fail } from "../terminal/fail.js";
import { told } from "../terminal/told.js";

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
  if (!TENANT_NAME.test(name))
    return refuse("A name is 1 to 64 letters, digits, and _ . @ -, and begins with a letter or a digit.", io);
  const { config, path } = fileOf(io);
  io.stdout.write(`${await addToken(path, name, changesOf(options))}\n`);
  const start = config.http.tokensFile === undefined ? `\nStart the server with MCP_SERVER_TOKENS=${path}` : "";
  return done(`A token for ${name}. It is shown this once; only its digest is kept, in ${path}${start}`, io);
}

export async function listTokens({ json = false }: { json?: boolean }, io: Io): Promise<number> {
  const { path } = fileOf(io);
  const entries = await readOrNone(path);
  if (json) io.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  else if (entries.length === 0)
    io.stderr.write(
      told("", `There is no token in ${path} yet: \`${io.command} token add NAME\` makes one.`, io.stderr, io.env),
    );
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
  if (limits === undefined) return refuse(noneOf(name, io), io);
  const words = wordsOf(limits);
  io.stdout.write(`${[name, ...(words.length > 0 ? words : ["no limit of its own"])].join("  ")}\n`);
  return Object.keys(changes).length > 0 ? done(`The limits of ${name} are changed. ${HEARD}`, io) : EXIT.ok;
}

function changesOf({ running, queued, perMinute, kept }: TokenOptions): LimitChanges {
  const given = Object.entries({ running, queued, per_minute: perMinute, kept });
  return Object.fromEntries(
    given.filter(([, most]) => most !== undefined).map(([limit, most]) => [limit, most === "none" ? undefined : most]),
  );
}

const HEARD = "A running server hears of it within two seconds.";
const noneOf = (name: string, { command }: Io, which = "") =>
  `There is no token of ${JSON.stringify(shortLine(name, 64))}${which}; \`${command} token list\` shows them all.`;

const DIGITS = new RegExp(`^[0-9a-f]{${FEWEST_DIGITS},64}$`, "i");

/** @param digest Begins the digest of the one that is meant. Default: all of the tenant. */
export async function removeFrom(name: string, { digest }: { digest?: string }, io: Io): Promise<number> {
  if (digest !== undefined && !DIGITS.test(digest))
    return refuse(
      `--digest is ${JSON.stringify(shortLine(digest, 100))}: expected ${FEWEST_DIGITS} or more of the hexadecimal digits that \`${io.command} token list\` shows. Nothing was removed.`,
      io,
    );
  const removed = await removeTokens(fileOf(io).path, name, digest?.toLowerCase());
  if (removed === 0) return refuse(noneOf(name, io, digest && ` with the digits ${digest}`), io);
  return done(`Removed ${removed} ${removed === 1 ? "token" : "tokens"} of ${name}. ${HEARD}`, io);
}

function done(text: string, { stderr, env }: Io): number {
  stderr.write(told("✓", text, stderr, env));
  return EXIT.ok;
}

function refuse(message: string, io: Io): number {
  return fail({ code: "INVALID_INPUT", message }, {}, io);
}

function fileOf(io: Io): { config: Config; path: string } {
  const { config } = parseConfig(io.env, io.host);
  return { config, path: config.http.tokensFile ?? join(config.configDir, "tokens.json") };
}
