/**
 * The hosts that are on npm: what to install, how each is told of a model on loopback and of our server, and how it runs
 * one message without a person. No account and no internet is needed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {{ command: string, args: string[], env: Record<string, string> }} Entry How our server is started.
 * @typedef {{ home: string, install: string, model: string, entry?: Entry, limitMs?: number }} Setting `entry`: none where the server comes with a plugin; `limitMs`: the host's own limit for a call.
 * @typedef {{ args: string[], env: Record<string, string> }} Run
 * @typedef {{ install: string[][], list: string[], byHand?: string }} Plugin The words that install what a checkout holds for the host, and those that list what is installed; `byHand`: the file of a project into which the entry of docs/clients.md goes instead.
 * @typedef {{ name: string, package: string, version: string, program(install: string): string[], set(setting: Setting): Run, plugin?: Plugin }} Host
 */

const put = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text));
};
const inModules = (install, path) => join(install, "node_modules", path);
/** A part of a configuration that is there only with an entry of the server in it. */
const withServer = (entry, part) => (entry === undefined ? {} : part(entry));

/** @type {Host[]} */
export const HOSTS = [
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.330",
    program: (install) => [inModules(install, `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)],
    plugin: {
      install: [
        ["plugin", "marketplace", "add", "./"],
        ["plugin", "install", "x-research@x-research"],
      ],
      list: ["plugin", "list"],
    },
    set({ home, model, entry, limitMs }) {
      const file = join(home, "mcp.json");
      const timeout = limitMs && { timeout: limitMs };
      if (entry !== undefined) put(file, { mcpServers: { research: { type: "stdio", ...entry, ...timeout } } });
      const own = entry === undefined ? [] : ["--mcp-config", file, "--strict-mcp-config"];
      return {
        args: [
          ...["-p", "go", ...own, "--allowedTools", "mcp__research,mcp__plugin_x-research_research"],
          ...["--output-format", "stream-json", "--verbose"],
        ],
        env: {
          ANTHROPIC_BASE_URL: model,
          ANTHROPIC_API_KEY: "none",
          DISABLE_TELEMETRY: "1",
          DISABLE_AUTOUPDATER: "1",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          // For a server to start, which npx first has to fetch: 30 s, else it is left out of the session.
          MCP_TIMEOUT: "120000",
        },
      };
    },
  },
  {
    name: "Codex",
    package: "@openai/codex",
    version: "0.169.0",
    program: (install) => [process.execPath, inModules(install, "@openai/codex/bin/codex.js")],
    plugin: {
      install: [
        ["plugin", "marketplace", "add", "./"],
        ["plugin", "add", "x-research@x-research"],
      ],
      list: ["plugin", "list"],
    },
    set({ home, model, entry, limitMs }) {
      const text = (value) => JSON.stringify(value);
      const server = ({ command, args, env }) => [
        ...["[mcp_servers.research]", `command = ${text(command)}`, `args = ${text(args)}`],
        `env = { ${Object.entries(env)
          .map(([name, value]) => `${name} = ${text(value)}`)
          .join(", ")} }`,
        ...(limitMs === undefined ? [] : [`tool_timeout_sec = ${limitMs / 1_000}`]),
      ];
      put(
        join(home, ".codex/config.toml"),
        [
          ...['model = "gpt-5.1-codex"', 'model_provider = "fake"', 'approval_policy = "never"'],
          ...['sandbox_mode = "danger-full-access"', "[model_providers.fake]", 'name = "fake"'],
          ...[`base_url = ${text(`${model}/v1`)}`, 'wire_api = "responses"', 'env_key = "FAKE_KEY"'],
          ...["supports_websockets = false", ...(entry === undefined ? [] : server(entry))],
        ].join("\n"),
      );
      return {
        args: ["exec", "--skip-git-repo-check", "--json", "go"],
        env: { FAKE_KEY: "none" },
      };
    },
  },
  {
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: (install) => [process.execPath, inModules(install, ".bin/gemini")],
    plugin: {
      install: [["extensions", "install", "./plugins/x-research", "--consent", "--skip-settings"]],
      list: ["extensions", "list"],
    },
    set({ home, model, entry, limitMs }) {
      const timeout = limitMs && { timeout: limitMs };
      put(join(home, ".gemini/settings.json"), {
        ...withServer(entry, (own) => ({ mcpServers: { research: { ...own, trust: true, ...timeout } } })),
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      });
      return {
        args: ["-y", "-m", "gemini-2.5-pro", "-o", "stream-json", "-p", "go"],
        env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      };
    },
  },
  {
    name: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    program: (install) => [inModules(install, ".bin/opencode")],
    plugin: { byHand: "opencode.json", install: [], list: ["mcp", "list"] },
    set({ home, model, entry, limitMs }) {
      const limit = { context: 200_000, output: 8_000 };
      const timeout = limitMs && { timeout: limitMs };
      put(join(home, ".config/opencode/opencode.json"), {
        autoupdate: false,
        share: "disabled",
        permission: { "*": "allow" },
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            name: "fake",
            options: { baseURL: `${model}/v1`, apiKey: "none" },
            models: { fake: { name: "fake", tool_call: true, limit } },
          },
        },
        model: "fake/fake",
        small_model: "fake/fake",
        ...withServer(entry, ({ command, args, env }) => ({
          mcp: {
            research: { type: "local", command: [command, ...args], environment: env, enabled: true, ...timeout },
          },
        })),
      });
      return {
        args: ["run", "-m", "fake/fake", "--format", "json", "go"],
        env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
      };
    },
  },
  {
    name: "Qwen Code",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    program: (install) => [process.execPath, inModules(install, ".bin/qwen")],
    plugin: {
      install: [["extensions", "install", "./plugins/x-research", "--consent"]],
      list: ["extensions", "list"],
    },
    set({ home, model, entry, limitMs }) {
      const timeout = limitMs && { timeout: limitMs };
      put(join(home, ".qwen/settings.json"), {
        ...withServer(entry, (own) => ({ mcpServers: { research: { ...own, trust: true, ...timeout } } })),
        security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
      });
      return {
        args: ["-y", "-o", "stream-json", "-p", "go"],
        env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: "fake" },
      };
    },
  },
  {
    name: "Copilot CLI",
    package: "@github/copilot",
    version: "1.0.102",
    program: (install) => [process.execPath, inModules(install, ".bin/copilot")],
    plugin: {
      install: [
        ["plugin", "marketplace", "add", "./"],
        ["plugin", "install", "x-research@x-research"],
      ],
      list: ["plugin", "list"],
    },
    set({ home, model, entry, limitMs }) {
      const timeout = limitMs && { timeout: limitMs };
      put(join(home, ".copilot/mcp-config.json"), {
        mcpServers: withServer(entry, (own) => ({ research: { type: "local", ...own, tools: ["*"], ...timeout } })),
      });
      return {
        args: [
          ...["-p", "go", "--allow-all-tools", "--allow-all-paths"],
          ...["--disable-builtin-mcps", "--output-format", "json", "--no-color"],
        ],
        env: {
          COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
          COPILOT_PROVIDER_API_KEY: "none",
          COPILOT_MODEL: "fake",
          COPILOT_OFFLINE: "true",
        },
      };
    },
  },
  {
    name: "Cline",
    package: "cline",
    version: "3.0.65",
    program: (install) => [inModules(install, ".bin/cline")],
    set({ home, install, model, entry, limitMs }) {
      const [file] = this.program(install);
      const env = { CLINE_TELEMETRY_DISABLED: "1" };
      execFileSync(file, ["auth", "-p", "openai", "-k", "none", "-m", "fake", "-b", `${model}/v1`], {
        env: { HOME: home, PATH: process.env["PATH"], ...env },
        stdio: "ignore",
        timeout: 60_000,
      });
      const timeout = limitMs && { timeout: limitMs / 1_000 };
      put(join(home, ".cline/data/settings/cline_mcp_settings.json"), {
        mcpServers: { research: { ...entry, ...timeout } },
      });
      return { args: ["--json", "please go on"], env };
    },
  },
];
