import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

export interface McpEndpoint {
  url: string;
  /** The `Authorization` of every request. */
  authorizations: (string | undefined)[];
  close(): Promise<void>;
}

/** An MCP server over HTTP with a tool `read_page`, which answers as `read` says: text, an error, or nothing. */
export async function startMcpEndpoint(read: (url: string) => string | Error | undefined): Promise<McpEndpoint> {
  const authorizations: (string | undefined)[] = [];
  const http = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    const server = new McpServer({ name: "pages", version: "1.0.0" });
    const inputSchema = { url: z.string() };
    server.registerTool("read_page", { description: "Reads a page", inputSchema }, async ({ url }) => {
      const said = read(url);
      if (said === undefined) await new Promise(() => {});
      const text = said instanceof Error ? said.message : String(said);
      return { content: [{ type: "text", text }], isError: said instanceof Error };
    });
    server.registerTool("wipe", { description: "Deletes everything" }, () => ({ content: [] }));
    const transport = new StreamableHTTPServerTransport({});
    response.on("close", () => void server.close());
    // biome-ignore lint/suspicious/noExplicitAny: The optional fields of the SDK's own types do not fit each other here.
    await server.connect(transport as any);
    await transport.handleRequest(request, response);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    authorizations,
    async close() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}
