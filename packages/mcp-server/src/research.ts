import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGeminiRunner, type GeminiRunner, type GeminiRunnerOptions, type McpServers } from "@x/gemini-runner";
import { makeFolder } from "@x/owned-files";
import type { ResearchDeps } from "@x/research";
import {
  createFilePageStore,
  createFileRunStore,
  createTempFiles,
  createUrlResolver,
  loadPrompts,
} from "@x/research/node";
import type { PagesHost, PagesOptions } from "@x/research/pages";
import type { Config } from "./host/config.js";
import type { Io } from "./host/io.js";
import type { Log } from "./host/log.js";
import type { Ask } from "./isolation/ask.js";
import { isolatedAsk } from "./isolation/isolated-ask.js";
import type { Offload } from "./isolation/offload.js";
import { Readers } from "./isolation/readers.js";

/** Whatever does research, made from the settings. */
export interface Research {
  ask: Ask;
  /** Does a task of the tools where a text of any length holds nobody up. `undefined`: there is no such place. */
  offload: Offload | undefined;
}

/** Whether runs share processes of the CLI, and how many. */
export type Pool = NonNullable<GeminiRunnerOptions["pool"]>;

/** {@link Research}, and its parts. */
export interface ResearchParts extends Research {
  deps: ResearchDeps;
  runner: GeminiRunner;
  /** Ends every run and waits until its process is gone. */
  close(): Promise<void>;
}

/** The program of the workers; where this file is not bundled there is none. */
const WORKER = new URL("./research-worker.js", import.meta.url);
const IS_BUNDLED = !import.meta.url.endsWith(".ts");

/** Wires the CLI's runner, the prompts, the temporary files and the store of finished rounds. Starts no process. */
export async function createResearch(
  config: Config,
  log: Log,
  io: Pick<Io, "env" | "host">,
  pool: Pool = false,
): Promise<ResearchParts> {
  const { configDir, maxRounds, keepMs } = config;
  await makeFolder(configDir, { mode: 0o700 });
  const runner = runnerFor(config, log, io, pool);
  const plain = await plainSettings(config, log);
  const [roundsDir, pagesDir] = [join(configDir, "rounds"), join(configDir, "pages")];
  const pages = config.pages === "google" ? undefined : pagesOnDemand(pagesOptions(config, io.env));
  const webFetch = config.pages !== "own";
  const tempFiles = createTempFiles({ directory: configDir });
  const pageStore = createFilePageStore({ directory: pagesDir });
  const deps: ResearchDeps = {
    ...plain,
    runner,
    tempFiles,
    store: createFileRunStore({ directory: roundsDir, keepMs }),
    pageStore,
    resolveUrl: createUrlResolver(),
    webFetch,
    ...(pages !== undefined && { pages }),
  };
  const close = async () => {
    await Promise.all([runner.close(), pages?.close()]);
  };
  if (!IS_BUNDLED) {
    const { askWith } = await import("./isolation/ask.js");
    return { ask: askWith(deps, maxRounds), offload: undefined, deps, runner, close };
  }
  const folders = { roundsDir, roundsKeepMs: keepMs, pagesDir };
  const readers = new Readers({
    file: WORKER,
    settings: { ...plain, ...folders, readsPages: pages !== undefined, webFetch, maxRounds },
  });
  return {
    ask: isolatedAsk({ readers, runner, tempFiles, pages, pageStore, webFetch }),
    offload: (name, input, size) => readers.task(name, input, size),
    deps,
    runner,
    close: async () => {
      await Promise.all([close(), readers.close()]);
    },
  };
}

function runnerFor(config: Config, log: Log, { env }: Pick<Io, "env">, pool: Pool): GeminiRunner {
  const { configDir, model, timeoutMs, firecrawl } = config;
  return createGeminiRunner({
    command: config.cliPath,
    cwd: join(configDir, "runs"),
    env,
    timeoutMs,
    pool,
    ...(model !== undefined && { model }),
    ...(firecrawl !== undefined && { mcpServers: firecrawlServer(firecrawl, join(configDir, "tools")) }),
    onWarning: (message) => log("warn", message),
  });
}

/** What a research works with that is plain data, so that another thread can be given it. */
async function plainSettings(config: Config, log: Log) {
  const { model, correctionModel, systemPrompt, timeoutMs, attempts } = config;
  return {
    prompts: await loadPrompts(config.promptsDir, (message) => log("warn", message)),
    ...(model !== undefined && { model }),
    ...(correctionModel !== undefined && { correctionModel }),
    ...(systemPrompt !== undefined && { researchTemplate: systemPrompt }),
    timeoutMs,
    attempts,
  };
}

/**
 * The bridge to Firecrawl's MCP server, a file beside this one; the key stays in the environment.
 *
 * @param home Where Firecrawl's own program is installed.
 */
function firecrawlServer(firecrawl: NonNullable<Config["firecrawl"]>, home: string): McpServers {
  return {
    firecrawl: {
      command: process.execPath,
      args: [fileURLToPath(new URL("./firecrawl-bridge.js", import.meta.url))],
      env: {
        FIRECRAWL_HOME: home,
        ...(firecrawl.apiKey !== undefined && { FIRECRAWL_API_KEY: "$FIRECRAWL_API_KEY" }),
        ...(firecrawl.apiUrl !== undefined && { FIRECRAWL_API_URL: "$FIRECRAWL_API_URL" }),
      },
      includeTools: ["firecrawl_scrape", "firecrawl_search"],
      timeoutMs: 45_000,
    },
  };
}

/** How pages are read, as the settings say. */
export function pagesOptions(
  { userAgent, robots }: Pick<Config, "userAgent" | "robots">,
  env: Io["env"],
): PagesOptions {
  return { env, respectRobots: robots, ...(userAgent !== undefined && { userAgent }) };
}

/** Pages are read by a program of their own weight: it is loaded with the first research. */
function pagesOnDemand(options: PagesOptions): Pick<PagesHost, "open" | "close"> {
  let host: Promise<PagesHost> | undefined;
  return {
    async open(scope) {
      host ??= import("@x/research/pages").then(({ createPages }) => createPages(options));
      return (await host).open(scope);
    },
    close: async () => (await host)?.close(),
  };
}
