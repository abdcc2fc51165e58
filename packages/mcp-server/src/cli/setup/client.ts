import type { Host } from "../../host/io.js";

/** The clients that `setup` knows, by the names that people type. */
export const CLIENTS = [
  "claude-code",
  "claude-desktop",
  "codex",
  "gemini",
  "vscode",
  "cursor",
  "windsurf",
  "zed",
  "cline",
] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How a client starts the server. */
export interface Launch {
  command: string;
  args: string[];
}

/** One entry of a client's configuration. */
export interface Entry extends Launch {
  type?: "stdio";
  env?: Record<string, string>;
  /** Codex: variables that it passes on. */
  env_vars?: string[];
  startup_timeout_sec?: number;
  tool_timeout_sec?: number;
  /** Gemini CLI: milliseconds; Cline and Zed: seconds. */
  timeout?: number;
}

/** A client's configuration on this machine. */
export interface Client {
  name: ClientName;
  title: string;
  /**
   * Where the configuration may be: the first that exists counts, else the first whose `traces` entry of the same place does, else
   * the first. Absolute.
   */
  files: readonly [string, ...string[]];
  /** Where it has several files: whose each is. */
  owners?: readonly string[];
  /** Files and folders that are there when the client is installed. Absolute. */
  traces: readonly string[];
  /** Its program's name on PATH, where it has one. */
  program?: string;
  format: "json" | "toml";
  /** Keys that lead to the entry. */
  path: readonly [string, string];
  /** What the client needs; what the person has set beside it stays. */
  entry: Entry;
  /** Variables that the person gives now: they take the place of older ones. */
  given: Readonly<Record<string, string>>;
  /** Whether it sees the variables of the shell that it was started in. */
  seesShell: boolean;
  /** What to do so that the client sees it. */
  next: string;
}

/** What a client's configuration depends on. */
export interface ClientOptions {
  host: Host;
  env: Readonly<Record<string, string | undefined>>;
  /** Variables for the server, by name. */
  variables: Readonly<Record<string, string>>;
  /** How the server is started. Default: by npx, as the published package. */
  launch?: Launch | undefined;
  /** In the project of the current directory instead of for the person. */
  project?: boolean;
}
