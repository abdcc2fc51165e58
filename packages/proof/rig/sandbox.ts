import { randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FakeStep } from "./fake-gemini.js";

const packageRoot = new URL("../", import.meta.url);
const require = createRequire(import.meta.url);

/** The JavaScript of the installed CLI. */
const REAL_CLI = path.join(path.dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

/** A machine of its own for one server: everything that it and its CLI may write lies in one folder. */
export interface Sandbox {
  folder: string;
  home: string;
  config: string;
  temp: string;
  /** First on PATH. `gemini` in it is the CLI. */
  bin: string;
  cli: string;
  /** Stands in the environment of every process that is started in here. */
  marker: string;
  env: Record<string, string>;
  /** `gemini` is the real CLI. */
  installCli(): Promise<void>;
  /** `gemini` is a program that does these steps when it has read its prompt. */
  installFake(steps: readonly FakeStep[]): Promise<void>;
  /**
   * `gemini` is a program that does the steps of the play whose name stands in its prompt (`play-NAME.NUMBER`), or of the
   * play `otherwise`. Gives the file in which each run notes `{ pid, name, number }`, one a line.
   */
  installPlays(plays: Readonly<Record<string, readonly FakeStep[]>>): Promise<string>;
  /** `gemini` is this text, with this mode. */
  installText(text: string, mode: number): Promise<void>;
  /** `gemini` is a package of the CLI's name and this version. */
  installVersion(version: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createSandbox(): Promise<Sandbox> {
  const sandbox = new FolderSandbox(await realpath(await mkdtemp(path.join(os.tmpdir(), "proof-"))));
  const { home, config, temp, bin, fake } = sandbox;
  await Promise.all([home, config, temp, bin, fake].map((folder) => mkdir(folder)));
  await symlink(process.execPath, path.join(bin, "node"));
  return sandbox;
}

class FolderSandbox implements Sandbox {
  readonly folder: string;
  readonly home: string;
  readonly config: string;
  readonly temp: string;
  readonly bin: string;
  readonly fake: string;
  readonly cli: string;
  readonly marker = randomUUID();
  readonly env: Record<string, string>;

  constructor(folder: string) {
    const at = (name: string) => path.join(folder, name);
    this.folder = folder;
    this.home = at("home");
    this.config = at("config");
    this.temp = at("tmp");
    this.bin = at("bin");
    this.fake = at("fake");
    this.cli = path.join(this.bin, "gemini");
    this.env = {
      PATH: [this.bin, "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
      HOME: this.home,
      TMPDIR: this.temp,
      GEMINI_SEARCH_CONFIG_DIR: this.config,
      GEMINI_CLI_PATH: this.cli,
      GEMINI_MODEL: "gemini-2.5-flash",
      // The runner hands the CLI what it needs of the environment: names of locales are among it.
      LC_PROOF: this.marker,
    };
  }

  installCli(): Promise<void> {
    return this.#replace((draft) => symlink(REAL_CLI, draft));
  }

  async installFake(steps: readonly FakeStep[]): Promise<void> {
    const program = await this.#copyOfFake();
    await writeFile(`${program}.json`, JSON.stringify(steps));
    await this.#replace((draft) => symlink(program, draft));
  }

  async installPlays(plays: Readonly<Record<string, readonly FakeStep[]>>): Promise<string> {
    const program = await this.#copyOfFake();
    const folder = `${program}.plays`;
    await mkdir(folder);
    for (const [name, steps] of Object.entries(plays)) {
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(steps));
    }
    const runs = path.join(folder, "runs.jsonl");
    await writeFile(runs, "");
    await this.#replace((draft) => symlink(program, draft));
    return runs;
  }

  installText(text: string, mode: number): Promise<void> {
    return this.#replace(async (draft) => {
      await writeFile(draft, text);
      await chmod(draft, mode);
    });
  }

  async installVersion(version: string): Promise<void> {
    const old = path.join(this.folder, "old");
    await mkdir(old, { recursive: true });
    await writeFile(path.join(old, "package.json"), JSON.stringify({ name: "@google/gemini-cli", version }));
    await writeFile(path.join(old, "gemini.js"), "process.exitCode = 1;\n");
    await this.#replace((draft) => symlink(path.join(old, "gemini.js"), draft));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** A call that is made meanwhile finds the old one or the new one. */
  async #replace(make: (draft: string) => Promise<unknown>): Promise<void> {
    const draft = path.join(this.bin, `.${randomUUID()}`);
    await make(draft);
    await rename(draft, this.cli);
  }

  async #copyOfFake(): Promise<string> {
    const program = path.join(this.fake, `${randomUUID()}.cjs`);
    await copyFile(fileURLToPath(new URL("rig/fake-gemini.cjs", packageRoot)), program);
    return program;
  }
}
