import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Engine } from "../../src/queue/engine.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { serveHttp } from "../../src/transports/http.js";
import { fakeIo } from "../cli/fake-io.js";
import { type DatabaseServer, freePort, startPostgres, startRedis } from "../support/database-servers.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { BIN, startServer } from "../support/stdio-server.js";
import { workerOf } from "../support/worker-of.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function running(start: () => Promise<DatabaseServer>): Promise<DatabaseServer> {
  const server = await start();
  closing.push(() => server.remove());
  return server;
}

async function engineOf(url: string, now = Date.now): Promise<Engine> {
  const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now });
  closing.push(() => engine.close());
  return engine;
}

/** A worker that has begun a research, and the front that took it. */
async function underWay(url: string, query: string) {
  const [front, back] = [await engineOf(url), await engineOf(url)];
  const research = fakeResearch();
  const jobs = new QueuedJobs({ engine: front, log: () => {}, own: processOf(1) });
  const worker = workerOf(back, research, 2);
  closing.push(() => Promise.all([jobs.close(), worker.close()]));
  await worker.start(1);
  const { job } = await jobs.of("ann").start("search", { query });
  await research.hasAsked(1);
  return { front, jobs, research, job };
}

/** What came of it before anything could be heard of another program. */
function atOnce(asked: Promise<unknown>): Promise<string> {
  const refused = asked.then(
    () => "answered",
    () => "refused",
  );
  return Promise.race([refused, new Promise<string>((resolve) => setImmediate(resolve, "waits"))]);
}

describe.each(ENGINES)("%s", (name, start) => {
  test("a wrong password is told as such, and never the password", async () => {
    const { url } = await running(start);
    const wrong = new URL(url);
    wrong.password = "mistaken-word";
    const problem = await (await engineOf(wrong.href)).problem();
    expect(problem).toMatchObject({
      kind: "setup",
      text: expect.stringMatching(/does not let this server in.*password/),
    });
    expect(problem?.text).not.toContain("mistaken-word");
  });

  test("a store that is away is told of in words, and used when it is back", async () => {
    const server = await running(start);
    await server.kill();
    const engine = await engineOf(server.url);
    expect(await engine.problem()).toMatchObject({ kind: "away", text: expect.stringContaining("ECONNREFUSED") });
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    const ask = () => jobs.of("ann").start("search", { query: `why ${randomUUID()}` });
    await expect(ask()).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: expect.stringContaining("keeps its researches cannot be used now"),
      why: expect.stringMatching(/ECONNREFUSED|no connection/),
    });
    await server.start();
    await vi.waitFor(async () => expect((await ask()).job.record.state).toBe("running"), {
      timeout: 30_000,
      interval: 200,
    });
    expect(await engine.problem()).toBeUndefined();
  });

  test("what a worker finishes while the store is away is kept when it is back", async () => {
    const server = await running(start);
    const { research, job } = await underWay(server.url, "why");
    await server.kill();
    research.finish(searchReport("kept all the same"));
    await vi.waitFor(() => expect(research.running).toBe(0));
    await server.start();
    await job.ended();
    expect(job.record).toMatchObject({ state: "completed", report: { result: "kept all the same" } });
    expect(research.asked).toHaveLength(1);
  });

  test("a clock that is a minute off is told of where leases are by the clocks of machines", async () => {
    const { url } = await running(start);
    const problem = await (await engineOf(url, () => Date.now() + 60_000)).problem();
    if (name === "Redis") expect(problem).toBeUndefined();
    else
      expect(problem).toMatchObject({
        kind: "setup",
        text: expect.stringMatching(/clock.* s ahead of that of PostgreSQL/),
      });
  });
});

test("a Redis that is away keeps nobody waiting with each question of a call", async () => {
  const server = await running(startRedis);
  const engine = await engineOf(server.url);
  await engine.store.list("ann", 1);
  await server.kill();
  await vi.waitFor(async () => expect(await atOnce(engine.store.list("ann", 1))).toBe("refused"), { timeout: 30_000 });
  expect(await atOnce(engine.store.rows.recall("rate"))).toBe("refused");
});

