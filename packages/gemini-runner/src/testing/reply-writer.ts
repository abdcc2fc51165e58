/** The steps of an answer as the API sends them. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./answers.js";
import type { ModelCall, ModelPart } from "./model-call.js";

/** Answers one request. Rejects when the answer cannot be given; stops without a word when `signal` says so. */
export async function writeReply(
  call: ModelCall,
  reply: AsyncIterable<Answer>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  switch (call.kind) {
    case "countTokens":
      return sendJson(response, 200, { totalTokens: tokensOf(call) });
    case "embed":
      return sendJson(response, 200, { embeddings: [{ values: [0] }], embedding: { values: [0] } });
    default:
      return call.method === "streamGenerateContent"
        ? stream(call, reply, response, signal)
        : whole(call, reply, response, signal);
  }
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(value));
}

/** Server-sent events: one chunk a step, sent as it comes. */
async function stream(
  call: ModelCall,
  reply: AsyncIterable<Answer>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const said = { length: 0, thoughts: 0 };
  const send = (chunk: string | Uint8Array) => write(response, chunk);
  const event = (candidate: object, extra: object = {}) =>
    send(`data: ${JSON.stringify(enveloped(call, candidate, extra))}\r\n\r\n`);
  let finish: object = { finishReason: "STOP" };
  for await (const step of reply) {
    if (signal.aborted) return;
    if (step.type === "http-error") return sendError(response, step);
    if (step.type === "delay") {
      await wait(step.ms, signal);
      continue;
    }
    if (step.type === "reset") return breakConnection(response);
    if (step.type === "silence") return;
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    if (step.type === "raw") await send(step.bytes);
    else if (step.type === "finish") finish = finishOf(step);
    else {
      count(said, step);
      await event({ content: { role: "model", parts: partsOf(step) }, ...metadataOf(step, call) });
    }
  }
  if (signal.aborted) return;
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  await event({ content: { role: "model", parts: [{ text: "" }] }, ...finish }, usageOf(call, said));
  response.end();
}

/** One JSON object with all the steps. */
async function whole(
  call: ModelCall,
  reply: AsyncIterable<Answer>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const said = { length: 0, thoughts: 0 };
  const parts: ModelPart[] = [];
  let candidate: object = {};
  let finish: object = { finishReason: "STOP" };
  for await (const step of reply) {
    if (signal.aborted) return;
    if (step.type === "http-error") return sendError(response, step);
    if (step.type === "delay") {
      await wait(step.ms, signal);
      continue;
    }
    if (step.type === "reset") return breakConnection(response);
    if (step.type === "silence") return;
    if (step.type === "raw") {
      response.writeHead(200, { "content-type": "application/json; charset=UTF-8" }).end(step.bytes);
      return;
    }
    if (step.type === "finish") finish = finishOf(step);
    else {
      count(said, step);
      parts.push(...partsOf(step));
      candidate = { ...candidate, ...metadataOf(step, call) };
    }
  }
  if (signal.aborted) return;
  const content = parts.length > 0 ? { content: { role: "model", parts } } : {};
  sendJson(response, 200, enveloped(call, { ...content, ...candidate, ...finish }, usageOf(call, said)));
}

type Said = { length: number; thoughts: number };
type Spoken = Extract<Answer, { type: "part" | "metadata" | "page" }>;

function count(said: Said, step: Spoken): void {
  if (step.type === "part" && step.part.thought) said.thoughts += JSON.stringify(step.part).length;
  else
    said.length +=
      step.type === "page" ? step.text.length : step.type === "part" ? JSON.stringify(step.part).length : 0;
}

function partsOf(step: Spoken): ModelPart[] {
  if (step.type === "metadata") return [];
  return [step.type === "page" ? { text: step.text } : step.part];
}

function metadataOf(step: Spoken, call: ModelCall): object {
  if (step.type === "metadata") return step.metadata;
  if (step.type !== "page" || call.kind !== "fetch") return {};
  const urls = step.urlMetadata ?? call.urls.map((retrievedUrl) => ({ retrievedUrl }));
  return {
    urlContextMetadata: {
      urlMetadata: urls.map((each) => ({ urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS", ...each })),
    },
  };
}

function finishOf({ reason, message }: Extract<Answer, { type: "finish" }>): object {
  return { finishReason: reason, ...(message === undefined ? {} : { finishMessage: message }) };
}

function enveloped({ api, model }: ModelCall, candidate: object, extra: object): object {
  const answer = { candidates: [{ ...candidate, index: 0 }], ...extra, modelVersion: model };
  return api === "code-assist" ? { response: answer } : answer;
}

/** Four bytes a token: near enough for programs that add tokens up. */
function usageOf(call: ModelCall, said: Said): object {
  const promptTokenCount = tokensOf(call);
  const candidatesTokenCount = Math.ceil(said.length / 4);
  const thoughtsTokenCount = Math.ceil(said.thoughts / 4);
  return {
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      ...(thoughtsTokenCount > 0 ? { thoughtsTokenCount } : {}),
      totalTokenCount: promptTokenCount + candidatesTokenCount + thoughtsTokenCount,
    },
  };
}

function tokensOf(call: ModelCall): number {
  return Math.ceil(call.bytes / 4);
}

function sendError(response: ServerResponse, error: Extract<Answer, { type: "http-error" }>): void {
  if (response.headersSent) throw new Error("An HTTP error cannot follow a part of an answer.");
  response.writeHead(error.status, error.headers).end(error.body);
}

function write(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(chunk, () => resolve()));
}

/** With nothing sent, a TCP reset. After a chunk the stream is cut instead: a reset would take the chunk with it. */
function breakConnection(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.socket?.resetAndDestroy();
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
