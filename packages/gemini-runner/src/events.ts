import type { RunnerCapabilities } from "./capabilities.js";
import type { McpServers } from "./mcp-servers.js";

/** A run that yields what happens and returns how it ended. Throws {@link RunnerError}. */
export type AgentRun = AsyncGenerator<RunEvent, RunResult, void>;

/** Runs prompts through Gemini CLI, some at once. */
export interface GeminiRunner {
  /** What it can do, and by which names the model does it. */
  readonly capabilities: RunnerCapabilities;
  /**
   * Runs one prompt. It starts when it is first read. However it ends, no process or file of the run is left. A run whose
   * failure may pass is made again, after a `warning` and with a `run-start` of its own; so is, once, a run whose process was
   * started ahead and ended before it began.
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

/** What is fixed when a process of the CLI starts. */
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

/** One prompt, and how it is run. */
export interface RunRequest extends PrewarmRequest {
  /** Data for the model: nothing in it is run as a command or included as a file. At most 8 MiB of UTF-8. */
  prompt: string;
  /** Ends the run with `CANCELLED` when it fires. */
  signal?: AbortSignal;
  /** How long this run may take, in milliseconds. Default: the runner's. */
  timeoutMs?: number;
  /** How long this run may say nothing, in milliseconds. Default: the runner's. */
  idleTimeoutMs?: number;
  /** How often the model may be asked in this run. Default: the runner's. */
  maxTurns?: number;
  /** How many calls of tools the model may make in this run. Default: the runner's. */
  maxToolCalls?: number;
}

/** What happens in a run. */
export type RunEvent =
  | {
      type: "run-start";
      /** Id of the CLI's process. */
      pid: number;
      /** Version of the CLI, when it is known. */
      version?: string;
      /** How long the run waited for its turn, in milliseconds. */
      queuedMs: number;
      /** Whether a process that was started before took the prompt. */
      warm: boolean;
    }
  /** The model is asked: at the beginning, and again with what its tools gave; on a busy machine it may come behind what the model said next. A program that is not Gemini CLI does not say so. */
  | { type: "turn-start" }
  | {
      type: "tool-call";
      /** Id of the call; its `tool-result` has the same one. */
      id: string;
      /** The tool, by the CLI's name for it. */
      tool: string;
      /** What is searched (`google_web_search`). */
      query?: string;
      /** What is read (`web_fetch`). */
      urls?: string[];
    }
  | {
      type: "tool-result";
      /** That of the `tool-call`. */
      id: string;
      /** The tool, by the CLI's name for it. */
      tool: string;
      /** Whether the call did what was asked. */
      ok: boolean;
      /** Why it failed, in the CLI's words. */
      message?: string;
    }
  | {
      type: "tool-output";
      /**
       * UTF-16 units that a search or a page read of Gemini CLI gave the model: Google's words and sources. What MCP servers
       * give is not counted. Comes before the `tool-result`.
       */
      characters: number;
    }
  | {
      type: "text-delta";
      /** The next words of the model. Words before its last tool call are not part of the answer. */
      text: string;
    }
  | {
      type: "warning";
      /** What went wrong without ending the run. */
      message: string;
    }
  | {
      type: "run-end";
      /** How long the run took from its turn, in milliseconds. */
      durationMs: number;
    };

/** How a run ended. */
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
  /** How long the run took from its turn to the result, in milliseconds. */
  durationMs: number;
  /** How long the run waited for its turn before that, in milliseconds. */
  queuedMs: number;
}

/** A page that the answer can come from. */
export interface RunSource {
  /** Its address; that of a search is Google's redirect. */
  url: string;
  /** Its title, as a search gives it. */
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

/** A search or a read that failed. */
export interface ToolFailure {
  /** The tool, by the CLI's name for it. */
  tool: string;
  /** What was searched. */
  query?: string;
  /** What was read. */
  url?: string;
  /** Why it failed, in the CLI's words or the page's. */
  message: string;
}

/** A model that took part in a run. */
export interface ModelUse {
  /** Its name as the API knows it. */
  model: string;
  /** `main`: it gave turns of the run itself. Empty: it did something else, as searching, reading or choosing a model. */
  roles: string[];
  /** Tokens that it was given. */
  inputTokens: number;
  /** Tokens that it wrote. */
  outputTokens: number;
  /** All tokens, thoughts among them. */
  totalTokens: number;
}
