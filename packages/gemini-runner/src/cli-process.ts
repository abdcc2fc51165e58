import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Duplex, Writable } from "node:stream";
import { execa } from "execa";
import type { Cli } from "./availability.js";
import { FIRST_CHUNK, toStdin } from "./command-line.js";
import { RunnerError } from "./errors.js";
import { type ApiFailure, GUARD_FD, parseFailure } from "./guard.js";
import { endWithHost } from "./host-exit.js";
import { Inbox } from "./inbox.js";
import { endTree, signalTree } from "./process-tree.js";
import { Lines, Tail } from "./tail.js";
import type { Workspace } from "./workspace.js";

/** What a process of the CLI says, and what is said to the run that reads it. */
export type ProcessEvent =
  | { type: "stdout"; line: string }
  | { type: "stderr"; line: string }
  | { type: "api-failure"; failure: ApiFailure }
  | { type: "exit"; exitCode?: number; signal?: string }
  | { type: "stop"; error: RunnerError };

/** The child as far as it is used here. */
interface Child {
  stdin: Writable;
  guard: Duplex;
  ref(): void;
  unref(): void;
}

export interface StartOptions {
  cli: Cli;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  workspace: Workspace;
  killAfterMs: number;
}

/** One process of the CLI, leader of its own group, that waits for its prompt. */
export class CliProcess {
  readonly pid: number;
  readonly version: string | undefined;
  readonly workspace: Workspace;
  readonly inbox: Inbox<ProcessEvent>;
  /** Resolves when no process of the tree is left. */
  readonly over: Promise<void>;
  readonly #child: Child;
  readonly #killAfterMs: number;
  #killTimer: NodeJS.Timeout | undefined;
  #exited = false;

  /** Throws `EXECUTION_ERROR` (`spawn`) when the program cannot be started. */
  static async start({ cli, args, env, workspace, killAfterMs }: StartOptions): Promise<CliProcess> {
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
      const { pid } = child;
      if (pid === undefined) {
        const { originalMessage } = await child;
        throw new RunnerError("EXECUTION_ERROR", `${cli.file} could not be started: ${originalMessage}`, {
          reason: "spawn",
        });
      }
      const exit = child.then(({ exitCode, signal }) => ({ exitCode, signal }));
      const inbox = new Inbox<ProcessEvent>();
      const outLines = new Lines((line) => inbox.push({ type: "stdout", line }));
      const errLines = new Lines((line) => inbox.push({ type: "stderr", line }));
      const outTail = Tail.open(workspace.stdout, (text) => outLines.push(text));
      const errTail = Tail.open(workspace.stderr, (text) => errLines.push(text));
      const over = exit.then(async ({ exitCode, signal }) => {
        await endTree(pid);
        await Promise.all([(await outTail).close(), (await errTail).close()]);
        outLines.flush();
        errLines.flush();
        inbox.push({
          type: "exit",
          ...(exitCode === undefined ? {} : { exitCode }),
          ...(signal === undefined ? {} : { signal }),
        });
      });
      await Promise.all([outTail, errTail]);
      const guard = child.stdio[GUARD_FD] as Duplex;
      const parts = { stdin: child.stdin, guard, ref: () => child.ref(), unref: () => child.unref() };
      return new CliProcess(pid, cli.version, workspace, inbox, parts, killAfterMs, over);
    } finally {
      await Promise.all([out.close(), err.close()]);
    }
  }

  private constructor(
    pid: number,
    version: string | undefined,
    workspace: Workspace,
    inbox: Inbox<ProcessEvent>,
    child: Child,
    killAfterMs: number,
    over: Promise<void>,
  ) {
    this.pid = pid;
    this.version = version;
    this.workspace = workspace;
    this.inbox = inbox;
    this.#child = child;
    this.#killAfterMs = killAfterMs;
    const { stdin, guard } = child;
    const failures = new Lines((line) => {
      const failure = parseFailure(line);
      if (failure !== undefined) inbox.push({ type: "api-failure", failure });
    });
    // A process that ends before it has read everything is not an error of ours: its exit tells.
    stdin.on("error", () => {});
    guard
      .on("error", () => {})
      .setEncoding("utf8")
      .on("data", (text: string) => failures.push(text));
    stdin.write(FIRST_CHUNK);
    const forget = endWithHost({ pid, folder: workspace.folder });
    this.over = over.then(() => {
      this.#exited = true;
      clearTimeout(this.#killTimer);
      forget();
      guard.destroy();
      stdin.destroy();
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
    this.#killTimer = setTimeout(() => signalTree(this.pid, "SIGKILL"), this.#killAfterMs);
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
