/** An MCP server on stdio, spoken to by hand so that nothing of a client's own time is in the numbers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server that says nothing for so long is given up. */
const PATIENCE_MS = 30_000;

/** Starts `node script`, and gives what a client would do with it. */
export function startStdioServer(script, { args = [], cwd, env }) {
  return new StdioServer(script, { args, cwd, env });
}

class StdioServer {
  #script;
  #startedAt = performance.now();
  #child;
  #ended;
  #waiting = new Map();
  #foreignLines = 0;
  #stderr = "";
  #lastId = 0;

  constructor(script, { args, cwd, env }) {
    this.#script = script;
    this.#child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-2_000);
    });
    this.#ended = once(this.#child, "exit");
    this.#ended.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${script} ended: ${this.#stderr}`));
    });
    this.#child.stdin.on("error", () => {});
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
  }

  get pid() {
    return this.#child.pid;
  }

  /** Lines on stdout that are no JSON. */
  foreignLines() {
    return this.#foreignLines;
  }

  /** Spawn → `initialize` → `tools/list`: the tools, and the time since the spawn at both answers. */
  async greet() {
    const clientInfo = { name: "bench", version: "1.0.0" };
    await this.#request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    const initializeMs = performance.now() - this.#startedAt;
    this.#send({ method: "notifications/initialized" });
    const { result } = await this.#request("tools/list", {});
    return { initializeMs, toolsMs: performance.now() - this.#startedAt, tools: result.tools };
  }

  /** The result of a tool, whatever it takes within five minutes. */
  async callTool(name, args) {
    const { result, error } = await this.#request("tools/call", { name, arguments: args }, 300_000);
    if (error !== undefined) throw new Error(`${name}: ${error.message}`);
    return result;
  }

  /** Closes stdin, as a client that goes; gives the time until the process is gone. */
  async end() {
    const child = this.#child;
    const closedAt = performance.now();
    const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await this.#ended;
    clearTimeout(killer);
    return performance.now() - closedAt;
  }

  #hear(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#foreignLines += 1;
      return;
    }
    this.#waiting.get(message.id)?.resolve(message);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async #request(method, params, patienceMs = PATIENCE_MS) {
    this.#lastId += 1;
    const id = this.#lastId;
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${this.#script}: no answer to ${method}\n${this.#stderr}`));
        timer = setTimeout(late, patienceMs);
        this.#waiting.set(id, { resolve, reject });
        this.#send({ id, method, params });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}
