import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { answered } from "../rig/fake-gemini.js";
import { processesOf } from "../rig/leftovers.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";
import { must } from "./target.js";

/** A built server with a CLI that answers at once; a new one when an input ended it. */
export interface LiveServer {
  sandbox: Sandbox;
  /** The server that is there, with a client's greeting behind it. */
  current(): Promise<ServerProcess>;
  /** The answer to a request; rejects when the server ends or is silent. */
  request(method: string, params?: object): Promise<JSONRPCMessage>;
  /** Everything the server said since the last input. */
  heard: JSONRPCMessage[];
  /** What must hold of a server whatever it was given. */
  mustStand(): void;
  close(): Promise<void>;
}

const REPORT = JSON.stringify({ success: true, verified: true, report: "# Tides\n\nSixteen metres.", metadata: {} });
/** A server that says nothing for so long hangs. */
const ANSWER_LIMIT_MS = 10_000;

export async function openLiveServer(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<LiveServer> {
  const sandbox = await createSandbox();
  await sandbox.installFake(answered(REPORT));
  const heard: JSONRPCMessage[] = [];
  const waiting = new Map<unknown, { resolve(message: JSONRPCMessage): void; reject(reason: Error): void }>();
  let server: ServerProcess | undefined;
  /** Why the last server answers no more. */
  let over: Error | undefined;
  let count = 0;

  async function current(): Promise<ServerProcess> {
    if (server === undefined || server.child.exitCode !== null || server.child.signalCode !== null) {
      const started = new ServerProcess(
        { ...sandbox.env, MAX_WAIT_MS: "0", DEEP_SEARCH_MAX_ITERATIONS: "2", ...env },
        args,
      );
      server = started;
      over = undefined;
      server.onmessage = (message) => {
        heard.push(message);
        if ("id" in message && !("method" in message)) waiting.get(message.id)?.resolve(message);
      };
      // Once for the server: one for each of its requests would stay until it ends, and then all come at once.
      void started.exited.then(({ code, signal }) => {
        over = new Error(`the server ended with ${code ?? signal}: ${started.stderr.slice(-1_000)}`);
        for (const { reject } of waiting.values()) reject(over);
      });
      if (args.length === 0) {
        const clientInfo = { name: "fuzz", version: "1" };
        await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
        server.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
      }
    }
    return server;
  }

  async function request(method: string, params: object = {}): Promise<JSONRPCMessage> {
    const target = server ?? (await current());
    const id = `own-${count++}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<JSONRPCMessage>((resolve, reject) => {
      if (over !== undefined) return reject(over);
      waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new Error(`${method} is not answered`)), ANSWER_LIMIT_MS);
    });
    target.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  return {
    sandbox,
    heard,
    current,
    request,
    mustStand() {
      const foreign = server?.foreign.splice(0) ?? [];
      must(foreign.length === 0, () => `stdout had ${JSON.stringify(foreign[0]?.slice(0, 200))}`);
      const stack = server?.stderr.split("\n").find((line) => /^\s+at .+:\d+:\d+\)?$/.test(line));
      must(stack === undefined, () => `stderr had a stack: ${server?.stderr.slice(-1_000)}`);
    },
    async close() {
      // Over HTTP the end of stdin means nothing.
      server?.child.kill("SIGTERM");
      await server?.end();
      for (const { pid, command } of await processesOf(sandbox)) {
        console.log(`      stays: ${command}`);
        process.kill(pid, "SIGKILL");
      }
      await sandbox.remove();
    },
  };
}
