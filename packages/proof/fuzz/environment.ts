import * as fc from "fast-check";
import { parseConfig } from "../../mcp-server/src/host/config.js";
import { processesOf } from "../rig/leftovers.js";
import { createSandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";
import { words } from "./hostile.js";
import { must, mustBeUnpolluted, type Target, UNCHECKED } from "./target.js";

/** Every variable that is read, secrets last. */
const NAMES = [
  "GEMINI_MODEL",
  "GEMINI_CORRECTION_MODEL",
  "DEEP_SEARCH_MAX_ITERATIONS",
  "GEMINI_SEARCH_TIMEOUT",
  "GEMINI_RESEARCH_TIMEOUT",
  "GEMINI_SEARCH_CONFIG_DIR",
  "GEMINI_RESEARCH_CONFIG_DIR",
  "GEMINI_CLI_PATH",
  "JSON_MAX_RETRIES",
  "GEMINI_RESEARCH_PAGES",
  "GEMINI_SYSTEM_PROMPT",
  "GEMINI_PROMPTS_DIR",
  "MAX_WAIT_MS",
  "MCP_SERVER_HOST",
  "MCP_SERVER_PORT",
  "DEBUG",
  "XDG_CONFIG_HOME",
  "HOME",
  "FIRECRAWL_API_KEY",
  "FIRECRAWL_API_URL",
  "MCP_SERVER_TOKEN",
] as const;
const SECRETS = ["FIRECRAWL_API_KEY", "FIRECRAWL_API_URL", "MCP_SERVER_TOKEN"];

const setting = fc.oneof(
  words,
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom(
    "5",
    " 7 ",
    "+3",
    "0x10",
    "1_000",
    "2147483648",
    "-1",
    "0",
    "TRUE",
    "yes",
    `\${user_config.model}`,
    "~",
    "~/x",
    "/dev/null",
    "/proc/1/mem",
  ),
);
const environment = fc.record(Object.fromEntries(NAMES.map((name) => [name, setting])), { requiredKeys: [] });

export const environmentParsed: Target = {
  name: "environment values",
  about:
    "Values of every variable, on every platform: settings within their limits, each bad value named, no secret shown.",
  async open() {
    return {
      property: fc.asyncProperty(environment, fc.constantFrom("linux", "darwin", "win32"), async (env, platform) => {
        const homeDir = platform === "win32" ? "C:\\Users\\x" : "/home/x";
        const { config, problems } = parseConfig(env, { platform, homeDir, cwd: homeDir, pid: 1 } as Parameters<
          typeof parseConfig
        >[1]);
        const { maxRounds, timeoutMs, attempts, maxWaitMs = 0, http, cliPath, configDir, model } = config;
        const within = (value: number, min: number, max: number) =>
          Number.isInteger(value) && value >= min && value <= max;
        must(within(maxRounds, 2, 2 ** 53), () => `maxRounds is ${maxRounds}`);
        must(within(timeoutMs, 1, 2 ** 31 - 1), () => `timeoutMs is ${timeoutMs}`);
        must(within(attempts, 1, 100), () => `attempts is ${attempts}`);
        must(within(maxWaitMs, 0, 2 ** 31 - 1), () => `maxWaitMs is ${maxWaitMs}`);
        must(within(http.port, 0, 65_535), () => `port is ${http.port}`);
        must(/^(?:\/|[A-Za-z]:\\|\\\\|\\)/.test(configDir), () => `configDir is ${JSON.stringify(configDir)}`);
        must(cliPath !== "" && !cliPath.startsWith("-"), () => `cliPath is ${JSON.stringify(cliPath)}`);
        must(model === undefined || !model.startsWith("-"), () => `model is ${JSON.stringify(model)}`);
        for (const problem of problems) {
          must(
            NAMES.some((name) => problem.startsWith(name)),
            () => `a problem without a name: ${problem}`,
          );
          must(problem.length < 500, () => `a problem of ${problem.length} characters`);
        }
        for (const name of SECRETS) {
          const secret = env[name]?.trim() ?? "";
          // What another variable says too is none, nor is a short word.
          const told = Object.keys(env).some((other) => other !== name && env[other]?.includes(secret));
          const shown = secret.length > 8 && problems.some((problem) => problem.includes(secret));
          must(told || !shown, () => `${name} is shown`);
        }
        mustBeUnpolluted();
      }),
      async close() {},
    };
  },
};

/** How long a server may take to greet and to go: seconds on a busy machine. */
const LIMIT_MS = 10_000;

export const environmentStarted: Target = {
  name: "start with any environment",
  about:
    "The built server with these values: greets, lists its tools, says on stderr lines of a level and nothing else, goes with its client.",
  async open() {
    const sandbox = await createSandbox();
    // What cannot stand in an environment at all is left out.
    const possible = environment.map((env) =>
      Object.fromEntries(
        Object.entries(env).flatMap(([name, text]) =>
          text !== undefined && isUtf16(text) ? [[name, text.replaceAll("\0", "").slice(0, 10_000)]] : [],
        ),
      ),
    );
    return {
      property: fc.asyncProperty(possible, async (env) => {
        const { GEMINI_SEARCH_CONFIG_DIR: _, ...own } = sandbox.env;
        const server = new ServerProcess({ ...own, ...env });
        try {
          const answers: unknown[] = [];
          const two = new Promise<void>((resolve) => {
            server.onmessage = (message) => {
              if (answers.push(message) === 2) resolve();
            };
          });
          const clientInfo = { name: "fuzz", version: "1" };
          server.write(
            `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })}\n`,
          );
          server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
          const late = new Promise<never>((_, reject) =>
            setTimeout(() => reject(new Error("no greeting")), LIMIT_MS).unref(),
          );
          const early = server.exited.then(({ code }) => {
            throw new Error(`ended with ${code} at the start: ${server.stderr.slice(-500)}`);
          });
          early.catch(() => {});
          late.catch(() => {});
          await Promise.race([two, early, late]);
          const end = await server.end();
          must(end !== undefined, () => "did not end with its client");
          must(
            end?.exit.code === 0,
            () => `ended with ${end?.exit.code ?? end?.exit.signal}: ${server.stderr.slice(-500)}`,
          );
          must(server.foreign.length === 0, () => `stdout had ${server.foreign[0]}`);
          const strange = server.stderr
            .split("\n")
            .find((line) => line !== "" && !/^\[(?:DEBUG|INFO|WARN|ERROR)\] /.test(line));
          must(strange === undefined, () => `stderr had ${JSON.stringify(strange)}`);
          must(!UNCHECKED.test(server.stderr), () => `stderr had ${server.stderr}`);
          const left = await processesOf(sandbox);
          must(left.length === 0, () => `stays: ${left.map(({ command }) => command).join("; ")}`);
        } finally {
          server.child.kill("SIGKILL");
        }
      }),
      close: sandbox.remove,
    };
  },
};

/** No half of a character. */
function isUtf16(text: string): boolean {
  return Buffer.from(text).toString() === text;
}
