/** Fronts, workers and a store of their own for one part of the load. */
import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { killAll, lastOf, processesOf } from "../rig/leftovers.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";
import { exchange, type Reply } from "../siege/exchange.js";
import { Caller } from "./caller.js";
import { CliLog } from "./cli-log.js";
import type { Kill, Outage } from "./judge.js";
import { createStore, type EngineName, type Store } from "./store.js";

const FAKE_CLI = new URL("../load/fake-gemini.sh", import.meta.url);
const LISTENING = /http:\/\/[^\s/]*:(\d+)\/mcp/;
const GONE_LIMIT_MS = 5_000;

/** `files`: one process that is both front and worker, one tenant, no store. */
export type Engine = EngineName | "files";

export interface Limits {
  running?: number;
  queued?: number;
  per_minute?: number;
}

export interface Layout {
  engine: Engine;
  fronts: number;
  workers: number;
  /** Runs at once in each worker. */
  concurrency: number;
  /** Those who may call, with what limits each. */
  tenants: Readonly<Record<string, Limits>>;
  /** Options of the store's program. */
  settings?: readonly string[];
  /** Default: the store is started before everything else. */
  store?: "started" | "away";
  env?: Readonly<Record<string, string>>;
}

/** Enough for everything but the parts that are about limits. */
export const ROOMY: Limits = { running: 100, queued: 5_000, per_minute: 100_000 };

interface Member {
  name: string;
  server: ServerProcess;
}

export interface Closing {
  /** From SIGTERM; none of those that had to be killed. */
  exitMs: (number | undefined)[];
  left: string[];
}

export class World {
  readonly kills: Kill[] = [];
  readonly outages: Outage[] = [];
  /** Each time that a front or a worker ended by itself. */
  readonly ends: string[] = [];
  readonly layout: Layout;
  readonly sandbox: Sandbox;
  readonly log: CliLog;
  readonly store: Store | undefined;
  readonly #tokens = new Map<string, string>();
  readonly #fronts: Member[] = [];
  readonly #workers: Member[] = [];
  readonly #logs: string[] = [];
  /** Those that were told to end. */
  readonly #told = new Set<string>();
  readonly #ports: number[] = [];
  #count = 0;
  #closing = false;
  #removed: Promise<void> | undefined;

  private constructor(layout: Layout, sandbox: Sandbox, store: Store | undefined) {
    this.layout = layout;
    this.sandbox = sandbox;
    this.store = store;
    this.log = new CliLog(path.join(sandbox.folder, "runs.log"));
  }

  /** `made` is told of the world before anything is started in it, so that it can be ended at any time. */
  static async open(layout: Layout, made: (world: World) => void): Promise<World> {
    const sandbox = await createSandbox();
    const store = await storeFor(layout).catch(async (error: Error) => {
      await sandbox.remove();
      throw error;
    });
    const world = new World(layout, sandbox, store);
    made(world);
    await sandbox.installText(await readFile(fileURLToPath(FAKE_CLI), "utf8"), 0o755);
    await writeFile(path.join(sandbox.folder, "runs.log"), "");
    await world.#writeTokens();
    if (layout.store !== "away") await store?.start();
    return world;
  }

  /** Starts all fronts and workers of the layout; resolves when every front listens. */
  async startAll(): Promise<void> {
    await Promise.all(Array.from({ length: this.layout.fronts }, () => this.startFront()));
    for (let i = 0; i < this.layout.workers; i++) await this.startWorker();
  }

  get ports(): readonly number[] {
    return this.#ports;
  }

  get workers(): readonly string[] {
    return this.#workers.map(({ name }) => name);
  }

