import { expect, test } from "vitest";
import { createMemoryRunStore, deepResearch, deepSearch, search } from "../../src/index.js";
import { draft, drain, drainFailing, failure, final, recorded, world } from "../world.js";

const READ = { url: "https://a.org/moons", status: "retrieved" as const };
const FOUND = { url: "https://b.org/mars", title: "b.org", status: "found" as const };

/** A run that searched, read a page, and gave this text. */
const spoken = (text: string) => recorded(text, [READ, FOUND], ["moons of Mars"]);
const PROSE = "Mars has two moons, as https://a.org/moons and https://c.org/ say.";

test("search: after the last attempt the text of a run that searched is the answer, marked, with that run's sources", async () => {
  const { deps, requests } = world([spoken("Two."), spoken(PROSE), spoken("Two moons.")]);
  const { report, logs } = await drain(search({ query: "q" }, deps));
  expect(requests).toHaveLength(3);
  expect(report).toMatchObject({
    success: true,
    result: PROSE,
    metadata: {
      unstructured: true,
      sources_visited: [READ.url, FOUND.url],
      search_queries_used: ["moons of Mars"],
      warnings: [
        "The model did not answer in the asked form: this is its text as it stands, unchecked.",
        expect.stringContaining("https://c.org/"),
      ],
      evidence: { status: "available", claims: [], unseen: ["https://c.org/"], citation_accuracy: 0.5 },
    },
  });
  expect(logs).toContain("[WARN] No attempt gave the asked form: the text of a run that searched serves");
});

test.each([
  ["a run without a record", PROSE],
  ["a run that neither searched nor read", recorded(PROSE, [], [])],
  ["JSON of another shape", spoken('```json\n{"answer": 2}\n```')],
  ["nothing", spoken(" \n")],
])("search: %s stays an error", async (_, turn) => {
  const { error } = await drainFailing(search({ query: "q" }, world([turn], { attempts: 1 }).deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "unreadable" });
});

test("deep_research keeps its older error", async () => {
  const { error } = await drainFailing(deepResearch({ topic: "t" }, world([spoken(PROSE)], { attempts: 1 }).deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: expect.stringMatching(/^JSON validation failed/) });
});

test("deep search: a text is the result while there is no better one, and later rounds work on it", async () => {
  const { deps, prompts } = world([spoken(PROSE), recorded(final("two moons"), [READ])], { attempts: 1 });
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(prompts()[1]).toContain(`VERIFY q | ${PROSE}`);
  expect(report).toMatchObject({ result: "two moons", verified: true });
  expect(report.metadata.unstructured).toBeUndefined();
  expect(report.metadata.rounds?.[0]).toMatchObject({ sources_visited: [READ.url, FOUND.url], verified: false });
});

test("deep search: beside a better result such a round has failed", async () => {
  const { deps } = world([draft("one"), spoken(PROSE), final("three")], { attempts: 1 });
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.metadata.rounds?.[1]).toMatchObject({ error: { code: "EXECUTION_ERROR" } });
  expect(report).toMatchObject({ result: "three", verified: true, metadata: { iterations: 3 } });
});

test("deep search: after two rounds in a row without the form no further one is asked", async () => {
  const texts = world(Array(9).fill(spoken(PROSE)));
  const { report, logs } = await drain(deepSearch({ query: "q" }, texts.deps));
  expect(texts.requests).toHaveLength(6);
  expect(report).toMatchObject({
    result: PROSE,
    verified: false,
    metadata: {
      iterations: 2,
      unstructured: true,
      note: "Verification was not completed: the model did not keep to the asked form. This is the best result of 2 rounds (round 2).",
    },
  });
  expect(logs).toContain("[WARN] 2 rounds in a row gave no answer of the asked form: no further round is asked.");

  const nothing = world(Array(9).fill("no JSON"));
  expect((await drainFailing(deepSearch({ query: "q" }, nothing.deps))).error.message).toMatch(/exhausted/);
  expect(nothing.requests).toHaveLength(6);
});

test("deep search: a round that can be read, or that fails for another reason, does not count among them", async () => {
  const crash = failure("EXECUTION_ERROR", "crash", { reason: "crash" });
  const turns = ["no JSON", crash, draft("one"), "no JSON", final("two")];
  const { report } = await drain(deepSearch({ query: "q" }, world(turns, { attempts: 1 }).deps));
  expect(report).toMatchObject({ result: "two", metadata: { iterations: 5 } });
});

test("deep search: a text is kept between two processes", async () => {
  const store = createMemoryRunStore();
  const stop = failure("QUOTA_EXCEEDED", "the day is over", { scope: "day" });
  await drain(deepSearch({ query: "q" }, world([spoken(PROSE), stop], { store, attempts: 1 }).deps));
  const { report } = await drain(deepSearch({ resume: "id-1" }, world([stop], { store }).deps));
  expect(report).toMatchObject({ result: PROSE, metadata: { unstructured: true } });
});
