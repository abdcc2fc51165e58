import type { ChildProcess, SpawnOptions as NodeSpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Duplex, Readable, Writable } from "node:stream";
import spawn from "cross-spawn";
import type { Cli } from "../cli/find-cli.js";
import { GUARD_FD } from "../cli/guard-fd.js";
import { RunnerError } from "../errors/runner-error.js";
import type { Exit } from "./cli-run.js";
import type { Workspace } from "./workspace.js";

export interface SpawnOptions {
  cli: Cli;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  workspace: Workspace;
  /** A descriptor of a file, or a pipe of ours. */
  stdout: number | "pipe";
  stderr: number | "ignore";
  /** How large a file of the program may become, in bytes; `Infinity`: as large as it likes. */
  maxFileBytes: number;
}

/** A program that runs, as far as it is used here. It is the leader of its own group. */
export interface Child {
  pid: number;
  stdin: Writable;
  /** With a pipe for stdout. */
  stdout: Readable | null;
  guard: Duplex;
  exit: Promise<Exit>;
  ref(): void;
  unref(): void;
}

/**
 * Sets a limit and becomes the program itself: no word of a command is read by it. Without the limit a program that floods could
 * write gigabytes between two looks at its output.
 */
const SHELL = "/bin/sh";
/** How the shell calls itself when it cannot become the program, and its exit codes then. */
const LIMITER = "gemini-runner";
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const BLOCK_BYTES = 512;

/** Starts a program. Throws `EXECUTION_ERROR` (`spawn`) when that is not possible, as far as it is known at once. */
export async function spawnCli(options: SpawnOptions): Promise<Child> {
  const { cli, env, workspace, stdout, stderr } = options;
  const [file, args] = commandOf(options);
  const child = begin(cli, file, args, {
    cwd: workspace.cwd,
    // A program that is not JavaScript may still start Node in the end, as the shims of version managers do.
    env: cli.script
      ? env
      : {
          ...env,
          NODE_OPTIONS: preload(workspace)
            .map((part) => JSON.stringify(part))
            .join(" "),
        },
    stdio: ["pipe", stdout, stderr, "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const { pid, stdin } = child;
  if (pid === undefined || stdin === null) throw notStarted(cli.file, await failureOf(child));
  // What cannot be told of later is told by its exit.
  child.on("error", () => {});
  workspace.holds(pid);
  // Not `close`, which also waits until everybody who has inherited a pipe has let go of it.
  const exit = new Promise<Exit>((resolve) => {
    child.once("exit", (exitCode, signal) => {
      resolve({ ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) });
    });
  });
  const guard = child.stdio[GUARD_FD] as Duplex;
  // A process that ends before it has read everything is not an error of ours: its exit tells.
  stdin.on("error", () => {});
  guard.on("error", () => {});
  return { pid, stdin, stdout: child.stdout, guard, exit, ref: () => child.ref(), unref: () => child.unref() };
}

/** Throws when the arguments are none that a program can have. */
function begin(cli: Cli, file: string, args: string[], options: NodeSpawnOptions): ChildProcess {
  try {
    return spawn(file, args, options);
  } catch (error) {
    throw notStarted(cli.file, (error as Error).message);
  }
}

async function failureOf(child: ChildProcess): Promise<string> {
  const [error] = (await once(child, "error")) as [Error];
  return error.message;
}

/** Why a program did not begin, when its end says so: the first line of stderr. */
export function neverStarted(cli: Cli, { exitCode }: Exit, firstError: string): RunnerError | undefined {
  const prefix = `${LIMITER}: `;
  if ((exitCode !== NOT_FOUND && exitCode !== NOT_EXECUTABLE) || !firstError.startsWith(prefix)) return undefined;
  return notStarted(cli.file, firstError.slice(prefix.length));
}

function preload({ guardFile }: Workspace): string[] {
  return ["--require", guardFile];
}

/** The program and its arguments; under a limit for the size of its files, where there is a shell to set one. */
function commandOf({ cli, args, workspace, maxFileBytes }: SpawnOptions): [file: string, args: string[]] {
  const whole = [...(cli.script ? preload(workspace) : []), ...cli.args, ...args];
  if (process.platform === "win32" || !Number.isFinite(maxFileBytes) || !existsSync(SHELL)) return [cli.file, whole];
  // One block more than is allowed tells what reached the limit from what has just enough room.
  const blocks = Math.ceil(maxFileBytes / BLOCK_BYTES) + 1;
  return [SHELL, ["-c", `ulimit -f ${blocks}; unset PWD OLDPWD SHLVL; exec "$@"`, LIMITER, cli.file, ...whole]];
}

function notStarted(file: string, why: string): RunnerError {
  return new RunnerError("EXECUTION_ERROR", `${file} could not be started: ${why}`, { reason: "spawn" });
}
