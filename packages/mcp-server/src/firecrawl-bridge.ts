/*
 * A program of its own, which the CLI starts as its Firecrawl server. Firecrawl's takes seconds to start (the first time
 * it is fetched), and the CLI waits for every server and describes all of its 26 tools to the model with each request.
 * This one answers at once with the two tools that matter, starts Firecrawl's beside it and hands calls on; when that
 * does not come, a call says so and the search goes on without.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { installed } from "./firecrawl/install.js";
import { VERSION } from "./host/version.js";
import { LineTransport } from "./transports/line-transport.js";

/** The first start fetches it. */
const START_MS = 120_000;
/** How long a call waits for it to come. */
const WAIT_MS = 5_000;
const CALL_MS = 30_000;
const METHOD_NOT_FOUND = -32_601;

const TOOLS = [
  {
    name: "firecrawl_scrape",
    description: "Reads one page as Markdown, also one that web_fetch cannot read.",
    inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  },
  {
    name: "firecrawl_search",
    description: "Searches the web with Firecrawl; gives titles, URLs and descriptions.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "number", description: "Default 5" } },
      required: ["query"],
    },
  },
];

type ToolResult = { content: unknown[]; isError?: boolean };

const firecrawl = startFirecrawl();
// Without a call nobody hears of it.
firecrawl.catch(() => {});

const cli = new LineTransport(process.stdin, process.stdout, () => {});
cli.onmessage = (message) => {
  if ("method" in message && "id" in message) {
    void answer(message).then((reply) => cli.send({ jsonrpc: "2.0", id: message.id, ...reply } as JSONRPCMessage));
  }
};
process.stdout.on("error", end);
process.stdin.once("end", end);
await cli.start();

async function startFirecrawl() {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/stdio.js"),
  ]);
  const client = new Client({ name: "x-research", version: VERSION });
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  const program = await installed(process.env["FIRECRAWL_HOME"] ?? process.cwd());
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: env as Record<string, string>,
    stderr: "ignore",
  });
  await client.connect(transport, { timeout: START_MS });
  return client;
}

async function answer({ method, params }: JSONRPCRequest): Promise<{ result: object } | { error: object }> {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params?.["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "firecrawl", version: VERSION },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: TOOLS } };
    case "tools/call":
      return { result: await call(params as { name: string; arguments?: Record<string, unknown> }) };
    default:
      return { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
  }
}

async function call(params: { name: string; arguments?: Record<string, unknown> }): Promise<ToolResult> {
  const own = params.name === "firecrawl_scrape" ? { formats: ["markdown"], onlyMainContent: true } : {};
  try {
    const { name, arguments: args } = params;
    const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
      throw new Error("it has not started yet");
    });
    const client = await Promise.race([firecrawl, late]);
    const result = await client.callTool({ name, arguments: { ...own, ...args } }, undefined, {
      timeout: CALL_MS,
    });
    return result as ToolResult;
  } catch (error) {
    const text = `Firecrawl is not available (${(error as Error).message}). Go on with google_web_search and web_fetch.`;
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** The processes behind it are in the group that the runner of the CLI ends. */
function end(): void {
  process.exit();
}
