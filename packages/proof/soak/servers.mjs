/** The servers under load, and what can be seen of them from outside. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { openDescriptors, residentMiB, treeOf } from "../measure/process-tree.mjs";

const require = createRequire(import.meta.url);
const BIN = join(require.resolve("@x/mcp-server/package.json"), "../dist/bin.js");
const NODE_ARGS = ["--expose-gc", "--import", new URL("report-memory.mjs", import.meta.url).href];

export const REAL_CLI = join(require.resolve("@google/gemini-cli/package.json"), "../bundle/gemini.js");

/** How long a server may take to start, and the processes of ended runs to be gone. */
const PATIENCE_MS = 20_000;
const POLL_MS = 20;

/** Environment of one server: a home of its own, one configuration directory for all. */
function environment({ scratch, name, cliPath, more = {} }) {
  const home = join(scratch, "home");
  const tmp = join(scratch, "tmp");
  for (const folder of [home, tmp]) mkdirSync(folder, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: tmp,
    GEMINI_SEARCH_CONFIG_DIR: join(scratch, "config"),
    GEMINI_API_KEY: "local",
    GEMINI_CLI_PATH: cliPath,
    MAX_WAIT_MS: "0",
    SOAK_MEMORY_FILE: join(scratch, `${name}.memory`),
    ...more,
  };
}

/** One server over HTTP, and `count` clients of it. */
export async function startHttpServer({ scratch, cliPath, count }) {
  const env = environment({ scratch, name: "http", cliPath, more: { MCP_SERVER_PORT: "0" } });
  const child = spawn(process.execPath, [...NODE_ARGS, BIN, "http"], { env, stdio: ["ignore", "ignore", "pipe"] });
  const url = await addressIn(child);
  const server = new ObservedServer("http", child.pid, env);
  await server.start();
  const clients = [];
  for (let i = 0; i < count; i++) {
    const transport = new StreamableHTTPClientTransport(new URL(url));
    const client = newClient(i);
    await client.connect(transport);
    clients.push({ client, transport, server });
    server.connected += 1;
  }
  server.disconnect = async () => {
    for (const { client, transport } of clients) {
      await transport.terminateSession();
      await client.close();
      server.connected -= 1;
    }
  };
  server.end = async () => {
    const startedAt = performance.now();
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    return performance.now() - startedAt;
  };
  return { server, clients };
}

/** A server on stdio and its client. */
export async function startStdioServer({ scratch, name, cliPath, more }) {
  const env = environment({ scratch, name, cliPath, more });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...NODE_ARGS, BIN],
    env,
    stderr: "ignore",
  });
  const client = newClient(name);
  await client.connect(transport);
  await client.listTools();
  const server = new ObservedServer(name, transport.pid, env);
  await server.start();
  server.end = async () => {
    const startedAt = performance.now();
    await client.close();
    while (existsSync(`/proc/${server.pid}/stat`)) await sleep(POLL_MS);
    return performance.now() - startedAt;
  };
  return { server, clients: [{ client, transport, server }] };
}

function newClient(name) {
  return new Client({ name: `soak-${name}`, version: "1.0.0" });
}

/** The address that the server names when it listens. */
async function addressIn(child) {
  let said = "";
  const found = new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said = (said + chunk).slice(-10_000);
      const [url] = /http:\/\/[^\s"]+\/mcp\b/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`The HTTP server ended with ${code}:\n${said}`)));
  });
  return Promise.race([found, sleep(PATIENCE_MS).then(() => Promise.reject(new Error(`No address in:\n${said}`)))]);
}

/** A server as it is seen from outside. Whoever started it says how its clients leave (`disconnect`) and how it ends (`end`). */
class ObservedServer {
  /** Clients over HTTP: each holds one stream, on which it listens, when no call runs. */
  connected = 0;
  disconnect = async () => {};
  #env;
  #asked = 0;
  #threadsAtStart = Number.POSITIVE_INFINITY;
  #socketsAtStart = Number.POSITIVE_INFINITY;

  constructor(name, pid, env) {
    this.name = name;
    this.pid = pid;
    this.#env = env;
  }

  async start() {
    await this.settled();
    this.#socketsAtStart = openDescriptors(this.pid).socket;
    this.#threadsAtStart = threadsOf(this.pid);
  }

  /**
   * Waits until no process, no file of a run and no connection of a call is left; gives what still was when the
   * patience was over. A connection that nobody uses is closed after some seconds.
   */
  async settled() {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const sockets = openDescriptors(this.pid).socket - this.#socketsAtStart - this.connected;
      const left = {
        processes: treeOf(this.pid).length - 1,
        files: this.leftFiles(),
        sockets: Math.max(0, sockets),
      };
      // A thread that read an answer is kept for the next one, for a second.
      const resting = threadsOf(this.pid) <= this.#threadsAtStart;
      const settled = resting && left.processes === 0 && left.files.length === 0 && left.sockets === 0;
      if (settled || performance.now() > until) return left;
      await sleep(POLL_MS);
    }
  }

  /** What the server holds, after its garbage was collected. */
  async look() {
    const { SOAK_MEMORY_FILE } = this.#env;
    this.#asked += 1;
    process.kill(this.pid, "SIGUSR2");
    const until = performance.now() + PATIENCE_MS;
    let memory;
    while (memory?.count !== this.#asked) {
      if (performance.now() > until) throw new Error(`${this.name}: no word about its memory`);
      await sleep(POLL_MS);
      memory = existsSync(SOAK_MEMORY_FILE) ? JSON.parse(readFileSync(SOAK_MEMORY_FILE, "utf8")) : undefined;
    }
    return {
      heapMiB: (memory.heapUsed + memory.external) / 2 ** 20,
      residentMiB: residentMiB(this.pid),
      youngMiB: memory.young / 2 ** 20,
      descriptors: openDescriptors(this.pid),
      children: treeOf(this.pid).length - 1,
    };
  }

  /** Files of runs and of corrections, which must not outlive them; all servers share the folders. */
  leftFiles() {
    const { GEMINI_SEARCH_CONFIG_DIR, TMPDIR } = this.#env;
    const list = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
    const files = [
      ...list(join(GEMINI_SEARCH_CONFIG_DIR, "runs")),
      ...list(GEMINI_SEARCH_CONFIG_DIR).filter((file) => file.startsWith("temp-invalid-output-")),
      ...list(TMPDIR),
    ];
    // From Node 22 on, the CLI's compiled code is kept for later runs.
    return files.filter((file) => !file.startsWith("gemini-compile-cache-"));
  }
}

function threadsOf(pid) {
  return readdirSync(`/proc/${pid}/task`).length;
}
