import type { McpServers } from "../mcp-servers.js";

/** What the model may use, by the names the CLI gives. */
export interface Grants {
  tools: readonly string[];
  mcpServers: McpServers;
  /** Absolute paths. */
  files: readonly string[];
}

const READ_FILE = "read_file";

/** The names of everything that is granted, for the list of tools that the CLI registers. */
export function toolNames({ tools, mcpServers, files }: Grants): string[] {
  return [...tools, ...toolsOfServers(mcpServers), ...(files.length > 0 ? [READ_FILE] : [])];
}

/** The tools of MCP servers by the names that the CLI gives them. */
export function toolsOfServers(mcpServers: McpServers): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    server.includeTools.map((tool) => toolOfServer(name, tool)),
  );
}

export function toolOfServer(server: string, tool: string): string {
  return `mcp_${server}_${tool}`;
}

/**
 * The CLI's policy (TOML): everything is denied but what is granted, and a file is read by its exact path only. A tool of an
 * MCP server is named whole: a rule by the server's name denies it in a process that serves several runs.
 */
export function toPolicy({ tools, mcpServers, files }: Grants): string {
  const rules = [rule({ toolName: "*", decision: "deny", priority: 100 })];
  // Files are named one by one: a rule for the tool would let all of their folders be read.
  const named = files.length > 0 ? tools.filter((tool) => tool !== READ_FILE) : tools;
  const granted = [...named, ...toolsOfServers(mcpServers)];
  if (granted.length > 0) rules.push(rule({ toolName: granted, decision: "allow", priority: 900 }));
  for (const file of files) {
    // The CLI puts a NUL around each argument, so that neither one inside another nor the text of one looks like it.
    const argsPattern = `\\x00"file_path":${escapePattern(JSON.stringify(file))}\\x00`;
    rules.push(rule({ toolName: READ_FILE, argsPattern, decision: "allow", priority: 900 }));
  }
  return rules.join("\n");
}

function rule(fields: Record<string, string | number | string[]>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name} = ${toToml(value)}`);
  return `[[rule]]\n${lines.join("\n")}\n`;
}

/** A JSON string is a TOML basic string too. */
function toToml(value: string | number | string[]): string {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
