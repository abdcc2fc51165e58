// Writes what registries and one-click installs read, from package.json: server.json (MCP registry), mcpb/manifest.json
// (Claude Desktop bundle) and the buttons in README.md. With `--check`: exit 1 when one of them is stale.
import { readFileSync, writeFileSync } from "node:fs";

const at = (path) => new URL(`../${path}`, import.meta.url);
const { name, mcpName, version, description, engines, license } = JSON.parse(readFileSync(at("package.json"), "utf8"));
const title = "X Research";
// The registry's limit.
if (description.length > 100) throw new Error("package.json: the description is longer than 100 characters");

/** What a person may want to fill in; the README has all of them. */
const SETTINGS = [
  {
    name: "GEMINI_API_KEY",
    title: "Gemini API key",
    description: "From https://aistudio.google.com/apikey. Not needed with Vertex AI or a Code Assist login.",
    secret: true,
  },
  { name: "GEMINI_MODEL", title: "Model", description: "Model of the searches. Default: the Gemini CLI chooses." },
  {
    name: "GEMINI_CLI_PATH",
    title: "Gemini CLI",
    description: "Full path of the Gemini CLI. Default: gemini on PATH.",
  },
  {
    name: "GEMINI_SEARCH_TIMEOUT",
    title: "Time for one run (ms)",
    description: "Milliseconds for one run of the CLI. Default: 300000.",
  },
  {
    name: "DEEP_SEARCH_MAX_ITERATIONS",
    title: "Rounds",
    description: "Most rounds of a deep search, at least 2. Default: 5.",
  },
  {
    name: "FIRECRAWL_API_KEY",
    title: "Firecrawl API key",
    description: "Adds Firecrawl for reading pages.",
    secret: true,
  },
];
const TOOLS = {
  search: "One round of Google Search that reads 3-5 pages",
  deep_search: "Research in rounds that check each other",
  deep_research: "The older research in one run",
  research_result: "The report of a research that still ran",
  research_cancel: "Stops a running research",
};

const server = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  title,
  description,
  version,
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      environmentVariables: SETTINGS.map(({ name, description, secret = false }) => ({
        name,
        description,
        isRequired: false,
        isSecret: secret,
      })),
    },
  ],
};

/** Filled in by the host. */
const variable = (name) => `\${${name}}`;
const field = (setting) => setting.name.toLowerCase();
const bundle = {
  manifest_version: "0.3",
  name: "x-research",
  display_name: title,
  version,
  description,
  author: { name: "The @x/research authors" },
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
  tools: Object.entries(TOOLS).map(([tool, text]) => ({ name: tool, description: text })),
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

const command = { command: "npx", args: ["-y", name] };
const cursor = `cursor://anysphere.cursor-deeplink/mcp/install?name=research&config=${encodeURIComponent(btoa(JSON.stringify(command)))}`;
const code = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "research", ...command }))}`;
const buttons = [
  `[![Add to Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/en/install-mcp?${cursor.split("?")[1]})`,
  `[![Install in VS Code](https://img.shields.io/badge/VS_Code-Install-0098FF)](https://vscode.dev/redirect?url=${encodeURIComponent(code)})`,
].join(" ");

const readme = readFileSync(at("README.md"), "utf8");
const files = {
  "server.json": JSON.stringify(server, null, 2),
  "mcpb/manifest.json": JSON.stringify(bundle, null, 2),
  "README.md": readme.replace(
    /(<!-- buttons -->).*?(<!-- \/buttons -->)/s,
    (_, open, close) => `${open}\n${buttons}\n${close}`,
  ),
};
for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) writeFileSync(at(path), text);
  else if (content(path, readFileSync(at(path), "utf8")) !== content(path, text)) {
    console.error(`${path} is stale: run \`node scripts/manifests.mjs\`.`);
    process.exitCode = 1;
  }
}

/** The formatter may have laid out JSON anew. */
function content(path, text) {
  return path.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text.replaceAll("\r\n", "\n");
}
