import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Duplex, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { execa } from "execa";
import { FIRST_CHUNK, toStdin } from "../cli/command-line.js";
import type { Cli } from "../cli/find-cli.js";
import { GUARD_FD } from "../cli/guard-fd.js";
import { type GuardNote, parseNote } from "../cli/guard-notes.js";
import { RunnerError } from "../errors/runner-error.js";
import type { Deadline } from "./deadlines.js";
import { Inbox } from "./inbox.js";
import { endTree, signalTree } from "./process-tree.js";
import { Lines, Tail } from "./tail.js";
import type { Workspace } from "./workspace.js";

/** What a process of the CLI says, and what is said to the run that reads it. */
export type ProcessEvent =
  | { type: "stdout"; line: string }
  | { type: "stderr"; line: string }
  | { type: "guard"; note: GuardNote }
  | { type: "exit"; exit: Exit }
  | { type: "stop"; error: RunnerError }
  | { type: "deadline"; deadline: Deadline };

export interface Exit {
  exitCode?: number;
  signal?: string;
}

export interface StartOptions {
  cli: Cli;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  workspace: Workspace;
  killAfterMs: number;
  farewell: Farewell;
}

/**
 * How a process that has said all is ended. The CLI's own way out takes longer and adds nothing (`kill`), but for what
 * Node has compiled (`ask`). What else a program does at its end is not known: it may (`wait`).
 */
export type Farewell = "kill" | "ask" | "wait";

/** How long the guard's last words may take after its process has ended. */
const GUARD_DRAIN_MS = 500;

/** The child as far as it is used here. */
interface Child {
  pid: number;
  stdin: Writable;
  guard: Duplex;
  exit: Promise<Exit>;
  ref(): void;
  unref(): void;
}

/** One process of the CLI, leader of its own group, that waits for its prompt. */
export class CliProcess {
  readonly pid: number;
  readonly version: string | undefined;
  readonly workspace: Workspace;
  readonly inbox = new Inbox<ProcessEvent>();
  /** Resolves when no process of the tree is left and all that it wrote has been read. */
  readonly over: Promise<void>;
  readonly #child: Child;
  readonly #killAfterMs: number;
  readonly #farewell: Farewell;
  #killTimer: NodeJS.Timeout | undefined;
  #exited = false;

  /** Throws `EXECUTION_ERROR` (`spawn`) when the program cannot be started. */
  static async start(options: StartOptions): Promise<CliProcess> {
    const { workspace } = options;
    const tails = await Promise.all([Tail.open(workspace.stdout), Tail.open(workspace.stderr)]);
    try {
      return new CliProcess(await spawn(options), options, tails);
    } catch (error) {
      await Promise.all(tails.map((tail) => tail.close()));
      throw error;
    }
  }

  private constructor(child: Child, options: StartOptions, [out, err]: [Tail, Tail]) {
    const { cli, workspace, killAfterMs, farewell } = options;
    this.pid = child.pid;
    this.version = cli.version;
    this.workspace = workspace;
    this.#child = child;
    this.#killAfterMs = killAfterMs;
    this.#farewell = farewell;
    const { inbox } = this;
    const outLines = new Lines((line) => inbox.push({ type: "stdout", line }));
    const errLines = new Lines((line) => inbox.push({ type: "stderr", line }));
    const guardLines = new Lines((line) => {
      const note = parseNote(line);
      if (note !== undefined) inbox.push({ type: "guard", note });
    });
    out.follow((text) => outLines.push(text));
    err.follow((text) => errLines.push(text));
    // A process that ends before it has read everything is not an error of ours: its exit tells.
    child.stdin.on("error", () => {});
    child.guard
      .on("error", () => {})
      .setEncoding("utf8")
      .on("data", (text: string) => guardLines.push(text));
    child.stdin.write(FIRST_CHUNK);
    this.over = child.exit.then(async (exit) => {
      await endTree(child.pid);
      this.#exited = true;
      clearTimeout(this.#killTimer);
      // What the guard said last may be the reason. Only who left the group can still hold its pipe.
      await finished(child.guard, { writable: false, signal: AbortSignal.timeout(GUARD_DRAIN_MS) }).catch(() => {});
      child.guard.destroy();
      child.stdin.destroy();
      try {
        await Promise.all([out.close(), err.close()]);
      } catch (cause) {
        const message = "What the CLI wrote could not be read";
        inbox.push({ type: "stop", error: new RunnerError("EXECUTION_ERROR", message, { reason: "crash", cause }) });
      }
      outLines.flush();
      errLines.flush();
      inbox.push({ type: "exit", exit });
    });
  }

  get exited(): boolean {
    return this.#exited;
  }

  /** Gives the prompt. Once. */
  send(prompt: string): void {
    this.#child.stdin.end(toStdin(prompt));
  }

  /** Ends the whole tree: politely first, by force after the grace period. */
  stop(): void {
    if (this.#exited || this.#killTimer !== undefined) return;
    signalTree(this.pid, "SIGTERM");
    this.#killLater();
  }

  /** Ends a process that has said all. */
  finish(): void {
    if (this.#farewell === "kill") this.kill();
    else if (this.#farewell === "ask") this.stop();
    else if (!this.#exited) this.#killLater();
  }

  #killLater(): void {
    this.#killTimer ??= setTimeout(() => this.kill(), this.#killAfterMs);
  }

  /** Ends the whole tree at once. */
  kill(): void {
    if (!this.#exited) signalTree(this.pid, "SIGKILL");
  }

  /** A process that only waits does not keep ours from ending. */
  release(): void {
    for (const part of this.#parts()) part.unref();
  }

  /** From now on it does. */
  hold(): void {
    for (const part of this.#parts()) part.ref();
  }

  /** The pipes are sockets, whatever their type says. */
  #parts(): { ref(): void; unref(): void }[] {
    const { stdin, guard } = this.#child;
    return [this.#child, stdin as unknown as Socket, guard as unknown as Socket];
  }

  /** Resolves when no process of the tree and none of its files is left. */
  async gone(): Promise<void> {
    await this.over;
    await this.workspace.remove();
  }
}

async function spawn({ cli, args, env, workspace }: StartOptions): Promise<Child> {
  const preload = ["--require", workspace.guardFile];
  const [out, err] = await Promise.all([open(workspace.stdout, "a"), open(workspace.stderr, "a")]);
  try {
    const child = execa(cli.file, [...(cli.script ? preload : []), ...cli.args, ...args], {
      cwd: workspace.cwd,
      // A program that is not JavaScript may still start Node in the end, as the shims of version managers do.
      env: cli.script ? env : { ...env, NODE_OPTIONS: preload.map((part) => JSON.stringify(part)).join(" ") },
      extendEnv: false,
      // Execa's types know small numbers only.
      stdio: ["pipe", out.fd as 9, err.fd as 9, "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      cleanup: false,
      buffer: false,
      reject: false,
    });
    const { pid, stdin } = child;
    if (pid === undefined) {
      const { originalMessage } = await child;
      const message = `${cli.file} could not be started: ${originalMessage}`;
      throw new RunnerError("EXECUTION_ERROR", message, { reason: "spawn" });
    }
    workspace.holds(pid);
    // Not the promise of execa, which also waits until everybody who has inherited a pipe has let go of it.
    const exit = new Promise<Exit>((resolve) => {
      child.once("exit", (exitCode, signal) => {
        resolve({ ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) });
      });
    });
    const guard = child.stdio[GUARD_FD] as Duplex;
    return { pid, stdin, guard, exit, ref: () => child.ref(), unref: () => child.unref() };
  } finally {
    await Promise.all([out.close(), err.close()]);
  }
}
