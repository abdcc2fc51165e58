/** The server under siege: it is started again when it ends, and every end is noted. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { killAll } from "../rig/leftovers.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { SERVER_BIN, ServerProcess } from "../rig/server-process.js";
import type { PersonsJob } from "./ground.js";
import { allPlays } from "./plays.js";

const run = promisify(execFile);
/** One run of the CLI: shorter than the default, so that a hanging one does not hold the siege up. */
const RUN_LIMIT_MS = 8_000;
const START_LIMIT_MS = 5_000;

export interface Fortress {
  readonly sandbox: Sandbox;
  readonly token: string;
  readonly server: ServerProcess;
  readonly port: number;
  readonly person: PersonsJob;
  /** File in which the runs of the CLI note themselves. */
  readonly runs: string;
  /** Goes up with every start. */
  readonly generation: number;
  /** Each time that the server ended, or had to be ended, while it should have worked. */
  readonly ends: string[];
  /** It answers nobody any more: kills it, and starts the next one. */
  frozen(): Promise<void>;
  /** Resolves when no restart is under way. */
  ready(): Promise<void>;
  /** No restart from here on. */
  surrender(): void;
  /** Bytes of everything that the server and its CLI may write. */
  diskBytes(): Promise<number>;
  /** What servers before the present one said on stderr. */
  readonly logs: string[];
  remove(): Promise<void>;
}

/** `underWay` names what is being done to the server; `onStart` is told of every server that is there. */
export async function createFortress(underWay: () => string, onStart: () => void): Promise<Fortress> {
  const sandbox = await createSandbox();
  const token = randomUUID();
  const runs = await sandbox.installPlays(allPlays());
  const env: Record<string, string> = {
    ...sandbox.env,
    GEMINI_SEARCH_TIMEOUT: String(RUN_LIMIT_MS),
    MCP_SERVER_TOKEN: token,
    MCP_SERVER_PORT: "0",
  };
  const ends: string[] = [];
  const logs: string[] = [];
  let [port, generation, expected, freshCount] = [0, 0, false, 0];
  let person = await askAsPerson();
  let server = await start();

  async function askAsPerson(): Promise<PersonsJob> {
    const question = `How high are the tides? play-person.${freshCount}`;
    const { stdout } = await run(process.execPath, [SERVER_BIN, "search", question, "--json"], { env });
    return { id: String((JSON.parse(stdout) as { job_id: string }).job_id), question };
  }

  async function start(): Promise<ServerProcess> {
    const started = new ServerProcess(env, ["http"]);
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener("abort", () => reject(new Error("the server does not listen")));
    });
    const [, said = ""] = await Promise.race([started.said(/http:\/\/[^\s/]*:(\d+)\/mcp/), late]);
    port = Number(said);
    // The next one takes the same place, as after a restart of a service.
    env["MCP_SERVER_PORT"] = said;
    generation += 1;
    void started.exited.then(({ code, signal }) => {
      logs.push(started.stderr);
      if (expected || started !== server) return;
      ends.push(`ended by itself with ${code ?? signal} during: ${underWay()}`);
      void again();
    });
    return started;
  }

  let restarting: Promise<void> | undefined;
  /** In the same directory; in a new one when that fails, or when what lies in it freezes the next server too. */
  function again(): Promise<void> {
    restarting ??= (async () => {
      // What the old server started is not the new one's fault.
      await sleep(500);
      await killAll(sandbox);
      try {
        server = await start();
        await mustBeWell();
      } catch (error) {
        ends.push(`the next server, in the same directory: ${(error as Error).message}`);
        expected = true;
        server.child.kill("SIGKILL");
        await server.exited;
        expected = false;
        await killAll(sandbox);
        freshCount += 1;
        await rename(sandbox.config, path.join(sandbox.folder, `config-${freshCount}`));
        await mkdir(sandbox.config);
        person = await askAsPerson();
        server = await start();
      }
      onStart();
    })()
      .catch((error: Error) => {
        ends.push(`it could not be started again: ${error.message}`);
      })
      .finally(() => {
        restarting = undefined;
      });
    return restarting;
  }

  /** Work that was left unfinished is taken up soon after the start. */
  async function mustBeWell(): Promise<void> {
    for (let i = 0; i < 6; i++) {
      await sleep(500);
      const health = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(START_LIMIT_MS) });
      await health.text();
    }
  }

  return {
    sandbox,
    token,
    runs,
    ends,
    logs,
    get server() {
      return server;
    },
    get port() {
      return port;
    },
    get person() {
      return person;
    },
    get generation() {
      return generation;
    },
    async frozen() {
      if (restarting) return restarting;
      ends.push(`answered nobody for 10 s and was killed during: ${underWay()}`);
      const old = server;
      expected = true;
      old.child.kill("SIGKILL");
      await old.exited;
      expected = false;
      await again();
    },
    async ready() {
      await restarting;
    },
    surrender() {
      expected = true;
    },
    diskBytes: () => bytesIn([sandbox.home, sandbox.config, sandbox.temp]),
    async remove() {
      expected = true;
      await restarting;
      server.child.kill("SIGKILL");
      await server.exited;
      await killAll(sandbox);
      await sandbox.remove();
    },
  };
}

/** Also of what is being written or taken away meanwhile. */
async function bytesIn(folders: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const next = [...folders]; next.length > 0; ) {
    const folder = next.pop() as string;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) next.push(file);
      else bytes += (await stat(file).catch(() => ({ blocks: 0 }))).blocks * 512;
    }
  }
  return bytes;
}
