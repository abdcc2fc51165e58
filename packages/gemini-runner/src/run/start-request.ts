import path from "node:path";
import { type Grants, toolOfServer, toolsOfServers } from "../cli/policy.js";
import { MCP_TIMEOUT_MS } from "../cli/settings.js";
import type { PrewarmRequest } from "../events.js";
import type { McpServers } from "../mcp-servers.js";
import { modelFor } from "./model.js";
import type { ResolvedOptions } from "./resolve-options.js";

const DEFAULT_TOOLS = ["google_web_search", "web_fetch"];

/** How much of a tool's time an MCP server may take: then the call ends, and not the run. */
const MCP_SHARE = 0.8;

/** What is fixed when a process starts. */
export interface StartRequest {
  model?: string;
  grants: Grants;
}

export function toStartRequest(request: PrewarmRequest, options: ResolvedOptions): StartRequest {
  const model = modelFor(request, options);
  const mcpServers = { ...namedServers(options.mcpServers, request.tools), ...request.mcpServers };
  const ofServers = toolsOfServers(mcpServers);
  return {
    ...(model === undefined ? {} : { model }),
    grants: {
      tools: (request.tools ?? DEFAULT_TOOLS).filter((tool) => !ofServers.includes(tool)),
      mcpServers: withTimeouts(mcpServers, MCP_SHARE * options.toolTimeoutMs),
      files: (request.files ?? []).map((file) => path.resolve(file)),
    },
  };
}

/** Of the servers those that have one of the tools, with these tools alone. */
function namedServers(servers: McpServers, tools: readonly string[] | undefined): McpServers {
  if (tools === undefined) return servers;
  const named = Object.entries(servers).map(([name, server]) => {
    const includeTools = server.includeTools.filter((tool) => tools.includes(toolOfServer(name, tool)));
    return [name, { ...server, includeTools }] as const;
  });
  return Object.fromEntries(named.filter(([, { includeTools }]) => includeTools.length > 0));
}

function withTimeouts(servers: McpServers, mostMs: number): McpServers {
  const entries = Object.entries(servers).map(([name, server]) => {
    return [name, { ...server, timeoutMs: Math.min(server.timeoutMs ?? MCP_TIMEOUT_MS, mostMs) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Two requests with the same key can be served by the same process. */
export function keyOf({ model, grants: { tools, files, mcpServers } }: StartRequest): string {
  const servers = Object.entries(mcpServers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([model, tools.toSorted(), files.toSorted(), servers]);
}
