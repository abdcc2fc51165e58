import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from "node:http";

/** One request over HTTP as it is sent, well-formed or not. */
export interface Sent {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | AsyncIterable<string>;
  /** Default: 30,000. */
  timeoutMs?: number;
}

/** What came back. Status 0: the connection was closed without an answer. */
export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Message = Record<string, unknown>;

const USUAL_LIMIT_MS = 30_000;

/** Sends one request on a connection of its own and reads the answer to its end. */
export function exchange(port: number, sent: Sent, signal?: AbortSignal): Promise<Reply> {
  const { method = "POST", path = "/mcp", headers = {}, body = "", timeoutMs = USUAL_LIMIT_MS } = sent;
  return new Promise((resolve, reject) => {
    const request = send({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: { connection: "close", ...headers },
      // A connection of its own, whatever the answer says about keeping it.
      agent: false,
      setHost: !("host" in headers),
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => over(new Error(`no answer within ${timeoutMs / 1_000} s`)), timeoutMs);
    let reply: Reply = { status: 0, headers: {}, text: "" };
    const chunks: Buffer[] = [];
    function over(error?: Error) {
      clearTimeout(timer);
      request.destroy();
      if (error) reject(error);
      else resolve({ ...reply, text: Buffer.concat(chunks).toString() });
    }
    request.on("response", (response) => {
      reply = { status: response.statusCode ?? 0, headers: response.headers, text: "" };
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => over());
      response.on("error", () => over());
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted || error.code === "ECONNREFUSED") over(new Error(error.message));
      else over();
    });
    if (typeof body === "string" || Buffer.isBuffer(body)) request.end(body);
    else void pour(body, request).catch(() => {});
  });
}

async function pour(parts: AsyncIterable<string>, request: ReturnType<typeof send>): Promise<void> {
  for await (const part of parts) {
    if (request.destroyed) return;
    if (!request.write(part)) await new Promise((resolve) => request.once("drain", resolve).once("close", resolve));
  }
  request.end();
}

/** The messages of JSON-RPC in an answer: one, or the events of a stream. */
export function messagesOf({ headers, text }: Reply): Message[] {
  if (!String(headers["content-type"]).startsWith("text/event-stream")) {
    const message = parsed(text);
    return message === undefined ? [] : [message];
  }
  return text
    .split(/\n\n/)
    .map((event) =>
      event
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length))
        .join("\n"),
    )
    .map(parsed)
    .filter((message) => message !== undefined);
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
