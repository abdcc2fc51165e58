import { open, statfs } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileProblem } from "@x/owned-files";
import { FIRST_CHUNK, toStdin } from "../cli/command-line.js";
import type { Cli } from "../cli/find-cli.js";
import { parseNote } from "../cli/guard-notes.js";
import { type KnownReplies, type RunRecord, readRecord } from "../cli/session-file.js";
import type { KeyPlace } from "../errors/key-place.js";
import { RunnerError } from "../errors/runner-error.js";
import type { CliEvent, CliRun, Exit } from "./cli-run.js";
import { atTheEnd } from "./in-time.js";
import { Inbox } from "./inbox.js";
import { Lines } from "./lines.js";
import { Output } from "./output.js";
import { endTree, signalTree } from "./process-tree.js";
import { type Child, neverStarted, spawnCli } from "./spawn.js";
import { endStrays } from "./strays.js";
import { Tail } from "./tail.js";
import type { Workspace } from "./workspace.js";

export interface StartOptions {
  cli: Cli;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  workspace: Workspace;
  killAfterMs: number;
  farewell: Farewell;
  /** How much it may write to stdout and stderr together. */
  maxOutputBytes: number;
  /** It may start programs of its own, which may leave its group. */
  startsOthers: boolean;
  /** The key that counts, where a variable holds it. */
  key: KeyPlace | undefined;
}

/**
 * How a process that has said all is ended. The CLI's own way out takes longer and adds nothing (`kill`), but for what
 * Node has compiled (`ask`). What else a program does at its end is not known: it may (`wait`).
 */
export type Farewell = "kill" | "ask" | "wait";

/** The limit is one for every file of the CLI, of which its record of a long run may be larger than its output. */
const LEAST_FILE_BYTES = 64 * 1024 * 1024;

/** With less room on a disk, what was to be written may be missing. */
const NO_ROOM_BYTES = 64 * 1024;

/** How long the guard's last words may take after its process has ended. */
const GUARD_DRAIN_MS = 500;

/** One process of the CLI, leader of its own group, that waits for its prompt. */
export class CliProcess implements CliRun {
  readonly pid: number;
  readonly version: string | undefined;
  readonly key: KeyPlace | undefined;
  readonly inbox = new Inbox<CliEvent>();
  /** Resolves when no process of the tree is left and all that it wrote has been read. */
  readonly over: Promise<void>;
  readonly #workspace: Workspace;
  readonly #child: Child;
  readonly #output: Output;
  readonly #killAfterMs: number;
  readonly #farewell: Farewell;
  readonly #startsOthers: boolean;
  readonly #cli: Cli;
  #killTimer: NodeJS.Timeout | undefined;
  #exited = false;

  /** Throws `EXECUTION_ERROR` (`spawn`) when the program cannot be started. */
  static async start(options: StartOptions): Promise<CliProcess> {
    const { workspace } = options;
    const tails = await Promise.all([Tail.open(workspace.stdout), Tail.open(workspace.stderr)]);
    try {
      return new CliProcess(await startChild(options), options, tails);
    } catch (error) {
      await Promise.all(tails.map((tail) => tail.close()));
      throw error;
    }
  }

