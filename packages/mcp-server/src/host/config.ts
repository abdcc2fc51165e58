import { dirname } from "node:path";
import { type AccessSettings, accessOf } from "./access-settings.js";
import type { ConfigFile } from "./config-file.js";
import type { Host } from "./io.js";
import type { Prices } from "./prices.js";
import { quoted } from "./quoted.js";
import { type Env, given, type Setting, settings } from "./settings.js";

/** Every setting, checked; nothing inward of it reads the environment or the config file. */
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
  /** Who reads pages: this program first and then Gemini CLI, Gemini CLI alone, or this program alone. */
  pages: "auto" | "google" | "own";
  /** How the reader of pages names itself to sites. `undefined`: as it does by itself. */
  userAgent: string | undefined;
  /** Whether the reader of pages keeps to `robots.txt`. */
  robots: boolean;
  /** Who is asked for archived copies of pages, by the availability API of the Wayback Machine. `null`: nobody. */
  archive: string | null;
  firecrawl: { apiKey?: string; apiUrl?: string } | undefined;
  /** Replaces the research prompt of `deep_research`; `{topic}`, `{depth}`, `{model}` are filled in. */
  systemPrompt: string | undefined;
  /** Absolute. A folder of one's own prompt templates. `undefined`: the packaged ones. */
  promptsDir: string | undefined;
  /** How long a tool call waits before it answers `running`. `undefined`: by client; 0: no limit. */
  maxWaitMs: number | undefined;
  /** After which the client that started this program cuts a call, in ms. `undefined`: it has not said. */
  clientTimeoutMs: number | undefined;
  http: { host: string; port: number } & AccessSettings;
  /** `undefined`: costs are not told. */
  prices: Prices | undefined;
  /** Absolute. Folders in which clients may name documents to be read. `undefined`: none. */
  roots: readonly string[] | undefined;
  /** Names of the tools that clients see. `undefined`: all. */
  tools: readonly string[] | undefined;
  /** How long a report stays after it was last saved. */
  keepMs: number;
  debug: boolean;
  logFormat: "text" | "json";
  origins: Origins;
}

/**
 * What says the settings that somebody has set, by their variables: an older name of the variable, or the setting's place in
 * the config file, as advice names it.
 */
export type Origins = ReadonlyMap<string, Origin>;

/** What says a setting, and how it is taken back. */
export interface Origin {
  name: string;
  /** Its key in the config file. `undefined`: a variable says it. */
  key?: string;
}

export interface ParsedConfig {
  config: Config;
  /** One line for every value that could not be read: its name, what was expected, what is used instead. */
  problems: string[];
}

/**
 * Environment and, below it, config file → settings. Never fails: a value that cannot be read is replaced by the default
 * and named in `problems`.
 */
export function parseConfig(env: Env, host: Host, file?: ConfigFile): ParsedConfig {
  const problems: string[] = [...(file?.problems ?? [])];
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
    pages: read(table.pages),
    userAgent: read(table.userAgent),
    robots: read(table.robots),
    archive: read(table.archive),
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
    http: { host: read(table.httpHost), port: read(table.httpPort), ...accessOf(env, host) },
    prices: read(table.prices),
    roots: read(table.roots),
    tools: read(table.tools),
    keepMs: read(table.keepMs),
    debug: read(table.debug),
    logFormat: read(table.logFormat),
    origins: originsOf(Object.values<Setting<unknown>>(table), { env, host, file }),
  };
  if (config.http.accessProblem !== undefined) problems.push(config.http.accessProblem);
  if (config.tools !== undefined && !config.tools.includes("research_result"))
    problems.push(
      "MCP_SERVER_TOOLS leaves out research_result: the report of a research that outlives its call cannot be read",
    );
  return { config, problems };

  function read<T>(setting: Setting<T>): T {
    const said = sayingOf(setting, { env, host, file });
    if (said === undefined) return setting.fallback;
    const { text, where, cwd } = said;
    const value = setting.read(text, cwd);
    const shown = setting.secret ? "cannot be read" : `is ${quoted(text)}`;
    if (value !== undefined) {
      const counts = setting.countsAs?.(value) ?? value;
      if (counts !== value) problems.push(`${where} ${shown}: expected ${setting.expected}; using ${counts}`);
      return counts;
    }
    const instead = setting.fallbackInWords ?? String(setting.fallback);
    problems.push(`${where} ${shown}: expected ${setting.expected}; using ${instead}`);
    return setting.fallback;
  }
}

/** What somebody has set. */
interface Saying {
  text: string;
  /** A variable's name, or a line of the config file. */
  where: string;
  /** Paths are relative to it. */
  cwd: string;
}

function originsOf(
  table: readonly Setting<unknown>[],
  given: { env: Env; host: Pick<Host, "cwd">; file?: ConfigFile | undefined },
): Origins {
  const origins = new Map<string, Origin>();
  for (const setting of table) {
    const { names, key = "" } = setting;
    const said = sayingOf(setting, given);
    if (said === undefined || setting.read(said.text, said.cwd) === undefined) continue;
    const ofFile = said.where !== names.find((name) => name === said.where);
    origins.set(names[0], ofFile ? { name: `${key} in ${given.file?.path}`, key } : { name: said.where });
  }
  return origins;
}

/** What is said of a setting, by a variable or else in the config file. */
export function sayingOf(
  { names, key = "" }: Pick<Setting<unknown>, "names" | "key">,
  { env, host, file }: { env: Env; host: Pick<Host, "cwd">; file?: ConfigFile | undefined },
): Saying | undefined {
  const name = names.find((candidate) => given(env[candidate]) !== undefined);
  if (name !== undefined) return { text: given(env[name]) as string, where: name, cwd: host.cwd };
  const entry = file?.entries.get(key);
  const text = given(entry?.text);
  if (file === undefined || entry === undefined || text === undefined) return undefined;
  return { text, where: `${file.path}:${entry.line}: ${key}`, cwd: dirname(file.path) };
}
