/** The Gemini API on loopback, as far as the CLI uses it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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
  /** The same for another way of signing in; the CLI's settings then need no `selectedType`. */
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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const arrived = { path: pathname, headers: request.headers, raw: Buffer.concat(chunks), at };
    try {
      const call = readModelCall(arrived, nextOf);
      if (!call) return answerAccount(pathname, request.headers.authorization, response);
      requests.push(call);
      for (const each of waiting) each.offer(call);
      const steps = stepsOf(replyTo(call, await answer(call)));
      await writeReply(call, steps, response, AbortSignal.any([closed.signal, gone.signal]));
    } catch (error) {
      if (response.headersSent) throw error;
      // 400: the CLI gives up at once and prints the message.
      const message = `The local model server: ${error instanceof Error ? error.message : String(error)}`;
      sendJson(response, 400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } });
    }
  }

  function nextOf(kind: ModelCallKind): number {
    const index = counts.get(kind) ?? 0;
    counts.set(kind, index + 1);
    return index;
  }

  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    env: loginEnvironment("api-key", url),
    envFor: (login) => loginEnvironment(login, url),
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
