import { posix, win32 } from "node:path";
import { configHome } from "../../host/config-home.js";
import type { Host } from "../../host/io.js";

/** The name under which clients know the server. */
const SERVER_NAME = "research";

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

/** One entry of a client's configuration. */
export interface Entry {
  type?: "stdio";
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Codex: variables that it passes on. */
  env_vars?: string[];
  startup_timeout_sec?: number;
  tool_timeout_sec?: number;
  /** Gemini CLI: milliseconds; Cline and Zed: seconds. */
  timeout?: number;
}

export interface Client {
  name: ClientName;
  title: string;
  /** Where the configuration may be, the first that exists counts, else the first. Absolute. */
  files: readonly [string, ...string[]];
  format: "json" | "toml";
  /** Keys that lead to the entry. */
  path: readonly [string, string];
  /** What the client needs; what the person has set beside it stays. */
  entry: Entry;
  /** What to do so that the client sees it. */
  next: string;
}

export interface ClientOptions {
  host: Host;
  env: Readonly<Record<string, string | undefined>>;
  /** Variables for the server, by name. */
  variables: Readonly<Record<string, string>>;
  /** In the project of the current directory instead of for the person. */
  project?: boolean;
}

/** Variables that a client with a reduced environment must be told to pass on. */
const PASSED_ON = [
  // The sign-in.
  ...["GEMINI_API_KEY", "GEMINI_CLI_HOME", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
  ...["GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_PROJECT", "GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI"],
  ...["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"],
  // Our own settings, and where they are looked for: so that a client and the terminal see the same researches.
  ...["GEMINI_CLI_PATH", "GEMINI_MODEL", "GEMINI_CORRECTION_MODEL", "DEEP_SEARCH_MAX_ITERATIONS"],
  ...["GEMINI_SEARCH_TIMEOUT", "GEMINI_RESEARCH_TIMEOUT", "JSON_MAX_RETRIES", "GEMINI_SYSTEM_PROMPT"],
  ...["GEMINI_SEARCH_CONFIG_DIR", "GEMINI_RESEARCH_CONFIG_DIR", "GEMINI_PROMPTS_DIR", "XDG_CONFIG_HOME"],
  ...["FIRECRAWL_API_KEY", "FIRECRAWL_API_URL"],
  // The network.
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS"],
];

/** A call may take this long where the client lets us say so; the server answers one minute earlier. */
const CALL_LIMIT_S = 1_800;
/** Zed's own upper bound. */
const ZED_LIMIT_S = 600;

/** A client's configuration on this machine; `undefined` when it has none for a project. */
export function describeClient(name: ClientName, options: ClientOptions): Client | undefined {
  const { host, env, variables, project = false } = options;
  const path = host.platform === "win32" ? win32 : posix;
  const home = (...parts: string[]) => path.join(host.homeDir, ...parts);
  const inProject = (...parts: string[]): [string] => [path.join(host.cwd, ...parts)];
  const { APPDATA, CODEX_HOME, GEMINI_CLI_HOME, CLINE_DATA_DIR } = env;
  const appData = APPDATA || home("AppData", "Roaming");
  const config = host.platform === "win32" ? appData : configHome(env, host);
  /** Where desktop programs keep their settings. */
  const desktop = host.platform === "darwin" ? home("Library", "Application Support") : config;
  const command: { command: string; args: string[] } =
    host.platform === "win32"
      ? { command: "cmd", args: ["/c", "npx", "-y", "@x/mcp-server"] }
      : { command: "npx", args: ["-y", "@x/mcp-server"] };
  const withEnv = (more: Record<string, string> = {}): Pick<Entry, "env"> => {
    const all = { ...more, ...variables };
    return Object.keys(all).length > 0 ? { env: all } : {};
  };
  /** A program of the desktop was not started in the shell that knows the key. */
  const desktopNext = (next: string) =>
    variables["GEMINI_API_KEY"] === undefined
      ? `${next}\n  It does not see your shell's variables: to sign in with an API key, run this again with --env GEMINI_API_KEY=<your key>.`
      : next;
  const waitBelow = (seconds: number) => ({ MAX_WAIT_MS: String((seconds - 60) * 1_000) });
  const json = (files: Client["files"], key: string, entry: Entry, title: string, next: string): Client => ({
    name,
    title,
    files,
    format: "json",
    path: [key, SERVER_NAME],
    entry,
    next,
  });

  switch (name) {
    case "claude-code":
      return json(
        project ? inProject(".mcp.json") : [home(".claude.json")],
        "mcpServers",
        { type: "stdio", ...command, ...withEnv() },
        "Claude Code",
        "Start a new session; `/mcp` shows the server.",
      );
    case "claude-desktop":
      if (project) return undefined;
      return json(
        [path.join(desktop, "Claude", "claude_desktop_config.json")],
        "mcpServers",
        { ...command, ...withEnv() },
        "Claude Desktop",
        desktopNext("Quit Claude Desktop and start it again."),
      );
    case "codex":
      return {
        name,
        title: "Codex",
        files: project ? inProject(".codex", "config.toml") : [path.join(CODEX_HOME || home(".codex"), "config.toml")],
        format: "toml",
        path: ["mcp_servers", SERVER_NAME],
        entry: {
          ...command,
          env_vars: PASSED_ON,
          startup_timeout_sec: 60,
          tool_timeout_sec: CALL_LIMIT_S,
          ...withEnv(waitBelow(CALL_LIMIT_S)),
        },
        next: "Start a new session; `codex mcp list` shows the server.",
      };
    case "gemini": {
      // The CLI drops what is not declared; `$NAME` is filled in when the server starts.
      const set = PASSED_ON.filter((variable) => env[variable]);
      const passed = Object.fromEntries(set.map((variable) => [variable, `$${variable}`]));
      return json(
        project
          ? inProject(".gemini", "settings.json")
          : [path.join(GEMINI_CLI_HOME || host.homeDir, ".gemini", "settings.json")],
        "mcpServers",
        { ...command, timeout: CALL_LIMIT_S * 1_000, ...withEnv({ ...passed, ...waitBelow(CALL_LIMIT_S) }) },
        "Gemini CLI",
        "Start a new session; `/mcp` shows the server.",
      );
    }
    case "vscode":
      return json(
        project ? inProject(".vscode", "mcp.json") : [path.join(desktop, "Code", "User", "mcp.json")],
        "servers",
        { type: "stdio", ...command, ...withEnv() },
        "VS Code",
        desktopNext("Open the file in VS Code and choose Start above the server, or reload the window."),
      );
    case "cursor":
      return json(
        project ? inProject(".cursor", "mcp.json") : [home(".cursor", "mcp.json")],
        "mcpServers",
        { ...command, ...withEnv() },
        "Cursor",
        desktopNext("Cursor asks to enable the server; it then stands under Settings, Tools & MCP."),
      );
    case "windsurf":
      if (project) return undefined;
      return json(
        [home(".codeium", "windsurf", "mcp_config.json")],
        "mcpServers",
        { ...command, ...withEnv() },
        "Windsurf",
        desktopNext("Press Refresh above the list of MCP servers in Cascade."),
      );
    case "zed":
      return json(
        project
          ? inProject(".zed", "settings.json")
          : [
              host.platform === "win32"
                ? path.join(appData, "Zed", "settings.json")
                : path.join(host.platform === "darwin" ? home(".config") : config, "zed", "settings.json"),
            ],
        "context_servers",
        { ...command, timeout: ZED_LIMIT_S, ...withEnv(waitBelow(ZED_LIMIT_S)) },
        "Zed",
        desktopNext("Zed reads it at once; the server stands in the Agent Panel's settings."),
      );
    case "cline":
      if (project) return undefined;
      return json(
        [
          path.join(CLINE_DATA_DIR || home(".cline", "data"), "settings", "cline_mcp_settings.json"),
          path.join(
            desktop,
            "Code",
            "User",
            "globalStorage",
            "saoudrizwan.claude-dev",
            "settings",
            "cline_mcp_settings.json",
          ),
        ],
        "mcpServers",
        { ...command, timeout: CALL_LIMIT_S, ...withEnv(waitBelow(CALL_LIMIT_S)) },
        "Cline",
        desktopNext("Cline reads it at once; the server stands under MCP Servers, Installed."),
      );
  }
}
