import { expect } from "vitest";
import { createGeminiRunner, resultOf } from "../../src/index.js";
import { treeExists } from "../../src/process/process-tree.js";
import { fetchPage, filler, grounded, httpError, huge, page, search, text } from "../../src/testing/index.js";
import { leftIn, promptOf, test } from "../small-world.js";

const PAGE = "http://93.184.215.14/page";
const PAYWALLED = "http://93.184.215.15/other";
const BLOCKED = "http://127.0.0.1/secret";

const TOGETHER = ["tides", "moon", "sea", "ebb", "flood"];

/** Looks like a command of the CLI, a replacement, a template. */
const PROMPT = `/help me $& $1 {{query}} {{args}} ${"$"}{HOME} !{ls}`;

/** More than a pipe holds (64 KiB), which is where an answer gets lost. */
const ANSWER_LENGTH = 70_000;

test("a run yields what happens and returns what the model said, searched and read, and what of it failed", async ({
  world,
}) => {
  const refused = new Set<string | undefined>();
  const { run, server, folder } = await world((call) => {
    if (call.kind === "search") {
      if (call.query === "without quota") return httpError("quota-day");
      if (!refused.has(call.query)) {
        refused.add(call.query);
        return httpError("quota-minute", { retryAfterMs: 100 });
      }
      return grounded("Tides follow the moon.", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
    }
    if (call.kind === "fetch") {
      // The CLI calls it a success.
      return page("One of them says: the moon.", [
        { retrievedUrl: PAGE },
        { retrievedUrl: PAYWALLED, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_PAYWALL" },
      ]);
    }
    if (call.turn === 0) return [...text("I look."), ...TOGETHER.map((query) => search(query))];
    if (call.turn === 1) return search("without quota");
    if (call.turn === 2) return [...text("I read."), fetchPage(PAGE, PAYWALLED, BLOCKED)];
    return huge(ANSWER_LENGTH);
  });

  const { result, events } = await run(PROMPT);

  expect(server.requests[0]?.tools.toSorted()).toEqual(["google_web_search", "web_fetch"]);
  expect(promptOf(server.requests[0]), "the prompt, which is no command").toBe(PROMPT);
  const twice = TOGETHER.flatMap(() => ["search", "search"]);
  const kinds = ["main", ...twice, "main", "search", "main", "fetch", "main"];
  expect(
    server.requests.map(({ kind }) => kind),
    "each of the searches made together is refused once",
  ).toEqual(kinds);
  expect(result).toMatchObject({ model: "gemini-2.5-flash", recorded: true });
  expect(result.queries.toSorted()).toEqual(TOGETHER.toSorted());
  expect(result.text === filler(ANSWER_LENGTH), "the answer whole").toBe(true);
  expect(result.models).toMatchObject([{ model: "gemini-2.5-flash", roles: ["main"] }]);
  expect(result.models[0]?.outputTokens).toBeGreaterThan(10_000);
  expect(result.sources).toEqual([
    { url: "https://example.com/tides", title: "Tides", status: "found" },
    { url: PAGE, status: "retrieved" },
  ]);
  expect(result.failures, "what failed, once each").toEqual([
    { tool: "google_web_search", query: "without quota", message: expect.stringContaining("daily quota") },
    { tool: "web_fetch", url: PAYWALLED, message: "The page could not be read" },
    { tool: "web_fetch", url: BLOCKED, message: expect.stringContaining("[Blocked Host]") },
  ]);
  const found = { text: "Tides follow the moon.", urls: ["https://example.com/tides"] };
  expect(result.attributions, "what Google said comes from where").toEqual(TOGETHER.map(() => found));
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === "tool-output")).toHaveLength(TOGETHER.length + 1);
  // The guard says it by a pipe of its own: on a busy machine it is heard behind what stands in the output.
  expect(
    types.filter((type) => type === "turn-start"),
    "the model is asked",
  ).toHaveLength(4);
  expect(types.filter((type) => type !== "tool-output" && type !== "turn-start")).toEqual([
    "run-start",
    "text-delta",
    ...TOGETHER.map(() => "tool-call"),
    ...TOGETHER.map(() => "tool-result"),
    "tool-call",
    "tool-result",
    "text-delta",
    "tool-call",
    "tool-result",
    "text-delta",
    "run-end",
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "tool-call", tool: "google_web_search", query: "tides" }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ type: "tool-call", tool: "web_fetch", urls: [PAGE, PAYWALLED, BLOCKED] }),
  );
  expect(events[0]).toMatchObject({ type: "run-start", version: "0.61.0", warm: false });
  const [start] = events;
  expect(start?.type === "run-start" && treeExists(start.pid)).toBe(false);
  expect(leftIn(folder)).toEqual([]);
});

test("no Gemini CLI: CLI_NOT_FOUND, with how to install it", async () => {
  const runner = createGeminiRunner({ env: { PATH: "/nonexistent" } });
  await expect(resultOf(runner.run({ prompt: "hello" }))).rejects.toMatchObject({
    code: "CLI_NOT_FOUND",
    nextStep: expect.stringContaining("npm install -g @google/gemini-cli"),
  });
  await runner.close();
});
