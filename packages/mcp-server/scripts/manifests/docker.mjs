// server.yaml of Docker's MCP catalogue: it builds the image from a commit of this repository and talks to it over stdin and
// stdout.
import { stringify } from "yaml";
import { PACKAGE, PROJECT, SETTINGS } from "./source.mjs";

const { description, keywords, repository } = PACKAGE;
/** The image has its own. */
const settings = SETTINGS.filter(({ name }) => name !== "GEMINI_CLI_PATH");
const field = ({ name }) => name.toLowerCase();

/** The entry, as YAML. `commit`: the one that was released, its whole hash. */
export function dockerEntry(commit) {
  const entry = {
    name: PROJECT.name,
    image: `mcp/${PROJECT.name}`,
    type: "server",
    meta: { category: "search", tags: keywords.filter((word) => !word.includes("mcp")).slice(0, 5) },
    about: { title: PROJECT.title, description },
    source: {
      project: repository.url.replace(/^git\+(.*)\.git$/, "$1"),
      commit,
      directory: "deploy",
      buildTarget: "stdio",
    },
    // Reports are kept there.
    run: { volumes: [`${PROJECT.name}:/data`] },
    config: {
      description: "A key of the Gemini API, and what else may be set",
      secrets: settings
        .filter(({ secret }) => secret)
        .map((setting, i) => ({
          name: `${PROJECT.name}.${field(setting)}`,
          env: setting.name,
          example: "YOUR_KEY",
          description: setting.description,
          // Without the first nobody is signed in.
          ...(i > 0 && { required: false }),
        })),
      env: settings
        .filter(({ secret }) => !secret)
        .map((setting) => ({ name: setting.name, value: `{{${PROJECT.name}.${field(setting)}}}` })),
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          settings
            .filter(({ secret }) => !secret)
            .map((setting) => [field(setting), { type: "string", description: setting.description }]),
        ),
      },
    },
  };
  // As the catalogue's own check wants it laid out.
  return stringify(entry, { lineWidth: 0 });
}
