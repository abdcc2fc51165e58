import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { DENIED, HANDSHAKE, parseUpdate, sessionIn, sessionOf } from "../cli/acp.js";
import { toServerArguments } from "../cli/command-line.js";
import { parseNote } from "../cli/guard-notes.js";
import { WORD_KEY } from "../cli/word-key.js";
import type { KeyPlace } from "../errors/key-place.js";
import { EndedError } from "./ended-error.js";
import { Heartbeat } from "./heartbeat.js";
import { inTime } from "./in-time.js";
import { JsonRpc } from "./json-rpc.js";
import { PoolPipes } from "./pool-pipes.js";
import type { PoolProcessOptions } from "./pool-process-options.js";
import { PooledRun, type SharedProcess } from "./pooled-run.js";
import { endTree, signalTree } from "./process-tree.js";
import { processorWaitMs } from "./processor-wait.js";
import { createSessionFolder, type SessionFolderOptions } from "./session-folder.js";
import { type Child, spawnCli } from "./spawn.js";
import { Turns } from "./turns.js";
import { createWorkspace, type Workspace } from "./workspace.js";

/** What differs from run to run. */
export type SessionOptions = Omit<SessionFolderOptions, "signIn" | "version">;

/** How long a CLI may take to say what it speaks, but for the time in which others have the processor: seven seconds have been seen. */
const HANDSHAKE_MS = 30_000;

/** How long the opening of a session holds up the next one. */
const TURN_MS = 2_000;

/** How long it may take in all: longer than the CLI waits for an MCP server. */
const OPEN_MS = 120_000;

/** The limit is one for every file of the CLI, of which its records are the longest. */
const LEAST_FILE_BYTES = 64 * 1024 * 1024;

/** Nothing is granted in it but by a session. */
const NOTHING = { tools: [], mcpServers: {}, files: [] };

/** One process of the CLI that serves several runs at once. */
export class PoolProcess implements SharedProcess {
  readonly pid: number;
  readonly version: string | undefined;
  readonly key: KeyPlace | undefined;
  readonly folder: string;
  /** Resolves when no process of the tree is left. */
  readonly over: Promise<void>;
  /** How many sessions it has had. */
  opened = 0;
  /** It has opened one. */
  served = false;
  /** How much memory it takes, in bytes, as it said last. */
  memoryBytes = 0;
  /** It is to serve no further runs. */
  distrusted = false;
  readonly #options: PoolProcessOptions;
  readonly #workspace: Workspace;
  readonly #child: Child;
  readonly #pipes: PoolPipes;
  readonly #word: string;
  readonly #rpc: JsonRpc;
  readonly #runs = new Map<string, PooledRun>();
  /** Runs that are worked on, and openings: our program does not end before them. */
  readonly #holders = new Set<unknown>();
  readonly #openings = new Turns(TURN_MS);
  /** Those that wait for their turn, and that of which it is. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** It cannot be spoken to any more. */
  #lost = false;
  readonly #heartbeat: Heartbeat;
  #onLeft: () => void = () => {};

  /** Starts a process. Rejects when it does not speak the protocol: then nothing of it is left. */
  static async start(options: PoolProcessOptions): Promise<PoolProcess> {
    const { cli, signIn, parent, env, homeless, pagesMs, maxToolOutput, maxOutputBytes } = options;
    const word = randomBytes(16).toString("hex");
    const { version } = cli;
    const limits = { pagesMs, maxToolOutput };
    const workspace = await createWorkspace({ parent, grants: NOTHING, signIn, version, ...limits, word });
    let started: PoolProcess | undefined;
    try {
      const maxFileBytes = Math.max(maxOutputBytes, LEAST_FILE_BYTES);
      const spawned = { ...env, ...workspace.env, ...(homeless ? { HOME: workspace.folder } : {}) };
      const child = await spawnCli({
        cli,
        args: toServerArguments(),
        env: spawned,
        workspace,
        stdout: "pipe",
        stderr: "ignore",
        maxFileBytes,
      });
      started = new PoolProcess(child, workspace, word, options);
      await started.#handshake(options.signal);
      return started;
    } catch (error) {
      if (started === undefined) await workspace.remove();
      else await started.end();
      throw error;
    }
  }

