import { request as send } from "node:http";
import * as fc from "fast-check";
import { bytesOf, garbled, words } from "./hostile.js";
import { openLiveServer } from "./live-server.js";
import { noise, request } from "./messages.js";
import { must, type Target } from "./target.js";

const TOKEN = "a-token-of-the-test";
/** A server that says nothing for so long hangs. */
const ANSWER_LIMIT_MS = 10_000;

/** What HTTP itself lets through. */
const headerText = words.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").slice(0, 4_000));

interface Made {
  method: string;
  path: string;
  authorized: boolean;
  headers: Record<string, string>;
  /** In bytes as {@link garbled} gives them. */
  body: string;
  /** Leaves in the middle of the body. */
  cut: boolean;
}

const input: fc.Arbitrary<Made> = fc.record({
  method: fc.constantFrom("POST", "POST", "POST", "GET", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH"),
  path: fc.oneof(
    { weight: 4, arbitrary: fc.constant("/mcp") },
    fc.constantFrom("/", "/health", "/mcp/", "//mcp", "/mcp?x=%", "/%2e%2e/mcp", "*"),
    fc.webPath().map((path) => path || "/"),
  ),
  authorized: fc.boolean(),
  headers: fc.dictionary(
    fc.constantFrom(
      "host",
      "origin",
      "accept",
      "content-type",
      "mcp-session-id",
      "mcp-protocol-version",
      "last-event-id",
      "transfer-encoding",
      "x-any",
    ),
    fc.oneof(
      headerText,
      fc.constantFrom(
        "application/json",
        "text/event-stream",
        "application/json, text/event-stream",
        "http://evil.example",
        "127.0.0.1",
        "2025-06-18",
      ),
    ),
    { maxKeys: 4 },
  ),
  body: fc.oneof(
    garbled(request.map((message) => JSON.stringify(message))),
    noise.map(bytesOf),
    request.map((message) => bytesOf(JSON.stringify(message))),
  ),
  cut: fc.boolean(),
});

export const protocolOnHttp: Target = {
  name: "JSON-RPC on HTTP",
  about:
    "Requests of every method, path, header and body: a status that blames the client, never a crash, and the health stays good.",
  async open() {
    const live = await openLiveServer(["http"], { MCP_SERVER_PORT: "0", MCP_SERVER_TOKEN: TOKEN });
    const address = async () => {
      const server = await live.current();
      const [, port = ""] = await server.said(/https?:\/\/[^\s/]*:(\d+)/);
      return Number(port);
    };
    return {
      property: fc.asyncProperty(input, async (made) => {
        const port = await address();
        const status = await statusOf(port, made);
        must(status === undefined || status < 500 || status === 501, () => `answered ${status}`);
        const health = await statusOf(port, {
          method: "GET",
          path: "/health",
          authorized: true,
          headers: {},
          body: "",
          cut: false,
        });
        must(health === 200, () => `the health is ${health}`);
        live.mustStand();
      }),
      close: () => live.close(),
    };
  },
};

/** `undefined`: the connection was closed without an answer, which is one too. */
function statusOf(port: number, { method, path, authorized, headers, body, cut }: Made): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = { connection: "close", ...(authorized ? { authorization: `Bearer ${TOKEN}` } : {}), ...headers };
    let sent: ReturnType<typeof send>;
    try {
      sent = send({ host: "127.0.0.1", port, method, path, headers: all, setHost: !("host" in headers) });
    } catch {
      // Not even Node would send it.
      resolve(undefined);
      return;
    }
    const timer = setTimeout(() => {
      sent.destroy();
      reject(new Error(`${method} ${path} is not answered`));
    }, ANSWER_LIMIT_MS);
    const done = (status?: number) => {
      clearTimeout(timer);
      sent.destroy();
      resolve(status);
    };
    // A stream of events need not end: its head is the answer.
    sent.on("response", (response) => done(response.statusCode));
    sent.on("error", () => done());
    if (cut) sent.write(Buffer.from(body.slice(0, body.length / 2), "latin1"), () => setImmediate(done));
    else sent.end(method === "GET" || method === "HEAD" ? undefined : Buffer.from(body, "latin1"));
  });
}
