import { describe, expect } from "vitest";
import { callTool, grounded, type ModelCall, type Scenario, search, text } from "../../src/testing/index.js";
import { startMcpEndpoint } from "../mcp-endpoint.js";
import { test } from "../small-world.js";

const WORDS = "The moon pulls at the sea. ".repeat(600);
const MOST = 50_000;
const SOURCES = Array.from({ length: 20 }, (_, n) => ({ url: `https://tides.example/${n}`, title: "tides.example" }));

/** In each of ten turns four searches and a page read, and then the answer. */
const greedy: Scenario = ({ kind, turn }) => {
  if (kind === "search") return grounded(WORDS, { sources: SOURCES });
  if (kind !== "main") return undefined;
  if (turn === 10) return text("done");
  const read = callTool("mcp_pages_read_page", { url: `https://example.com/${turn}` });
  return [...[1, 2, 3, 4].map((n) => search(`tides ${turn} ${n}`)), read];
};

/** What the tools gave, as the model has it before its last turn. */
function outputsIn(call: ModelCall | undefined): string[] {
  const parts = (call?.body.contents ?? []).flatMap(({ parts = [] }) => parts);
  return parts.flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [String(functionResponse.response?.["output"])],
  );
}

describe.concurrent("what tools give the model is limited", () => {
  test.for([
    ["in a process of its own", false, 1],
    ["in a pool, for each run", true, 2],
  ] as const)("%s", { timeout: 120_000 }, async ([, pool, rounds], { world, onTestFinished }) => {
    const endpoint = await startMcpEndpoint(() => WORDS);
    onTestFinished(() => endpoint.close());
    const mcpServers = { pages: { url: endpoint.url, includeTools: ["read_page"] } };
    const { run, server } = await world(greedy, { pool, maxToolOutput: MOST });
    const request = { prompt: "hello", model: "gemini-2.5-flash", mcpServers };
    for (let round = 0; round < rounds; round++) {
      const { result } = await run(request);
      expect(result.text).toBe("done");
      const outputs = outputsIn(server.requests.at(-1));
      expect(outputs).toHaveLength(50);
      const [cut, whole] = [
        outputs.filter((said) => said.includes("[Cut: ")),
        outputs.filter((said) => said.includes(WORDS)),
      ];
      // Whole ones as long as they fit; the one that does not fit is cut, and all behind it.
      expect(whole.length).toBeGreaterThanOrEqual(2);
      expect(cut.length).toBe(50 - whole.length);
      // What the CLI itself says of a search is short.
      const said = outputs.map((output) => output.length).reduce((sum, length) => sum + length, 0);
      expect(said).toBeLessThan(MOST + 50 * 400);
      expect(said).toBeGreaterThan(MOST);
    }
  });
});
