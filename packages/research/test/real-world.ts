import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createGeminiRunner } from "@x/gemini-runner";
import { type ModelCall, type Scenario, startModelServer } from "@x/gemini-runner/testing";
import { build } from "tsup";
import { onTestFinished } from "vitest";
import { builtInPrompts, createScratch, type ResearchDeps } from "../src/index.js";
import { temporaryFolder } from "./world.js";

const require = createRequire(import.meta.url);

/** The JavaScript of the installed CLI. */
export const CLI = join(dirname(require.resolve("@google/gemini-cli/package.json")), "bundle/gemini.js");

export const MODEL = "gemini-2.5-flash";

/** The real CLI in a home of its own, and a model server on loopback that answers as the scenario says. */
export async function realWorld(scenario: Scenario, more: Partial<ResearchDeps> = {}) {
  const [home, folder, config] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
  const server = await startModelServer({ scenario });
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, ...server.env };
  const runner = createGeminiRunner({ command: CLI, cwd: folder, env, retries: 0 });
  onTestFinished(async () => {
    await runner.close();
    await server.close();
  });
  const deps: ResearchDeps = {
    runner,
    prompts: builtInPrompts,
    model: MODEL,
    correctionModel: MODEL,
    scratch: createScratch({ directory: config }),
    sleep: async () => {},
    ...more,
  };
  return { deps, server, env, folder, config };
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
