/** An MCP server for a run: a program that the CLI starts, or an endpoint that it connects to. */
export type McpServer = McpProgram | McpEndpoint;

/** MCP servers by name. A name has no `_`: the CLI takes what follows one for the name of a tool. */
export type McpServers = Readonly<Record<string, McpServer>>;

/** What an MCP server is used for. */
export interface McpServerUse {
  /** The tools that the model may use, by the server's own names: these and no others. */
  includeTools: readonly string[];
  /**
   * How long it may take to start and to answer a call, in milliseconds; at most four fifths of `toolTimeoutMs`, so that a
   * call ends before it ends the run. Default: 30000.
   */
  timeoutMs?: number;
}

/** An MCP server that the CLI starts and talks to over its standard input and output. */
export interface McpProgram extends McpServerUse {
  /** The program: a path, or a name on PATH. */
  command: string;
  /** Its arguments. Default: none. */
  args?: readonly string[];
  /** Its variables. A value may refer to one of the caller's environment as `$NAME`: secrets stand in no file. Default: none. */
  env?: Readonly<Record<string, string>>;
}

/** An MCP server that is there already and speaks Streamable HTTP, as one on loopback in the caller's own program. */
export interface McpEndpoint extends McpServerUse {
  /** `http:` or `https:`. One on loopback is reached past every proxy. */
  url: string;
  /** Headers of every request, such as a token for this run. A value may refer to a variable as `$NAME`. Default: none. */
  headers?: Readonly<Record<string, string>>;
}
