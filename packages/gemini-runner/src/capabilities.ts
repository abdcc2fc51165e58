/** What a runner can do, for those who write prompts for it or choose between runners. What is not named here it cannot do. */
export interface RunnerCapabilities {
  /** What people call the program, and the command that they type. */
  readonly program: { readonly name: string; readonly command: string };
  /** How the model searches the web. */
  readonly search?: ToolCapability;
  /** How the model reads a page. */
  readonly read?: ToolCapability;
  /** How the model reads a file that was handed over. */
  readonly files?: ToolCapability & {
    /** How many lines of a file the model is shown at a time. */
    readonly maxLines: number;
    /** How many UTF-16 units of a line the model is shown. */
    readonly maxLineLength: number;
  };
  /** What the record of a run tells beside the answer. */
  readonly record: {
    /** What was searched. */
    readonly queries: boolean;
    /** What a result says of pages that were found and read: only their addresses, or their text too. */
    readonly pages: "addresses" | "text";
    /** Whether a result says which words of a search come from which page. */
    readonly attributions: boolean;
  };
  /** MCP servers that a run can have: programs that it starts, endpoints that it connects to. */
  readonly mcpServers: readonly ("program" | "endpoint")[];
  /** The name by which the model calls a tool of an MCP server. */
  mcpTool(server: string, tool: string): string;
}

/** A tool, as the model knows it. */
export interface ToolCapability {
  /** Its name, as for `tools` of a request. */
  readonly tool: string;
}
