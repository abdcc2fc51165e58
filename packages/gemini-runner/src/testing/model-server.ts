/** The Gemini API on loopback, as far as the CLI uses it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerAccount, type Login, loginEnvironment } from "./login.js";
import { type ModelCall, type ModelCallKind, readModelCall } from "./model-call.js";
import { sendJson, writeReply } from "./reply-writer.js";
import { replyTo, type Scenario, stepsOf } from "./scenario.js";

/** What a model server is started with. */
export interface ModelServerOptions {
  /** Decides each answer. Default: the defaults of {@link Scenario}. */
  scenario?: Scenario;
  /** Default: a free one. */
  port?: number;
}

/** A model server on loopback. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /**
   * What the CLI needs in its environment to use this server: an API key, the address, and that no proxy is asked for
   * it. A CLI started without the runner also needs `security.auth.selectedType: "gemini-api-key"` in its settings.
   */
  readonly env: Readonly<Record<string, string>>;
  /** What `env` holds, for another way of signing in. The CLI's settings then need no `selectedType`. */
  envFor(login: Login): Record<string, string>;
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
 * const server = await startModelServer({ scenario: () => text("Hello.") });
 * const result = await run({ prompt: "Say hello.", env: { ...process.env, ...server.env } });
 * await server.close();
 * ```
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const model = new LoopbackModel(options.scenario);
  await model.listen(options.port ?? 0);
  return model;
}

class LoopbackModel implements ModelServer {
  readonly requests: ModelCall[] = [];
  url = "";
  readonly #counts = new Map<ModelCallKind, number>();
  readonly #waiting = new Set<{ offer(call: ModelCall): void; fail(error: Error): void }>();
  readonly #closed = new AbortController();
  readonly #server: Server;
  #answer: Scenario;

  constructor(scenario: Scenario = () => undefined) {
    this.#answer = scenario;
    this.#server = createServer((request, response) => {
      const at = performance.timeOrigin + performance.now();
      this.#handle(request, response, at).catch(() => response.destroy());
    });
    this.#server.keepAliveTimeout = 0;
  }

  async listen(port: number): Promise<void> {
    await once(this.#server.listen(port, "127.0.0.1"), "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get env(): Readonly<Record<string, string>> {
    return this.envFor("api-key");
  }

  envFor(login: Login): Record<string, string> {
    return loginEnvironment(login, this.url);
  }

  waitFor(fits: ModelCallKind | ((call: ModelCall) => boolean)): Promise<ModelCall> {
    const matches = typeof fits === "function" ? fits : (call: ModelCall) => call.kind === fits;
    const found = this.requests.find(matches);
    if (found) return Promise.resolve(found);
    if (this.#closed.signal.aborted) return Promise.reject(new Error("The model server is closed."));
    return new Promise((resolve, reject) => {
      const waiter = {
        offer: (call: ModelCall) => {
          if (!matches(call)) return;
          this.#waiting.delete(waiter);
          resolve(call);
        },
        fail: reject,
      };
      this.#waiting.add(waiter);
    });
  }

  use(scenario: Scenario): void {
    this.#answer = scenario;
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    for (const each of this.#waiting) each.fail(new Error("The model server was closed before such a request came."));
    this.#waiting.clear();
    const done = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await done;
  }

  async #handle(request: IncomingMessage, response: ServerResponse, at: number): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const arrived = { path: pathname, headers: request.headers, raw: Buffer.concat(chunks), at };
    try {
      const call = readModelCall(arrived, (kind) => this.#nextOf(kind));
      if (!call) return answerAccount(pathname, request.headers.authorization, response);
      this.requests.push(call);
      for (const each of this.#waiting) each.offer(call);
      const steps = stepsOf(replyTo(call, await this.#answer(call)));
      await writeReply(call, steps, response, AbortSignal.any([this.#closed.signal, gone.signal]));
    } catch (error) {
      if (response.headersSent) throw error;
      // 400: the CLI gives up at once and prints the message.
      const message = `The local model server: ${error instanceof Error ? error.message : String(error)}`;
      sendJson(response, 400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } });
    }
  }

  #nextOf(kind: ModelCallKind): number {
    const index = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, index + 1);
    return index;
  }
}
