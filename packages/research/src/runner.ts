/**
 * What runs the prompts of a research: a program that asks a model, which can search. `createGeminiRunner` makes one; whoever
 * writes another finds its tests in `@x/research/testing`.
 */
export interface Runner {
  /** What it can do. Default: what Gemini CLI can. */
  readonly capabilities?: RunnerCapabilities;
  /**
   * Runs one prompt, beginning when it is first read: yields what happens, returns how it ended. What it throws has a
   * `code`: `CLI_NOT_FOUND`, `AUTH_REQUIRED`, `QUOTA_EXCEEDED`, `MODEL_NOT_FOUND`, `CANCELLED` or `EXECUTION_ERROR`.
   */
  run(request: RunRequest): AsyncGenerator<RunEvent, RunResult, void>;
  /** Prepares a run that comes later, until the signal is aborted. Default: nothing is prepared. */
  prewarm?(request: PrewarmRequest & { signal?: AbortSignal }): void;
}

/** What a runner can do. What is not named here it cannot do. */
export interface RunnerCapabilities {
  /** What people call the program, and the command that they type. Default: "the program". */
  readonly program?: { readonly name: string; readonly command: string };
  /** How the model searches the web. */
  readonly search?: ToolCapability;
  /** How the model reads a page: what comes back are the model's words, not the text of the page. */
  readonly read?: ToolCapability;
  /** How the model reads a file that was handed over. */
  readonly files?: ToolCapability;
  /** MCP servers that a run can have: programs that it starts, endpoints that it connects to. */
  readonly mcpServers: readonly ("program" | "endpoint")[];
}

/** A tool, as the model knows it. */
export interface ToolCapability {
  /** Its name, as in a prompt and in `tools` of a request. */
  readonly tool: string;
}

/** What is taken for granted of a runner that names no capabilities: what Gemini CLI can do. */
export const defaultCapabilities: RunnerCapabilities = {
  program: { name: "Gemini CLI", command: "gemini" },
  search: { tool: "google_web_search" },
  read: { tool: "web_fetch" },
  files: { tool: "read_file" },
  mcpServers: ["program", "endpoint"],
};

/** What a run that comes later is prepared for. */
export interface PrewarmRequest {
  /** The model's name. `null`: the program's own choice, whatever the runner's default says. Default: the runner's. */
  model?: string | null;
  /** Tools that the model may use. Default: those that search and read. */
  tools?: readonly string[];
  /** Files that the model may read, each by its absolute path: these and no others. Default: none. */
  files?: readonly string[];
  /** MCP servers of this run, by name. Default: none. */
  mcpServers?: Readonly<Record<string, McpEndpoint>>;
}

/** One prompt, and how it is run. */
export interface RunRequest extends PrewarmRequest {
  /** Data for the model: nothing in it is run as a command or included as a file. */
  prompt: string;
  /** Ends the run with `CANCELLED` when it fires. Default: none. */
  signal?: AbortSignal;
  /** How long the run may take, in milliseconds; then it ends with the reason `timeout`. Default: the runner's. */
  timeoutMs?: number;
}

/** An MCP server that is there already, on loopback, and speaks Streamable HTTP. */
export interface McpEndpoint {
  /** `http:` or `https:`. */
  url: string;
  /** Headers of every request, such as a token for this run. Default: none. */
  headers?: Readonly<Record<string, string>>;
  /** The tools that the model may use, by the server's own names. */
  includeTools: readonly string[];
  /** How long a call may take, in milliseconds. Default: the runner's. */
  timeoutMs?: number;
}

/** What happens in a run. */
export type RunEvent =
  | {
      type: "run-start";
      /** Id of the program's process. */
      pid: number;
      /** Version of the program, when it is known. */
      version?: string;
      /** How long the run waited for its turn, in milliseconds. */
      queuedMs: number;
      /** Whether it had been prepared. */
      warm: boolean;
    }
  /** The model is asked: at the beginning, and again with what its tools gave. A runner that does not know leaves it out. */
  | { type: "turn-start" }
  | {
      type: "tool-call";
      /** Which call its result belongs to. */
      id: string;
      /** The tool's name. */
      tool: string;
      /** What is searched. */
      query?: string;
      /** What is read. */
      urls?: string[];
    }
  /** A call of a tool has ended; `message` says why, when it failed. */
  | { type: "tool-result"; id: string; tool: string; ok: boolean; message?: string }
  | {
      type: "tool-output";
      /** UTF-16 units that a search or a page read gave the model. Those of this package's own page tool are not counted. */
      characters: number;
    }
  /** More words of the model. */
  | { type: "text-delta"; text: string }
  /** Something a person should know, which does not end the run. */
  | { type: "warning"; message: string }
  /** The program has ended, and nothing of it is left. */
  | { type: "run-end"; durationMs: number };

/** How a run ended. A list that is missing counts as empty. */
export interface RunResult {
  /** The model's words after the last tool result. */
  text: string;
  /** The model that gave the answer, when the program says so. */
  model?: string;
  /** Every model that took part, with its tokens. */
  models?: ModelUse[];
  /** Whether queries, sources and failures are a record of exactly this run. Default `false`. */
  recorded?: boolean;
  /** Searches that gave results, in order. */
  queries?: string[];
  /** Where the answer can come from: `retrieved` was read, `found` was named by a search. One entry a URL. */
  sources?: { url: string; title?: string; status: "found" | "retrieved" }[];
  /** Searches and reads that failed. */
  failures?: { tool: string; query?: string; url?: string; message: string }[];
  /** Words of searches and page reads, with the addresses of the sources that the search engine names for them. */
  attributions?: { text: string; urls: string[] }[];
}

/** A model that took part in a run. */
export interface ModelUse {
  /** Its name. */
  model: string;
  /** Tokens that it was given. */
  inputTokens: number;
  /** Tokens that it wrote. */
  outputTokens: number;
  /** All tokens, thoughts among them. */
  totalTokens: number;
}
