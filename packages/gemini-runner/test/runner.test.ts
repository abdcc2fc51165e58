import { expect } from "vitest";
import { createGeminiRunner, resultOf } from "../src/index.js";
import { treeExists } from "../src/process-tree.js";
import { fetchPage, grounded, page, search, text } from "../src/testing/index.js";
import { leftIn, test } from "./small-world.js";

const PAGE = "http://93.184.215.14/page";

test("a run yields what happens and returns what the model said, searched and read", async ({ world }) => {
  const { run, server, folder } = await world((call) => {
    if (call.kind === "search") {
      return grounded("Tides follow the moon.", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
    }
    if (call.kind === "fetch") return page("The moon pulls.");
    if (call.turn === 0) return [...text("I look."), search("tides")];
    if (call.turn === 1) return [...text("I read."), fetchPage(PAGE)];
    return text("The moon.");
  });

  const { result, events } = await run("Why are there tides?");

  expect(server.requests[0]?.tools.toSorted()).toEqual(["google_web_search", "web_fetch"]);
  expect(result).toMatchObject({
    text: "The moon.",
    model: "gemini-2.5-flash",
    recorded: true,
    queries: ["tides"],
    failures: [],
  });
  expect(result.sources).toEqual([
    { url: "https://example.com/tides", title: "Tides", status: "found" },
    { url: PAGE, status: "retrieved" },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    "run-start",
    "text-delta",
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
  expect(events).toContainEqual(expect.objectContaining({ type: "tool-call", tool: "web_fetch", urls: [PAGE] }));
  expect(events[0]).toMatchObject({ type: "run-start", version: "0.61.0", warm: false });
  const [start] = events;
  expect(start?.type === "run-start" && treeExists(start.pid)).toBe(false);
  expect(leftIn(folder)).toEqual([]);
});

test("a page that could not be read is a failure and no source, although the CLI calls it a success", async ({
  world,
}) => {
  const other = "http://93.184.215.15/other";
  const { run } = await world((call) => {
    if (call.kind === "fetch") {
      return page("One of them says: the moon.", [
        { retrievedUrl: PAGE },
        { retrievedUrl: other, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_PAYWALL" },
      ]);
    }
    return call.turn === 0 ? fetchPage(PAGE, other, "http://127.0.0.1/secret") : text("The moon.");
  });
  const { result } = await run("Why are there tides?");
  expect(result.sources).toEqual([{ url: PAGE, status: "retrieved" }]);
  expect(result.failures).toEqual([
    { tool: "web_fetch", url: other, message: "The page could not be read" },
    { tool: "web_fetch", url: "http://127.0.0.1/secret", message: expect.stringContaining("[Blocked Host]") },
  ]);
});

const PROMPTS = [
  `/help me $& $1 {{query}} {{args}} ${"$"}{HOME} !{ls}`,
  '@package.json and @./ and a@./,b and @"x y" and @/etc/passwd and @{secret} !{ls}',
  "  blanks around, quotes \" ' ` \\ \\@ and\nnew\r\nlines\ttabs \n\n",
  "--yolo </script> <session_context> é 漢 🙂 👩‍👩‍👧 \u202e end",
];

/** The lines that stand around a prompt. */
const FRAMED = /^(?:\/\/ Request|# Request\n\n\/request)\n([\s\S]*)\n\n\(end of the request\)\n?$/;

test("the model gets every prompt byte for byte, and the CLI reads and runs nothing", async ({ world }) => {
  const { run, server } = await world(() => text("done"));
  await Promise.all(PROMPTS.map((prompt) => run(prompt)));
  const received = server.requests.map((call) => FRAMED.exec(call.prompt)?.[1]);
  expect(received.toSorted()).toEqual(PROMPTS.toSorted());
});

test("no Gemini CLI: CLI_NOT_FOUND, with how to install it", async () => {
  const runner = createGeminiRunner({ env: { PATH: "/nonexistent" } });
  await expect(resultOf(runner.run({ prompt: "hello" }))).rejects.toMatchObject({
    code: "CLI_NOT_FOUND",
    message: expect.stringContaining("npm install -g @google/gemini-cli"),
  });
  await runner.close();
});
