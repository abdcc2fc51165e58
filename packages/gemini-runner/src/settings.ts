import { type Grants, toolNames } from "./policy.js";
import type { SignIn } from "./sign-in.js";

const MCP_TIMEOUT_MS = 30_000;

/** The CLI's own settings for a run: nothing of the user's but the way of signing in. */
export function toSettings(grants: Grants, auth: SignIn["auth"], model: string | undefined): object {
  return {
    security: { auth, folderTrust: { enabled: false }, disableYoloMode: true },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      plan: { enabled: false },
      topicUpdateNarration: false,
      checkpointing: { enabled: false },
      // Retrying is ours: the CLI's ten attempts are minutes of silence.
      maxAttempts: 1,
      retryFetchErrors: false,
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    tools: { core: toolNames(grants), useRipgrep: false },
    mcpServers: Object.fromEntries(
      Object.entries(grants.mcpServers).map(([name, { command, args, env, includeTools, timeoutMs }]) => [
        name,
        { command, args: args ?? [], env: env ?? {}, includeTools, timeout: timeoutMs ?? MCP_TIMEOUT_MS, trust: true },
      ]),
    ),
    model: { skipNextSpeakerCheck: true, disableLoopDetection: true },
    ...(model !== undefined && KEEPS_ITS_NAME.test(model) ? { modelConfigs: { customAliases: subCalls(model) } } : {}),
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    experimental: { enableAgents: false },
    context: { includeDirectoryTree: false, discoveryMaxDirs: 0, fileName: ["__none__.md"] },
    advanced: { autoConfigureMemory: false, ignoreLocalEnv: true },
    ui: { showHomeDirectoryWarning: false, showCompatibilityWarnings: false },
  };
}

/**
 * Models that the CLI asks for by the name it was given. For another (`pro`, `auto`, a preview that has a successor) it
 * looks up its settings again under the new name and so loses the tools of {@link subCalls}: a search would not search.
 */
const KEEPS_ITS_NAME =
  /^(?:gemini-2\.5-(?:pro|flash|flash-lite)|gemini-3-flash-preview|gemini-3\.1-pro-preview|gemini-3\.5-flash-lite|gemini-3\.8-flash)$/;

/**
 * Searches and page reads are requests to a model of their own. When that is not the run's model and its daily quota
 * is used up, the CLI repeats the request without end, a thousand times a second; when it is the same, it gives up at
 * once and the run goes on.
 */
function subCalls(model: string): object {
  const alias = (tools: object[]) => ({
    extends: "base",
    modelConfig: { model, generateContentConfig: tools.length > 0 ? { tools } : {} },
  });
  return {
    "web-search": alias([{ googleSearch: {} }]),
    "web-fetch": alias([{ urlContext: {} }]),
    "web-fetch-fallback": alias([]),
  };
}
