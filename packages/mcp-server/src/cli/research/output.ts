import { access, constants, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileProblem } from "@x/owned-files";
import type { Io } from "../../host/io.js";

/** What a command does with a report. */
export interface OutputOptions {
  json?: boolean;
  /** A file, or `-` for stdout. */
  out?: string;
  html?: string;
  open?: boolean;
  quiet?: boolean;
  /** Everything that is logged, as `DEBUG` does. */
  verbose?: boolean;
  /** Tell when it has ended. */
  notify?: boolean;
  requireVerified?: boolean;
}

/** Stands for stdout, as in other programs. */
export const STDOUT = "-";

/** Where a report goes, checked. */
export interface Output {
  /** What stdout gets. `report`: in a terminal the report for people, else Markdown. */
  stdout: "report" | "json" | "out" | "html";
  /** Absolute paths. */
  files: { out?: string; html?: string };
  /** In the browser too. */
  open: boolean;
  quiet: boolean;
  requireVerified: boolean;
}

/** Before minutes are spent: whether the report can be written where it is wanted. A text says why it cannot. */
export async function checkOutput(options: OutputOptions, { host }: Pick<Io, "host">): Promise<Output | string> {
  const { json, open = false, quiet = false, requireVerified = false } = options;
  const wanted = (["out", "html"] as const).filter((name) => options[name] === STDOUT);
  if (wanted.length + (json ? 1 : 0) > 1) return "Only one of --json, --out - and --html - can be printed.";
  const files: Output["files"] = {};
  for (const name of ["out", "html"] as const) {
    const path = options[name];
    if (path === undefined || path === STDOUT) continue;
    const file = resolve(host.cwd, path);
    const problem = await problemOf(file);
    if (problem !== undefined) return `--${name} ${path}: it cannot be written: ${problem}.`;
    files[name] = file;
  }
  return { stdout: wanted[0] ?? (json ? "json" : "report"), files, open, quiet, requireVerified };
}

/** Why a file could not be written, found out without a change to one that is there. */
export async function problemOf(file: string, { mayExist = true } = {}): Promise<string | undefined> {
  try {
    const there = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (there?.isDirectory()) return fileProblem({ code: "EISDIR" });
    if (there !== undefined && !mayExist) return "it is there already; --force writes over it";
    if (there !== undefined) await access(file, constants.W_OK);
    else {
      // Rights do not tell it all: in /proc nobody makes a file.
      await writeFile(file, "", { flag: "wx" });
      await rm(file);
    }
    return undefined;
  } catch (error) {
    return fileProblem(error);
  }
}
