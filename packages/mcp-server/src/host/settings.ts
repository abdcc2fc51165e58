import { posix, win32 } from "node:path";
import { configHome } from "./config-home.js";
import type { Host } from "./io.js";
import { readPrices } from "./prices.js";
import {
  absoluteOn,
  anyText,
  DAY_MS,
  days,
  folders,
  hostName,
  integer,
  LONGEST_TIMER_MS,
  modelName,
  someOf,
  trueOrFalse,
  webUrl,
} from "./setting-values.js";

/** The variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** One setting. */
export interface Setting<T> {
  /** Variables: the first of these that is set counts. */
  names: readonly [string, ...string[]];
  /** Its name in the config file. Without one it cannot stand there. */
  key?: string;
  fallback: T;
  /** The default in words, where `fallback` does not show it. */
  fallbackInWords?: string;
  /** What a value must be, in words. */
  expected: string;
  /** Never printed. */
  secret?: boolean;
  /** Gets the text without spaces around it, never an empty one, and the folder that paths are relative to. `undefined`: it cannot be read. */
  read: (text: string, cwd: string) => T | undefined;
  /** Gives the value that counts in place of one that is out of range. */
  countsAs?(value: T): T;
}

/** The fewest rounds of a deep search: one alone would check nothing. */
export const MIN_ROUNDS = 2;
/** The most rounds that a caller may ask for, unless the setting allows more. */
export const MAX_ROUNDS = 20;

/** The tools that there are. */
export const TOOL_NAMES: readonly string[] = [
  "search",
  "deep_search",
  "deep_research",
  "research_result",
  "research_cancel",
];

/** The table: every setting, its variable, its default and what it accepts. */
export function settings(env: Env, host: Host) {
  const absolute = absoluteOn(host);
  return {
    ...ofRuns(absolute, defaultConfigDir(env, host)),
    ...OF_PAGES,
    ...ofPrompts(absolute),
    ...OF_CLIENTS,
    ...OF_HTTP,
    ...ofTools(absolute, host),
    ...OF_RECORDS,
    ...OF_LOG,
  };
}

type ReadPath = ReturnType<typeof absoluteOn>;

/** What runs, where, how often and for how long. */
function ofRuns(absolute: ReadPath, configDir: string) {
  return {
    model: {
      key: "model",
      ...optional(["GEMINI_MODEL"], "a model name such as gemini-2.5-pro", "the CLI's own choice", modelName),
    },
    correctionModel: {
      key: "correctionModel",
      ...optional(["GEMINI_CORRECTION_MODEL"], "a model name", "the CLI's own choice", modelName),
    },
    maxRounds: {
      key: "maxRounds",
      names: ["DEEP_SEARCH_MAX_ITERATIONS"],
      fallback: 5,
      expected: "a whole number of rounds, at least 2",
      read: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      countsAs: (rounds) => Math.max(MIN_ROUNDS, rounds),
    } satisfies Setting<number>,
    timeoutMs: {
      key: "timeoutMs",
      names: ["GEMINI_SEARCH_TIMEOUT", "GEMINI_RESEARCH_TIMEOUT"],
      fallback: 300_000,
      expected: "whole milliseconds of 1 and more, such as 300000",
      read: integer(1, LONGEST_TIMER_MS),
    } satisfies Setting<number>,
    configDir: {
      names: ["GEMINI_SEARCH_CONFIG_DIR", "GEMINI_RESEARCH_CONFIG_DIR"],
      fallback: configDir,
      expected: "a folder",
      read: absolute,
    } satisfies Setting<string>,
    cliPath: {
      key: "cliPath",
      names: ["GEMINI_CLI_PATH"],
      fallback: "gemini",
      expected: "the Gemini CLI's path, or its name on PATH",
      read: (text, cwd) => (text.startsWith("-") ? undefined : /[\\/]/.test(text) ? absolute(text, cwd) : text),
    } satisfies Setting<string>,
    attempts: {
      key: "attempts",
      names: ["JSON_MAX_RETRIES"],
      fallback: 3,
      expected: "a whole number of attempts from 1 to 100",
      read: integer(1, 100),
    } satisfies Setting<number>,
  };
}