  private constructor(child: Child, workspace: Workspace, word: string, options: PoolProcessOptions) {
    this.pid = child.pid;
    this.version = options.cli.version;
    this.key = options.signIn.key;
    this.folder = workspace.folder;
    this.#child = child;
    this.#workspace = workspace;
    this.#word = word;
    this.#options = options;
    this.#pipes = new PoolPipes(child, {
      maxLineLength: options.maxOutputBytes,
      onLine: (line) => this.#take(line),
      onTooLong: (beginning) => this.#takeTooLong(beginning),
    });
    this.#heartbeat = new Heartbeat({
      hangMs: options.hangMs,
      ask: () => this.#pipes.ask(),
      heldUpMs: () => processorWaitMs(this.pid),
      onHang: () => this.kill("The process that served it did not answer"),
    });
    this.#rpc = new JsonRpc({
      write: (line) => this.#pipes.write(line),
      onNotification: (method, params) => this.#onNotification(method, params),
      onRequest: (method) => (method === "session/request_permission" ? DENIED : undefined),
    });
    this.over = this.#life();
  }

  #take(line: string): void {
    const said = parseNote(line);
    if (said === undefined) this.#rpc.take(line);
    else if (said.note.type === "pong") this.#onPong(said.note.bytes);
    else if (said.session !== undefined) this.#runs.get(said.session)?.note(said.note, Buffer.byteLength(line));
  }

  #takeTooLong(beginning: string): void {
    const session = sessionOf(beginning);
    if (session !== undefined) this.#runs.get(session)?.tooLong();
    // Nobody can say which run it is of. Made again by itself, that run is told of it.
    else this.kill("It wrote a line that is too long");
  }

  #onNotification(method: string, params: Record<string, unknown>): void {
    if (method !== "session/update") return;
    const { session, update } = parseUpdate(params);
    const bytes = update === undefined ? 0 : Buffer.byteLength(JSON.stringify(update));
    this.#runs.get(session)?.update(update, bytes);
  }

  async #life(): Promise<void> {
    await this.#child.exit;
    this.#lose(new EndedError("The process that served it ended"));
    await endTree(this.pid);
    this.#workspace.freed();
    this.#pipes.destroy();
  }

  async #handshake(signal: AbortSignal): Promise<void> {
    const patience = new Heartbeat({
      hangMs: HANDSHAKE_MS,
      // It is loading, and answers when it is done.
      ask: () => {},
      heldUpMs: () => processorWaitMs(this.pid),
      onHang: () => this.kill("It did not answer in time"),
    });
    patience.start();
    const onAbort = () => this.kill("It is not wanted any more");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await this.#request("initialize", HANDSHAKE);
    } finally {
      patience.stop();
      signal.removeEventListener("abort", onAbort);
      this.#pipes.unref();
    }
  }

  /** The guard knows our messages by the word in them. */
  #request(method: string, params: object): Promise<unknown> {
    return this.#rpc.request(method, { ...params, _meta: { [WORD_KEY]: this.#word } });
  }

  /**
   * Opens a session for a run. One after another: at once they take many times as long. One that waits for a server of its own
   * holds up no other. The signal gives up one whose turn has not come.
   */
  open(options: SessionOptions, signal?: AbortSignal): Promise<PooledRun> {
    const opening = this.#openings.take(() => this.#open(options), signal);
    const settled: Promise<unknown> = opening.catch(() => {}).finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
    return opening;
  }

  async #open(options: SessionOptions): Promise<PooledRun> {
    if (this.#lost) throw new EndedError("The process that was to serve it has ended");
    const { signIn, maxOutputBytes } = this.#options;
    const { version } = this;
    const name = String(++this.opened);
    const holder = {};
    this.hold(holder);
    const folder = await createSessionFolder(this.folder, name, { ...options, signIn, version });
    try {
      const { signal } = new AbortController();
      const limits = { leftMs: OPEN_MS, late: () => this.#tooLate(), signal, end: async () => {}, graceMs: 0 };
      const opening = this.#request("session/new", { cwd: folder.cwd, mcpServers: [] });
      const session = sessionIn(await inTime(opening, limits));
      if (session === undefined) throw new Error("The CLI opened no session");
      const run = new PooledRun({ process: this, session, folder, maxOutputBytes });
      this.#runs.set(session, run);
      this.served = true;
      return run;
    } catch (error) {
      await folder.remove(undefined);
      throw error;
    } finally {
      this.release(holder);
    }
  }

  /** A session that is never opened cannot be taken back. */
  #tooLate(): Error {
    this.distrust();
    return new Error("The CLI did not open a session in time");
  }

  prompt(session: string, text: string): Promise<unknown> {
    return this.#request("session/prompt", { sessionId: session, prompt: [{ type: "text", text }] });
  }

  cancel(session: string): void {
    this.#rpc.notify("session/cancel", { sessionId: session, _meta: { [WORD_KEY]: this.#word } });
  }

  distrust(): void {
    this.distrusted = true;
  }

  forget(run: PooledRun): void {
    this.#runs.delete(run.session);
    if (this.#runs.size === 0) this.#onLeft();
  }

  hold(holder: unknown): void {
    if (this.#lost || this.#holders.has(holder)) return;
    this.#holders.add(holder);
    if (this.#holders.size > 1) return;
    this.#pipes.ref();
    this.#heartbeat.start();
  }

  release(holder: unknown): void {
    if (!this.#holders.delete(holder) || this.#holders.size > 0 || this.#lost) return;
    this.#pipes.unref();
    this.#heartbeat.stop();
  }

  #onPong(bytes: number): void {
    this.memoryBytes = bytes;
    this.#heartbeat.answered();
  }

  #lose(why: Error): void {
    this.distrusted = true;
    this.#lost = true;
    this.#heartbeat.stop();
    for (const run of this.#runs.values()) run.lose(why.message);
    this.#rpc.close(why);
  }

  /** Ends it at once. Its runs are lost. */
  kill(why: string): void {
    this.#lose(new Error(why));
    signalTree(this.pid, "SIGKILL");
  }

  /** Resolves when the last of its runs has left. */
  #left(): Promise<void> {
    return new Promise((resolve) => {
      this.#onLeft = resolve;
      if (this.#runs.size === 0) resolve();
    });
  }

  /** Ends it and resolves when nothing of it is left. */
  async end(): Promise<void> {
    const { farewell, killAfterMs } = this.#options;
    this.#lose(new Error("The process that served it was ended"));
    this.#pipes.ref();
    if (farewell !== "kill") {
      signalTree(this.pid, "SIGTERM");
      await Promise.race([this.over, delay(killAfterMs)]);
    }
    signalTree(this.pid, "SIGKILL");
    await this.over;
    // One that is making its folder would leave it, and what a run has left may not have been read.
    await Promise.all(this.#underWay);
    await this.#left();
    await this.#workspace.remove();
  }
}
