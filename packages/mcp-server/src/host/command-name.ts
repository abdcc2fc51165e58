import { readFileSync, realpathSync, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Host } from "./io.js";

const PACKAGE = "@x/mcp-server";
/** Its name for people, where it is installed. */
export const PROGRAM = "x-research";
/** Under which it can be found there; package runners look for the second, the package's own. */
const NAMES = [PROGRAM, "mcp-server"];
/** A program that only starts another one, as package managers write it, is far smaller. */
const LONGEST_SHIM = 16_384;

export interface Started {
  /** The running program's own file. */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
  host: Pick<Host, "platform">;
}

/** By what it was started: a package runner, its name on `PATH`, a project that has it installed, or its own file. */
type Starter = "npx" | "pnpm-dlx" | "path" | "project" | "file";

function starterOf(started: Started): Starter {
  const { script } = started;
  const path = script.replaceAll("\\", "/");
  if (path.includes("/_npx/")) return "npx";
  if (path.includes("/pnpm/") && /\/dlx[/-]/.test(path)) return "pnpm-dlx";
  if (nameOnPath(started) !== undefined) return "path";
  return path.includes("/node_modules/") ? "project" : "file";
}

/**
 * What a person types to start this program again, for hints: its name where it is installed, else the way it was
 * started.
 */
export function commandName(started: Started): string {
  const { script } = started;
  switch (starterOf(started)) {
    case "npx":
    case "project":
      return `npx ${PACKAGE}`;
    case "pnpm-dlx":
      return `pnpm dlx ${PACKAGE}`;
    case "path":
      return nameOnPath(started) ?? PROGRAM;
    case "file":
      return `node ${/\s/.test(script) ? JSON.stringify(script) : script}`;
  }
}

/** This program's own file, when it was started from a checkout: `npx` would not find the package there. */
export function checkoutOf(started: Started): string | undefined {
  return starterOf(started) === "file" ? started.script : undefined;
}

/** The first of its names that a shell finds and that leads to it. */
function nameOnPath({ script, env, host: { platform } }: Started): string | undefined {
  const windows = platform === "win32";
  const { delimiter, join } = windows ? win32 : posix;
  // Windows does not mind how it is written.
  const [, folders = ""] = Object.entries(env).find(([name]) => (windows ? name.toUpperCase() : name) === "PATH") ?? [];
  const searched = folders.split(delimiter).filter((folder) => folder !== "" && !isOfOneProject(folder));
  return NAMES.find((name) => searched.some((folder) => isOurs(join(folder, windows ? `${name}.cmd` : name), script)));
}

/** Package managers put it in front for the program that they start; the person's shell does not have it. */
function isOfOneProject(folder: string): boolean {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);
}

/** A link to the program, or a shim that names the package: others may have a program of this name too. */
function isOurs(file: string, script: string): boolean {
  try {
    if (realpathSync(file) === realpathSync(script)) return true;
    const found = statSync(file);
    // Who reads a pipe waits for somebody to write.
    if (!found.isFile() || found.size > LONGEST_SHIM) return false;
    return readFileSync(file, "utf8").replaceAll("\\", "/").includes(`/${PACKAGE}/`);
  } catch {
    return false;
  }
}
