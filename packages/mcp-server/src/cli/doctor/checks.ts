import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readSignIn } from "@x/gemini-runner";
import { fileProblem, makeFolder } from "@x/owned-files";
import { loadPrompts } from "@x/research/node";
import { whyNotServed } from "../../host/access-settings.js";
import type { Config } from "../../host/config.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { privateFolders, UnsafeFolderError } from "../../host/private-folder.js";
import { toFailure } from "../../jobs/failure.js";
import { type Check, failedCheck } from "./check.js";
import { cliCheck, otherClisCheck } from "./cli-checks.js";
import { LIVE_LIMIT_MS, liveCheck } from "./live-check.js";
import { isPlaceholder } from "./placeholder.js";
import { sharedChecks } from "./shared-checks.js";
import { ofAnotherProgram, signInCheck, signInFiles } from "./sign-in-check.js";
import { timeLimitChecks } from "./time-limit-checks.js";

/** What the machine says; real by default. */
export interface Machine {
  nodeVersion: string;
  /** Folders in which an administrator may have put a policy. */
  policyDirs: readonly string[];
  /** How long the model may take to answer `live`, in milliseconds. Default 60 s. */
  liveLimitMs?: number;
}

const MIN_NODE = [20, 19] as const;

/** Looks at everything that a research needs. Starts the CLI only for `live`, which costs one short answer. */
export async function* examine(
  io: Pick<Io, "env" | "host" | "command" | "signal">,
  machine: Machine,
  options: { live: boolean },
): AsyncGenerator<Check, void, void> {
  const { config, problems } = loadConfig(io);
  yield nodeCheck(machine.nodeVersion);
  for (const problem of problems) yield { name: "Settings", status: "warning", summary: problem };
  yield* timeLimitChecks(config);
  const cli = await cliCheck(config, io);
  yield cli.check;
  const others = await otherClisCheck(cli, config, io);
  if (others) yield others;
  const user = await readSignIn(io.env);
  const signIn = signInCheck(user, io, await signInFiles(user, io));
  // The Gemini CLI tells its version.
  yield cli.check.status === "warning" ? ofAnotherProgram(signIn) : signIn;
  yield modelCheck(config);
  const tools = toolsCheck(config);
  if (tools) yield tools;
  yield await folderCheck(config);
  const http = httpCheck(config, io.env);
  if (http) yield http;
  yield* sharedChecks(config, io);
  yield await promptsCheck(config);
  yield await policyCheck(machine.policyDirs);
  yield firecrawlCheck(config);
  const proxy = proxyCheck({ env: { ...io.env, ...user.env } });
  if (proxy) yield proxy;
  if (options.live) yield await liveCheck(config, io, machine.liveLimitMs ?? LIVE_LIMIT_MS);
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fine = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return fine
    ? { name: "Node.js", status: "ok", summary: version }
    : { name: "Node.js", status: "failed", summary: version, fix: `Install Node.js ${MIN_NODE.join(".")} or newer.` };
}

function modelCheck({ model, correctionModel }: Config): Check {
  const correction = correctionModel === undefined ? "" : `; corrections by ${correctionModel}`;
  return { name: "Model", status: "ok", summary: `${model ?? "chosen by the CLI"}${correction}` };
}

/** That some are hidden is easily forgotten. */
function toolsCheck({ tools, origins }: Config): Check | undefined {
  if (tools === undefined) return undefined;
  const where = origins.get("MCP_SERVER_TOOLS")?.name ?? "MCP_SERVER_TOOLS";
  return { name: "Tools", status: "ok", summary: `clients see ${tools.join(", ")} alone (${where})` };
}

/** The very check that a server makes when it starts; then whether what is kept can be written. */
async function folderCheck(config: Config): Promise<Check> {
  const name = "Folder";
  const folders = privateFolders(config);
  try {
    await makeFolder(config.configDir, { mode: 0o700 });
    await folders.check();
    await folders.tryWriting();
    return { name, status: "ok", summary: config.configDir };
  } catch (error) {
    if (error instanceof UnsafeFolderError) return failedCheck(name, error, config);
    const { path = config.configDir } = error as NodeJS.ErrnoException;
    const { details: fix } = toFailure(error, config.origins);
    const summary = `${path} cannot be used: ${fileProblem(error)}`;
    return { name, status: "failed", summary, ...(fix !== undefined && { fix }) };
  }
}

/** What `http` would refuse is told to those who have set something for it. */
function httpCheck({ http }: Config, { MCP_SERVER_TOKEN }: Io["env"]): Check | undefined {
  const name = "HTTP";
  const summary = http.accessProblem === undefined ? whyNotServed(http) : undefined;
  if (summary !== undefined) return { name, status: "warning", summary, fix: "`http` does not start with it." };
  if (!isPlaceholder(MCP_SERVER_TOKEN)) return undefined;
  return { name, status: "warning", summary: "MCP_SERVER_TOKEN is the placeholder of an example: others know it" };
}

async function promptsCheck({ promptsDir }: Config): Promise<Check> {
  const problems: string[] = [];
  await loadPrompts(promptsDir, (message) => problems.push(message));
  const from = promptsDir ?? "the packaged ones";
  return problems.length === 0
    ? { name: "Prompts", status: "ok", summary: from }
    : { name: "Prompts", status: "warning", summary: problems.join(" ") };
}

async function policyCheck(dirs: readonly string[]): Promise<Check> {
  const name = "Tool policy";
  for (const dir of dirs) {
    const files = await readdir(dir).catch(() => [] as string[]);
    const rules = files.filter((file) => file.endsWith(".toml"));
    if (rules.length === 0) continue;
    return {
      name,
      status: "warning",
      summary: `The rules of this machine's administrator (${rules.map((file) => join(dir, basename(file))).join(", ")}) replace ours`,
      fix: "They have to allow google_web_search and web_fetch, and should deny every other tool.",
    };
  }
  return { name, status: "ok", summary: "web search and reading pages alone" };
}

function firecrawlCheck({ firecrawl }: Config): Check {
  const summary =
    firecrawl === undefined
      ? "not used (set FIRECRAWL_API_KEY or FIRECRAWL_API_URL to add it)"
      : "used for searching and reading";
  return { name: "Firecrawl", status: "ok", summary };
}

function proxyCheck({ env }: Pick<Io, "env">): Check | undefined {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = env;
  if (!(HTTPS_PROXY || https_proxy || HTTP_PROXY || http_proxy)) return undefined;
  return {
    name: "Proxy",
    status: "warning",
    summary: "A proxy is set",
    fix: "The CLI looks up the host of a page by itself before it reads it: where only the proxy knows names, pages cannot be read, and answers rest on search results alone.",
  };
}
