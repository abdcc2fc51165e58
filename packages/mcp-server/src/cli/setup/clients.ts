import { posix, win32 } from "node:path";
import { configHome } from "../../host/config-home.js";
import type { Client, ClientName, ClientOptions, Entry, Launch } from "./client.js";
import GROUPS from "./passed-on.json" with { type: "json" };

/** The name under which clients know the server. */
const SERVER_NAME = "research";

/**
 * Variables that a client with a reduced environment must be told to pass on: those of the sign-in, our own with the places
 * where they are looked for, so that a client and the terminal see the same researches, and those of the network.
 */
const PASSED_ON = Object.values(GROUPS).flat();

/** A call may take this long where the client lets us say so; the server answers one minute earlier. */
const CALL_LIMIT_S = 1_800;
/** Zed's own upper bound. */
const ZED_LIMIT_S = 600;

/** A client's configuration on this machine; `undefined` when it has none for a project. */
export function describeClient(name: ClientName, options: ClientOptions): Client | undefined {
  const place = placeOf(options);
  const { files, projectFile, group, entry, format = "json", ...rest } = DESCRIPTIONS[name](place);
  const { type, env = {}, ...limits } = entry;
  if (options.project && projectFile === undefined) return undefined;
  return {
    ...rest,
    name,
    format,
    files: options.project && projectFile !== undefined ? [projectFile] : files,
    path: [group, SERVER_NAME],
    entry: { ...(type && { type }), ...place.launch, ...limits, ...withEnv({ ...env, ...options.variables }) },
    given: options.variables,
  };
}

/** Where things are on this machine. */
interface Place {
  launch: Launch;
  env: ClientOptions["env"];
  join(...parts: string[]): string;
  home(...parts: string[]): string;
  inProject(...parts: string[]): string;
  /** Where programs keep their settings. */
  config: string;
  /** The same for programs of the desktop. */
  desktop: string;
  isMac: boolean;
  isWindows: boolean;
}

function placeOf({ host, env, launch }: ClientOptions): Place {
  const isWindows = host.platform === "win32";
  const isMac = host.platform === "darwin";
  const { join } = isWindows ? win32 : posix;
  const home = (...parts: string[]) => join(host.homeDir, ...parts);
  const { APPDATA } = env;
  const config = isWindows ? APPDATA || home("AppData", "Roaming") : configHome(env, host);
  const npx = ["-y", "@x/mcp-server"];
  return {
    launch: launch ?? (isWindows ? { command: "cmd", args: ["/c", "npx", ...npx] } : { command: "npx", args: npx }),
    env,
    join,
    home,
    inProject: (...parts) => join(host.cwd, ...parts),
    config,
    desktop: isMac ? home("Library", "Application Support") : config,
    isMac,
    isWindows,
  };
}

function withEnv(env: Record<string, string>): Pick<Entry, "env"> {
  return Object.keys(env).length > 0 ? { env } : {};
}

const waitBelow = (seconds: number) => ({ MAX_WAIT_MS: String((seconds - 60) * 1_000) });

interface Description {
  title: string;
  files: Client["files"];
  owners?: readonly string[];
  /** Its configuration for one project. */
  projectFile?: string;
  traces: readonly string[];
  program?: string;
  format?: Client["format"];
  group: string;
  /** Without how the server is started. */
  entry: Omit<Entry, keyof Launch>;
  seesShell: boolean;
  next: string;
}

