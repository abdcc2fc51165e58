import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { film } from "../examples/recipes/ai-sdk.js";
import { app as expressApp } from "../examples/recipes/express.js";
import { app as honoApp } from "../examples/recipes/hono.js";
import { RepairingParser } from "../examples/recipes/langchain.js";
import { fromArktype, fromValibot, fromZod } from "../examples/recipes/schemas.js";

const ANSWER = "Sure:\n```json\n{'title': \"La dolce vita\", year: 1960,}\n```";
const FILM = { title: "La dolce vita", year: 1960 };

test("the AI SDK's hook gives the object of a broken answer", async () => {
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text: ANSWER }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  });
  expect(await film(model)).toEqual(FILM);
});

test("LangChain's parser gives the value, or an exception with what is wrong", async () => {
  const parser = new RepairingParser(z.object({ title: z.string(), year: z.number() }));
  expect(await parser.invoke(ANSWER)).toEqual(FILM);
  await expect(parser.invoke('{"title": []}')).rejects.toThrow(/title/);
});

const server = expressApp.listen(0, "127.0.0.1");
afterAll(() => server.close());

test.each([
  [
    "Express",
    async (body: string) => {
      const { port } = server.address() as AddressInfo;
      return fetch(`http://127.0.0.1:${port}/orders`, { method: "POST", body });
    },
  ],
  ["Hono", async (body: string) => honoApp.request("/orders", { method: "POST", body })],
])("%s takes a broken webhook, and says what is wrong with a hopeless one", async (_, post) => {
  const taken = await post('{"id": "7", note: "ring twice",}');
  expect([taken.status, await taken.json()]).toEqual([200, { order: { id: 7, note: "ring twice" }, sure: true }]);
  const cut = await post('{"id": 7, "note": "ring tw');
  expect([cut.status, await cut.json()]).toMatchObject([202, { sure: false }]);
  expect((await post("hello")).status).toBe(400);
});

test.each(Object.entries({ fromZod, fromValibot, fromArktype }))("a schema of another library: %s", (_, read) => {
  expect(read(ANSWER)).toEqual(FILM);
});

const RECIPES = {
  "ai-sdk": "The Vercel AI SDK: as its repair hook",
  langchain: "LangChain: as an output parser",
  express: "Express: broken webhooks",
  hono: "Hono: broken webhooks",
  schemas: "zod, valibot, arktype",
};

test("the page of recipes holds the code that is tested here", async () => {
  const parts = Object.entries(RECIPES).map(([name, title]) => {
    const code = readFileSync(new URL(`../examples/recipes/${name}.ts`, import.meta.url), "utf8").trim();
    return `## ${title}\n\n\`\`\`ts\n${code.replaceAll("../../src/index.js", "@x/json-repair")}\n\`\`\`\n`;
  });
  const page = `# Recipes\n\nEach is run by the tests (\`test/recipes.test.ts\`, which writes this page).\n\n${parts.join("\n")}`;
  await expect(page).toMatchFileSnapshot("../docs/recipes.md");
});
