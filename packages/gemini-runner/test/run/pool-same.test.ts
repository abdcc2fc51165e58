import { expect } from "vitest";
import type { RunEvent } from "../../src/index.js";
import { fetchPage, grounded, page, type Scenario, search, text } from "../../src/testing/index.js";
import { test } from "../small-world.js";

/** Which needs no name service. */
const url = "http://93.184.215.14/tides";
const READ = { retrievedUrl: url, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" };

const research: Scenario = ({ kind, turn }) => {
  if (kind === "search") return grounded("The moon pulls.", { sources: [{ url, title: "Tides" }] });
  if (kind === "fetch") return page("The moon pulls the water.", [READ]);
  if (kind !== "main") return undefined;
  if (turn === 0) return [...text("I search. "), search("tides")];
  return turn === 1 ? fetchPage(url) : text("By the moon.", { chunkLength: 4 });
};

/** What differs from run to run, of the same kind: processes, times and names of calls. */
const ITS_OWN = new Set(["pid", "durationMs", "queuedMs", "warm", "id"]);

function withoutItsOwn(event: RunEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, ITS_OWN.has(name) ? typeof value : value]),
  );
}

test("a run tells and gives the same in a pool as in a process of its own", async ({ world }) => {
  const all = await Promise.all(
    [false, true].map(async (pool) => {
      const { run } = await world(research, { pool });
      const { result, events } = await run({ prompt: "Why are there tides?", model: "gemini-2.5-flash" });
      const { durationMs, queuedMs, ...given } = result;
      return { given, told: events.map(withoutItsOwn) };
    }),
  );
  const [alone, pooled] = all;
  expect(alone?.given).toMatchObject({ queries: ["tides"], sources: [{ url, status: "retrieved" }] });
  expect(alone?.told).toContainEqual(expect.objectContaining({ type: "tool-output" }));
  expect(pooled).toEqual(alone);
});
