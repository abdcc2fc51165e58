import type { IncomingMessage } from "node:http";

/** A question of 50,000 characters, each written as nine. */
const MAX_BYTES = 512 * 1_024;

/** The fields of a form; `undefined`: it is none, or longer than a form of ours is. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(request.headers["content-type"] ?? "")) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
