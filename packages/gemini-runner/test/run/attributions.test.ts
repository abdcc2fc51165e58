import { expect } from "vitest";
import { type Answer, search, text } from "../../src/testing/index.js";
import { test } from "../small-world.js";

/** Where words stand in a text, in bytes of UTF-8. */
function segment(whole: string, words: string) {
  const startIndex = Buffer.byteLength(whole.slice(0, whole.indexOf(words)));
  return { startIndex, endIndex: startIndex + Buffer.byteLength(words) };
}

test("the words that Google names sources for are told with them, also where it gives their place alone", async ({
  world,
}) => {
  const found = "Genève 🙂 compte 200 000 habitants. 東京は大きい。";
  const metadata: Answer = {
    type: "metadata",
    metadata: {
      groundingMetadata: {
        groundingChunks: ["https://a.example/", "https://b.example/"].map((uri) => ({ web: { uri } })),
        groundingSupports: [
          { segment: segment(found, "compte 200 000 habitants"), groundingChunkIndices: [1, 0, 1] },
          { segment: { ...segment(found, "東京"), text: "東京は" }, groundingChunkIndices: [0, 9] },
          { segment: segment(found, "東京は大きい"), groundingChunkIndices: [] },
          { groundingChunkIndices: [0] },
        ],
      },
    },
  };
  const { run } = await world(({ kind, turn }) => {
    if (kind === "search") return [...text(found), metadata];
    return turn === 0 ? search("villes") : text("done");
  });
  const { result, events } = await run("hello");
  // Google's words and the addresses of its sources; the model's own turns are no output of a tool.
  const characters = found.length + "https://a.example/https://b.example/".length;
  expect(events.filter(({ type }) => type === "tool-output")).toEqual([{ type: "tool-output", characters }]);
  expect(result.attributions).toEqual([
    { text: "compte 200 000 habitants", urls: ["https://b.example/", "https://a.example/"] },
    { text: "東京は", urls: ["https://a.example/"] },
  ]);
});
