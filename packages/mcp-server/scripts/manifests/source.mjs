// What every manifest is written from: the package's own manifest, and what people may set.
import { readFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));

export const PACKAGE = read("package.json");
/** How the project is called where names have no scope. */
export const PROJECT = { name: "x-research", title: "X Research" };
/** What clients call the server. */
export const SERVER_NAME = "research";

/** What a host that hands on what is named alone must name. */
export const PASSED_ON = Object.values(read("src/cli/setup/passed-on.json")).flat();

/** What a person may want to fill in; the README has all of them. */
export const SETTINGS = [
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

/** One line a tool, for lists that have no room for its description. */
export const TOOLS = {
  search: "One round of Google Search that reads 3-5 pages",
  deep_search: "Research in rounds that check each other",
  deep_research: "The older research in one run",
  research_result: "The report of a research that still ran",
  research_cancel: "Stops a running research",
};
