import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

export const SERVER_BIN = fileURLToPath(new URL("../../mcp-server/dist/bin.js", import.meta.url));

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long a server may take to end before it is killed. */
const END_LIMIT_MS = 5_000;

/**
 * The built server as a process, and the way of the SDK's client to it. The SDK's own transport hides the process; here
 * each of its ends can be cut.
 */
export class ServerProcess implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Lines on stdout that are not the protocol's. */
  readonly foreign: string[] = [];
  readonly #stderr: string[] = [];

  /** @param bin The program of another version. Default: the built one. */
  constructor(env: Readonly<Record<string, string>>, args: readonly string[] = [], bin = SERVER_BIN) {
    this.child = spawn(process.execPath, [bin, ...args], { env, stdio: "pipe" });
    if (this.child.pid === undefined) throw new Error(`${bin} could not be started`);
    this.pid = this.child.pid;
    this.exited = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => {
        resolve({ code, signal });
        this.onclose?.();
      });
    });
    this.child.stdin.on("error", () => {});
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => this.#stderr.push(text));
    createInterface({ input: this.child.stdout }).on("line", (line) => this.#read(line));
  }

  get stderr(): string {
    return this.#stderr.join("");
  }

  /** Resolves when this stands on stderr, what is there already included. Rejects when the server ends before. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    for (let over = false; ; ) {
      const found = pattern.exec(this.stderr);
      if (found) return found;
      if (over) throw new Error(`The server ended without saying ${pattern}: ${this.stderr.slice(-500)}`);
      over = await Promise.race([
        this.exited.then(() => true),
        new Promise<boolean>((resolve) => this.child.stderr.once("data", () => resolve(false))),
      ]);
    }
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(bytes: string | Uint8Array): void {
    if (this.child.stdin.writable) this.child.stdin.write(bytes);
  }

  /** The client is gone the usual way: stdin ends. */
  async close(): Promise<void> {
    this.child.stdin.end();
  }

  /** Ends stdin and waits for the exit. A server that does not end is killed and gives `undefined`. */
  async end(): Promise<{ exit: Exit; ms: number } | undefined> {
    const from = performance.now();
    await this.close();
    return this.exitFrom(from);
  }

  /** Waits for an exit that something else brought about at `from`. */
  async exitFrom(from: number): Promise<{ exit: Exit; ms: number } | undefined> {
    const limit = new AbortController();
    const exit = await Promise.race([
      this.exited,
      sleep(END_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
    if (exit !== undefined) return { exit, ms: performance.now() - from };
    this.child.kill("SIGKILL");
    await this.exited;
    return undefined;
  }

  #read(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.foreign.push(line);
      return;
    }
    const read = JSONRPCMessageSchema.safeParse(message);
    if (read.success) this.onmessage?.(read.data);
    else this.foreign.push(line);
  }
}
