import { access, constants, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { RunnerError } from "../errors/runner-error.js";
import { toRecord, toText } from "../parse-record.js";
import type { Environment } from "./environment.js";
import { atLeast } from "./version.js";

/** How the CLI is started. */
export interface Cli {
  /** The program: this process's own Node when the CLI's JavaScript is known, else the program itself. */
  file: string;
  /** The first arguments: the JavaScript entry, or none. */
  args: string[];
  /** Whether the CLI is JavaScript that this process's own Node runs. */
  script: boolean;
  /** The CLI's version, from the package beside the entry. `undefined`: it is not known, as of another program. */
  version?: string;
}

/** The files of a machine. */
export interface Disk {
  isProgram(file: string): Promise<boolean>;
  isFile(file: string): Promise<boolean>;
  realPath(file: string): Promise<string>;
  /** The first bytes of a file. */
  read(file: string): Promise<string>;
}

/** What the CLI is looked for with. */
export interface FindCliOptions {
  /** A path, or a name to look up on PATH. Default: `gemini`. */
  command?: string | undefined;
  /** The environment that holds PATH. */
  env: Environment;
  /** The system whose rules apply. Default: this one's. */
  platform?: NodeJS.Platform;
}

/** The machine that is looked at. */
export interface Machine {
  platform: NodeJS.Platform;
  /** The Node that runs the CLI's JavaScript. */
  node: string;
  disk: Disk;
}

/** The oldest CLI that is taken. Older ones leave the home they are given, or show the model tools that were not granted. */
const MINIMUM_VERSION = "0.35.3";
const DEFAULT = "gemini";
const INSTALL = "npm install -g @google/gemini-cli";

/**
 * Finds the CLI without starting it: the `command`, else `gemini` on PATH, and nothing else. A shim that npm, pnpm or
 * Yarn wrote is followed to the JavaScript it starts, so that no shell stands between us and the CLI.
 *
 * Throws `RunnerError`: `CLI_NOT_FOUND`, or `EXECUTION_ERROR` (`unsupported-version`).
 *
 * @example
 * const { version } = await findCli({ env: process.env });
 */
export function findCli(options: FindCliOptions): Promise<Cli> {
  const { platform = process.platform } = options;
  return findCliOn({ platform, node: process.execPath, disk: DISK }, options);
}

/** Finds the CLI as {@link findCli} does, on a machine that may be another one. */
export async function findCliOn(machine: Machine, { command = DEFAULT, env }: FindCliOptions): Promise<Cli> {
  const { platform, node, disk } = machine;
  const paths = platform === "win32" ? path.win32 : path.posix;
  const search = { command, env, platform, disk, paths };
  const { value: found } = await located(search).next();
  if (found === undefined) throw notFound(command);
  const entry = await toEntry(found, disk, paths);
  if (entry === undefined) {
    if (NEEDS_SHELL.test(found)) throw notFound(command, "is a script for a shell; name the program that it starts");
    return { file: found, args: [], script: false };
  }
  const version = await versionBeside(entry, disk, paths);
  if (version === undefined) return { file: node, args: [entry], script: true };
  if (!atLeast(version, MINIMUM_VERSION)) throw tooOld(found, version, await newerOnPath(search));
  return { file: node, args: [entry], script: true, version };
}

/** A program on PATH that runs do not use. */
export interface OtherCli {
  /** As it stands on PATH. */
  file: string;
  /** `undefined`: it is not known, as of another program. */
  version?: string;
}

/**
 * Finds, without starting any, the programs named `gemini` on PATH that {@link findCli} passes over with these options, in
 * the order of PATH and each once. Never rejects because the CLI is missing.
 */
export function findOtherClis(options: FindCliOptions): Promise<OtherCli[]> {
  const { command = DEFAULT, env, platform = process.platform } = options;
  const paths = platform === "win32" ? path.win32 : path.posix;
  return othersOnPath({ command, env, platform, disk: DISK, paths });
}

async function othersOnPath(search: Search): Promise<OtherCli[]> {
  const { disk, paths } = search;
  const { value: used } = await located(search).next();
  const known = new Set(used === undefined ? [] : [(await toEntry(used, disk, paths)) ?? (await disk.realPath(used))]);
  const others: OtherCli[] = [];
  for await (const file of located({ ...search, command: DEFAULT })) {
    const entry = await toEntry(file, disk, paths);
    const program = entry ?? (await disk.realPath(file));
    if (known.has(program)) continue;
    known.add(program);
    const version = entry && (await versionBeside(entry, disk, paths));
    others.push({ file, ...(version !== undefined && { version }) });
  }
  return others;
}

/** One that is new enough, and stands behind an older one on PATH or beside one that was named. */
async function newerOnPath(search: Search): Promise<OtherCli | undefined> {
  const others = await othersOnPath(search);
  return others.find(({ version }) => version !== undefined && atLeast(version, MINIMUM_VERSION));
}

function tooOld(file: string, version: string, newer?: OtherCli): RunnerError {
  const message = `Gemini CLI ${version} (${file}) is too old: at least ${MINIMUM_VERSION} is needed`;
  const reason = "unsupported-version";
  if (newer === undefined)
    return new RunnerError("EXECUTION_ERROR", message, { reason, nextStep: `Update it with: ${INSTALL}` });
  return new RunnerError("EXECUTION_ERROR", `${message}. A newer one is on PATH: ${newer.version} (${newer.file})`, {
    reason,
    newerCli: newer.file,
    nextStep: "Remove the older one, or name the newer one by its path.",
  });
}

interface Search {
  command: string;
  env: Environment;
  platform: NodeJS.Platform;
  disk: Disk;
  paths: path.PlatformPath;
}

/** The files that a command may mean, the first on PATH first. */
async function* located({ command, env, platform, disk, paths }: Search): AsyncGenerator<string, undefined, void> {
  const windows = platform === "win32";
  const named = command.includes("/") || (windows && command.includes("\\"));
  const folders = named ? [paths.resolve(paths.dirname(command))] : searchPath(env, windows, paths);
  for (const folder of folders) {
    for (const extension of windows ? extensions(command, env) : [""]) {
      const file = paths.join(folder, paths.basename(command) + extension);
      // A file that was named may be JavaScript that nobody marked as a program.
      if (named ? await disk.isFile(file) : await disk.isProgram(file)) yield file;
    }
  }
  return undefined;
}

function searchPath(env: Environment, windows: boolean, paths: path.PlatformPath): string[] {
  const name = Object.keys(env).find((key) => (windows ? key.toUpperCase() : key) === "PATH") ?? "PATH";
  return (env[name] ?? "")
    .split(paths.delimiter)
    .map((folder) => (windows ? folder.replace(/^"(.*)"$/, "$1") : folder))
    .filter((folder) => paths.isAbsolute(folder));
}

const NEEDS_SHELL = /\.(?:cmd|bat|ps1)$/i;
const JAVASCRIPT = /\.[cm]?js$/i;

function extensions(command: string, { PATHEXT }: Environment): string[] {
  const known = (PATHEXT || ".com;.exe;.bat;.cmd").toLowerCase().split(";").filter(Boolean);
  const complete = JAVASCRIPT.test(command) || known.some((each) => command.toLowerCase().endsWith(each));
  return complete ? [""] : known;
}

/** The JavaScript that `file` is or, as a shim, starts. */
async function toEntry(file: string, disk: Disk, paths: path.PlatformPath): Promise<string | undefined> {
  const real = await disk.realPath(file);
  if (JAVASCRIPT.test(real)) return real;
  // A program need not be readable to be started.
  const text = await disk.read(real).catch(() => "");
  if (/^#!.*\bnode\b/.test(text)) return real;
  const target = shimTarget(text);
  if (target === undefined) return undefined;
  // A shim names its target from the folder it was called from, which is that of the link, or from its own.
  for (const folder of [paths.dirname(file), paths.dirname(real)]) {
    const entry = paths.resolve(folder, paths === path.win32 ? target : target.replaceAll("\\", "/"));
    if (await disk.isFile(entry)) return disk.realPath(entry);
  }
  return undefined;
}

/** The ways in which a shim names what it starts. None runs over the end of a line, nor from one name into the next. */
const SHIM_TARGETS = [
  /^# cmd-shim-target=(\S.*)$/gim,
  /(?:%~dp0|%dp0%|\$basedir(?:_abs)?|\$\{basedir\})["']?[\\/]*["']?([^"'\r\n%$\\/][^"'\r\n%$]*)["']/gi,
  /["']((?:\/|[A-Za-z]:[\\/])[^"'\r\n]+)["']/g,
];

/** What a shim starts, as it names it: from its own folder, or absolute. */
function shimTarget(text: string): string | undefined {
  for (const pattern of SHIM_TARGETS) {
    for (const [, target = ""] of text.matchAll(pattern)) {
      if (JAVASCRIPT.test(target.trimEnd())) return target.trimEnd();
    }
  }
  return undefined;
}

async function versionBeside(entry: string, disk: Disk, paths: path.PlatformPath): Promise<string | undefined> {
  for (let folder = paths.dirname(entry); folder !== paths.dirname(folder); folder = paths.dirname(folder)) {
    const manifest = paths.join(folder, "package.json");
    if (!(await disk.isFile(manifest))) continue;
    try {
      const { name, version } = toRecord(JSON.parse(await disk.read(manifest)));
      // A folder inside the package may hold one that says no more than `"type"`.
      if (name === undefined) continue;
      return name === "@google/gemini-cli" ? toText(version) : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function notFound(command: string, why = "was not found"): RunnerError {
  const what = command === DEFAULT && why === "was not found" ? "is not on PATH" : `at ${command} ${why}`;
  return new RunnerError("CLI_NOT_FOUND", `Gemini CLI ${what}`, { nextStep: `Install it with: ${INSTALL}` });
}

const READ_BYTES = 64 * 1024;

const DISK: Disk = {
  async isProgram(file) {
    if (!(await this.isFile(file))) return false;
    return access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
  },
  isFile: (file) =>
    stat(file).then(
      (found) => found.isFile(),
      () => false,
    ),
  realPath: (file) => realpath(file),
  async read(file) {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  },
};