test("a Redis that may throw jobs away stops the start, with what to do", async () => {
  const { url } = await running(() => startRedis(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]));
  const home = mkdtempSync(join(tmpdir(), "mcp-server-queue-"));
  closing.push(async () => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_SERVER_QUEUE: url };
  for (const args of [["worker"], ["http", "--port", "0"]]) {
    const server = startServer(env, args);
    expect(await server.exited).toBe(1);
    expect(server.stderr()).toMatch(/\[ERROR\] .*maxmemory-policy is allkeys-lru\. Set it to noeviction/);
    expect(server.stderr()).toMatch(MORE);
  }
});

/** A home, and a port of loopback where another program listens. */
async function withTakenPort(): Promise<{ home: string; port: number }> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const home = mkdtempSync(join(tmpdir(), "mcp-server-queue-"));
  closing.push(async () => {
    taken.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { home, port: (taken.address() as AddressInfo).port };
}

test("a worker whose port is taken does not start: whoever watches it would ask another program", async () => {
  const { home, port } = await withTakenPort();
  const { url } = await running(startRedis);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_SERVER_QUEUE: url };
  const worker = startServer(env, ["worker", "--port", String(port)]);
  expect(await worker.exited).toBe(1);
  expect(worker.stderr()).toContain(
    `Cannot listen on 127.0.0.1:${port}: another program listens there; choose another port (--port)`,
  );
  expect(worker.stderr()).toMatch(MORE);
});

test("a server that does not start closes its queue: a job that it has begun goes back", async () => {
  const { home, port } = await withTakenPort();
  const config = join(home, "config");
  mkdirSync(config);
  const { url } = await running(startRedis);
  const watcher = new Redis(url);
  closing.push(async () => watcher.disconnect());
  const connections = async () =>
    String(await watcher.client("LIST"))
      .trim()
      .split("\n").length;
  for (const [mode, problem] of [
    [0o700, `Cannot listen on 127.0.0.1:${port}`],
    [0o777, "everybody may write to"],
  ] as const) {
    chmodSync(config, mode);
    const settings = { MCP_SERVER_QUEUE: url, MCP_SERVER_PORT: String(port), GEMINI_SEARCH_CONFIG_DIR: config };
    const { io, err } = fakeIo({ home, env: settings });
    expect(await serveHttp(io)).toBe(1);
    expect(err()).toContain(problem);
    await vi.waitFor(async () => expect(await connections()).toBe(1));
  }
});

