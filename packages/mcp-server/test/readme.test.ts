import { readFileSync } from "node:fs";
import { grounded, json, search, startModelServer } from "@x/gemini-runner/testing";
import { expect, test } from "vitest";
import { textOf } from "./support/connect.js";
import { newPlace } from "./support/place.js";
import { connectServer, endServer } from "./support/stdio-server.js";

const [call, answer] = [
  ...readFileSync(new URL("../README.md", import.meta.url), "utf8").matchAll(/```json\n(.*?)```/gs),
].map(([, text = ""]) => JSON.parse(text));

test("the example of the README is what the server answers", async () => {
  const { sources_visited, search_queries_used } = answer.metadata;
  const model = await startModelServer({
    scenario: ({ kind, turn }) => {
      if (kind === "search") {
        const sources = sources_visited.map((url: string) => ({ url, title: url }));
        return grounded("The tower was built in 1543.", { queries: search_queries_used, sources });
      }
      if (kind !== "main") return undefined;
      return turn === 0
        ? search(search_queries_used[0])
        : json({ success: true, report: answer.result, metadata: { sources_visited, search_queries_used } });
    },
  });
  const place = newPlace();
  const server = await connectServer({ ...place.env, ...model.env });
  expect(textOf(await server.client.callTool(call))).toMatchObject({
    ...answer,
    job_id: expect.stringMatching(/^search-\w{10}$/),
    metadata: { ...answer.metadata, duration_ms: expect.any(Number), timestamp: expect.any(String) },
  });
  await endServer(server);
  await model.close();
  place.remove();
});
