// The plugin in `plugins/x-research`: the server and a skill, for Claude Code, Copilot CLI, Codex, Gemini CLI and Qwen Code, and
// the list of plugins that the repository is for them.
import { PACKAGE, PASSED_ON, PROJECT, SERVER_NAME, SETTINGS } from "./source.mjs";

const { name, version, description, author, license, homepage, repository, keywords } = PACKAGE;
const SKILLS = "./skills/";

/** The version of the plugin, so that both are updated together. */
const start = { command: "npx", args: ["-y", `${name}@${version}`] };
const common = {
  name: PROJECT.name,
  version,
  description,
  author: { name: author },
  homepage,
  repository: repository.url.replace(/^git\+(.*)\.git$/, "$1"),
  license,
  keywords,
};
const [key] = SETTINGS;

/** Hands the whole environment on. */
export const claudePlugin = { ...common, mcpServers: { [SERVER_NAME]: start } };

/** Hands on what is named, and cuts a call after the given time. */
export const codexPlugin = { ...common, skills: SKILLS, mcpServers: "./codex-mcp.json" };
export const codexServers = {
  mcpServers: {
    [SERVER_NAME]: {
      ...start,
      env: { MAX_WAIT_MS: "1740000" },
      env_vars: PASSED_ON,
      startup_timeout_sec: 60,
      tool_timeout_sec: 1800,
    },
  },
};

/** Asks for the key when it is installed. Qwen Code takes it too. */
export const geminiExtension = {
  name: PROJECT.name,
  version,
  description,
  mcpServers: {
    [SERVER_NAME]: { ...start, env: { [key.name]: `$${key.name}`, MAX_WAIT_MS: "1740000" }, timeout: 1_800_000 },
  },
  settings: [{ name: key.title, description: key.description, envVar: key.name, sensitive: true }],
};

export const marketplace = {
  name: PROJECT.name,
  owner: { name: author },
  metadata: { description },
  plugins: [{ name: PROJECT.name, source: `./plugins/${PROJECT.name}`, description, version, category: "research" }],
};
