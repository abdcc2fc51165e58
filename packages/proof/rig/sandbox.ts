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
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "proof-")));
  const at = (...names: string[]) => path.join(folder, ...names);
  const [home, config, temp, bin] = [at("home"), at("config"), at("tmp"), at("bin")];
  await Promise.all([home, config, temp, bin, at("fake")].map((name) => mkdir(name)));
  await symlink(process.execPath, path.join(bin, "node"));
  const cli = path.join(bin, "gemini");
  const marker = randomUUID();

  /** A call that is made meanwhile finds the old one or the new one. */
  async function replace(make: (draft: string) => Promise<unknown>): Promise<void> {
    const draft = path.join(bin, `.${randomUUID()}`);
    await make(draft);
    await rename(draft, cli);
  }

  async function copyOfFake(): Promise<string> {
    const program = at("fake", `${randomUUID()}.cjs`);
    await copyFile(fileURLToPath(new URL("rig/fake-gemini.cjs", packageRoot)), program);
    return program;
  }

  return {
    folder,
    home,
    config,
    temp,
    bin,
    cli,
    marker,
    env: {
      PATH: [bin, "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
      HOME: home,
      TMPDIR: temp,
      GEMINI_SEARCH_CONFIG_DIR: config,
      GEMINI_CLI_PATH: cli,
      GEMINI_MODEL: "gemini-2.5-flash",
      // The runner hands the CLI what it needs of the environment: names of locales are among it.
      LC_PROOF: marker,
    },
    installCli: () => replace((draft) => symlink(REAL_CLI, draft)),
    async installFake(steps) {
      const program = await copyOfFake();
      await writeFile(`${program}.json`, JSON.stringify(steps));
      await replace((draft) => symlink(program, draft));
    },
    async installPlays(plays) {
      const program = await copyOfFake();
      const folder = `${program}.plays`;
      await mkdir(folder);
      for (const [name, steps] of Object.entries(plays)) {
        await writeFile(path.join(folder, `${name}.json`), JSON.stringify(steps));
      }
      const runs = path.join(folder, "runs.jsonl");
      await writeFile(runs, "");
      await replace((draft) => symlink(program, draft));
      return runs;
    },
    installText: (text, mode) =>
      replace(async (draft) => {
        await writeFile(draft, text);
        await chmod(draft, mode);
      }),
    async installVersion(version) {
      await mkdir(at("old"), { recursive: true });
      await writeFile(at("old", "package.json"), JSON.stringify({ name: "@google/gemini-cli", version }));
      await writeFile(at("old", "gemini.js"), "process.exitCode = 1;\n");
      await replace((draft) => symlink(at("old", "gemini.js"), draft));
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
