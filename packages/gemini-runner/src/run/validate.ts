import { FIRST_CHUNK, MAX_STDIN_BYTES, toStdin } from "../cli/command-line.js";
import { invalidInput, RunnerError } from "../errors/runner-error.js";
import type { PrewarmRequest, RunRequest } from "../events.js";
import type { McpEndpoint, McpProgram, McpServers } from "../mcp-servers.js";
import type { GeminiRunnerOptions, PoolOptions } from "../options.js";
import {
  checkAbsolute,
  checkArgument,
  checkArguments,
  checkFunction,
  checkNames,
  checkNumbers,
  checkObject,
  checkSignal,
  checkText,
  checkTexts,
  checkTools,
  checkUrl,
  type NumberRule,
  shown,
} from "./checks.js";
import { modelFor } from "./model.js";
import type { ResolvedOptions } from "./resolve-options.js";

/** Numbers that a runner has for all its runs, and that a run may have for itself. */
const RUN_NUMBERS = {
  timeoutMs: { least: 0 },
  idleTimeoutMs: { least: 0 },
  maxTurns: { least: 1, whole: true },
  maxToolCalls: { least: 0, whole: true },
} as const satisfies { [name in keyof RunRequest]?: NumberRule };

const NUMBERS = {
  ...RUN_NUMBERS,
  toolTimeoutMs: { least: 0 },
  killAfterMs: { least: 0 },
  maxConcurrent: { least: 1, whole: true },
  maxOutputBytes: { least: 1 },
  maxToolOutput: { least: 0 },
  retries: { least: 0, whole: true },
} as const satisfies { [name in keyof GeminiRunnerOptions]?: NumberRule };

/** More than a thousand is a slip of the pen: a process takes 250 MB. */
const POOL_NUMBERS = {
  processes: { least: 1, most: 1_000, whole: true },
  sessions: { least: 1, most: 1_000, whole: true },
  maxRuns: { least: 1, whole: true },
  maxMemoryBytes: { least: 1 },
  hangMs: { least: 1 },
  idleMs: { least: 0 },
} as const satisfies Record<keyof PoolOptions, NumberRule>;

type Names<T> = Record<keyof T, unknown>;

const PREWARM = Object.keys({ model: 0, tools: 0, files: 0, mcpServers: 0, signal: 0 } satisfies Names<
  PrewarmRequest & Pick<RunRequest, "signal">
>);

const REQUEST = [
  ...PREWARM,
  ...Object.keys({ prompt: 0, ...RUN_NUMBERS } satisfies Names<Omit<RunRequest, keyof PrewarmRequest | "signal">>),
];

const OPTIONS = Object.keys({
  ...{ command: 0, cwd: 0, env: 0, model: 0, mcpServers: 0, pool: 0, ...NUMBERS },
  ...{ sleep: 0, now: 0, onWarning: 0 },
} satisfies Names<GeminiRunnerOptions>);

const OF_SERVER = { includeTools: 0, timeoutMs: 0 };
const ENDPOINT = Object.keys({ url: 0, headers: 0, ...OF_SERVER } satisfies Names<McpEndpoint>);
const PROGRAM = Object.keys({ command: 0, args: 0, env: 0, ...OF_SERVER } satisfies Names<McpProgram>);

/**
 * Divides what `run` was given into what a runner is made with and what it is asked for. All of these throw `EXECUTION_ERROR`
 * (`input`) for what cannot be used: NaN as a limit would be none, and what is not known would be left out without a word.
 */
export function divide(given: RunRequest & GeminiRunnerOptions): {
  ofRunner: GeminiRunnerOptions;
  request: RunRequest;
} {
  checkObject("The request", given);
  checkNames(given, [...new Set([...REQUEST, ...OPTIONS])], { all: "run" });
  const only = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  return { ofRunner: only(OPTIONS), request: only(REQUEST) as unknown as RunRequest };
}

