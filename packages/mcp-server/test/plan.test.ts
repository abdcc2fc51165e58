import { grounded, json, type Scenario, search as searching, startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { answerOf } from "./support/connect.js";
import { newPlace, processesOf } from "./support/place.js";
import { connectServer, endServer } from "./support/stdio-server.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const query = "Which heat pump is the quietest?";
const PLANNED = ["quietest heat pump dB(A) test", "heat pump noise complaints"];
const FOUND = { url: "http://93.184.215.14/pumps", title: "Pumps" };

/** A model that plans when it is asked to, and searches the queries of the plan that its prompt holds. */
const scenario: Scenario = (call) => {
  if (call.kind === "search") return grounded("Pumps.", { queries: [call.query ?? ""], sources: [FOUND] });
  if (call.kind !== "main") return undefined;
  if (call.prompt.includes("# Plan a research"))
    return json({ success: true, aspects: ["How loud"], queries: PLANNED });
  const [, block = ""] = /<queries-[^>]+>\n([\s\S]*?)\n<\/queries-/.exec(call.prompt) ?? [];
  const queries = block.split("\n").flatMap((line) => (line === "" ? [] : line.slice(2)));
  const verifying = queries.length === 0;
  if (call.turn === 0) return verifying ? [searching("a check")] : queries.map((text) => searching(text));
  return json({ success: true, verified: verifying, report: `The Silent 3 [1](${FOUND.url}).` });
};

test("the packaged program and the real CLI: the plan's run has no tool, and the changed plan is what round 1 searches", async () => {
  const place = newPlace();
  const model = await startModelServer({ scenario });
  onTestFinished(async () => {
    await model.close();
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    place.remove();
  });
  const { client, ...server } = await connectServer({ ...place.env, ...model.env, MAX_WAIT_MS: "0" });
  onTestFinished(async () => void (await endServer(server)));
  const ask = async (more: object) => {
    const call = { name: "deep_search", arguments: { query, ...more } };
    return answerOf(await client.callTool(call, undefined, { timeout: 300_000 }));
  };
  const planned = await ask({ plan_only: true });
  expect(planned).toMatchObject({
    success: true,
    plan: { aspects: ["How loud"], queries: PLANNED },
    metadata: { estimate: { researches: 0 } },
  });
  const tools = model.requests.filter(({ kind }) => kind === "main").map((call) => call.tools);
  expect(tools.flat()).toEqual([]);

  const queries = ["a query of my own", ...PLANNED.slice(1)];
  const report = await ask({ plan: { ...(planned["plan"] as object), queries } });
  expect(report).toMatchObject({ success: true, verified: true });
  const full = { name: "research_result", arguments: { job_id: report.job_id, detail: "full" } };
  const { metadata } = answerOf(await client.callTool(full)) as { metadata: Record<string, unknown> };
  expect(metadata).toMatchObject({
    search_queries_used: [...queries, "a check"],
    rounds: [{ search_queries: queries }, { search_queries: ["a check"] }],
  });
  expect(metadata["plan"]).toEqual({ aspects: ["How loud"], queries });
  expect(metadata["warnings"] ?? []).not.toContainEqual(expect.stringContaining("plan"));

  const second = await ask({ plan_only: true, language: "de" });
  expect(second).toMatchObject({
    metadata: { estimate: { researches: 1, total_tokens: { low: expect.any(Number) } } },
  });
});
