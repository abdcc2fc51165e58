import type { Stats } from "node:fs";
import { posix, win32 } from "node:path";
import { fileRisk, type ReadLimits, readProblem, readTextNow } from "@x/owned-files";
import { nearest } from "../text/nearest.js";
import type { Host } from "./io.js";
import { inShell } from "./quoted.js";
import { type Env, given, settings } from "./settings.js";

/** What stands in the person's config file. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  /** By the key of the setting: its value as text, and the line that it stands in. */
  entries: ReadonlyMap<string, { text: string; line: number }>;
  /** One line for everything that cannot be used, with file and line. */
  problems: string[];
}

const NAME = "config.json";
/** Nobody writes a longer one. */
const LONGEST_BYTES = 1_000_000;

/** Why nothing of the config file may be used. Its message says what mends that. */
class UnsafeConfigError extends Error {}

/**
 * What the config file must be like: it names a program that is run, so that whoever may change it may run any. It is
 * read before anything else can be done: a pipe or a device in its place would stop the program for good.
 */
export function configFileLimits(path: string): ReadLimits {
  const check = (found: Stats) => {
    const risk = fileRisk(found, { ownGroup: true });
    const why =
      risk === "owner"
        ? `belongs to another user (${found.uid}), who could have any program run; put a file of your own in its place`
        : `may be changed by others, who could have any program run: chmod 600 ${inShell(path)}`;
    if (risk !== undefined) throw new UnsafeConfigError(why);
  };
  return { mostBytes: LONGEST_BYTES, check };
}

/** Where the config file is, whether or not there is one: in the config directory. */
export function configFilePath(env: Env, host: Host): string {
  const path = host.platform === "win32" ? win32 : posix;
  const { names, fallback, read } = settings(env, host).configDir;
  const name = names.find((candidate) => given(env[candidate]) !== undefined);
  return path.join(name === undefined ? fallback : read(given(env[name]) as string, host.cwd), NAME);
}

/** Keys that a config file may have. */
function configKeys(env: Env, host: Host): string[] {
  return Object.values<{ key?: string } & object>(settings(env, host)).flatMap(({ key }) => key ?? []);
}

/** Reads the config file. A missing one is empty; of a broken one nothing is used, and that is said. */
export function readConfigFile(env: Env, host: Host): ConfigFile {
  const path = configFilePath(env, host);
  const nothing = (...problems: string[]): ConfigFile => ({ path, entries: new Map(), problems });
  let text: string;
  try {
    text = readTextNow(path, configFileLimits(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return nothing();
    if (error instanceof UnsafeConfigError) return nothing(`${path}: nothing of the file is used: it ${message}`);
    if (code === "EFBIG") return nothing(`${path} is too long for a config file; nothing of it is used`);
    return nothing(`${path} cannot be read, nothing of it is used: ${readProblem(error)}`);
  }
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return nothing(`${path}:${lineOfError(text, error)}: this is no JSON; nothing of the file is used`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return nothing(`${path}:1: an object of settings is expected; nothing of the file is used`);
  return entriesOf(value as Record<string, unknown>, text, { path, keys: configKeys(env, host) });
}

function entriesOf(
  value: Record<string, unknown>,
  text: string,
  { path, keys }: { path: string; keys: readonly string[] },
): ConfigFile {
  const entries = new Map<string, { text: string; line: number }>();
  const problems: string[] = [];
  for (const [key, setting] of Object.entries(value)) {
    const line = lineOfKey(text, key);
    if (!keys.includes(key)) problems.push(`${path}:${line}: ${unknownKey(key, keys)}`);
    else if (!["string", "number", "boolean"].includes(typeof setting))
      problems.push(`${path}:${line}: ${key} must be a text, a number, true or false; it is not used`);
    else entries.set(key, { text: String(setting), line });
  }
  return { path, entries, problems };
}

/** Says that there is no such setting, and which one may be meant. */
export function unknownKey(key: string, keys: readonly string[]): string {
  const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
  const meant = nearest(key, keys);
  return `there is no setting ${shown}${meant === undefined ? `; known are ${keys.join(", ")}` : `; did you mean ${meant}?`}`;
}

/** From 1; the key's first place, as JSON writes it. */
function lineOfKey(text: string, key: string): number {
  return lineAt(text, Math.max(0, text.indexOf(JSON.stringify(key))));
}

/** Engines name the position of what they cannot read, or that the text ended. */
function lineOfError(text: string, error: unknown): number {
  const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
  return lineAt(text, position === undefined ? text.length : Number(position));
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
