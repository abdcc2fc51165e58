import type { RunnerCapabilities } from "../capabilities.js";
import { toolOfServer } from "./policy.js";

/** What Gemini CLI can do. */
export const CAPABILITIES: RunnerCapabilities = {
  program: { name: "Gemini CLI", command: "gemini" },
  search: { tool: "google_web_search" },
  read: { tool: "web_fetch" },
  files: { tool: "read_file", maxLines: 2_000, maxLineLength: 2_000 },
  record: { queries: true, pages: "addresses", attributions: true },
  mcpServers: ["program", "endpoint"],
  mcpTool: toolOfServer,
};