  private constructor(child: Child, options: StartOptions, tails: [Tail, Tail]) {
    const { cli, workspace, killAfterMs, farewell, maxOutputBytes, startsOthers } = options;
    this.pid = child.pid;
    this.version = cli.version;
    this.key = options.key;
    this.#workspace = workspace;
    this.#child = child;
    this.#killAfterMs = killAfterMs;
    this.#farewell = farewell;
    this.#startsOthers = startsOthers;
    this.#cli = cli;
    this.#output = new Output(tails, {
      inbox: this.inbox,
      maxBytes: maxOutputBytes,
      onExcess: () => this.kill(),
    });
    child.stdin.write(FIRST_CHUNK);
    this.over = this.#life();
  }

  /** From the start to the end, which comes however the process ends and whatever fails meanwhile. */
  async #life(): Promise<void> {
    const { inbox } = this;
    const { guard, stdin, pid } = this.#child;
    const notes = readNotes(guard, { inbox, output: this.#output, exited: this.#child.exit });
    const exit = await this.#child.exit;
    this.#exited = true;
    clearTimeout(this.#killTimer);
    try {
      const strays = this.#startsOthers ? endStrays(this.#workspace.mark) : undefined;
      // What cannot be found cannot be ended.
      await atTheEnd(Promise.all([endTree(pid), strays])).catch(() => {});
      this.#workspace.freed();
      // What the guard said last may be the reason. Only who left the group can still hold its pipe.
      await Promise.race([notes.read, delay(GUARD_DRAIN_MS, undefined, { ref: false })]);
      guard.destroy();
      await notes.told();
      stdin.destroy();
      await this.#output.close();
    } catch (cause) {
      const message = "What the CLI wrote could not be read";
      inbox.push({ type: "stop", error: new RunnerError("EXECUTION_ERROR", message, { reason: "crash", cause }) });
    }
    const misfortune = await this.#misfortune(exit);
    if (misfortune !== undefined) inbox.push({ type: "stop", error: misfortune });
    inbox.push({ type: "exit", exit });
  }

  /** What went wrong outside of the program. A run that has succeeded all the same does not hear of it. */
  async #misfortune(exit: Exit): Promise<RunnerError | undefined> {
    const { folder } = this.#workspace;
    const unbegun = neverStarted(this.#cli, exit, this.#output.firstError);
    if (unbegun !== undefined) return unbegun;
    const free = await atTheEnd(statfs(folder)).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    );
    if (free >= NO_ROOM_BYTES) return undefined;
    // As whoever writes there is told.
    const cause = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const message = `Nothing more can be written to the folder of the runs, ${path.dirname(folder)}: ${fileProblem(cause)}`;
    return new RunnerError("EXECUTION_ERROR", message, { reason: "workspace", cause });
  }

  get exited(): boolean {
    return this.#exited;
  }

  send(prompt: string): void {
    this.#child.stdin.end(toStdin(prompt));
  }

  stop(): void {
    // Whoever ends it has heard enough.
    this.#output.end();
    if (this.#exited || this.#killTimer !== undefined) return;
    signalTree(this.pid, "SIGTERM");
    this.#killLater();
  }

  finish(): void {
    if (this.#farewell === "kill") this.kill();
    else if (this.#farewell === "ask") this.stop();
    else if (!this.#exited) this.#killLater();
  }

  #killLater(): void {
    this.#killTimer ??= setTimeout(() => this.kill(), this.#killAfterMs);
  }

  kill(): void {
    if (!this.#exited) signalTree(this.pid, "SIGKILL");
  }

  release(): void {
    for (const part of this.#parts()) part.unref();
  }

  hold(): void {
    for (const part of this.#parts()) part.ref();
  }

  /** The pipes are sockets, whatever their type says. */
  #parts(): { ref(): void; unref(): void }[] {
    const { stdin, guard } = this.#child;
    return [this.#child, stdin as unknown as Socket, guard as unknown as Socket];
  }

  record(known: KnownReplies | undefined): Promise<RunRecord | undefined> {
    return readRecord(this.#workspace.folder, known);
  }

  async gone(): Promise<void> {
    await this.over;
    await this.#workspace.remove();
  }
}

/** A longer note is none. */
const MAX_NOTE_LENGTH = 1_000_000;

interface NotesOptions {
  inbox: Inbox<CliEvent>;
  output: Output;
  /** The program has ended. */
  exited: Promise<unknown>;
}

/**
 * Reads what the guard says: no faster than it is heard, as long as the program lives. `told` resolves when all that has been
 * read is told.
 */
function readNotes(guard: Duplex, { inbox, output, exited }: NotesOptions) {
  let bytes = 0;
  let told = Promise.resolve();
  const lines = new Lines((line) => {
    const said = parseNote(line);
    if (said !== undefined) inbox.push({ type: "guard", note: said.note });
  }, MAX_NOTE_LENGTH);
  async function tell(text: string, before: Promise<void>): Promise<void> {
    await before;
    // What the CLI printed before a note is heard before it: a note may be the reason to hear no more.
    await output.caughtUp();
    lines.push(text);
  }
  async function read(): Promise<void> {
    try {
      for await (const text of guard.setEncoding("utf8")) {
        bytes += Buffer.byteLength(String(text));
        output.count("guard", bytes);
        told = tell(String(text), told);
        await Promise.race([told.then(() => inbox.room()), exited]);
      }
    } catch {
      // The pipe is closed.
    }
  }
  return { read: read(), told: () => told };
}

async function startChild({ cli, args, env, workspace, maxOutputBytes }: StartOptions): Promise<Child> {
  const [out, err] = await Promise.all([open(workspace.stdout, "a"), open(workspace.stderr, "a")]);
  const maxFileBytes = Math.max(maxOutputBytes, LEAST_FILE_BYTES);
  try {
    return await spawnCli({ cli, args, env, workspace, stdout: out.fd, stderr: err.fd, maxFileBytes });
  } finally {
    await Promise.all([out.close(), err.close()]);
  }
}
