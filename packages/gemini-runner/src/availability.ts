import { open, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "./environment.js";
import { RunnerError } from "./errors.js";

/** How to start the CLI. */
export interface Cli {
  /** The program: our own Node when the CLI's JavaScript is known, else the program itself. */
  file: string;
  /** What stands before our arguments: the JavaScript entry. */
  args: string[];
  /** The CLI is JavaScript that our own Node runs. */
  script: boolean;
  /** From the package beside the entry. */
  version?: string;
}

export interface FindCliOptions {
  /** A path, or a name to look up on PATH. Default: `gemini`. */
  command?: string | undefined;
  env: Environment;
  platform?: NodeJS.Platform;
  /** The Node that runs the CLI's JavaScript. */
  node?: string;
}

/**
 * Finds the CLI without starting it: the `command`, else `gemini` on PATH, and nothing else. A shim that npm or pnpm
 * wrote is followed to the JavaScript it starts, so that no shell stands between us and the CLI.
 *
 * Throws `CLI_NOT_FOUND`.
 */
export async function findCli({
  command = "gemini",
  env,
  platform = process.platform,
  node = process.execPath,
}: FindCliOptions): Promise<Cli> {
  const found = await locate(command, env, platform);
  if (found === undefined) throw notFound(command);
  const entry = await toEntry(found, platform);
  if (entry === undefined) {
    if (/\.(cmd|bat|ps1)$/i.test(found)) {
      throw notFound(
        command,
        `${found} is a script that only a shell can run; name the program or JavaScript it starts`,
      );
    }
    return { file: found, args: [], script: false };
  }
  const version = await versionBeside(entry);
  return { file: node, args: [entry], script: true, ...(version === undefined ? {} : { version }) };
}

async function locate(command: string, env: Environment, platform: NodeJS.Platform): Promise<string | undefined> {
  const windows = platform === "win32";
  const paths = windows ? path.win32 : path.posix;
  const extensions = windows ? windowsExtensions(command, env) : [""];
  const named = command.includes("/") || (windows && command.includes("\\"));
  const folders = named ? [""] : searchPath(env, windows);
  for (const folder of folders) {
    for (const extension of extensions) {
      const file = named ? path.resolve(command + extension) : paths.join(folder, command + extension);
      if (await isProgram(file, windows || named)) return file;
    }
  }
  return undefined;
}

function searchPath(env: Environment, windows: boolean): string[] {
  const name = Object.keys(env).find((key) => (windows ? key.toUpperCase() === "PATH" : key === "PATH"));
  const value = (name === undefined ? undefined : env[name]) ?? "";
  return value
    .split(windows ? ";" : ":")
    .map((folder) => (windows ? folder.replace(/^"(.*)"$/, "$1") : folder))
    .filter((folder) => (windows ? path.win32 : path.posix).isAbsolute(folder));
}

function windowsExtensions(command: string, env: Environment): string[] {
  const list = (env["PATHEXT"] || ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  const own = path.win32.extname(command).toLowerCase();
  const complete = own !== "" && [...list.map((item) => item.toLowerCase()), ".js", ".mjs", ".cjs"].includes(own);
  return complete ? [""] : list;
}

async function isProgram(file: string, anyMode: boolean): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && (anyMode || (found.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

const SHIM_LIMIT_BYTES = 16 * 1024;
const JAVASCRIPT = /\.[cm]?js$/i;

/** The JavaScript that `file` is or, as a shim, starts. */
async function toEntry(file: string, platform: NodeJS.Platform): Promise<string | undefined> {
  const real = await realpath(file);
  if (JAVASCRIPT.test(real)) return real;
  const text = await firstBytes(real);
  if (/^#!.*\bnode\b/.test(text)) return real;
  const target = shimTarget(text);
  if (target === undefined) return undefined;
  // A shim names its target relative to the folder it was called from, which is the link's, not the file's.
  for (const from of [path.dirname(file), path.dirname(real)]) {
    const entry = path.resolve(from, platform === "win32" ? target : target.replaceAll("\\", "/"));
    if (await isProgram(entry, true)) return realpath(entry);
  }
  return undefined;
}

/** Reads what a shim of npm, pnpm or Yarn starts, as the shim names it: relative to its own folder, or absolute. */
export function shimTarget(text: string): string | undefined {
  return SHIM_TARGETS.map((pattern) => pattern.exec(text)?.[1]).find((target) => target !== undefined);
}

const SHIM_TARGETS = [
  /^# cmd-shim-target=(\S.*\.[cm]?js)\s*$/im,
  /(?:%~dp0|%dp0%|\$basedir(?:_abs)?|\$\{basedir\})["']?[\\/]+["']?([^"'\r\n]+?\.[cm]?js)["']/i,
  /["']((?:\/|[A-Za-z]:[\\/])[^"'\r\n]+?\.[cm]?js)["']/,
];

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SHIM_LIMIT_BYTES), 0, SHIM_LIMIT_BYTES, 0);
    const text = buffer.toString("latin1", 0, bytesRead);
    return text.startsWith("\u007fELF") || text.startsWith("MZ") ? "" : buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function versionBeside(entry: string): Promise<string | undefined> {
  for (let folder = path.dirname(entry); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    let text: string;
    try {
      text = await readFile(path.join(folder, "package.json"), "utf8");
    } catch {
      continue;
    }
    try {
      const manifest: unknown = JSON.parse(text);
      if (typeof manifest !== "object" || manifest === null) return undefined;
      const { name, version } = manifest as { name?: unknown; version?: unknown };
      // A folder inside the package may hold a manifest of its own that only says `"type"`.
      if (name === undefined) continue;
      return name === "@google/gemini-cli" && typeof version === "string" ? version : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function notFound(command: string, why?: string): RunnerError {
  const what = command === "gemini" ? "Gemini CLI is not on PATH" : `Gemini CLI was not found at ${command}`;
  return new RunnerError(
    "CLI_NOT_FOUND",
    `${what}${why === undefined ? "" : ` (${why})`}. Install it with: npm install -g @google/gemini-cli`,
  );
}
