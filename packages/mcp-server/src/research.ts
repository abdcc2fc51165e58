import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGeminiRunner, type GeminiRunner, type McpServers } from "@x/gemini-runner";
import { makeFolder } from "@x/owned-files";
import {
  type DeepResearchRequest,
  type DeepResearchRun,
  type DeepSearchRequest,
  type DeepSearchRun,
  deepResearch,
  deepSearch,
  type ResearchDeps,
  type SearchRequest,
  type SearchRun,
  search,
} from "@x/research";
import { createFileRunStore, createTempFiles, createUrlResolver, loadPrompts } from "@x/research/node";
import type { Config } from "./host/config.js";
import type { Io } from "./host/io.js";
import type { Log } from "./host/log.js";

/** The three researches, with everything they need behind them. */
export interface Research {
  search(request: SearchRequest): SearchRun;
  deepSearch(request: DeepSearchRequest): DeepSearchRun;
  deepResearch(request: DeepResearchRequest): DeepResearchRun;
}

/** {@link Research} made from the settings, and its parts. */
export interface ResearchParts extends Research {
  deps: ResearchDeps;
  runner: GeminiRunner;
  /** Ends every run and waits until its process is gone. */
  close(): Promise<void>;
}

/** Wires the CLI's runner, the prompts, the temporary files and the store of finished rounds. Starts no process. */
export async function createResearch(config: Config, log: Log, io: Pick<Io, "env" | "host">): Promise<ResearchParts> {
  const { configDir, model, correctionModel, systemPrompt, timeoutMs } = config;
  await makeFolder(configDir, { mode: 0o700 });
  const runner = createGeminiRunner({
    command: config.cliPath,
    cwd: join(configDir, "runs"),
    env: io.env,
    timeoutMs,
    ...(model !== undefined && { model }),
    ...(config.firecrawl !== undefined && { mcpServers: firecrawlServer(config.firecrawl) }),
    onWarning: (message) => log("warn", message),
  });
  const deps: ResearchDeps = {
    runner,
    prompts: await loadPrompts(config.promptsDir, (message) => log("warn", message)),
    ...(model !== undefined && { model }),
    ...(correctionModel !== undefined && { correctionModel }),
    ...(systemPrompt !== undefined && { researchTemplate: systemPrompt }),
    timeoutMs,
    attempts: config.attempts,
    tempFiles: createTempFiles({ directory: configDir }),
    store: createFileRunStore({ directory: join(configDir, "rounds") }),
    resolveUrl: createUrlResolver(),
  };
  return {
    search: (request) => search(request, deps),
    deepSearch: (request) =>
      deepSearch(request.resume === undefined ? { maxRounds: config.maxRounds, ...request } : request, deps),
    deepResearch: (request) => deepResearch(request, deps),
    deps,
    runner,
    close: () => runner.close(),
  };
}

/** The bridge to Firecrawl's MCP server, a file beside this one; the key stays in the environment. */
function firecrawlServer(firecrawl: NonNullable<Config["firecrawl"]>): McpServers {
  return {
    firecrawl: {
      command: process.execPath,
      args: [fileURLToPath(new URL("./firecrawl-bridge.js", import.meta.url))],
      env: {
        ...(firecrawl.apiKey !== undefined && { FIRECRAWL_API_KEY: "$FIRECRAWL_API_KEY" }),
        ...(firecrawl.apiUrl !== undefined && { FIRECRAWL_API_URL: "$FIRECRAWL_API_URL" }),
      },
      includeTools: ["firecrawl_scrape", "firecrawl_search"],
      timeoutMs: 45_000,
    },
  };
}