/** How pages are read, and by whom. */
const OF_PAGES = {
  pages: {
    key: "pages",
    names: ["GEMINI_RESEARCH_PAGES"],
    fallback: "auto",
    expected: "auto, google or own",
    read: (text) => (["auto", "google", "own"] as const).find((known) => known === text.toLowerCase()),
  } satisfies Setting<"auto" | "google" | "own">,
  userAgent: {
    key: "userAgent",
    ...optional(
      ["GEMINI_RESEARCH_USER_AGENT"],
      "how the reader of pages names itself: at most 200 characters of ASCII",
      "x-research",
      (text) => (/^[\x20-\x7e]{1,200}$/.test(text) ? text : undefined),
    ),
  },
  robots: {
    key: "robots",
    names: ["GEMINI_RESEARCH_ROBOTS"],
    fallback: true,
    expected: "true or false",
    read: trueOrFalse,
  } satisfies Setting<boolean>,
  archive: {
    key: "archive",
    names: ["GEMINI_RESEARCH_ARCHIVE"],
    fallback: "https://archive.org/wayback/available",
    expected: "an http(s) URL, or none",
    read: (text) => (text.toLowerCase() === "none" ? null : webUrl(text)),
  } satisfies Setting<string | null>,
  firecrawlKey: optional(["FIRECRAWL_API_KEY"], "a Firecrawl API key", "none", anyText, true),
  firecrawlUrl: optional(["FIRECRAWL_API_URL"], "an http(s) URL", "none", webUrl, true),
};

/** The texts that the model is asked with. */
function ofPrompts(absolute: ReadPath) {
  return {
    systemPrompt: {
      key: "systemPrompt",
      ...optional(["GEMINI_SYSTEM_PROMPT"], "a prompt", "the packaged prompt", anyText),
    },
    promptsDir: {
      key: "promptsDir",
      ...optional(["GEMINI_PROMPTS_DIR"], "a folder", "the packaged prompts", absolute),
    },
  };
}

/** How long a client waits. */
const OF_CLIENTS = {
  maxWaitMs: {
    key: "maxWaitMs",
    ...optional(
      ["MAX_WAIT_MS"],
      "whole milliseconds, or 0 for no limit",
      "a limit that suits the client",
      integer(0, LONGEST_TIMER_MS),
    ),
  },
  clientTimeoutMs: optional(
    ["MCP_TOOL_TIMEOUT"],
    "whole milliseconds",
    "what is known of the client",
    integer(1, Number.MAX_SAFE_INTEGER),
  ),
};

/** Where the server listens. */
const OF_HTTP = {
  httpHost: {
    key: "host",
    names: ["MCP_SERVER_HOST"],
    fallback: "127.0.0.1",
    expected: "a host name or an IP address",
    read: hostName,
  } satisfies Setting<string>,
  httpPort: {
    key: "port",
    names: ["MCP_SERVER_PORT"],
    fallback: 3000,
    expected: "a port from 0 (any free one) to 65535",
    read: integer(0, 65_535),
  } satisfies Setting<number>,
};

/** Which tools there are, and which files they may read. */
function ofTools(absolute: ReadPath, host: Host) {
  return {
    roots: {
      key: "roots",
      ...optional(
        ["RESEARCH_ROOTS"],
        `folders with ${host.platform === "win32" ? "semicolons" : "colons"} between them`,
        "none",
        (text, cwd) => folders(text, host.platform).map((folder) => absolute(folder, cwd)),
      ),
    },
    tools: {
      key: "tools",
      ...optional(
        ["MCP_SERVER_TOOLS"],
        `names of tools with commas between them: ${TOOL_NAMES.join(", ")}`,
        "all",
        someOf(TOOL_NAMES),
      ),
    },
  };
}

/** What is kept of a research, and what it cost. */
const OF_RECORDS = {
  prices: {
    key: "prices",
    ...optional(
      ["RESEARCH_PRICES"],
      "US dollars for a million tokens, as MODEL=INPUT/OUTPUT with commas between them",
      "none",
      readPrices,
    ),
  },
  keepMs: {
    key: "keepDays",
    names: ["RESEARCH_KEEP_DAYS"],
    fallback: 7 * DAY_MS,
    fallbackInWords: "7",
    expected: "a whole number of days from 1 to 3650",
    read: days,
  } satisfies Setting<number>,
};

/** What is said on stderr. */
const OF_LOG = {
  debug: {
    key: "debug",
    names: ["DEBUG"],
    fallback: false,
    expected: "true or false",
    read: trueOrFalse,
  } satisfies Setting<boolean>,
  logFormat: {
    names: ["LOG_FORMAT"],
    fallback: "text",
    expected: "text or json",
    read: (text) => (/^(?:text|json)$/i.test(text) ? (text.toLowerCase() as "text" | "json") : undefined),
  } satisfies Setting<"text" | "json">,
};

function optional<T>(
  names: readonly [string, ...string[]],
  expected: string,
  fallbackInWords: string,
  read: Setting<T | undefined>["read"],
  secret = false,
): Setting<T | undefined> {
  return { names, fallback: undefined, fallbackInWords, expected, read, secret };
}

/**
 * The value of a variable without spaces around it. Hosts and shells hand over an empty text for what the person left
 * empty, and a desktop bundle `${user_config.name}` as it stands: nothing is set.
 */
export function given(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" || /^\$\{user_config\.\w+\}$/.test(text) ? undefined : text;
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
