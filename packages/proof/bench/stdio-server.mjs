/** An MCP server on stdio, spoken to by hand so that nothing of a client's own time is in the numbers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server that says nothing for so long is given up. */
const PATIENCE_MS = 30_000;

/** Starts `node script`, and gives what a client would do with it. */
export function startStdioServer(script, { args = [], cwd, env }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  let foreignLines = 0;
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-2_000);
  });
  const ended = once(child, "exit");
  ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${script} ended: ${stderr}`));
  });
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      foreignLines += 1;
      return;
    }
    waiting.get(message.id)?.resolve(message);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  let lastId = 0;
  async function request(method, params, patienceMs = PATIENCE_MS) {
    lastId += 1;
    const id = lastId;
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`${script}: no answer to ${method}\n${stderr}`)), patienceMs);
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  return {
    pid: child.pid,
    /** Lines on stdout that are no JSON. */
    foreignLines: () => foreignLines,
    /** Spawn → `initialize` → `tools/list`: the tools, and the time since the spawn at both answers. */
    async greet() {
      const clientInfo = { name: "bench", version: "1.0.0" };
      await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      const initializeMs = performance.now() - startedAt;
      send({ method: "notifications/initialized" });
      const { result } = await request("tools/list", {});
      return { initializeMs, toolsMs: performance.now() - startedAt, tools: result.tools };
    },
    /** The result of a tool, whatever it takes within five minutes. */
    async callTool(name, args) {
      const { result, error } = await request("tools/call", { name, arguments: args }, 300_000);
      if (error !== undefined) throw new Error(`${name}: ${error.message}`);
      return result;
    },
    /** Closes stdin, as a client that goes; gives the time until the process is gone. */
    async end() {
      const closedAt = performance.now();
      const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await ended;
      clearTimeout(killer);
      return performance.now() - closedAt;
    },
  };
}
