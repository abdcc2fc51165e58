import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createGeminiRunner } from "@x/gemini-runner";
import { json, type ModelCall, type Scenario, startModelServer } from "@x/gemini-runner/testing";
import { build } from "tsup";
import { onTestFinished } from "vitest";
import { builtInPrompts, type ResearchDeps } from "../src/index.js";
import { createTempFiles } from "../src/node/index.js";
import { temporaryFolder } from "./world.js";

const require = createRequire(import.meta.url);

/** The JavaScript of the installed CLI. */
const CLI = join(dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

export const MODEL = "gemini-2.5-flash";

/** Public by its number, so that no name service is needed; nothing is contacted. */
export const PAGES = ["http://93.184.215.14/moon", "http://93.184.215.14/sun"] as const;

/** The model's answer in a round: it cites both pages and one that it has never seen. */
export const report = (round: number, verified: boolean, before = "") =>
  json({
    success: true,
    verified,
    report: `${before}Report ${round}: the moon [1](${PAGES[0]}), the sun [2](${PAGES[1]}), [3](https://invented.org/x).`,
    metadata: { sources_visited: [...PAGES, "https://invented.org/x"], search_queries_used: ["invented"] },
    claims: [{ text: "The moon pulls.", sources: [PAGES[0]], status: "supported" }],
  });

/** The real CLI in a home of its own, and a model server on loopback that answers as the scenario says. */
export async function realWorld(scenario: Scenario, more: Partial<ResearchDeps> = {}) {
  const server = await startModelServer({ scenario });
  const config = await temporaryFolder();
  const deps: ResearchDeps = {
    ...(await runnerOf(CLI, server.env)),
    model: MODEL,
    correctionModel: MODEL,
    tempFiles: createTempFiles({ directory: config }),
    ...more,
  };
  onTestFinished(() => server.close());
  return { deps, server, config };
}

/** The same with a few lines of shell where the CLI is not what matters: each of its starts takes a second. */
export async function scriptWorld(script: string) {
  const folder = await temporaryFolder();
  const command = await scriptGemini(folder, script);
  return { deps: { ...(await runnerOf(command)), model: MODEL } satisfies ResearchDeps };
}

/** A program named `gemini` that has its prompt in `$prompt`. */
export async function scriptGemini(folder: string, script: string): Promise<string> {
  const path = join(folder, "gemini");
  await writeFile(path, `#!/bin/sh\nprompt=$(cat)\n${script}\n`, { mode: 0o755 });
  return path;
}

/** Lines of shell that go on as the first one in round 2, and as the second one before. */
export function inRound2(then: string, before: string): string {
  return `case "$prompt" in\n*"round 2 of"*) ${then} ;;\n*) ${before} ;;\nesac`;
}

/** A line of shell that prints this as a model does. */
export function printing(answer: object): string {
  return `cat <<'END'\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\nEND\n`;
}

async function runnerOf(command: string, more: Readonly<Record<string, string>> = {}) {
  const [home, cwd] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const { PATH = "" } = process.env;
  const runner = createGeminiRunner({ command, cwd, env: { PATH, HOME: home, ...more }, retries: 0 });
  onTestFinished(() => runner.close());
  return { runner, prompts: builtInPrompts, sleep: async () => {} };
}

/** Which prompt a request of the agent's own turn carries. */
export function kindOf({ prompt }: ModelCall): "search" | "first" | "verify" | "correction" | "research" {
  if (prompt.includes("# Verify and update a research report")) return "verify";
  if (prompt.includes("# Format a research answer as JSON")) return "correction";
  if (prompt.includes("# Research a question in depth")) return "first";
  return prompt.includes("# Research a topic") ? "research" : "search";
}

/** `n` of `round n of max`; 1 for every other prompt. */
export function roundOf({ prompt }: ModelCall): number {
  return Number(/report: round (\d+) of/.exec(prompt)?.[1] ?? 1);
}

/** One file of JavaScript that runs by itself, made of a file of TypeScript and the sources it imports. */
export async function bundled(entry: string): Promise<string> {
  const outDir = await temporaryFolder();
  await build({
    entry: [entry],
    outDir,
    config: false,
    silent: true,
    format: "esm",
    platform: "node",
    noExternal: [/^(?!node:)/],
    outExtension: () => ({ js: ".mjs" }),
    // What is CommonJS among the packages asks for Node's own modules with `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    esbuildOptions: (options) => {
      options.conditions = ["@x/source"];
    },
  });
  return join(outDir, basename(entry).replace(/\.ts$/, ".mjs"));
}