test("a worker without a queue, and a queue without its packages, end with what to do", async () => {
  const home = mkdtempSync(join(tmpdir(), "mcp-server-queue-"));
  closing.push(async () => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const alone = startServer(env, ["worker"]);
  expect(await alone.exited).toBe(1);
  expect(alone.stderr()).toContain("A worker needs a queue: set MCP_SERVER_QUEUE");
  expect(alone.stderr()).toMatch(MORE);
  // As it is installed by itself.
  cpSync(dirname(BIN), join(home, "dist"), { recursive: true });
  cpSync(join(dirname(BIN), "../package.json"), join(home, "package.json"));
  for (const [url, name] of [
    ["redis://127.0.0.1:1", "ioredis"],
    ["postgres://127.0.0.1:1/db", "pg"],
  ] as const) {
    const server = startServer({ ...env, MCP_SERVER_QUEUE: url }, ["worker"], join(home, "dist/bin.js"));
    expect(await server.exited).toBe(1);
    expect(server.stderr()).toContain(
      `which is not installed. Install it beside this one: npm install bullmq ${name}, with -g where this one was installed with -g (or start with npx -p bullmq -p ${name} -p @x/mcp-server x-research …)`,
    );
  }
});

/** The last line of a process that does not start. */
const MORE = /^\[ERROR\] More: https:\S+#http-or-worker-does-not-start\n$/m;

/** A key and a certificate of loopback that nobody vouches for. */
function certificate(): { home: string; key: string; cert: string } {
  const home = mkdtempSync(join(tmpdir(), "mcp-server-queue-"));
  closing.push(async () => rmSync(home, { recursive: true, force: true }));
  const [key, cert] = [join(home, "key.pem"), join(home, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  return { home, key, cert };
}

test("a Redis with TLS is spoken to by rediss, and one whose certificate nobody vouches for is refused", async () => {
  const { home, key, cert } = certificate();
  const tlsPort = await freePort();
  const files = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert];
  const tls = ["--tls-port", String(tlsPort), ...files, "--tls-auth-clients", "no"];
  const server = await running(() => startRedis(tls));
  const url = new URL(server.url);
  url.protocol = "rediss:";
  url.port = String(tlsPort);
  expect(await (await engineOf(url.href)).problem()).toMatchObject({
    kind: "setup",
    text: expect.stringContaining("certificate"),
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_SERVER_QUEUE: url.href };
  const front = startServer({ ...env, NODE_EXTRA_CA_CERTS: cert }, ["http", "--port", "0", "--concurrency", "0"]);
  await vi.waitFor(() => expect(front.stderr()).toContain("Takes calls"), { timeout: 30_000 });
  front.child.kill("SIGTERM");
  expect(await front.exited).toBe(0);
});

test("where something else listens than what the address says, that is told", async () => {
  const plain = await running(startRedis);
  const problemAt = async (url: string) => (await engineOf(url)).problem();
  expect(await problemAt(plain.url.replace("redis:", "rediss:"))).toMatchObject({
    text: expect.stringContaining("without TLS it is redis://"),
  });
  const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  closing.push(async () => void web.close());
  await once(web, "listening");
  const { port } = web.address() as AddressInfo;
  expect(await problemAt(`redis://127.0.0.1:${port}`)).toMatchObject({ text: expect.stringContaining("is no Redis") });
});

test("researches of one process are counted with a queue alone", async () => {
  const { home } = certificate();
  const front = startServer({ PATH: process.env["PATH"] ?? "", HOME: home }, [
    "http",
    "--port",
    "0",
    "--concurrency",
    "0",
  ]);
  expect(await front.exited).toBe(1);
  expect(front.stderr()).toContain("--concurrency needs a queue");
});

test("a PostgreSQL with TLS is spoken to by sslmode, and one whose certificate nobody vouches for is refused", async () => {
  const { key, cert } = certificate();
  const server = await running(() => startPostgres({ key, cert }));
  const url = new URL(server.url);
  url.searchParams.set("sslmode", "verify-full");
  expect(await (await engineOf(url.href)).problem()).toMatchObject({
    kind: "setup",
    text: expect.stringContaining("certificate"),
  });
  url.searchParams.set("sslrootcert", cert);
  const engine = await engineOf(url.href);
  // What it sets up first may take longer than one waits for an answer.
  await vi.waitFor(async () => expect(await engine.problem()).toBeUndefined(), { timeout: 60_000 });
  await engine.queue.wake();
});

test("a Redis that comes back empty, as after a failover, keeps nobody waiting, and works on", async () => {
  const server = await running(startRedis);
  const { front, jobs, research, job } = await underWay(server.url, "lost");
  const client = new Redis(server.url);
  closing.push(async () => client.disconnect());
  await client.script("FLUSH");
  await client.flushall();
  await job.ended();
  expect(job.record.state).toBe("interrupted");
  await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 10_000 });
  expect(await jobs.of("ann").look(job.record.id)).toBeUndefined();
  const { job: next } = await jobs.of("ann").start("search", { query: "lost" });
  await research.hasAsked(2);
  research.finish(searchReport("found again"));
  await next.ended();
  expect(next.record).toMatchObject({ state: "completed", report: { result: "found again" } });
  expect(await front.store.counts()).toEqual([]);
});

test("a PostgreSQL whose disk is full refuses new researches, and keeps what was done when it has room", async () => {
  const server = await running(startPostgres);
  const { jobs, research, job } = await underWay(server.url, "before");
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  closing.push(() => client.end());
  const tables = ["mcp_server.job", "mcp_server.question", "bullmq.job"];
  await client.query(`CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
  for (const table of tables) {
    await client.query(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_space()`);
  }
  await expect(jobs.of("ann").start("search", { query: "while it is full" })).rejects.toMatchObject({
    code: "EXECUTION_ERROR",
    why: expect.stringContaining("No space left on device"),
  });
  research.finish(searchReport("kept all the same"));
  await vi.waitFor(() => expect(research.running).toBe(0));
  expect(await jobs.of("ann").look(job.record.id)).toMatchObject({ state: "running" });
  for (const table of tables) await client.query(`DROP TRIGGER full_disk ON ${table}`);
  await job.ended();
  expect(job.record).toMatchObject({ state: "completed", report: { result: "kept all the same" } });
  const { job: later } = await jobs.of("ann").start("search", { query: "while it is full" });
  await research.hasAsked(2);
  research.finish();
  await later.ended();
  expect(later.record.state).toBe("completed");
});

