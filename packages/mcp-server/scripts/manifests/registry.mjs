// server.json: the entry of the MCP registry.
import { PACKAGE, PROJECT, SETTINGS } from "./source.mjs";

const { name, mcpName, version, description, homepage, repository } = PACKAGE;
// The registry's limit.
if (description.length > 100) throw new Error("package.json: the description is longer than 100 characters");

export const registryEntry = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  title: PROJECT.title,
  description,
  version,
  websiteUrl: homepage,
  repository: {
    url: repository.url.replace(/^git\+(.*)\.git$/, "$1"),
    source: "github",
    subfolder: repository.directory,
  },
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      environmentVariables: SETTINGS.map((setting) => ({
        name: setting.name,
        description: setting.description,
        isRequired: false,
        isSecret: setting.secret ?? false,
      })),
    },
  ],
};
