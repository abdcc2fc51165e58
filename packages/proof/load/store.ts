/** A store of its own for a part of the load: started in a folder that goes with it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { lastOf } from "../rig/leftovers.js";

const run = promisify(execFile);
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const POSTGRES_FOLDERS = "/usr/lib/postgresql";

export type EngineName = "redis" | "postgres";

export interface Store {
  engine: EngineName;
  /** With the password. */
  url: string;
  wrongUrl: string;
  password: string;
  /** Resolves when it takes connections. */
  start(): Promise<void>;
  /** With SIGKILL, all of its processes. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT, to all of its processes. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and takes its folder away. */
  remove(): Promise<void>;
}

interface Program {
  command: string;
  args: string[];
  says: RegExp;
  uid?: number;
  gid?: number;
}

/** It is not started yet. `settings` are options of redis-server, such as `--maxmemory-policy`. */
export async function createStore(engine: EngineName, settings: readonly string[] = []): Promise<Store> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "load-store-"));
  const port = await freePort();
  const password = randomBytes(9).toString("hex");
  try {
    const program =
      engine === "redis"
        ? await redis(folder, port, [...settings, "--requirepass", password])
        : await postgres(folder, port, password);
    const [scheme, user, database] = engine === "redis" ? ["redis", "", "0"] : ["postgres", "load", "postgres"];
    const url = (word: string) => `${scheme}://${user}:${word}@127.0.0.1:${port}/${database}`;
    return { engine, url: url(password), wrongUrl: url("wrong"), password, ...processes(program, folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What is said to be written is in the file: a killed one loses nothing. */
async function redis(folder: string, port: number, more: readonly string[]): Promise<Program> {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"];
  return { command: "redis-server", args: [...args, ...more], says: /Ready to accept connections/ };
}

async function postgres(folder: string, port: number, password: string): Promise<Program> {
  const versions = (await readdir(POSTGRES_FOLDERS)).map(Number).sort((a, b) => b - a);
  const bin = path.join(POSTGRES_FOLDERS, String(versions[0]), "bin");
  const who = await postgresUser();
  const data = path.join(folder, "data");
  const secret = path.join(folder, "secret");
  await writeFile(secret, password, { mode: 0o600 });
  if (who !== undefined) for (const file of [folder, secret]) await chown(file, who.uid, who.gid);
  const trust = ["-U", "load", "-A", "scram-sha-256", `--pwfile=${secret}`];
  await run(path.join(bin, "initdb"), ["-D", data, "-E", "UTF8", "--no-sync", ...trust], { ...who, cwd: folder });
  const settings = { listen_addresses: "127.0.0.1", max_connections: "200", unix_socket_directories: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const says = /database system is ready to accept connections/;
  return { command: path.join(bin, "postgres"), args: ["-D", data, "-p", String(port), ...args], says, ...who };
}

/** PostgreSQL does not run as root: then it runs as the user that its package made. */
async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (of) => Number((await run("id", [of, "postgres"])).stdout)),
  );
  return { uid: uid as number, gid: gid as number };
}

function processes({ command, args, says, ...who }: Program, folder: string) {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let removed = false;

  async function signal(name: NodeJS.Signals): Promise<number[]> {
    const pids = child?.pid === undefined ? [] : [child.pid, ...(await childrenOf(child.pid))];
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // Gone by itself.
      }
    }
    return pids;
  }
  async function kill(): Promise<void> {
    const pids = await signal("SIGKILL");
    await ended;
    await lastOf(async () => (await Promise.all(pids.map(isThere))).filter(Boolean), START_LIMIT_MS);
    child = undefined;
  }
  return {
    kill,
    async start() {
      if (removed) throw new Error("the store was taken away");
      const started = spawn(command, args, { ...who, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      ended = new Promise((resolve) => started.once("exit", resolve).once("error", resolve));
      await spoken(started, says, ended);
    },
    async pause() {
      await signal("SIGSTOP");
    },
    async resume() {
      await signal("SIGCONT");
    },
    async remove() {
      removed = true;
      await signal("SIGCONT");
      await signal("SIGINT");
      await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
      await kill();
      await freeMemoryOf(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function spoken(child: ChildProcess, pattern: RegExp, ended: Promise<unknown>): Promise<void> {
  let said = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said = `${said}${chunk}`.slice(-4_000);
        if (pattern.test(said)) resolve();
      });
    }
  });
  const failed = ended.then(() => {
    throw new Error(`${child.spawnfile} ended at once: ${said}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
}

/** A PostgreSQL that was killed leaves a segment of shared memory, which the next one in the same folder would free. */
async function freeMemoryOf(folder: string): Promise<void> {
  const lock = await readFile(path.join(folder, "data", "postmaster.pid"), "utf8").catch(() => "");
  const [, id] = lock.split("\n")[6]?.trim().split(/\s+/) ?? [];
  if (id !== undefined) await run("ipcrm", ["-m", id]).catch(() => {});
}

async function childrenOf(parent: number): Promise<number[]> {
  const lists = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8").catch(() => "");
  return lists.split(" ").map(Number).filter(Boolean);
}

/** Whether a process is there and not merely not waited for. */
export async function isThere(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
