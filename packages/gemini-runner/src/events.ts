/** What may be said about one run of the CLI, and the shape of a runner. */
import type { McpServers } from "./mcp-servers.js";

/** A run that yields what happens and returns how it ended. Throws {@link RunnerError}. */
export type AgentRun = AsyncGenerator<RunEvent, RunResult, void>;

export interface GeminiRunner {
  /**
   * Starts when first read. However it ends, no process or file of the run is left. A run that fails for the moment may
   * be made again, after a `warning` and with a `run-start` of its own; so is, once, a run whose process was started ahead
   * and ended before it began.
   */
  run(request: RunRequest): AgentRun;
  /**
   * Starts a CLI now for a prompt that comes later: the next `run` that asks for the same model, tools and files takes
   * it. One that is not used within its time, or until the signal is aborted, is ended; it has sent no request.
   */
  prewarm(request?: PrewarmRequest & { signal?: AbortSignal }): void;
  /** Ends every run and every warm process, and waits until they are gone. */
  close(): Promise<void>;
}

export interface PrewarmRequest {
  /**
   * Name or alias as `--model` takes it. `null`: the CLI's own choice, whatever the runner's default and `GEMINI_MODEL`
   * say. Default: the runner's `model`.
   */
  model?: string | null;
  /** Tools that the model may use. Default: `google_web_search` and `web_fetch`. */
  tools?: readonly string[];
  /**
   * Files that the model may read, each by its absolute path: these and no others. A directory that holds a GEMINI.md is
   * refused, because the CLI would read that too. Default: none.
   */
  files?: readonly string[];
  /** MCP servers of this run, beside the runner's own; one of the same name takes the place of the runner's. Default: none. */
  mcpServers?: McpServers;
}

export interface RunRequest extends PrewarmRequest {
  /** Data for the model: nothing in it is run as a command or included as a file. At most 8 MiB of UTF-8. */
  prompt: string;
  /** Ends the run with `CANCELLED`. */
  signal?: AbortSignal;
  /** For this run alone. Default: the runner's. */
  timeoutMs?: number;
  /** For this run alone. Default: the runner's. */
  idleTimeoutMs?: number;
}

export type RunEvent =
  | {
      type: "run-start";
      /** Id of the CLI's process. */
      pid: number;
      /** Version of the CLI, when it is known. */
      version?: string;
      /** How long the run waited for its turn. */
      queuedMs: number;
      /** A process that was started before took the prompt. */
      warm: boolean;
    }
  | {
      type: "tool-call";
      id: string;
      tool: string;
      /** What is searched (`google_web_search`). */
      query?: string;
      /** What is read (`web_fetch`). */
      urls?: string[];
    }
  | { type: "tool-result"; id: string; tool: string; ok: boolean; message?: string }
  | { type: "text-delta"; text: string }
  | { type: "warning"; message: string }
  | { type: "run-end"; durationMs: number };

export interface RunResult {
  /** The assistant's words after the last tool result. */
  text: string;
  /** The model that gave the answer, when the CLI says so. */
  model?: string;
  /** Every model that took part, with its tokens. */
  models: ModelUse[];
  /**
   * `true`: queries, sources and failures are from the CLI's record of exactly this run. `false`: there is none, as of a
   * program that is not Gemini CLI, and the three lists are empty.
   */
  recorded: boolean;
  /** Searches that gave results, in order. */
  queries: string[];
  /** Where the answer can come from: what searches found and what was read, in order, one entry a URL. */
  sources: RunSource[];
  /** Searches and reads that failed. */
  failures: ToolFailure[];
  /**
   * What Google itself said of its searches and page reads: which words of theirs come from where, in order. Empty for a
   * program that is not Gemini CLI.
   */
  attributions: Attribution[];
  /** From the start of the process to the result. */
  durationMs: number;
  /** How long the run waited for its turn before that. */
  queuedMs: number;
}

export interface RunSource {
  url: string;
  title?: string;
  /** `retrieved`: `web_fetch` read the page. `found`: a search named it. */
  status: "found" | "retrieved";
}

/** Words of a search or of a page read, and the sources that Google names for them. */
export interface Attribution {
  /** The words, as Google wrote them. They are not a quotation of the sources. */
  text: string;
  /** Addresses of the sources; those of a search are Google's redirects. */
  urls: string[];
}

export interface ToolFailure {
  tool: string;
  query?: string;
  url?: string;
  message: string;
}

export interface ModelUse {
  model: string;
  /** `main`: it gave turns of the run itself. Empty: it did something else, as searching, reading or choosing a model. */
  roles: string[];
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
}
