// The manifest of the one-click bundle for Claude Desktop.
import { PACKAGE, PROJECT, SETTINGS, TOOLS } from "./source.mjs";

const { version, description, author, license, engines, homepage, repository } = PACKAGE;
/** Filled in by the host. */
const variable = (name) => `\${${name}}`;
const field = (setting) => setting.name.toLowerCase();

export const desktopBundle = {
  manifest_version: "0.3",
  name: PROJECT.name,
  display_name: PROJECT.title,
  version,
  description,
  author: { name: author },
  homepage,
  repository: { type: repository.type, url: repository.url.replace(/^git\+/, "") },
  license,
  server: {
    type: "node",
    entry_point: "dist/bin.js",
    mcp_config: {
      command: "node",
      args: [variable("__dirname").concat("/dist/bin.js")],
      env: Object.fromEntries(SETTINGS.map((setting) => [setting.name, variable(`user_config.${field(setting)}`)])),
    },
  },
  tools: Object.entries(TOOLS).map(([name, text]) => ({ name, description: text })),
  user_config: Object.fromEntries(
    SETTINGS.map((setting) => [
      field(setting),
      {
        type: "string",
        title: setting.title,
        description: setting.description,
        required: false,
        ...(setting.secret && { sensitive: true }),
      },
    ]),
  ),
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: engines.node } },
};
