// A runner that is not Gemini CLI: other names for the tools, and abilities that are missing.
import { expect, test } from "vitest";
import { builtInPrompts, deepResearch, deepSearch, type RunnerCapabilities, search } from "../src/index.js";
import { createPages } from "../src/pages/index.js";
import { answer, draft, drain, final, world } from "./world.js";

const LOOKS_UP: RunnerCapabilities = { search: { tool: "look_up" }, mcpServers: [] };

function worldOf(capabilities: RunnerCapabilities, ...turns: string[]) {
  const { deps, requests } = world(turns);
  return { deps: { ...deps, prompts: builtInPrompts, runner: { ...deps.runner, capabilities } }, requests };
}

test("its tools are called by its names in every prompt", async () => {
  const both = { ...LOOKS_UP, read: { tool: "open_page" } };
  const { deps, requests } = worldOf(both, answer("a"), draft("b"), final("c"), answer("d"));
  await drain(search({ query: "q" }, deps));
  await drain(deepSearch({ query: "q" }, deps));
  await drain(deepResearch({ topic: "t" }, deps));
  expect(requests).toHaveLength(4);
  for (const { prompt } of requests) {
    expect(prompt).toContain("`look_up`");
    expect(prompt).toContain("`open_page`");
    expect(prompt).not.toMatch(/google_web_search|web_fetch|\{\{/);
  }
});

test("one that cannot read pages is told to rest on its searches", async () => {
  const { deps, requests } = worldOf(LOOKS_UP, answer("a"));
  await drain(search({ query: "q" }, deps));
  expect(requests[0]?.prompt).toContain("No tool reads pages here");
});

test("one that takes no MCP endpoint reads with its own tool, and that is logged", async () => {
  const { deps, requests } = worldOf({ ...LOOKS_UP, read: { tool: "open_page" } }, answer("a"));
  const pages = createPages();
  const { events } = await drain(search({ query: "q" }, { ...deps, pages }));
  await pages.close();
  expect(requests[0]).not.toHaveProperty("mcpServers");
  expect(requests[0]?.prompt).not.toContain("read_page");
  expect(events).toContainEqual({
    type: "log",
    level: "warn",
    message: "Pages are read by `open_page` alone: the runner takes no MCP servers.",
  });
});

test("one that reads no file is asked again instead of being corrected", async () => {
  const { deps, requests } = worldOf(LOOKS_UP, "no JSON", answer("a"));
  const written: string[] = [];
  const tempFiles = {
    write: async (text: string) => {
      written.push(text);
      return "/nowhere";
    },
    remove: async () => {},
  };
  await drain(search({ query: "q" }, { ...deps, tempFiles }));
  expect(requests).toHaveLength(2);
  expect(written).toEqual([]);
});

test("one that cannot search is refused", async () => {
  const { deps } = worldOf({ mcpServers: [] });
  await expect(drain(search({ query: "q" }, deps))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "The runner cannot search. Expected one whose capabilities name a search tool.",
  });
});