export function checkOptions(options: GeminiRunnerOptions): void {
  checkObject("The options of a runner", options);
  checkNames(options, OPTIONS, { all: "a runner" });
  checkNumbers(options, NUMBERS);
  checkPool(options.pool);
  for (const name of ["command", "cwd", "model"] as const) checkText(name, options[name]);
  for (const name of ["sleep", "now", "onWarning"] as const) checkFunction(name, options[name]);
  if (options.env !== undefined) checkObject("env", options.env);
  checkServers(options.mcpServers);
}

function checkPool(pool: GeminiRunnerOptions["pool"]): void {
  if (pool === undefined || typeof pool === "boolean") return;
  if (typeof pool !== "object" || pool === null || Array.isArray(pool)) {
    throw invalidInput(`pool is expected to be true, false or an object, not ${shown(pool)}`);
  }
  checkNames(pool, Object.keys(POOL_NUMBERS), { of: "pool.", all: "a pool" });
  checkNumbers(pool, POOL_NUMBERS, "pool.");
}

function checkServers(servers: McpServers = {}): void {
  checkObject("mcpServers", servers);
  for (const [name, server] of Object.entries(servers)) {
    // The CLI takes what follows it for the name of a tool.
    if (name === "" || name.includes("_")) {
      const message = `The name of an MCP server is expected to be without "_" and not empty, not ${shown(name)}`;
      throw invalidInput(message, "Use a hyphen.");
    }
    const of = `mcpServers.${name}`;
    checkObject(of, server);
    if ("url" in server) checkEndpoint(of, server);
    else checkProgram(of, server);
    checkTools(`${of}.includeTools`, server.includeTools ?? null);
    checkNumbers(server, { timeoutMs: { least: 0 } }, `${of}.`);
  }
}

function checkEndpoint(of: string, server: McpEndpoint): void {
  checkNames(server, ENDPOINT, { of: `${of}.`, all: "an MCP server with a url" });
  checkUrl(`${of}.url`, server.url);
  checkArguments(`${of}.headers`, server.headers);
}

function checkProgram(of: string, server: McpProgram): void {
  checkNames(server, PROGRAM, { of: `${of}.`, all: "an MCP server with a command" });
  checkText(`${of}.command`, server.command ?? null);
  checkTexts(`${of}.args`, server.args, checkArgument);
  checkArguments(`${of}.env`, server.env);
}

export function checkRequest(request: RunRequest, options: ResolvedOptions): void {
  checkObject("The request", request);
  checkNames(request, REQUEST, { all: "a request" });
  checkNumbers(request, RUN_NUMBERS);
  checkStart(request, options);
  checkPrompt(request.prompt);
}

export function checkPrewarm(request: PrewarmRequest & { signal?: AbortSignal }, options: ResolvedOptions): void {
  checkObject("The request", request);
  checkNames(request, PREWARM, { all: "prewarm" });
  checkStart(request, options);
}

/** What a process is started with. */
function checkStart(request: PrewarmRequest & { signal?: AbortSignal }, options: ResolvedOptions): void {
  const { tools, files, mcpServers, signal } = request;
  const model = modelFor(request, options);
  checkText("model", model);
  if (model?.startsWith("-")) throw invalidInput(`A model is expected by its name, not ${shown(model)}`);
  checkTools("tools", tools);
  checkTexts("files", files, checkAbsolute);
  checkServers(mcpServers);
  checkSignal(signal);
}

/** Throws `EXECUTION_ERROR` (`input`, `too-long`) for a prompt that the CLI could not be given. */
function checkPrompt(prompt: string): void {
  const nextStep = 'Give it as { prompt: "…" }.';
  if (typeof prompt !== "string")
    throw invalidInput(`The prompt is expected to be text, not ${shown(prompt)}`, nextStep);
  if (prompt.trim() === "") throw invalidInput("The prompt is empty", nextStep);
  if (Buffer.byteLength(FIRST_CHUNK + toStdin(prompt)) > MAX_STDIN_BYTES) {
    const message = "The prompt is longer than 8 MiB, the most that the CLI reads";
    throw new RunnerError("EXECUTION_ERROR", message, { reason: "too-long" });
  }
}
