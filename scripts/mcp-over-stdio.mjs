// An MCP client of a few lines: starts a server, asks, and ends it by closing its input.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What a server answers to these requests, `[method, params]`, after the handshake. Throws when it ends before. */
export async function askServer(command, args, env, requests) {
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command} ${args.join(" ")} ended before it answered ${method}`);
      const message = JSON.parse(value);
      if (message.id === id) return message.result ?? message;
    }
  };
  try {
    const clientInfo = { name: "scripts", version: "0" };
    await call(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const answers = [];
    for (const [i, [method, params]] of requests.entries()) answers.push(await call(i + 1, method, params));
    return answers;
  } finally {
    child.stdin.end();
    await closed;
  }
}
