import type { Environment } from "./cli/environment.js";
import type { McpServers } from "./mcp-servers.js";

/** What a runner is made with. Times are in milliseconds. */
export interface GeminiRunnerOptions {
  /** The CLI: a path, or a name on PATH. Default: `gemini`. */
  command?: string;
  /** The directory under which each run has its own for as long as it lasts. Default: the system's temporary one. */
  cwd?: string;
  /**
   * The caller's environment, the one place it is read from. The CLI sees of it what it, Node, proxies and certificates
   * need, and no other secrets. Default: `process.env`.
   */
  env?: Environment;
  /**
   * Name or alias as `--model` takes it, for requests that name none. Default: `GEMINI_MODEL` of `env`, else the CLI's own
   * choice.
   */
  model?: string;
  /** How long a run may take, from the moment it has its turn; `Infinity`: as long as it likes. Default: 300000. */
  timeoutMs?: number;
  /** How long a run may say nothing. Default: as long as `timeoutMs`. */
  idleTimeoutMs?: number;
  /** How long one call of a tool may take. Default: 90000. */
  toolTimeoutMs?: number;
  /** How long a process that was asked to end may take before it is killed. Default: 1000. */
  killAfterMs?: number;
  /**
   * How often the model may be asked in one run. One that asks more often is ended (`turns`), with what the model had said.
   * Counted where the CLI is JavaScript. `Infinity`: no limit. Default: 100.
   */
  maxTurns?: number;
  /** How many calls of tools the model may make in one run (`tool-calls`). Default: 200. */
  maxToolCalls?: number;
  /**
   * How much searches, page reads and MCP servers together may give the model in one run, in UTF-16 units. The rest is cut, and
   * the model is told to answer from what it has. Needs Gemini CLI, which hides earlier results from its model beyond some
   * 200,000. `Infinity`: no limit. Default: 190000.
   */
  maxToolOutput?: number;
  /**
   * How much a run may write to stdout and stderr together, in bytes; one line may have a quarter of it. One that writes more is
   * ended. Default: 64 MiB.
   */
  maxOutputBytes?: number;
  /**
   * Runs at once; the others wait in the order they came. Default: two per core. With a pool: as many as it serves, which is
   * also the most. Of these, two per core may have a process of their own.
   */
  maxConcurrent?: number;
  /**
   * Serves runs by a few processes that stay, many at once in each, instead of by one process each: at 16 at once a fifteenth of the
   * memory. `true`: with the defaults. A run that the pool cannot serve, or that failed there for no reason that can be told,
   * gets a process of its own. Default: `false`.
   */
  pool?: boolean | PoolOptions;
  /**
   * How often a run that failed for the moment (network, API, a minute's quota, an empty answer) is tried again. It
   * waits as long as the API asks; when that is more than 10 s, the error is thrown instead. Default: 1.
   */
  retries?: number;
  /**
   * MCP servers whose named tools the model may use in each run. A request with `tools` gets only those that it names there
   * (`mcp_SERVER_TOOL`), and only their servers start. Default: none.
   */
  mcpServers?: McpServers;
  /** Waits between two attempts. Default: a timer. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The clock of durations, in ms. Default: `performance.now`. */
  now?: () => number;
  /** Hears of problems that stopped nothing. Default: nobody. */
  onWarning?: (message: string) => void;
}

/** Processes that serve several runs each. */
export interface PoolOptions {
  /** How many processes there are at most, but for those that are being replaced; up to 1000. Default: 1. */
  processes?: number;
  /** How many runs one serves at once; up to 1000. Default: 16. */
  sessions?: number;
  /** After how many runs one is replaced: each leaves some 0.2 MB. Default: 200. */
  maxRuns?: number;
  /** With how much memory one is replaced, in bytes. Default: 512 MiB. */
  maxMemoryBytes?: number;
  /**
   * How long one may be silent when it is asked for a sign of life, in milliseconds. Then it is killed, and its runs are made
   * again. Time in which it waits for a processor does not count; only Linux tells that time, so elsewhere the limit is four
   * times as long. Default: 15000.
   */
  hangMs?: number;
  /**
   * How long one without a run is kept, and a session without one, in milliseconds; `Infinity`: until the runner is closed.
   * Default: 300000.
   */
  idleMs?: number;
}
