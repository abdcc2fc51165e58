import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect } from "vitest";
import { createGeminiRunner, type RunnerError, resultOf } from "../src/index.js";
import { test as base, CLI } from "./small-world.js";

interface Call {
  method: string;
  model: string;
  /** Asks Google, not the run's own model. */
  searches: boolean;
  /** Carries the result of a tool. */
  goesOn: boolean;
}

interface Fixtures {
  /** Code Assist, which a login talks to, on loopback: it searches once and answers. */
  codeAssist: (options?: { quota: boolean }) => Promise<{ url: string; calls: Call[] }>;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern.
  codeAssist: async ({}, use) => {
    const closing: (() => void)[] = [];
    await use(async ({ quota } = { quota: true }) => {
      const calls: Call[] = [];
      const server = createServer(async (request, response) => {
        let body = "";
        for await (const chunk of request.setEncoding("utf8")) body += chunk;
        const method = /:(\w+)/.exec(request.url ?? "")?.[1] ?? "";
        const call = {
          method,
          model: /"model":"([^"]+)"/.exec(body)?.[1] ?? "",
          searches: body.includes('{"googleSearch":{}}'),
          goesOn: body.includes('"functionResponse"'),
        };
        calls.push(call);
        const json = JSON.stringify(answerTo(call));
        const refused = call.searches && !quota;
        const stream = method === "streamGenerateContent";
        response.writeHead(refused ? 429 : 200, { "content-type": stream ? "text/event-stream" : "application/json" });
        response.end(refused ? REFUSAL : stream ? `data: ${json}\n\n` : json);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      closing.push(() => server.close().closeAllConnections());
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
    });
    for (const close of closing) close();
  },
});

const REFUSAL = JSON.stringify({
  error: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "Quota exceeded",
    details: [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId: "RequestsPerDay" }] }],
  },
});

function answerTo({ method, searches, goesOn }: Call): object {
  if (method === "loadCodeAssist") return { currentTier: { id: "standard-tier" }, cloudaicompanionProject: "project" };
  if (!method.endsWith("enerateContent")) return {};
  const search = { functionCall: { name: "google_web_search", args: { query: "tides" } } };
  const part = searches ? { text: "found" } : goesOn ? { text: "done" } : search;
  const candidates = [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }];
  return { response: { candidates, usageMetadata: { totalTokenCount: 1 } } };
}

function signedIn(url: string, home: string, cwd: string) {
  const { PATH = "" } = process.env;
  const login = { GOOGLE_GENAI_USE_GCA: "true", GOOGLE_CLOUD_ACCESS_TOKEN: "token", CODE_ASSIST_ENDPOINT: url };
  return createGeminiRunner({
    command: CLI,
    cwd,
    env: { PATH, HOME: home, NO_PROXY: "127.0.0.1", ...login },
    retries: 0,
  });
}

describe.concurrent("with a Code Assist login", () => {
  test.for(["gemini-2.5-pro", "flash", "pro"])(
    "a search searches (%s)",
    async (model, { codeAssist, temporaryFolder }) => {
      const { url, calls } = await codeAssist();
      const runner = signedIn(url, await temporaryFolder("home"), await temporaryFolder("runs"));
      const result = await resultOf(runner.run({ prompt: "hello", model }));
      expect(result).toMatchObject({ text: "done", queries: ["tides"] });
      expect(calls.filter(({ searches }) => searches)).toHaveLength(1);
    },
  );

  test("a search without quota ends the run before it runs away", async ({ codeAssist, temporaryFolder }) => {
    const { url, calls } = await codeAssist({ quota: false });
    const runner = signedIn(url, await temporaryFolder("home"), await temporaryFolder("runs"));
    const run = resultOf(runner.run({ prompt: "hello", model: "pro" }));
    const error = await run.catch((reason: RunnerError) => reason);
    expect(error).toMatchObject({ code: "QUOTA_EXCEEDED", scope: "day" });
    expect(calls.length).toBeLessThanOrEqual(40);
  });
});
