import { afterEach, describe, expect, test, vi } from "vitest";
import {
  callTool,
  delay,
  empty,
  fetchPage,
  filler,
  finish,
  grounded,
  httpError,
  huge,
  json,
  type ModelServer,
  page,
  raw,
  reset,
  type Scenario,
  search,
  silence,
  startModelServer,
  text,
  thought,
} from "../../src/testing/index.js";

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function start(scenario?: Scenario): Promise<ModelServer> {
  server = await startModelServer(scenario ? { scenario } : {});
  return server;
}

const prompt = (words: string) => ({ contents: [{ role: "user", parts: [{ text: words }] }] });

function post(method: string, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server?.url}/v1beta/models/gemini-2.5-flash:${method}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
  });
}

const ask = (words: string, init?: RequestInit) => post("streamGenerateContent?alt=sse", prompt(words), init);

interface Chunk {
  candidates: {
    content: { parts: { text?: string; thought?: boolean; functionCall?: object }[] };
    finishReason?: string;
  }[];
  usageMetadata?: { totalTokenCount: number };
}

async function chunksOf(response: Response): Promise<Chunk[]> {
  const events = (await response.text()).split("\r\n\r\n").filter(Boolean);
  return events.map((event) => JSON.parse(event.replace(/^data: /, "")) as Chunk);
}

const wordsOf = (chunks: Chunk[]) =>
  chunks.flatMap((chunk) => chunk.candidates[0]?.content.parts.map((part) => part.text ?? "") ?? []).join("");

test("answers without a scenario", async () => {
  await start();
  const chunks = await chunksOf(await ask("Hi"));
  expect(wordsOf(chunks)).toBe("Answered by the local model server.");
  expect(chunks.at(-1)?.candidates[0]?.finishReason).toBe("STOP");
  expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
});

test("records each request, the prompt byte for byte", async () => {
  const { requests } = await start();
  const words = '  /help @a.txt $& {{query}} "q"\n\té漢🙂\u0000 ';
  await (await ask(words)).text();
  expect(requests).toMatchObject([{ kind: "main", model: "gemini-2.5-flash", turn: 0, index: 0, prompt: words }]);
  expect(requests[0]?.bytes).toBe(Buffer.byteLength(JSON.stringify(prompt(words))));
  expect(requests[0]?.at).toBeCloseTo(Date.now(), -4);
});

test("sends text in chunks that together are the text", async () => {
  const words = "Zwölf 🙂🙂🙂 Boxkämpfer";
  await start(() => text(words, { chunkLength: 3, everyMs: 1 }));
  const chunks = await chunksOf(await ask("Hi"));
  expect(chunks.length).toBeGreaterThan(6);
  expect(wordsOf(chunks)).toBe(words);
});

test("a huge answer has exactly the asked size", async () => {
  await start(() => huge(400_001));
  const words = wordsOf(await chunksOf(await ask("Hi")));
  expect(Buffer.byteLength(words)).toBe(400_001);
  expect(words).toBe(filler(400_001));
});

test("makes several tool calls in one turn, and counts turns after the prompt", async () => {
  await start(({ turn }) => (turn === 0 ? [search("a"), fetchPage("http://8.8.8.8/"), callTool("x")] : text("done")));
  const first = await chunksOf(await ask("Hi"));
  const calls = first.flatMap((chunk) => chunk.candidates[0]?.content.parts ?? []).filter((part) => part.functionCall);
  expect(calls.map((part) => part.functionCall)).toMatchObject([
    { name: "google_web_search", args: { query: "a" } },
    { name: "web_fetch", args: { prompt: expect.stringContaining("http://8.8.8.8/") } },
    { name: "x", args: {} },
  ]);
  const contents = [
    { role: "user", parts: [{ text: "<session_context>\nWhere we are.\n</session_context>" }, { text: "Hi" }] },
    { role: "model", parts: calls },
    { role: "user", parts: [{ functionResponse: { name: "google_web_search", response: { output: "found" } } }] },
  ];
  const second = await chunksOf(await post("streamGenerateContent?alt=sse", { contents }));
  expect(wordsOf(second)).toBe("done");
  expect(server?.requests[1]).toMatchObject({
    prompt: "Hi",
    turn: 1,
    index: 1,
    toolResults: [{ name: "google_web_search", response: { output: "found" } }],
  });
});

