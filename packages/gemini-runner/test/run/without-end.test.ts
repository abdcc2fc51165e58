import { describe, expect } from "vitest";
import { fetchPage, grounded, page, type Scenario, search, silence, text } from "../../src/testing/index.js";
import { leftIn, test } from "../small-world.js";

/** A model that never comes to its answer, and is silent in the end: a run that waits for it would not end. */
const searches: Scenario = (call) => {
  if (call.kind === "search") return grounded("found");
  if (call.kind === "fetch") return page("read");
  if (call.index > 3) return silence();
  return [...text(`Note ${call.index}. `), search(`tides ${call.index}`), fetchPage("http://93.184.215.14/")];
};

describe.concurrent("a model that searches without end", () => {
  // At `maxToolCalls` in a pool: `pool-same.test.ts`.
  test.for([
    ["maxTurns", false, 3, "turns", "The model asked for 3 turns and wanted more"],
    ["maxTurns", true, 3, "turns", "The model asked for 3 turns and wanted more"],
    ["maxToolCalls", false, 5, "tool-calls", "The model made 5 calls of tools and wanted more"],
  ] as const)("is stopped at %s, and what it has said is kept (in a pool: %s)", async (limits, { world }) => {
    const [limit, pool, most, reason, message] = limits;
    const { failureOf, runner, folder } = await world(searches, { pool });
    const error = await failureOf({ prompt: "hello", model: "gemini-2.5-flash", [limit]: most });
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason, message, nextStep: expect.stringContaining(limit) });
    expect(error.text).toMatch(/^Note 0\. \n\nNote 1\. \n\nNote 2\. /);
    await runner.close();
    expect(leftIn(folder)).toEqual([]);
  });

  test("has what it needs when the limits are just enough", async ({ world }) => {
    const { run } = await world((call) => (call.kind === "main" && call.turn === 2 ? text("done") : searches(call)));
    const { result } = await run({ prompt: "hello", model: "gemini-2.5-flash", maxTurns: 3, maxToolCalls: 4 });
    expect(result.text).toBe("done");
  });
});
