// Writes what registries, hosts and one-click installs read, from one source (`manifests/source.mjs`): the entry of the MCP
// registry, the manifest of the desktop bundle, the plugin of five hosts, and the buttons of the README.
// With `--check`: exit 1 when one of them is stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { desktopBundle } from "./manifests/desktop-bundle.mjs";
import { BUTTONS } from "./manifests/links.mjs";
import * as plugins from "./manifests/plugins.mjs";
import { registryEntry } from "./manifests/registry.mjs";
import { PROJECT } from "./manifests/source.mjs";

const root = new URL("../../../", import.meta.url);
const plugin = `plugins/${PROJECT.name}`;
const manifests = {
  "packages/mcp-server/server.json": registryEntry,
  "packages/mcp-server/mcpb/manifest.json": desktopBundle,
  ".claude-plugin/marketplace.json": plugins.marketplace,
  [`${plugin}/.claude-plugin/plugin.json`]: plugins.claudePlugin,
  [`${plugin}/.codex-plugin/plugin.json`]: plugins.codexPlugin,
  [`${plugin}/codex-mcp.json`]: plugins.codexServers,
  [`${plugin}/gemini-extension.json`]: plugins.geminiExtension,
};
const readme = "packages/mcp-server/README.md";
const texts = {
  ...Object.fromEntries(Object.entries(manifests).map(([path, value]) => [path, JSON.stringify(value, null, 2)])),
  [readme]: readFileSync(new URL(readme, root), "utf8").replace(
    /(<!-- buttons -->).*?(<!-- \/buttons -->)/s,
    (_, open, close) => `${open}\n${BUTTONS}\n${close}`,
  ),
};
for (const [path, text] of Object.entries(texts)) {
  const file = new URL(path, root);
  if (!process.argv.includes("--check")) {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, text);
  } else if (content(path, readFileSync(file, "utf8")) !== content(path, text)) {
    console.error(`${path} is stale: run \`node scripts/manifests.mjs\` in packages/mcp-server.`);
    process.exitCode = 1;
  }
}

/** The formatter may have laid out JSON anew. */
function content(path, text) {
  return path.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text.replaceAll("\r\n", "\n");
}