test("answers a search with its sources and a read with its pages", async () => {
  await start(({ kind, query = "", urls }) =>
    kind === "search"
      ? grounded("é found", { queries: [query], sources: [{ url: "https://a.org/", title: "A" }] })
      : page(`read ${urls.join()}`),
  );
  const found = await post("generateContent", { ...prompt("cats"), tools: [{ googleSearch: {} }] });
  expect(await found.json()).toMatchObject({
    candidates: [
      {
        content: { parts: [{ text: "é found" }] },
        groundingMetadata: {
          webSearchQueries: ["cats"],
          groundingChunks: [{ web: { uri: "https://a.org/", title: "A" } }],
          groundingSupports: [{ segment: { endIndex: 8 }, groundingChunkIndices: [0] }],
        },
      },
    ],
  });
  const read = await post("generateContent", {
    ...prompt("Do.\n<authorized_urls>\nhttp://8.8.8.8/a\nhttp://8.8.8.8/b\n</authorized_urls>\n"),
    tools: [{ urlContext: {} }],
  });
  expect(await read.json()).toMatchObject({
    candidates: [
      {
        content: { parts: [{ text: "read http://8.8.8.8/a,http://8.8.8.8/b" }] },
        urlContextMetadata: {
          urlMetadata: [
            { retrievedUrl: "http://8.8.8.8/a", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
            { retrievedUrl: "http://8.8.8.8/b" },
          ],
        },
      },
    ],
  });
});

test("tells a read from a search when both have both tools", async () => {
  await start();
  const tools = [{ googleSearch: {} }, { urlContext: {} }];
  await (await post("generateContent", { ...prompt("cats"), tools })).text();
  const pages = "<authorized_urls>\nhttp://8.8.8.8/a\n</authorized_urls>";
  await (await post("generateContent", { ...prompt(pages), tools })).text();
  expect(server?.requests.map(({ kind }) => kind)).toEqual(["search", "fetch"]);
});

test.each([
  ["classifier", { complexity_reasoning: {}, complexity_score: {} }, { complexity_score: 10 }],
  ["classifier", { reasoning: {}, model_choice: {} }, { model_choice: "flash" }],
  [
    "loop-check",
    { unproductive_state_analysis: {}, unproductive_state_confidence: {} },
    { unproductive_state_confidence: 0 },
  ],
  ["next-speaker", { reasoning: {}, next_speaker: {} }, { next_speaker: "user" }],
])("answers the CLI's own question by itself: %s %o", async (kind, properties, answer) => {
  await start();
  const body = { ...prompt("Hi"), generationConfig: { responseJsonSchema: { properties } } };
  const said = (await (await post("generateContent", body)).json()) as Chunk;
  expect(JSON.parse(wordsOf([said]))).toMatchObject(answer);
  expect(server?.requests[0]?.kind).toBe(kind);
});

describe("a scenario that answers every request alike", () => {
  const properties = { complexity_reasoning: {}, complexity_score: {} };
  const question = { ...prompt("Hi"), generationConfig: { responseJsonSchema: { properties } } };
  const simple = '"complexity_score":10';

  test.for<[string, Scenario, string]>([
    ["words", () => text("Hello"), simple],
    ["words in chunks, after a wait", () => [text("He", { chunkLength: 1 }), delay(60_000), text("llo")], simple],
    ["JSON of another form", () => json({ success: true }, ""), simple],
    ["a number", () => text("5"), simple],
    ["null", () => text("null"), simple],
    ["a call of a tool", () => search("cats"), simple],
    ["thoughts alone", () => [thought("hm"), empty()], simple],
    ["its own answer", () => [thought("hm"), text('{"complexity_score":90}')], '"complexity_score":90'],
    ["raw bytes", () => raw("<html>"), "<html>"],
    ["an error", () => httpError("unavailable"), "UNAVAILABLE"],
    [
      "steps as they come",
      async function* () {
        yield* text("later");
      },
      "later",
    ],
  ])("%s", async ([, scenario, expected]) => {
    await start(scenario);
    const said = await (await post("generateContent", question)).text();
    expect(said.replaceAll("\\", "")).toContain(expected);
  });
});

test("counts tokens", async () => {
  await start();
  const counted = (await (await post("countTokens", prompt("Hi"))).json()) as { totalTokens: number };
  expect(counted.totalTokens).toBeGreaterThan(0);
});

test.each([
  ["bad-key", 400, "API_KEY_INVALID"],
  ["unauthenticated", 401, "UNAUTHENTICATED"],
  ["forbidden", 403, "PERMISSION_DENIED"],
  ["not-found", 404, "is not found for API version"],
  ["quota-minute", 429, "PerMinute"],
  ["quota-day", 429, "PerDay"],
  ["quota", 429, "RESOURCE_EXHAUSTED"],
  ["server", 500, "INTERNAL"],
  ["unavailable", 503, "UNAVAILABLE"],
] as const)("fails as Google does: %s", async (name, status, words) => {
  await start(() => httpError(name));
  for (const method of ["streamGenerateContent?alt=sse", "generateContent"]) {
    const response = await post(method, prompt("Hi"));
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: number } };
    expect(error.code).toBe(status);
    expect(JSON.stringify(error)).toContain(words);
  }
});

