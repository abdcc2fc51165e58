/** An MCP server that the CLI may start for a run. */
export interface McpServer {
  command: string;
  args?: readonly string[];
  /** A value may refer to a variable of the caller's environment as `$NAME`: secrets stand in no file. */
  env?: Readonly<Record<string, string>>;
  /** The tools that the model may use: these and no others. */
  includeTools: readonly string[];
  /** How long it may take to start and to answer a call. Default: 30000. */
  timeoutMs?: number;
}

export type McpServers = Readonly<Record<string, McpServer>>;

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

export function toolsOfServers(mcpServers: McpServers): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    server.includeTools.map((tool) => `mcp_${name}_${tool}`),
  );
}

/** The CLI's policy (TOML): everything is denied but what is granted, and a file is read by its exact path only. */
export function toPolicy({ tools, mcpServers, files }: Grants): string {
  const rules = [rule({ toolName: "*", decision: "deny", priority: 100 })];
  if (tools.length > 0) rules.push(rule({ toolName: [...tools], decision: "allow", priority: 900 }));
  for (const [mcpName, server] of Object.entries(mcpServers)) {
    rules.push(rule({ mcpName, toolName: [...server.includeTools], decision: "allow", priority: 900 }));
  }
  for (const file of files) {
    const argsPattern = `"file_path":${escapePattern(JSON.stringify(file))}`;
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
