import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { answered } from "../rig/fake-gemini.js";
import { processesOf } from "../rig/leftovers.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";
import { must } from "./target.js";

const REPORT = JSON.stringify({ success: true, verified: true, report: "# Tides\n\nSixteen metres.", metadata: {} });
/** A server that says nothing for so long hangs. */
const ANSWER_LIMIT_MS = 10_000;

export async function openLiveServer(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<LiveServer> {
  const sandbox = await createSandbox();
  await sandbox.installFake(answered(REPORT));
  return new LiveServer(sandbox, args, env);
}

interface Waiting {
  resolve(message: JSONRPCMessage): void;
  reject(reason: Error): void;
}

/** A built server with a CLI that answers at once; a new one when an input ended it. */
class LiveServer {
  readonly sandbox: Sandbox;
  /** Everything the server said since the last input. */
  readonly heard: JSONRPCMessage[] = [];
  readonly #args: readonly string[];
  readonly #env: Record<string, string>;
  readonly #waiting = new Map<unknown, Waiting>();
  #server: ServerProcess | undefined;
  /** Why the last server answers no more. */
  #over: Error | undefined;
  #count = 0;

  constructor(sandbox: Sandbox, args: readonly string[], env: Record<string, string>) {
    this.sandbox = sandbox;
    this.#args = args;
    this.#env = env;
  }

  /** The server that is there, with a client's greeting behind it. */
  async current(): Promise<ServerProcess> {
    const last = this.#server;
    if (last !== undefined && last.child.exitCode === null && last.child.signalCode === null) return last;
    const started = this.#start();
    if (this.#args.length === 0) {
      const clientInfo = { name: "fuzz", version: "1" };
      await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      started.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    }
    return started;
  }

  /** The answer to a request; rejects when the server ends or is silent. */
  async request(method: string, params: object = {}): Promise<JSONRPCMessage> {
    const target = this.#server ?? (await this.current());
    this.#count += 1;
    const id = `own-${this.#count}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<JSONRPCMessage>((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over);
      this.#waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new Error(`${method} is not answered`)), ANSWER_LIMIT_MS);
    });
    target.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** What must hold of a server whatever it was given. */
  mustStand(): void {
    const foreign = this.#server?.foreign.splice(0) ?? [];
    must(foreign.length === 0, () => `stdout had ${JSON.stringify(foreign[0]?.slice(0, 200))}`);
    const stack = this.#server?.stderr.split("\n").find((line) => /^\s+at .+:\d+:\d+\)?$/.test(line));
    must(stack === undefined, () => `stderr had a stack: ${this.#server?.stderr.slice(-1_000)}`);
  }

  async close(): Promise<void> {
    // Over HTTP the end of stdin means nothing.
    this.#server?.child.kill("SIGTERM");
    await this.#server?.end();
    for (const { pid, command } of await processesOf(this.sandbox)) {
      console.log(`      stays: ${command}`);
      process.kill(pid, "SIGKILL");
    }
    await this.sandbox.remove();
  }

  #start(): ServerProcess {
    const started = new ServerProcess(
      { ...this.sandbox.env, MAX_WAIT_MS: "0", DEEP_SEARCH_MAX_ITERATIONS: "2", ...this.#env },
      this.#args,
    );
    this.#server = started;
    this.#over = undefined;
    started.onmessage = (message) => {
      this.heard.push(message);
      if ("id" in message && !("method" in message)) this.#waiting.get(message.id)?.resolve(message);
    };
    // Once for the server: one for each of its requests would stay until it ends, and then all come at once.
    void started.exited.then(({ code, signal }) => {
      this.#over = new Error(`the server ended with ${code ?? signal}: ${started.stderr.slice(-1_000)}`);
      for (const { reject } of this.#waiting.values()) reject(this.#over);
    });
    return started;
  }
}
