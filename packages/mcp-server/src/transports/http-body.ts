import type { IncomingMessage } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { jsonProblem } from "./json-wall.js";
import { INVALID_REQUEST, PARSE_ERROR, readMessage } from "./message.js";

/** Why a request is not served. */
export interface Refusal {
  status: number;
  code: number;
  message: string;
  /** Of the request in the body, where there is one. */
  id?: string | number | null;
}

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Revisions before this one let a client send several messages in one body. */
const NO_BATCHES_SINCE = "2025-06-18";
const LONGEST_BATCH = 100;

/** The messages in the body of a request. */
export async function messagesIn(
  request: IncomingMessage,
  protocolVersion: string = NO_BATCHES_SINCE,
): Promise<JSONRPCMessage[] | Refusal> {
  const body = await textOf(request);
  if (body === undefined) return tooLarge();
  const problem = jsonProblem(body);
  if (problem !== undefined) return invalid(problem);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { status: 400, code: PARSE_ERROR, message: "The body is not JSON" };
  }
  const isBatch = Array.isArray(value) && protocolVersion < NO_BATCHES_SINCE;
  if (isBatch && (value as unknown[]).length > LONGEST_BATCH) {
    return invalid(`more than ${LONGEST_BATCH} messages`);
  }
  const messages: JSONRPCMessage[] = [];
  for (const each of isBatch ? (value as unknown[]) : [value]) {
    const read = readMessage(each);
    if (!read.ok) return invalid(read.problem, read.id);
    messages.push(read.message);
  }
  return messages.length > 0 ? messages : invalid("no message");
}

function invalid(why: string, id: string | number | null = null): Refusal {
  return { status: 400, code: INVALID_REQUEST, message: `Invalid request: ${why}`, id };
}

export function tooLarge(): Refusal {
  return { status: 413, code: INVALID_REQUEST, message: `The body is larger than ${MAX_BODY_BYTES} bytes` };
}

/** `undefined`: it is too large. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A stream that is left is closed otherwise, and the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
