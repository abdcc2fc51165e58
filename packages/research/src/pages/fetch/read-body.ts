import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { PageError } from "./page-error.js";

/** Bytes at most, as they are sent and when they are unpacked. */
export interface BodyLimits {
  maxBytes: number;
  maxUnpackedBytes: number;
  /** Gives the beginning of a larger body. Default: a larger body is an error. */
  cut?: boolean;
}

/** Reads the body of an answer and unpacks it. Rejects with a {@link PageError} when it is too large or damaged. */
export async function readBody(answer: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const announced = Number(answer.headers["content-length"] ?? 0);
  if (announced > limits.maxBytes && !limits.cut) throw tooLarge(limits.maxBytes);
  const packed = await collect(answer, limits.maxBytes, limits.cut);
  const encodings = (answer.headers["content-encoding"] ?? "").toLowerCase().split(",", 3);
  let body = packed;
  for (const encoding of encodings.map((name) => name.trim()).reverse()) {
    body = await unpack(body, encoding, limits);
  }
  return body;
}

async function unpack(body: Buffer, encoding: string, { maxUnpackedBytes, cut }: BodyLimits): Promise<Buffer> {
  if (encoding === "" || encoding === "identity" || body.length === 0) return body;
  const unpacker = unpackerOf(encoding, body);
  if (unpacker === undefined)
    throw new PageError("unreadable", `is packed in a way that is not known: ${encoding.slice(0, 40)}`);
  try {
    return await pipeline([body], unpacker, (unpacked: AsyncIterable<Buffer>) =>
      collect(unpacked, maxUnpackedBytes, cut),
    );
  } catch (error) {
    if (error instanceof PageError) throw error;
    throw new PageError("unreadable", `cannot be unpacked (${encoding})`, { cause: error });
  }
}

function unpackerOf(encoding: string, body: Buffer) {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  // Some servers send it without its two bytes of header.
  if (encoding === "deflate") return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  return undefined;
}

async function collect(from: AsyncIterable<Buffer>, maxBytes: number, cut = false): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of from) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBytes && !cut) throw tooLarge(maxBytes);
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function tooLarge(bytes: number): PageError {
  return new PageError("too-large", `is larger than ${Math.round(bytes / 1_048_576)} MB`);
}
