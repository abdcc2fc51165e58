import { posix, win32 } from "node:path";
import { configHome } from "./config-home.js";
import type { Host } from "./io.js";

/** Every setting, checked; nothing inward of it reads the environment. */
export interface Config {
  /** Model of search rounds. `undefined`: the CLI chooses. */
  model: string | undefined;
  /** Model of the correction. `undefined`: the CLI chooses. */
  correctionModel: string | undefined;
  /** Rounds of a deep search, at least 2. */
  maxRounds: number;
  /** For one run of the CLI. */
  timeoutMs: number;
  /** Absolute. Where the CLI runs, settings, jobs and temporary files live. */
  configDir: string;
  /** The CLI to run: an absolute path, or a name on PATH. */
  cliPath: string;
  /** Attempts at one answer. */
  attempts: number;
  firecrawl: { apiKey?: string; apiUrl?: string } | undefined;
  /** Replaces the research prompt of `deep_research`; `{topic}`, `{depth}`, `{model}` are filled in. */
  systemPrompt: string | undefined;
  /** Absolute. A folder of one's own prompt templates. `undefined`: the packaged ones. */
  promptsDir: string | undefined;
  /** How long a tool call waits before it answers `running`. `undefined`: by client; 0: no limit. */
  maxWaitMs: number | undefined;
  /** After which the client that started this program cuts a call, in ms. `undefined`: it has not said. */
  clientTimeoutMs: number | undefined;
  http: {
    host: string;
    port: number;
    token: string | undefined;
    /** Why the token that is set cannot be used: nothing may be served then. */
    tokenProblem?: string;
  };
  /** How long a report stays after it was last saved. */
  keepMs: number;
  debug: boolean;
}

export interface ParsedConfig {
  config: Config;
  /** One line for every value that could not be read: its name, what was expected, what is used instead. */
  problems: string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** One variable. */
interface Setting<T> {
  /** The first of these that is set counts. */
  names: readonly [string, ...string[]];
  fallback: T;
  /** What is used instead, where the default does not say it by itself. */
  fallbackInWords?: string;
  /** What a value must be, in words. */
  expected: string;
  /** Never printed. */
  secret?: boolean;
  /** `undefined`: cannot be read. Gets the value without spaces around it, never an empty one. */
  read: (text: string) => T | undefined;
  /** What counts instead of a value that can be read and is not among what is expected. */
  countsAs?: (value: T) => T;
}

/** Fewer rounds of a deep search check nothing. */
export const MIN_ROUNDS = 2;
/** A caller may ask for so many, unless the setting allows more. */
export const MAX_ROUNDS = 20;

/** Node turns a longer timer into one of 1 ms. */
const LONGEST_TIMER_MS = 2_147_483_647;

function integer(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
  };
}
const DAY_MS = 86_400_000;
const wholeDays = integer(1, 3_650);
const days = (text: string) => {
  const count = wholeDays(text);
  return count === undefined ? undefined : count * DAY_MS;
};
/** Nothing that the CLI could take for an option. */
const modelName = (text: string) => (/^[^\s-]\S*$/.test(text) ? text : undefined);
const anyText = (text: string) => text;
const hostName = (text: string) => (/^[\w.:[\]-]+$/.test(text) ? text : undefined);
const webUrl = (text: string) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined);

/** The table: every variable, its default and what it accepts. */
function settings(env: Env, host: Host) {
  const path = host.platform === "win32" ? win32 : posix;
  const absolute = (text: string) =>
    path.resolve(host.cwd, /^~(?=$|[\\/])/.test(text) ? path.join(host.homeDir, text.slice(1)) : text);
  return {
    model: optional(["GEMINI_MODEL"], "a model name such as gemini-2.5-pro", "the CLI's own choice", modelName),
    correctionModel: optional(["GEMINI_CORRECTION_MODEL"], "a model name", "the CLI's own choice", modelName),
    maxRounds: {
      names: ["DEEP_SEARCH_MAX_ITERATIONS"],
      fallback: 5,
      expected: "a whole number of rounds, at least 2",
      read: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      countsAs: (rounds) => Math.max(MIN_ROUNDS, rounds),
    } satisfies Setting<number>,
    timeoutMs: {
      names: ["GEMINI_SEARCH_TIMEOUT", "GEMINI_RESEARCH_TIMEOUT"],
      fallback: 300_000,
      expected: "whole milliseconds of 1 and more, such as 300000",
      read: integer(1, LONGEST_TIMER_MS),
    } satisfies Setting<number>,
    configDir: {
      names: ["GEMINI_SEARCH_CONFIG_DIR", "GEMINI_RESEARCH_CONFIG_DIR"],
      fallback: defaultConfigDir(env, host),
      expected: "a folder",
      read: absolute,
    } satisfies Setting<string>,
    cliPath: {
      names: ["GEMINI_CLI_PATH"],
      fallback: "gemini",
      expected: "the Gemini CLI's path, or its name on PATH",
      read: (text) => (text.startsWith("-") ? undefined : /[\\/]/.test(text) ? absolute(text) : text),
    } satisfies Setting<string>,
    attempts: {
      names: ["JSON_MAX_RETRIES"],
      fallback: 3,
      expected: "a whole number of attempts from 1 to 100",
      read: integer(1, 100),
    } satisfies Setting<number>,
    firecrawlKey: optional(["FIRECRAWL_API_KEY"], "a Firecrawl API key", "none", anyText, true),
    firecrawlUrl: optional(["FIRECRAWL_API_URL"], "an http(s) URL", "none", webUrl, true),
    systemPrompt: optional(["GEMINI_SYSTEM_PROMPT"], "a prompt", "the packaged prompt", anyText),
    promptsDir: optional(["GEMINI_PROMPTS_DIR"], "a folder", "the packaged prompts", absolute),
    maxWaitMs: optional(
      ["MAX_WAIT_MS"],
      "whole milliseconds, or 0 for no limit",
      "a limit that suits the client",
      integer(0, LONGEST_TIMER_MS),
    ),
    clientTimeoutMs: optional(
      ["MCP_TOOL_TIMEOUT"],
      "whole milliseconds",
      "what is known of the client",
      integer(1, Number.MAX_SAFE_INTEGER),
    ),
    httpHost: {
      names: ["MCP_SERVER_HOST"],
      fallback: "127.0.0.1",
      expected: "a host name or an IP address",
      read: hostName,
    } satisfies Setting<string>,
    httpPort: {
      names: ["MCP_SERVER_PORT"],
      fallback: 3000,
      expected: "a port from 0 (any free one) to 65535",
      read: integer(0, 65_535),
    } satisfies Setting<number>,
    keepMs: {
      names: ["RESEARCH_KEEP_DAYS"],
      fallback: 7 * DAY_MS,
      fallbackInWords: "7",
      expected: "a whole number of days from 1 to 3650",
      read: (text) => days(text),
    } satisfies Setting<number>,
    debug: {
      names: ["DEBUG"],
      fallback: false,
      expected: "true or false",
      read: (text) => ({ true: true, 1: true, false: false, 0: false })[text.toLowerCase()],
    } satisfies Setting<boolean>,
  };
}