  /** What all servers said on stderr. */
  get logs(): string {
    return [...this.#logs, ...[...this.#fronts, ...this.#workers].map(({ server }) => server.stderr)].join("\n");
  }

  /** Words that no log may hold. */
  get secrets(): string[] {
    return [...this.#tokens.values(), ...(this.store ? [this.store.password] : [])];
  }

  tokenOf(tenant: string): string {
    const token = this.#tokens.get(tenant);
    if (token === undefined) throw new Error(`no tenant ${tenant}`);
    return token;
  }

  caller(tenant: string): Promise<Caller> {
    return Caller.open(() => this.#ports, this.tokenOf(tenant));
  }

  /** A page of a front, such as `/ready`. Status 0: no answer. */
  async page(name: string, front = 0, headers: Record<string, string> = {}): Promise<Reply> {
    const port = this.#ports[front] ?? 0;
    return exchange(port, { method: "GET", path: name, headers, timeoutMs: 10_000 }).catch((error: Error) => ({
      status: 0,
      headers: {},
      text: error.message,
    }));
  }

  /** One message of the protocol to the first front, as it is. */
  async post(body: string, headers: Record<string, string>): Promise<Reply> {
    const listened = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    return exchange(this.#ports[0] ?? 0, { headers: { ...listened, ...headers }, body });
  }

  /** Resolves when it listens. */
  async startFront(bin?: string): Promise<ServerProcess> {
    const server = await this.spawnFront({}, bin);
    const [, port = "0"] = await server.said(LISTENING);
    this.#ports.push(Number(port));
    return server;
  }

  /** Whether it will listen or not. */
  async spawnFront(env: Record<string, string> = {}, bin?: string): Promise<ServerProcess> {
    const args = this.layout.engine === "files" ? ["http"] : ["http", "--concurrency", "0"];
    const member = await this.#start(`front${++this.#count}`, args, { MCP_SERVER_PORT: "0", ...env }, bin);
    this.#fronts.push(member);
    return member.server;
  }

  async startWorker(env: Record<string, string> = {}, bin?: string): Promise<ServerProcess> {
    const args = ["worker", "--concurrency", String(this.layout.concurrency)];
    const member = await this.#start(`worker${++this.#count}`, args, env, bin);
    this.#workers.push(member);
    return member.server;
  }

  /** Kills a worker and starts a new one in its place. */
  async killWorker(name: string, replace = true): Promise<void> {
    const index = this.#workers.findIndex((worker) => worker.name === name);
    const [worker] = this.#workers.splice(index, index < 0 ? 0 : 1);
    if (worker === undefined) return;
    this.kills.push({ worker: name, at: Date.now() });
    worker.server.child.kill("SIGKILL");
    await worker.server.exited;
    this.#logs.push(worker.server.stderr);
    if (replace && !this.#closing) await this.startWorker();
  }

  /** Ends all servers as a service is ended, and looks at what stays. The store goes on. */
  async stopAll(): Promise<Closing> {
    this.#closing = true;
    const ending = [...this.#workers, ...this.#fronts].map(async ({ server }) => {
      const from = performance.now();
      server.child.kill("SIGTERM");
      return (await server.exitFrom(from))?.ms;
    });
    const exitMs = await Promise.all(ending);
    const left = await lastOf(
      async () => (await processesOf(this.sandbox)).map(({ command }) => command),
      GONE_LIMIT_MS,
    );
    return { exitMs, left };
  }

  /** Ends everything at once and takes it away. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    this.#closing = true;
    for (const { server } of [...this.#workers, ...this.#fronts]) server.child.kill("SIGKILL");
    await Promise.all([...this.#workers, ...this.#fronts].map(({ server }) => server.exited));
    await killAll(this.sandbox);
    await this.store?.remove();
    await this.sandbox.remove();
  }

  /** Ends a worker as a service is ended. */
  async endWorker(name: string): Promise<void> {
    const index = this.#workers.findIndex((worker) => worker.name === name);
    const [worker] = this.#workers.splice(index, index < 0 ? 0 : 1);
    if (worker === undefined) return;
    this.#told.add(name);
    worker.server.child.kill("SIGTERM");
    await worker.server.exited;
    this.#logs.push(worker.server.stderr);
  }

  async #start(name: string, args: string[], more: Record<string, string>, bin?: string): Promise<Member> {
    if (this.#closing) throw new Error("the world is being closed");
    const config = path.join(this.sandbox.folder, `config-${name}`);
    await mkdir(config);
    const env: Record<string, string> = {
      ...this.sandbox.env,
      GEMINI_SEARCH_CONFIG_DIR: config,
      // The fake CLI says by this who started it.
      LC_PROOF: `${this.sandbox.marker}.${name}`,
      ...this.#access(),
      ...(this.store && { MCP_SERVER_QUEUE: this.store.url }),
      ...this.layout.env,
      ...more,
    };
    const server = new ServerProcess(env, args, bin);
    void server.exited.then(({ code, signal }) => {
      if (this.#closing || this.#told.has(name) || this.kills.some(({ worker }) => worker === name)) return;
      this.ends.push(`${name} ended by itself with ${code ?? signal}: ${server.stderr.slice(-300)}`);
    });
    return { name, server };
  }

  #access(): Record<string, string> {
    if (this.layout.engine === "files") return { MCP_SERVER_TOKEN: [...this.#tokens.values()][0] ?? "" };
    return { MCP_SERVER_TOKENS: path.join(this.sandbox.folder, "tokens.json") };
  }

  async #writeTokens(): Promise<void> {
    const one = randomBytes(24).toString("base64url");
    const entries = Object.entries(this.layout.tenants).map(([name, limits]) => {
      const token = this.layout.engine === "files" ? one : randomBytes(24).toString("base64url");
      this.#tokens.set(name, token);
      return { name, sha256: createHash("sha256").update(token).digest("hex"), limits };
    });
    const file = path.join(this.sandbox.folder, "tokens.json");
    await writeFile(file, JSON.stringify(entries, undefined, 2));
    await chmod(file, 0o600);
  }
}

async function storeFor({ engine, settings }: Layout): Promise<Store | undefined> {
  return engine === "files" ? undefined : createStore(engine, settings);
}