const DESCRIPTIONS: Readonly<Record<ClientName, (place: Place) => Description>> = {
  "claude-code": ({ home, inProject }) => ({
    title: "Claude Code",
    program: "claude",
    files: [home(".claude.json")],
    projectFile: inProject(".mcp.json"),
    traces: [home(".claude.json"), home(".claude")],
    group: "mcpServers",
    entry: { type: "stdio" },
    seesShell: true,
    next: "Start a new session; `/mcp` shows the server.",
  }),
  "claude-desktop": ({ desktop, join }) => ({
    title: "Claude Desktop",
    files: [join(desktop, "Claude", "claude_desktop_config.json")],
    traces: [join(desktop, "Claude")],
    group: "mcpServers",
    entry: {},
    seesShell: false,
    next: "Quit Claude Desktop and start it again.",
  }),
  codex: ({ env: { CODEX_HOME }, home, inProject, join }) => ({
    title: "Codex",
    program: "codex",
    files: [join(CODEX_HOME || home(".codex"), "config.toml")],
    projectFile: inProject(".codex", "config.toml"),
    traces: [CODEX_HOME || home(".codex")],
    format: "toml",
    group: "mcp_servers",
    entry: {
      env_vars: PASSED_ON,
      startup_timeout_sec: 60,
      tool_timeout_sec: CALL_LIMIT_S,
      env: waitBelow(CALL_LIMIT_S),
    },
    seesShell: true,
    next: "Start a new session; `codex mcp list` shows the server.",
  }),
  gemini: ({ env, home, inProject, join }) => {
    // The CLI drops what is not declared; `$NAME` is filled in when the server starts.
    const set = PASSED_ON.filter((variable) => env[variable]);
    const passed = Object.fromEntries(set.map((variable) => [variable, `$${variable}`]));
    const folder = join(env["GEMINI_CLI_HOME"] || home(), ".gemini");
    return {
      title: "Gemini CLI",
      program: "gemini",
      files: [join(folder, "settings.json")],
      projectFile: inProject(".gemini", "settings.json"),
      traces: [folder],
      group: "mcpServers",
      entry: { timeout: CALL_LIMIT_S * 1_000, env: { ...passed, ...waitBelow(CALL_LIMIT_S) } },
      seesShell: true,
      next: "Start a new session; `/mcp` shows the server.",
    };
  },
  vscode: ({ desktop, inProject, join }) => ({
    title: "VS Code",
    program: "code",
    files: [join(desktop, "Code", "User", "mcp.json")],
    projectFile: inProject(".vscode", "mcp.json"),
    traces: [join(desktop, "Code")],
    group: "servers",
    entry: { type: "stdio" },
    seesShell: false,
    next: "Open the file in VS Code and choose Start above the server, or reload the window.",
  }),
  cursor: ({ home, inProject }) => ({
    title: "Cursor",
    program: "cursor",
    files: [home(".cursor", "mcp.json")],
    projectFile: inProject(".cursor", "mcp.json"),
    traces: [home(".cursor")],
    group: "mcpServers",
    entry: {},
    seesShell: false,
    next: "Cursor asks to enable the server; it then stands under Settings, Tools & MCP.",
  }),
  windsurf: ({ home }) => ({
    title: "Windsurf",
    program: "windsurf",
    files: [home(".codeium", "windsurf", "mcp_config.json")],
    traces: [home(".codeium", "windsurf")],
    group: "mcpServers",
    entry: {},
    seesShell: false,
    next: "Press Refresh above the list of MCP servers in Cascade.",
  }),
  zed: ({ config, home, inProject, isMac, isWindows, join }) => {
    const folder = isMac ? home(".config", "zed") : join(config, isWindows ? "Zed" : "zed");
    return {
      title: "Zed",
      program: "zed",
      files: [join(folder, "settings.json")],
      projectFile: inProject(".zed", "settings.json"),
      traces: [folder],
      group: "context_servers",
      entry: { timeout: ZED_LIMIT_S, env: waitBelow(ZED_LIMIT_S) },
      seesShell: false,
      next: "Zed reads it at once; the server stands in the Agent Panel's settings.",
    };
  },
  cline: ({ env: { CLINE_DATA_DIR }, desktop, home, join }) => {
    const extension = join(desktop, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
    const data = CLINE_DATA_DIR || home(".cline", "data");
    const file = ["settings", "cline_mcp_settings.json"];
    return {
      title: "Cline",
      program: "cline",
      files: [join(data, ...file), join(extension, ...file)],
      owners: ["CLI", "extension for VS Code"],
      traces: [data, extension],
      group: "mcpServers",
      entry: { timeout: CALL_LIMIT_S, env: waitBelow(CALL_LIMIT_S) },
      seesShell: false,
      next: "Cline reads it at once; the server stands under MCP Servers, Installed.",
    };
  },
};
