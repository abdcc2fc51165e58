/** The Gemini API on loopback, as far as the CLI uses it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./answers.js";
import { type ModelCall, type ModelCallKind, type ModelPart, readModelCall } from "./model-call.js";
import { defaultReply, type Scenario, stepsOf } from "./scenario.js";

export interface ModelServerOptions {
  /** Decides each answer. Default: the defaults of {@link Scenario}. */
  scenario?: Scenario;
  /** Default: a free one. */
  port?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /**
   * What the CLI needs in its environment to use this server: an API key, the address, and that no proxy is asked for
   * it. A CLI started without the runner also needs `security.auth.selectedType: "gemini-api-key"` in its settings.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ModelCall[];
  /** The first request, already there or still to come, that fits. Rejects when the server is closed before that. */
  waitFor(fits: ModelCallKind | ((call: ModelCall) => boolean)): Promise<ModelCall>;
  /** From now on this scenario answers. */
  use(scenario: Scenario): void;
  /** Drops every open connection, hanging ones too; nothing is left afterwards. */
  close(): Promise<void>;
}

/**
 * Starts a server that speaks the Gemini API on 127.0.0.1, for programs that run the CLI and want to be tested without
 * a network, a key or a quota.
 *
 * ```ts
 * const server = await startModelServer({ scenario: () => text("Hello") });
 * const { text } = await run({ prompt: "Say hello", env: server.env });
 * await server.close();
 * ```
 */
export async function startModelServer({ scenario, port = 0 }: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelCall[] = [];
  const counts = new Map<ModelCallKind, number>();
  const waiting = new Set<{ offer(call: ModelCall): void; fail(error: Error): void }>();
  const closed = new AbortController();
  let answer: Scenario = scenario ?? (() => undefined);

  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    handle(request, response, at).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;

  async function handle(request: IncomingMessage, response: ServerResponse, at: number): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([closed.signal, gone.signal]);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const call = readModelCall({ path: pathname, headers: request.headers, raw: Buffer.concat(chunks), at }, (kind) => {
      const index = counts.get(kind) ?? 0;
      counts.set(kind, index + 1);
      return index;
    });
    if (!call) return sendJson(response, 404, { error: { code: 404, message: "Not found.", status: "NOT_FOUND" } });
    requests.push(call);
    for (const each of waiting) each.offer(call);
    if (call.kind === "countTokens") return sendJson(response, 200, { totalTokens: tokensOf(call) });
    if (call.kind === "embed")
      return sendJson(response, 200, { embeddings: [{ values: [0] }], embedding: { values: [0] } });
    let reply: AsyncGenerator<Answer, void, void>;
    try {
      reply = stepsOf((await answer(call)) ?? defaultReply(call));
    } catch (error) {
      // 400: the CLI gives up at once and prints the message.
      const message = `The scenario failed: ${error instanceof Error ? error.message : String(error)}`;
      return sendJson(response, 400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } });
    }
    await (call.method === "streamGenerateContent" ? stream : whole)(call, reply, response, signal);
  }

  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    env: {
      GEMINI_API_KEY: "local-model-server",
      GOOGLE_GEMINI_BASE_URL: url,
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
    },
    requests,
    waitFor(fits) {
      const matches = typeof fits === "function" ? fits : (call: ModelCall) => call.kind === fits;
      const found = requests.find(matches);
      if (found) return Promise.resolve(found);
      if (closed.signal.aborted) return Promise.reject(new Error("The model server is closed."));
      return new Promise((resolve, reject) => {
        const waiter = {
          offer(call: ModelCall) {
            if (!matches(call)) return;
            waiting.delete(waiter);
            resolve(call);
          },
          fail: reject,
        };
        waiting.add(waiter);
      });
    },
    use(next) {
      answer = next;
    },
    async close() {
      if (closed.signal.aborted) return;
      closed.abort();
      for (const each of waiting) each.fail(new Error("The model server was closed before such a request came."));
      waiting.clear();
      const done = once(server, "close");
      server.close();
      server.closeAllConnections();
      await done;
    },
  };
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
    send(`data: ${JSON.stringify({ candidates: [{ ...candidate, index: 0 }], ...extra, ...versionOf(call) })}\r\n\r\n`);
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
  sendJson(response, 200, {
    candidates: [{ ...content, ...candidate, ...finish, index: 0 }],
    ...usageOf(call, said),
    ...versionOf(call),
  });
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

function versionOf(call: ModelCall): object {
  return { modelVersion: call.model };
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

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(value));
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
