import { FIRST_CHUNK, MAX_STDIN_BYTES, toStdin } from "../cli/command-line.js";
import { invalidInput, RunnerError } from "../errors/runner-error.js";
import type { PrewarmRequest, RunRequest } from "../events.js";
import type { McpServers } from "../mcp-servers.js";
import type { GeminiRunnerOptions, PoolOptions } from "../options.js";
import { modelFor } from "./model.js";
import type { ResolvedOptions } from "./resolve-options.js";

/** The least that each number may be. `Infinity` is no limit. */
const LEAST = {
  timeoutMs: 0,
  idleTimeoutMs: 0,
  toolTimeoutMs: 0,
  killAfterMs: 0,
  maxConcurrent: 1,
  maxOutputBytes: 1,
  maxTurns: 1,
  maxToolCalls: 0,
  maxToolOutput: 0,
  retries: 0,
} satisfies { [name in keyof GeminiRunnerOptions]: number };

/** The same of a pool. */
const LEAST_OF_POOL = {
  processes: 1,
  sessions: 1,
  maxRuns: 1,
  maxMemoryBytes: 1,
  hangMs: 1,
  idleMs: 0,
} satisfies Required<PoolOptions>;

/** Throws `EXECUTION_ERROR` (`input`) for an option that cannot be used: NaN as a limit would be none. */
export function checkOptions(options: GeminiRunnerOptions): void {
  checkObject("The options of a runner", options);
  checkNumbers(options);
  const { pool } = options;
  if (pool !== undefined && typeof pool !== "boolean") {
    checkObject("pool", pool);
    checkNumbers(pool, LEAST_OF_POOL, "pool.");
  }
  for (const name of ["command", "cwd"] as const) checkText(name, options[name]);
  checkServers(options.mcpServers);
}

function checkServers(servers: McpServers = {}): void {
  checkObject("mcpServers", servers);
  for (const [name, server] of Object.entries(servers)) {
    // The CLI takes what follows it for the name of a tool.
    if (name.includes("_")) throw invalidInput(`The name of an MCP server is expected to be without "_", not ${name}`);
    checkObject(`mcpServers.${name}`, server);
    if ("url" in server) checkUrl(`mcpServers.${name}.url`, server.url);
    else checkText(`mcpServers.${name}.command`, server.command ?? null);
    checkTools(`mcpServers.${name}.includeTools`, server.includeTools ?? null);
    checkNumbers({ timeoutMs: server.timeoutMs });
  }
}

function checkUrl(name: string, value: unknown): void {
  if (typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw invalidInput(`${name} is expected to be the address of an MCP server, not ${JSON.stringify(value)}`);
}

/** The same for a request. */
export function checkRequest(request: RunRequest, options: ResolvedOptions): void {
  checkObject("The request", request);
  checkNumbers(request);
  checkStart(request, options);
  checkPrompt(request.prompt);
}

/** The same for what is no object, as of a call without arguments. */
export function checkObject(name: string, value: unknown): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw invalidInput(`${name} is expected to be an object, not ${value === null ? "null" : typeof value}`);
}

/** The same for what a process is started with. */
export function checkStart(request: PrewarmRequest, options: ResolvedOptions): void {
  const { tools, files, mcpServers } = request;
  const model = modelFor(request, options);
  checkText("model", model);
  if (model?.startsWith("-")) throw invalidInput(`A model is expected by its name, not ${JSON.stringify(model)}`);
  checkTools("tools", tools);
  checkTexts("files", files);
  checkServers(mcpServers);
}

/** Throws `EXECUTION_ERROR` (`input`, `too-long`) for a prompt that the CLI could not be given. */
function checkPrompt(prompt: string): void {
  if (typeof prompt !== "string") {
    throw invalidInput(`The prompt is expected to be text, not ${typeof prompt}`, 'Give it as { prompt: "…" }.');
  }
  if (prompt.trim() === "") throw invalidInput("The prompt is empty");
  if (Buffer.byteLength(FIRST_CHUNK + toStdin(prompt)) > MAX_STDIN_BYTES) {
    throw new RunnerError("EXECUTION_ERROR", "The prompt is longer than 8 MiB, the most that the CLI reads", {
      reason: "too-long",
      nextStep: "Shorten it, or hand over a part of it as one of `files`.",
    });
  }
}

function checkNumbers(limits: object, leasts: Readonly<Record<string, number>> = LEAST, of = ""): void {
  const given = limits as Record<string, unknown>;
  for (const [name, least] of Object.entries(leasts)) {
    const value = given[name];
    if (value === undefined || (typeof value === "number" && value >= least)) continue;
    throw invalidInput(`${of}${name} is expected to be a number of at least ${least}, not ${String(value)}`);
  }
}

/** No name, path or argument is empty or holds a NUL. */
function checkText(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value !== "" && !value.includes("\0"))) return;
  throw invalidInput(`${name} is expected to be text that is not empty and holds no NUL, not ${JSON.stringify(value)}`);
}

function checkTexts(name: string, list: readonly unknown[] | null | undefined): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw invalidInput(`${name} is expected to be a list, not ${JSON.stringify(list)}`);
  for (const [i, each] of list.entries()) checkText(`${name}[${i}]`, each ?? null);
}

function checkTools(name: string, list: readonly unknown[] | null | undefined): void {
  checkTexts(name, list);
  // The CLI would take it for many: what is granted is named.
  const wild = list?.find((each) => String(each).includes("*"));
  if (wild !== undefined) throw invalidInput(`${name} is expected to name each tool, without "*", not ${String(wild)}`);
}