test("names the time to wait in RetryInfo", async () => {
  await start(() => httpError("quota-minute", { retryAfterMs: 2_500 }));
  expect(await (await ask("Hi")).text()).toMatch(/"retryDelay": "2\.5s"/);
});

test("gives empty, blocked, cut and thinking-only answers", async () => {
  const server = await start(empty);
  const wordsAndReason = async () => {
    const chunks = await chunksOf(await ask("Hi"));
    return [wordsOf(chunks), chunks.at(-1)?.candidates[0]?.finishReason];
  };
  expect(await wordsAndReason()).toEqual(["", "STOP"]);
  server.use(() => [...text("half"), finish("MAX_TOKENS")]);
  expect(await wordsAndReason()).toEqual(["half", "MAX_TOKENS"]);
  server.use(() => finish("SAFETY"));
  expect(await wordsAndReason()).toEqual(["", "SAFETY"]);
  server.use(() => thought("hm"));
  expect((await chunksOf(await ask("Hi")))[0]?.candidates[0]?.content.parts).toEqual([{ text: "hm", thought: true }]);
});

test("breaks the connection at once or after a chunk", async () => {
  const server = await start(reset);
  await expect(ask("Hi")).rejects.toThrow();
  server.use(() => [...text("half"), reset()]);
  const response = await ask("Hi");
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("half");
  await expect(reader?.read()).rejects.toThrow();
});

test("sends any bytes", async () => {
  await start(() => raw("data: {\r\n\r\n"));
  expect(await (await ask("Hi")).text()).toMatch(/^data: \{\r\n\r\n/);
});

test("takes steps as they become known", async () => {
  await start(async function* ({ prompt }) {
    yield* text("first ");
    await Promise.resolve();
    yield* text(prompt);
  });
  expect(wordsOf(await chunksOf(await ask("Hi")))).toBe("first Hi");
});

test("a scenario that throws is an error the CLI does not try again", async () => {
  await start(() => {
    throw new Error("no such case");
  });
  const response = await ask("Hi");
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("no such case")]);
});

test("waits for a request that is still to come, and closes while one hangs", async () => {
  const server = await start(() => [...text("half"), silence()]);
  const asked = ask("Hang").then((response) => response.text());
  expect(await server.waitFor("main")).toMatchObject({ prompt: "Hang" });
  expect(await server.waitFor(({ prompt }) => prompt === "Hang")).toBe(server.requests[0]);
  const never = server.waitFor("search");
  await Promise.all([expect(asked).rejects.toThrow(), expect(never).rejects.toThrow("closed"), server.close()]);
  // The handle itself goes when the event loop comes round.
  await vi.waitFor(() => expect(process.getActiveResourcesInfo()).not.toContain("TCPServerWrap"));
  await expect(ask("Hi")).rejects.toThrow();
});

test("a client that goes away ends its answer, and the server goes on", async () => {
  let ended = () => {};
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const server = await start(async function* ({ prompt }) {
    try {
      for (;;) yield* text(prompt, { chunkLength: 1, everyMs: 1 });
    } finally {
      ended();
    }
  });
  const leave = new AbortController();
  const response = await ask("Without end.", { signal: leave.signal });
  leave.abort();
  await expect(response.text()).rejects.toThrow();
  await over;
  server.use(() => text("Still here."));
  expect(wordsOf(await chunksOf(await ask("Hi")))).toBe("Still here.");
});

test("a body that is not JSON is an error, not an end", async () => {
  await start();
  const response = await post("generateContent", {}, { body: "{" });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("JSON")]);
});
