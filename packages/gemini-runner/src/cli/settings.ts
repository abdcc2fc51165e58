import type { McpServer } from "../mcp-servers.js";
import { NO_SERVER } from "./command-line.js";
import { subCallSettings } from "./model-overrides.js";
import { type Grants, toolNames } from "./policy.js";
import type { SignIn } from "./sign-in.js";

export const MCP_TIMEOUT_MS = 30_000;
const AGENTS = ["codebase_investigator", "cli_help", "generalist"];

export interface SettingsOptions {
  grants: Grants;
  signIn: Pick<SignIn, "auth" | "type" | "codeAssist">;
  /** The model of the run, when it is known. */
  model?: string | undefined;
  /** The version of the CLI, when it is known. */
  version?: string | undefined;
}

interface RunSettings {
  model: object;
  context: object;
  [section: string]: unknown;
}

/** The CLI's own settings for a run: nothing of the user's but the way of signing in. */
export function toSettings({ grants, signIn, model, version }: SettingsOptions): RunSettings {
  return {
    security: { auth: signIn.auth, folderTrust: { enabled: false }, disableYoloMode: true },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      plan: { enabled: false },
      topicUpdateNarration: false,
      checkpointing: { enabled: false },
      // Its ten attempts would be minutes of silence. One repetition in place keeps the work of the turns before it.
      maxAttempts: 2,
      retryFetchErrors: false,
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    tools: {
      core: toolNames(grants),
      useRipgrep: false,
      // What a server gives is its own matter: by itself the CLI cuts out of the middle of it.
      ...(Object.keys(grants.mcpServers).length > 0 ? { truncateToolOutputThreshold: -1 } : {}),
    },
    mcpServers: Object.fromEntries(
      Object.entries(grants.mcpServers).map(([name, server]) => [name, serverSettings(server)]),
    ),
    model: { skipNextSpeakerCheck: true, disableLoopDetection: true },
    ...subCallSettings({ tools: grants.tools, codeAssist: signIn.codeAssist, model, version }),
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    // 0.35 has three agents that each have a switch of their own.
    experimental: {
      enableAgents: false,
      codebaseInvestigatorSettings: { enabled: false },
      cliHelpAgentSettings: { enabled: false },
    },
    agents: {
      overrides: Object.fromEntries(AGENTS.map((name) => [name, { enabled: false }])),
    },
    context: {
      includeDirectoryTree: false,
      discoveryMaxDirs: 0,
      fileName: ["__none__.md"],
      // Nothing marks the top of a project, so that the search for GEMINI.md does not go up.
      memoryBoundaryMarkers: [],
    },
    advanced: { autoConfigureMemory: false, ignoreLocalEnv: true },
    ui: { showHomeDirectoryWarning: false, showCompatibilityWarnings: false },
  };
}

/** Of one of several runs in a process: also what a process that serves one is told by its arguments. */
export function toSessionSettings(options: SettingsOptions, policyFile: string, folders: readonly string[]): object {
  const { auth, type } = options.signIn;
  const selectedType = auth.selectedType ?? type;
  const signIn = { ...options.signIn, auth: { ...auth, ...(selectedType === undefined ? {} : { selectedType }) } };
  const { model, context, ...rest } = toSettings({ ...options, signIn });
  const servers = Object.keys(options.grants.mcpServers);
  return {
    ...rest,
    adminPolicyPaths: [policyFile],
    mcp: { allowed: servers.length > 0 ? servers : [NO_SERVER] },
    model: { ...model, ...(options.model === undefined ? {} : { name: options.model }) },
    context: { ...context, includeDirectories: folders },
  };
}

function serverSettings(server: McpServer): object {
  const { includeTools, timeoutMs = MCP_TIMEOUT_MS } = server;
  const use = { includeTools, timeout: timeoutMs, trust: true };
  if ("url" in server) return { httpUrl: server.url, headers: server.headers ?? {}, ...use };
  return { command: server.command, args: server.args ?? [], env: server.env ?? {}, ...use };
}
