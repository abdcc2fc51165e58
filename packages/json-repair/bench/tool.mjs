// Starts the tools that are compared, each in a thread of its own.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { PEERS } from "./peers.mjs";

/** Where the built package is. */
export const OWN = new URL("../dist/index.js", import.meta.url).href;
/** The name of the own tool among the peers. */
export const OWN_NAME = "@x/json-repair";

/** The folder with the peers, installed when it is first asked for. */
export function installPeers() {
  const key = createHash("sha256").update(JSON.stringify(PEERS)).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `json-repair-bench-${key}`);
  if (existsSync(join(folder, "installed"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PEERS }));
  console.error("installing the peers ...");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  writeFileSync(join(folder, "installed"), "");
  return folder;
}

/** A tool that answers one question after the other, and is started again after one it did not survive. */
export class Tool {
  #name;
  #folder;
  #limits;
  #worker;

  /** `limits`: those of the memory of its thread, as Node's `resourceLimits`. */
  constructor(name, folder, limits = {}) {
    this.#name = name;
    this.#folder = folder;
    this.#limits = limits;
  }

  async #start() {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), {
      workerData: { tool: this.#name, folder: this.#folder, own: OWN },
      resourceLimits: this.#limits,
      stdout: true,
      stderr: true,
    });
    await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    this.#worker = worker;
  }

  /** `slow` when no answer came in time, `died` when the thread did. */
  async ask(question, limitMs) {
    if (!this.#worker) await this.#start();
    const worker = this.#worker;
    const answer = await new Promise((resolve) => {
      const settle = (value) => {
        clearTimeout(timer);
        worker.off("message", settle).off("messageerror", refuse).off("error", die).off("exit", die);
        resolve(value);
      };
      const refuse = () => settle({ ok: false });
      const die = () => settle({ ok: false, died: true });
      const timer = setTimeout(() => settle({ ok: false, slow: true }), limitMs);
      worker.on("message", settle).on("messageerror", refuse).on("error", die).on("exit", die);
      worker.postMessage(question);
    });
    if (answer.slow || answer.died) {
      worker.on("error", () => {});
      this.#worker = undefined;
      await worker.terminate();
    }
    return answer;
  }

  async close() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
