import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";

/** A server of a test, with an address of its own on loopback. */
export interface DatabaseServer {
  url: string;
  /** Its process. */
  pid: number;
  /** Ends it as a crash does. What it holds stays. */
  kill(): Promise<void>;
  /** Starts it again with what it held. */
  start(): Promise<void>;
  /** Ends it and removes what it held. */
  remove(): Promise<void>;
}

const PASSWORD = "a password of tests";

/**
 * A free port of loopback that stays free: systems hand out their own from 32768 (Linux) or 49152 on, and in this range a
 * connection of another test may take it before the server does, or while it is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}

/** `REDIS_SERVER` is the path of another program that speaks like it, such as valkey-server. */
export async function startRedis(args: readonly string[] = []): Promise<DatabaseServer> {
  const program =
    process.env["REDIS_SERVER"] ??
    found("redis-server", ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"], "redis-server");
  const directory = mkdtempSync(join(tmpdir(), "mcp-server-redis-"));
  const port = await freePort();
  const options = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--requirepass", PASSWORD],
    ...["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no", ...args],
  ];
  const url = `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/0`;
  return runIn(
    directory,
    url,
    () => spawn(program, options, { stdio: "ignore" }),
    async () => {
      const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.ping();
      } finally {
        client.disconnect();
      }
    },
  );
}

/** With `tls`, a key and a certificate as files, whose text is taken over: it wants them for itself. */
export async function startPostgres(tls?: { key: string; cert: string }): Promise<DatabaseServer> {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), "/usr/local/bin", "/opt/homebrew/bin"];
  const program = found("postgres", folders, "postgresql");
  const directory = mkdtempSync(join(tmpdir(), "mcp-server-postgres-"));
  const data = join(directory, "data");
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? userOf("postgres") : undefined;
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const secret = join(directory, "password");
  writeFileSync(secret, PASSWORD);
  if (user !== undefined) chownSync(secret, user.uid, user.gid);
  const init = [
    "-D",
    data,
    "-U",
    "tester",
    "-A",
    "scram-sha-256",
    "--pwfile",
    secret,
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  ];
  execFileSync(join(program, "..", "initdb"), init, { stdio: "ignore", cwd: directory, ...user });
  const port = await freePort();
  const options = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", directory];
  if (tls !== undefined) {
    options.push("-c", "ssl=on");
    for (const [name, from] of [
      ["ssl_key_file", tls.key],
      ["ssl_cert_file", tls.cert],
    ] as const) {
      const file = join(directory, name);
      writeFileSync(file, readFileSync(from), { mode: 0o600 });
      if (user !== undefined) chownSync(file, user.uid, user.gid);
      options.push("-c", `${name}=${file}`);
    }
  }
  const url = `postgres://tester:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  const run = () => spawn(program, options, { stdio: "ignore", cwd: directory, ...user });
  return runIn(directory, url, run, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
  });
}

async function runIn(
  directory: string,
  url: string,
  run: () => ChildProcess,
  answers: () => Promise<void>,
): Promise<DatabaseServer> {
  let child: ChildProcess;
  const server: DatabaseServer = {
    url,
    pid: 0,
    async start() {
      child = run();
      server.pid = child.pid as number;
      for (;;) {
        if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
        const isUp = await answers().then(
          () => true,
          () => false,
        );
        if (isUp) return;
        await sleep(50);
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // PostgreSQL ends its own processes at once then.
      child.kill(child.spawnfile.endsWith("postgres") ? "SIGQUIT" : "SIGKILL");
      await ended;
    },
    async remove() {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function found(program: string, folders: readonly string[], debianPackage: string): string {
  const paths = [...folders, ...(process.env["PATH"] ?? "").split(":")].map((folder) => join(folder, program));
  const path = paths.find(existsSync);
  if (path === undefined) {
    throw new Error(`${program} is needed by this test. On Debian: apt-get install ${debianPackage}`);
  }
  return path;
}

function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
