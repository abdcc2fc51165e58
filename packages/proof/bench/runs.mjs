/**
 * A search and a deep search of five rounds through the built server, beside plain Gemini CLI with the same prompts, on
 * a model server that answers at once: what is left is the time of the programs. Requests and their bytes are counted
 * where they arrive.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { research, startModelServer } from "@x/gemini-runner/testing";
import { startStdioServer } from "./stdio-server.mjs";

const require = createRequire(import.meta.url);
const CLI = join(require.resolve("@google/gemini-cli/package.json"), "../bundle/gemini.js");
export const CLI_VERSION = require("@google/gemini-cli/package.json").version;

const QUESTION = "How are leap seconds announced, and when will they end?";
export const DEEP_ROUNDS = 5;

/** @returns `{ search, deep }`, each `{ ours, plain }` with `ms`, `requests`, `bytes` and `prompts`: one value a round */
export async function measureRuns({ script, scratch, searchRounds, deepRounds }) {
  const model = await startModelServer({
    scenario: research({ topic: QUESTION, verifiedAfter: Number.POSITIVE_INFINITY }),
  });
  const { folder, env } = environment(scratch, model);
  const server = startStdioServer(script, {
    cwd: folder,
    env: { ...env, GEMINI_CLI_PATH: CLI, GEMINI_SEARCH_CONFIG_DIR: join(scratch, "runs-config"), MAX_WAIT_MS: "0" },
  });
  let asked = 0;

  /** The number makes it another question: an identical one might be answered from what is there. */
  async function ours(tool, more) {
    asked += 1;
    const answer = await server.callTool(tool, { query: `${QUESTION} (${asked})`, ...more });
    if (answer.isError) throw new Error(`${tool} failed: ${answer.content[0].text}`);
  }

  async function sideBySide(rounds, tool, more = {}) {
    const result = { ours: [], plain: [] };
    // The first pair warms the disk and is not counted.
    for (let round = -1; round < rounds; round++) {
      const own = await measured(model, () => ours(tool, more));
      const other = await measured(model, () => plain(own.prompts, { folder, env }));
      if (round < 0) continue;
      result.ours.push(own);
      result.plain.push(other);
    }
    return result;
  }

  try {
    await server.greet();
    const search = await sideBySide(searchRounds, "search");
    return { search, deep: await sideBySide(deepRounds, "deep_search", { max_iterations: DEEP_ROUNDS }) };
  } finally {
    await server.end();
    await model.close();
  }
}

/** What a person has who signs in with a key: the CLI asks for it in its settings. */
function environment(scratch, model) {
  const home = join(scratch, "runs-home");
  mkdirSync(join(home, ".gemini"), { recursive: true });
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
  const folder = join(scratch, "runs-cwd");
  mkdirSync(folder);
  return { folder, env: { PATH: process.env.PATH, HOME: home, ...model.env } };
}

/** What `work` takes, and what arrives at the API meanwhile. */
async function measured(model, work) {
  const from = model.requests.length;
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const calls = model.requests.slice(from);
  return {
    ms,
    requests: calls.length,
    bytes: calls.reduce((sum, call) => sum + call.bytes, 0),
    prompts: calls.filter(({ kind, turn }) => kind === "main" && turn === 0).map(({ prompt }) => prompt),
  };
}

/** Plain Gemini CLI with the same prompts. */
async function plain(prompts, { folder, env }) {
  for (const prompt of prompts) {
    const args = [CLI, "--output-format=json", "--skip-trust", "--allowed-tools=web_fetch"];
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "ignore", "pipe"] });
    const said = text(child.stderr);
    child.stdin.end(prompt);
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`Gemini CLI ended with ${code}: ${await said}`);
  }
}
