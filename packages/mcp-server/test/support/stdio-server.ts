import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { LineTransport } from "../../src/transports/line-transport.js";

export const BIN = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));

export interface StdioServer {
  child: ChildProcess;
  client: Client;
  /** What stood on stdout and was no JSON-RPC message: has to stay empty. */
  invalid: string[];
  stderr(): string;
  /** Exit code or signal. */
  exited: Promise<number | string>;
}

/** The built server as a host starts it. `name`: what the client calls itself. */
export function startServer(
  env: Record<string, string>,
  args: string[] = [],
  bin = BIN,
): Omit<StdioServer, "client"> & { line: LineTransport } {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  const invalid: string[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  // What is written to a server that has ended is lost, as it is for a host.
  child.stdin.on("error", () => {});
  const exited = once(child, "exit").then(([code, signal]) => code ?? signal);
  const line = new LineTransport(child.stdout, child.stdin, (reason) => invalid.push(reason));
  return { child, line, invalid, stderr: () => stderr, exited };
}

export async function connectServer(env: Record<string, string>, name = "test"): Promise<StdioServer> {
  const { line, ...server } = startServer(env);
  const client = new Client({ name, version: "1" });
  await client.connect(line);
  await client.listTools();
  return { ...server, client };
}

/** Ends the server as a host does, by closing its stdin. */
export async function endServer({ child, exited }: Pick<StdioServer, "child" | "exited">): Promise<number | string> {
  child.stdin?.end();
  return exited;
}
