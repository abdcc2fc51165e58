import { access, copyFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileProblem, makeFolder, readProblem, readText } from "@x/owned-files";
import { PROGRAM } from "../../host/command-name.js";
import { replaceFile } from "../../host/replace-file.js";
import type { Client } from "./client.js";
import { mergeJson, readJson } from "./merge-json.js";
import { mergeToml, readToml } from "./merge-toml.js";
import { SetupError } from "./merged.js";

/** What becomes of a client's configuration. */
export interface Change {
  /** The file itself, when the path is a link to it. */
  file: string;
  exists: boolean;
  /** The server's entry as it is now. `undefined`: there is none. */
  entry: unknown;
  before: string;
  /** The new text; equal to `before` when there is nothing to do. */
  after: string;
}

/** Reads a client's configuration and works out what it has to become. Writes nothing. */
export async function planChange(client: Client): Promise<Change> {
  const file = await configFileOf(client);
  const before = await readIfThere(file);
  const [read, merge] = client.format === "toml" ? [readToml, mergeToml] : [readJson, mergeJson];
  const [group, name] = client.path;
  try {
    const after = merge(before ?? "", client.path, client.entry, client.given);
    const servers = read(before ?? "")[group] as Record<string, unknown> | undefined;
    const entry = servers !== undefined && Object.hasOwn(servers, name) ? servers[name] : undefined;
    return { file, exists: before !== undefined, entry, before: before ?? "", after };
  } catch (error) {
    if (error instanceof SetupError) throw new SetupError(`${file}: ${error.message}`);
    throw error;
  }
}

/**
 * Puts the change in place whole or not at all, beside a copy of what was there before the server, which replaces an older
 * one; its name is this program's own, so that it takes nobody else's place. Gives the path of the copy. Refuses when the file is no longer what was planned for.
 */
export async function writeChange(change: Change): Promise<string | undefined> {
  const { file, exists, entry, before, after } = change;
  if (((await readIfThere(file)) ?? "") !== before)
    throw new SetupError(`${file}: changed by another program; try again`);
  try {
    await makeFolder(dirname(file));
    const mode = exists ? (await stat(file)).mode & 0o777 : 0o600;
    const backup = exists ? `${file}.${PROGRAM}.bak` : undefined;
    if (backup && !(entry !== undefined && (await isThere(backup)))) await copyFile(file, backup);
    await replaceFile(file, after, { mode });
    return backup;
  } catch (error) {
    throw new SetupError(`${file} cannot be written: ${fileProblem(error)}`);
  }
}

async function configFileOf(client: Client): Promise<string> {
  for (const file of client.files) {
    const real = await realpath(file).catch(() => undefined);
    if (real !== undefined) return real;
  }
  for (const [at, file] of client.files.entries()) {
    const trace = client.traces[at];
    if (trace !== undefined && (await isThere(trace))) return file;
  }
  return client.files[0];
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SetupError(`${file} cannot be read: ${readProblem(error)}`);
  }
}
