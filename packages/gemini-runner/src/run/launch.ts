import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileProblem, makeFolder, unsafeFolder } from "@x/owned-files";
import { toArguments } from "../cli/command-line.js";
import { type Environment, passedEnvironment, variablesIn } from "../cli/environment.js";
import { type Cli, findCli } from "../cli/find-cli.js";
import { ownHome } from "../cli/own-home.js";
import { readSignIn, type SignIn } from "../cli/sign-in.js";
import { unknownTools } from "../cli/tools.js";
import { invalidInput, RunnerError } from "../errors/runner-error.js";
import type { McpEndpoint, McpServers } from "../mcp-servers.js";
import { CliProcess, type Farewell } from "../process/cli-process.js";
import type { CliRun } from "../process/cli-run.js";
import { type CompileCache, compileCache } from "../process/compile-cache.js";
import { PoolProcess } from "../process/pool-process.js";
import { createWorkspace } from "../process/workspace.js";
import type { ResolvedOptions } from "./resolve-options.js";
import type { StartRequest } from "./start-request.js";

/** How much of a tool's time may go into pages that the CLI reads by itself, after Google could not. */
const PAGES_SHARE = 0.5;

/** Starts a process of the CLI that waits for its prompt. */
export async function startCli(request: StartRequest, options: ResolvedOptions): Promise<CliRun> {
  try {
    return await start(request, options);
  } catch (error) {
    throw unwritable(error, options);
  }
}

/** The disk is full, or the folder is read-only or no folder. */
export function unwritable(error: unknown, { cwd }: ResolvedOptions): unknown {
  if (error instanceof RunnerError || !(error instanceof Error && "syscall" in error)) return error;
  const message = `Nothing can be written to the folder of the runs, ${cwd}: ${fileProblem(error)}`;
  return new RunnerError("EXECUTION_ERROR", message, { reason: "workspace", cause: error });
}

/** What is known before anything is started. */
export interface Site {
  cli: Cli;
  signIn: SignIn;
  /** Folders of the files that are handed over. */
  folders: string[];
}

/** Looks for the CLI and the sign-in, and checks what the request asks for and where it would run. */
export async function survey({ grants }: StartRequest, options: ResolvedOptions): Promise<Site> {
  const { command, env, cwd: parent } = options;
  const [cli, signIn] = await Promise.all([findCli({ command, env }), readSignIn(env)]);
  const unknown = unknownTools(grants, cli.version);
  if (unknown?.certain) throw invalidInput(unknown.message);
  const folders = await foldersOf(grants.files);
  await makeFolder(parent);
  const risk = await unsafeFolder(parent);
  if (risk !== undefined) throw unsafe(parent, risk);
  return { cli, signIn, folders };
}

