import type { IncomingMessage } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { jsonProblem } from "./json-wall.js";
import { INVALID_REQUEST, PARSE_ERROR, REFUSED, readMessage } from "./message.js";

/** Why a request is not served. */
export interface Refusal {
  status: number;
  code: number;
  message: string;
  /** Of the request in the body, where there is one. */
  id?: string | number | null;
  /** The rest of the body is not read. */
  unread?: true;
}

/** Far more than any call needs; each byte costs the server several. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Revisions before this one let a client send several messages in one body. */
const NO_BATCHES_SINCE = "2025-06-18";
const LONGEST_BATCH = 100;
/** So much of each body always has room: calls are far smaller. */
const SMALL_BYTES = 64 * 1024;
const MOST_LARGE_BYTES = 16 * 1024 * 1024;

/** What large bodies take while they come: many at once, none of which ends, would fill the memory. */
export class BodyRoom {
  readonly #max: number;
  #taken = 0;

  /** @param max In bytes. */
  constructor(max = MOST_LARGE_BYTES) {
    this.#max = max;
  }

  /** `false`: there is no room for so many more. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#max) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** The messages in the body of a request. */
export async function messagesIn(
  request: IncomingMessage,
  room: BodyRoom,
  protocolVersion: string = NO_BATCHES_SINCE,
): Promise<JSONRPCMessage[] | Refusal> {
  const body = await textOf(request, room);
  if (typeof body !== "string") return body;
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

export const TOO_LARGE: Refusal = {
  ...{ status: 413, code: INVALID_REQUEST, unread: true },
  message: `The body is larger than ${MAX_BODY_BYTES} bytes`,
};
const NO_ROOM: Refusal = {
  ...{ status: 503, code: REFUSED, unread: true },
  message: "Busy: many large requests come at once. Ask again in a minute.",
};

async function textOf(request: IncomingMessage, room: BodyRoom): Promise<string | Refusal> {
  const chunks: Buffer[] = [];
  let [size, taken] = [0, 0];
  try {
    // A stream that is left is closed otherwise, and the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return TOO_LARGE;
      if (size > SMALL_BYTES) {
        if (!room.take(chunk.length)) return NO_ROOM;
        taken += chunk.length;
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    room.give(taken);
  }
}
