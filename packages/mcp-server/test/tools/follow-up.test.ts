import { describe, expect, test } from "vitest";
import { answerOf, connect } from "../support/connect.js";
import { searchReport } from "../support/fake-research.js";

const first = { name: "search", arguments: { query: "why is the sky blue" } };
const followUp = (follow_up_of: string, tool = "search") => ({
  name: tool,
  arguments: { query: "and at dusk?", follow_up_of },
});

describe.each(["search", "deep_search"])("follow_up_of of %s", (tool) => {
  test("begins with the research behind the job", async () => {
    const { client, jobs, research } = await connect();
    const asking = client.callTool(first);
    await research.hasAsked(1);
    research.finish();
    const { job_id = "" } = answerOf(await asking);
    const [job] = await jobs.list(1);
    const next = client.callTool(followUp(job_id, tool));
    await research.hasAsked(2);
    expect(research.asked[1]).toMatchObject({ tool, request: { query: "and at dusk?", followUpOf: job?.researchId } });
    const report = searchReport("Red.");
    const follow_up = { of: job?.researchId, query: "why is the sky blue", contradicts: [] };
    research.finish({ ...report, metadata: { ...report.metadata, follow_up } });
    expect(answerOf(await next)).toMatchObject({ result: "Red.", metadata: { follow_up: { of: job_id } } });
  });

  test("an id that is nobody's is answered as research_result does", async () => {
    const { client, research } = await connect();
    const unknown = await client.callTool(followUp("search-0000000000", tool));
    expect(unknown).toEqual(
      await client.callTool({ name: "research_result", arguments: { job_id: "search-0000000000" } }),
    );
    expect(research.asked).toEqual([]);
  });

  test("of one that runs: to ask on when it has a report; of one that failed: that it has none", async () => {
    const { client, jobs, research } = await connect();
    const asking = client.callTool(first);
    await research.hasAsked(1);
    const [{ id = "" } = {}] = await jobs.list(1);
    expect(answerOf(await client.callTool(followUp(id, tool)))).toMatchObject({
      success: false,
      error: { code: "INVALID_INPUT", message: `The research ${id} has not ended yet. Ask on when it has a report.` },
    });
    research.fail(new Error("no network"));
    await asking;
    expect(answerOf(await client.callTool(followUp(id, tool)))).toMatchObject({
      error: { code: "INVALID_INPUT", message: `The research ${id} failed: it has no report to ask on from.` },
    });
    expect(research.asked).toHaveLength(1);
  });

  test("of one of the older tool: what to do instead", async () => {
    const { client, jobs, research } = await connect();
    const asking = client.callTool({ name: "deep_research", arguments: { topic: "the sky" } });
    await research.hasAsked(1);
    research.finish({ success: true, report: "Blue.", metadata: { topic: "the sky" } });
    await asking;
    const [{ id = "" } = {}] = await jobs.list(1);
    expect(answerOf(await client.callTool(followUp(id, tool)))).toMatchObject({
      error: { code: "INVALID_INPUT", message: expect.stringContaining("is of the older tool, which keeps no pages") },
    });
  });
});

test("what the research has lost is told by the id of the job", async () => {
  const { client, jobs, research } = await connect();
  const asking = client.callTool(first);
  await research.hasAsked(1);
  research.finish();
  const { job_id = "" } = answerOf(await asking);
  const [job] = await jobs.list(1);
  const next = client.callTool(followUp(job_id));
  await research.hasAsked(2);
  const lost = new Error(`No research is kept under the id "${job?.researchId}".`);
  research.fail(Object.assign(lost, { code: "INVALID_INPUT" }));
  expect(answerOf(await next)).toMatchObject({ error: { message: `No research is kept under the id "${job_id}".` } });
});