function optional<T>(
  names: readonly [string, ...string[]],
  expected: string,
  fallbackInWords: string,
  read: (text: string) => T | undefined,
  secret = false,
): Setting<T | undefined> {
  return { names, fallback: undefined, fallbackInWords, expected, read, secret };
}

/**
 * Environment → settings. Never fails: a value that cannot be read is replaced by the default and named in `problems`.
 */
export function parseConfig(env: Env, host: Host): ParsedConfig {
  const problems: string[] = [];
  const table = settings(env, host);
  const firecrawlKey = read(table.firecrawlKey);
  const firecrawlUrl = read(table.firecrawlUrl);
  const config: Config = {
    model: read(table.model),
    correctionModel: read(table.correctionModel),
    maxRounds: read(table.maxRounds),
    timeoutMs: read(table.timeoutMs),
    configDir: read(table.configDir),
    cliPath: read(table.cliPath),
    attempts: read(table.attempts),
    firecrawl:
      firecrawlKey === undefined && firecrawlUrl === undefined
        ? undefined
        : {
            ...(firecrawlKey === undefined ? {} : { apiKey: firecrawlKey }),
            ...(firecrawlUrl === undefined ? {} : { apiUrl: firecrawlUrl }),
          },
    systemPrompt: read(table.systemPrompt),
    promptsDir: read(table.promptsDir),
    maxWaitMs: read(table.maxWaitMs),
    clientTimeoutMs: read(table.clientTimeoutMs),
    http: { host: read(table.httpHost), port: read(table.httpPort), ...httpToken(env) },
    keepMs: read(table.keepMs),
    debug: read(table.debug),
  };
  if (config.http.tokenProblem !== undefined) problems.push(config.http.tokenProblem);
  return { config, problems };

  function read<T>(setting: Setting<T>): T {
    const name = setting.names.find((candidate) => given(env[candidate]) !== undefined);
    if (name === undefined) return setting.fallback;
    const text = given(env[name]) as string;
    const value = setting.read(text);
    const shown = setting.secret ? "cannot be read" : `is ${quoted(text)}`;
    if (value !== undefined) {
      const counts = setting.countsAs?.(value) ?? value;
      if (counts !== value) problems.push(`${name} ${shown}: expected ${setting.expected}; using ${counts}`);
      return counts;
    }
    const instead = setting.fallbackInWords ?? String(setting.fallback);
    problems.push(`${name} ${shown}: expected ${setting.expected}; using ${instead}`);
    return setting.fallback;
  }
}

/** An empty text is no token; anything else that cannot be one was meant to be one. */
function httpToken({ MCP_SERVER_TOKEN: value = "" }: Env): Pick<Config["http"], "token" | "tokenProblem"> {
  if (value === "") return { token: undefined };
  const token = given(value);
  if (token !== undefined && !/\s/.test(token)) return { token };
  const why = token === undefined ? "is set, but holds no token" : "holds a blank";
  const tokenProblem = `MCP_SERVER_TOKEN ${why}: expected a text without blanks; unset it where none is needed`;
  return { token: undefined, tokenProblem };
}

/**
 * The value of a variable without spaces around it. Hosts and shells hand over an empty text for what the person left
 * empty, and a desktop bundle `${user_config.name}` as it stands: nothing is set.
 */
export function given(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" || /^\$\{user_config\.\w+\}$/.test(text) ? undefined : text;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function defaultConfigDir(env: Env, host: Host): string {
  const { APPDATA } = env;
  const name = "gemini-research";
  if (host.platform === "win32") {
    return win32.join(APPDATA || win32.join(host.homeDir, "AppData", "Roaming"), name);
  }
  if (host.platform === "darwin") return posix.join(host.homeDir, "Library", "Application Support", name);
  return posix.join(configHome(env, host), name);
}