async function start(request: StartRequest, options: ResolvedOptions): Promise<CliRun> {
  const { model, grants } = request;
  const { cwd: parent, killAfterMs, toolTimeoutMs, maxToolOutput, maxOutputBytes } = options;
  const { cli, signIn, folders } = await survey(request, options);
  const cache = await compileCache(parent, cli);
  const workspace = await createWorkspace({
    parent,
    grants,
    signIn,
    model,
    version: cli.version,
    pagesMs: PAGES_SHARE * toolTimeoutMs,
    maxToolOutput,
  });
  try {
    return await CliProcess.start({
      cli,
      args: toArguments({
        model,
        policyFile: workspace.policyFile,
        folders,
        mcpServers: Object.keys(grants.mcpServers),
      }),
      env: {
        ...environmentFor(options.env, signIn, grants.mcpServers),
        ...cache.env,
        ...workspace.env,
        ...(isHomeless(options.env) ? { HOME: workspace.folder } : {}),
      },
      workspace,
      killAfterMs,
      maxOutputBytes,
      // With the tools of the web alone Gemini CLI starts nothing.
      startsOthers: cli.version === undefined || Object.keys(grants.mcpServers).length > 0,
      farewell: farewellOf(cli, cache),
      key: signIn.key,
    });
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}

/** Starts a process of the CLI that serves several runs. Rejects when it cannot. */
export async function startPoolProcess(
  { cli, signIn }: Site,
  options: ResolvedOptions,
  { hangMs, signal }: { hangMs: number; signal: AbortSignal },
): Promise<PoolProcess> {
  const { cwd: parent, env, killAfterMs, toolTimeoutMs, maxToolOutput, maxOutputBytes, mcpServers } = options;
  const cache = await compileCache(parent, cli);
  return await PoolProcess.start({
    cli,
    signIn,
    parent,
    env: {
      // A server of a later run may be on this machine.
      ...environmentFor(env, signIn, mcpServers, OWN_HOSTS),
      ...cache.env,
    },
    homeless: isHomeless(env),
    pagesMs: PAGES_SHARE * toolTimeoutMs,
    maxToolOutput,
    killAfterMs,
    maxOutputBytes,
    hangMs,
    farewell: farewellOf(cli, cache),
    signal,
  });
}

/** Names of this machine as they stand in addresses. */
const OWN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether a process that serves several runs can serve this one. A program of an MCP server would outlive its run there, and the
 * variables that a process has are those of the runner's own servers.
 */
export function canShare({ grants }: StartRequest, { env, mcpServers }: ResolvedOptions): boolean {
  const passed = passedEnvironment(env, variablesOf(mcpServers));
  const servers = Object.values(grants.mcpServers);
  return (
    servers.every(
      (server) => "url" in server && (!isOwn(endpointHost(server)) || OWN_HOSTS.includes(endpointHost(server))),
    ) && variablesOf(grants.mcpServers).every((name) => env[name] === undefined || Object.hasOwn(passed, name))
  );
}

/** Where no home is to be found the CLI ends with an error of Node. */
function isHomeless(env: Environment): boolean {
  return !env["HOME"] && !ownHome();
}

function environmentFor(
  env: Environment,
  signIn: SignIn,
  servers: McpServers,
  ownHosts: readonly string[] = [],
): Record<string, string> {
  const known = { ...env, ...signIn.env };
  const endpoints = Object.values(servers).flatMap((server) => ("url" in server ? [endpointHost(server)] : []));
  return {
    ...passedEnvironment(known, variablesOf(servers)),
    ...pastProxies([...ownHosts, ...endpoints.filter(isOwn)], known),
    // Without a login the CLI must say so, not open a browser and wait.
    NO_BROWSER: "true",
    NO_COLOR: "1",
  };
}

/** From the folder of a run code is run: who could write there could run his own. */
function unsafe(parent: string, risk: string): RunnerError {
  const message = `The folder of the runs, ${parent}, is not safe: ${risk}`;
  const nextStep = "Use a folder that nobody else may write to, in one that nobody else may write to either.";
  return new RunnerError("EXECUTION_ERROR", message, { reason: "workspace", nextStep });
}

function farewellOf({ version }: Cli, { empty }: CompileCache): Farewell {
  if (version === undefined) return "wait";
  return empty ? "ask" : "kill";
}

/**
 * The folders that the CLI has to know, so that it reads the files in them. It also reads what is called GEMINI.md there.
 * Throws `EXECUTION_ERROR` (`input`) for such a folder and for what is no file: the CLI would wait for the end of a pipe.
 */
async function foldersOf(files: readonly string[]): Promise<string[]> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile())
      throw invalidInput(`There is no file ${file} to hand over`, "Name one that is there, and that is not a folder.");
  }
  const folders = [...new Set(files.map((file) => path.dirname(file)))];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    if (!names.some((name) => name.toUpperCase() === "GEMINI.MD")) continue;
    throw invalidInput(
      `${folder} holds a GEMINI.md, which the CLI would read too`,
      "Hand over a file of another directory.",
    );
  }
  return folders;
}

function variablesOf(mcpServers: McpServers): string[] {
  return Object.values(mcpServers).flatMap((server) => {
    const texts =
      "url" in server
        ? [server.url, ...Object.values(server.headers ?? {})]
        : [server.command, ...(server.args ?? []), ...Object.values(server.env ?? {})];
    return texts.flatMap(variablesIn);
  });
}

function endpointHost({ url }: McpEndpoint): string {
  return new URL(url).hostname;
}

function isOwn(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\./.test(host);
}

/** What is on this machine is not asked for through a proxy. */
function pastProxies(own: readonly string[], env: Environment): Record<string, string> {
  if (own.length === 0) return {};
  const listed = env["no_proxy"] || env["NO_PROXY"];
  const list = [...(listed ? [listed] : []), ...new Set(own)].join(",");
  return { NO_PROXY: list, no_proxy: list };
}
