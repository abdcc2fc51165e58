import { expect, test } from "vitest";
import { answerOf, connect } from "../support/connect.js";
import { searchReport } from "../support/fake-research.js";

const query = "How large is Lake Vessin?";
const output_schema = { type: "object", properties: { area: { type: ["number", "null"] } } };
const metadata = { data_proof: { "/area": { claim: "/metadata/evidence/claims/0" } }, missing: ["/depth"] };

test.each([
  ["an object", output_schema],
  ["its text, as some models write it", JSON.stringify(output_schema)],
])("output_schema as %s reaches the research, and its data comes back", async (_, given) => {
  const { client, research } = await connect();
  const asking = client.callTool({ name: "search", arguments: { query, output_schema: given } });
  await research.hasAsked(1);
  expect(research.asked[0]?.request).toEqual({ query, outputSchema: output_schema });
  const report = searchReport();
  research.finish({ ...report, data: { area: 212 }, metadata: { ...report.metadata, ...metadata } });
  expect(answerOf(await asking)).toMatchObject({ success: true, data: { area: 212 }, metadata });
});

test.each([
  ["a list", [], /output_schema must be an object/],
  ["no JSON", "{area", /output_schema must be an object/],
  [
    "an unknown type",
    { properties: { area: { type: "numbr" } } },
    /can be used: \/properties\/area\/type: expected one of/,
  ],
  ["one without end", { $ref: "#" }, /asks for itself without end/],
])("%s is refused before there is a job", async (_, given, message) => {
  const { client, jobs } = await connect();
  const result = await client.callTool({ name: "deep_search", arguments: { query, output_schema: given } });
  expect(answerOf(result)).toMatchObject({
    success: false,
    error: { code: "INVALID_INPUT", message: expect.stringMatching(message) },
  });
  expect(await jobs.list(1)).toEqual([]);
});

test("a client that gets pages has small data on the first, and large data in the text", async () => {
  const { client, research } = await connect({ name: "codex-mcp-client" });
  for (const [at, size] of [50, 20_000].entries()) {
    const asking = client.callTool({ name: "search", arguments: { query: `${query} ${at}`, output_schema } });
    await research.hasAsked(at + 1);
    const data = { note: "n".repeat(size) };
    research.finish({ ...searchReport("Long. ".repeat(3_000)), data });
    const first = answerOf(await asking) as { data?: unknown; metadata: { pages: number }; job_id: string };
    expect(first.data).toEqual(size === 50 ? data : undefined);
    let text = "";
    for (let page = 1; page <= first.metadata.pages; page++) {
      const args = { job_id: first.job_id, page };
      text += answerOf(await client.callTool({ name: "research_result", arguments: args }))["result"];
    }
    expect(text).toContain(data.note);
  }
});
