/** The server under siege: it is started again when it ends, and every end is noted. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { killAll } from "../rig/leftovers.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";
import type { PersonsJob } from "./ground.js";
import { MALLOC } from "./image.js";
import { allPlays } from "./plays.js";

const run = promisify(execFile);
/** One run of the CLI: shorter than the default, so that a hanging one does not hold the siege up. */
const RUN_LIMIT_MS = 8_000;
const START_LIMIT_MS = 30_000;

/** What whoever besieges the server tells of the siege, and is told of. */
interface Siege {
  /** Names what is being done to the server. */
  underWay: () => string;
  /** Called whenever a server is there again. */
  onStart: () => void;
  /** The server's program. */
  bin: string;
}

export class Fortress {
  readonly sandbox: Sandbox;
  readonly token: string;
  /** File in which the runs of the CLI note themselves. */
  readonly runs: string;
  /** Each time that the server ended, or had to be ended, while it should have worked. */
  readonly ends: string[] = [];
  /** What servers before the present one said on stderr. */
  readonly logs: string[] = [];
  readonly #env: Record<string, string>;
  readonly #siege: Siege;
  #server!: ServerProcess;
  #person!: PersonsJob;
  #port = 0;
  #generation = 0;
  /** Whether an end of the server is not worth a note. */
  #expected = false;
  #freshCount = 0;
  #restarting: Promise<void> | undefined;
  #isLost = false;

  /** Starts the first server, with a finished job of a person in its store. */
  static async build(siege: Siege): Promise<Fortress> {
    const sandbox = await createSandbox();
    const fortress = new Fortress(sandbox, randomUUID(), await sandbox.installPlays(allPlays()), siege);
    try {
      fortress.#person = await fortress.#askAsPerson();
      fortress.#server = await fortress.#start();
      return fortress;
    } catch (error) {
      await killAll(sandbox);
      await sandbox.remove();
      throw error;
    }
  }

  private constructor(sandbox: Sandbox, token: string, runs: string, siege: Siege) {
    this.sandbox = sandbox;
    this.token = token;
    this.runs = runs;
    this.#siege = siege;
    this.#env = {
      ...sandbox.env,
      ...MALLOC,
      GEMINI_SEARCH_TIMEOUT: String(RUN_LIMIT_MS),
      MCP_SERVER_TOKEN: token,
      MCP_SERVER_PORT: "0",
    };
  }

  get server(): ServerProcess {
    return this.#server;
  }

  get port(): number {
    return this.#port;
  }

  get person(): PersonsJob {
    return this.#person;
  }

  /** Goes up with every start. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether there is no server any more, and none can be started. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** It answers nobody any more: kills it, and starts the next one. */
  async frozen(): Promise<void> {
    if (this.#restarting) return this.#restarting;
    this.ends.push(`answered nobody for 10 s and was killed during: ${this.#siege.underWay()}`);
    await this.#kill();
    await this.#again();
  }

  /** Resolves when no restart is under way. */
  async ready(): Promise<void> {
    await this.#restarting;
  }

  /** No restart from here on. */
  surrender(): void {
    this.#expected = true;
  }

  /** Bytes of everything that the server and its CLI may write. */
  diskBytes(): Promise<number> {
    return bytesIn([this.sandbox.home, this.sandbox.config, this.sandbox.temp]);
  }

  async remove(): Promise<void> {
    this.surrender();
    await this.#restarting;
    await this.#kill();
    await killAll(this.sandbox);
    await this.sandbox.remove();
  }

  async #askAsPerson(): Promise<PersonsJob> {
    const question = `How high are the tides? play-person.${this.#freshCount}`;
    const { stdout } = await run(process.execPath, [this.#siege.bin, "search", question, "--json"], { env: this.#env });
    return { id: String((JSON.parse(stdout) as { job_id: string }).job_id), question };
  }

  async #start(): Promise<ServerProcess> {
    const started = new ServerProcess(this.#env, ["http"], this.#siege.bin);
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener("abort", () => reject(new Error("the server does not listen")));
    });
    const [, said = ""] = await Promise.race([started.said(/http:\/\/[^\s/]*:(\d+)\/mcp/), late]);
    this.#port = Number(said);
    // The next one takes the same place, as after a restart of a service.
    this.#env["MCP_SERVER_PORT"] = said;
    this.#generation += 1;
    void started.exited.then(({ code, signal }) => {
      this.logs.push(started.stderr);
      if (this.#expected || started !== this.#server) return;
      this.ends.push(`ended by itself with ${code ?? signal} during: ${this.#siege.underWay()}`);
      void this.#again();
    });
    return started;
  }

  /** Kills the server without a note of its end. */
  async #kill(): Promise<void> {
    const expected = this.#expected;
    this.#expected = true;
    this.#server.child.kill("SIGKILL");
    await this.#server.exited;
    this.#expected = expected;
  }

  #again(): Promise<void> {
    this.#restarting ??= this.#restart()
      .catch((error: Error) => {
        this.ends.push(`it could not be started again: ${error.message}`);
        this.#isLost = true;
      })
      .finally(() => {
        this.#restarting = undefined;
      });
    return this.#restarting;
  }

  /** In the same directory; in a new one when that fails, or when what lies in it freezes the next server too. */
  async #restart(): Promise<void> {
    // What the old server started is not the new one's fault.
    await sleep(500);
    await killAll(this.sandbox);
    try {
      this.#server = await this.#start();
      await this.#mustBeWell();
    } catch (error) {
      this.ends.push(`the next server, in the same directory: ${(error as Error).message}`);
      await this.#kill();
      await killAll(this.sandbox);
      await this.#startAfresh();
    }
    this.#siege.onStart();
  }

  async #startAfresh(): Promise<void> {
    const { config, folder } = this.sandbox;
    this.#freshCount += 1;
    await rename(config, path.join(folder, `config-${this.#freshCount}`));
    await mkdir(config);
    this.#person = await this.#askAsPerson();
    this.#server = await this.#start();
  }

  /** Work that was left unfinished is taken up soon after the start. */
  async #mustBeWell(): Promise<void> {
    for (let i = 0; i < 6; i++) {
      await sleep(500);
      const signal = AbortSignal.timeout(START_LIMIT_MS);
      const health = await fetch(`http://127.0.0.1:${this.#port}/health`, { signal });
      await health.text();
    }
  }
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