test("a PostgreSQL that comes back as a standby takes no writes, and is used when it is the primary", async () => {
  const server = await running(startPostgres);
  const engine = await engineOf(server.url);
  await vi.waitFor(async () => expect(await engine.problem()).toBeUndefined(), { timeout: 60_000 });
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await query(`DO $$ BEGIN
    EXECUTE format('COPY (SELECT) TO %L', current_setting('data_directory') || '/standby.signal'); END $$`);
  await server.kill();
  await server.start();
  for (const each of [engine, await engineOf(server.url)]) {
    const problem = { kind: "unwritable", text: expect.stringContaining("read-only transaction") };
    await vi.waitFor(async () => expect(await each.problem()).toMatchObject(problem), { timeout: 30_000 });
  }
  await query("SELECT pg_promote()");
  await vi.waitFor(async () => expect(await engine.problem()).toBeUndefined(), { timeout: 30_000 });
});

test.each<[string, RegExp, (client: Redis) => Promise<unknown>]>([
  [
    "is the replica of another",
    /READONLY.*must name a server that takes writes/,
    (client) => client.replicaof("127.0.0.1", 1),
  ],
  ["has too few replicas", /NOREPLICAS/, (client) => client.config("SET", "min-replicas-to-write", 1)],
  [
    "cannot save",
    /MISCONF/,
    async (client) => {
      const [, folder] = (await client.config("GET", "dir")) as [string, string];
      // Its own, and nothing is made anywhere else.
      expect(folder).toContain(join(tmpdir(), "mcp-server-redis-"));
      rmSync(folder, { recursive: true });
      await client.config("SET", "save", "1000 1");
      await client.bgsave();
    },
  ],
])("a Redis that %s takes no writes, and says why", async (_, why, stop) => {
  const server = await running(startRedis);
  const engine = await engineOf(server.url);
  await vi.waitFor(async () => expect(await engine.problem()).toBeUndefined(), { timeout: 30_000 });
  const client = new Redis(server.url);
  closing.push(async () => client.disconnect());
  await stop(client);
  const problem = { kind: "unwritable", text: expect.stringMatching(why) };
  await vi.waitFor(async () => expect(await engine.problem()).toMatchObject(problem), { timeout: 30_000 });
});

test("a full Redis refuses new researches, loses none, and takes more when it has room", async () => {
  const server = await running(startRedis);
  const engine = await engineOf(server.url);
  const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
  closing.push(() => jobs.close());
  const { job } = await jobs.of("ann").start("search", { query: "before" });
  const client = new Redis(server.url);
  closing.push(async () => client.disconnect());
  // It holds more than it may from now on.
  await client.config("SET", "maxmemory", "1");
  await expect(jobs.of("ann").start("search", { query: "while it is full" })).rejects.toMatchObject({
    code: "EXECUTION_ERROR",
    why: expect.stringContaining("used memory > 'maxmemory'"),
  });
  expect(await jobs.of("ann").look(job.record.id)).toMatchObject({ state: "running" });
  await client.config("SET", "maxmemory", "0");
  const { job: later } = await jobs.of("ann").start("search", { query: "while it is full" });
  expect(later.record.state).toBe("running");
});
