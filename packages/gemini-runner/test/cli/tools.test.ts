import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { unknownTools } from "../../src/cli/tools.js";
import { createGeminiRunner } from "../../src/index.js";
import { CLI } from "../small-world.js";

const SERVERS = { pages: { command: "x", includeTools: ["scrape"] } };

describe("the tools that the CLI does not have", () => {
  test.for([
    [["google_web_search", "web_fetch", "read_file"], "0.61.0", undefined],
    [[], "0.61.0", undefined],
    [["mcp_pages_scrape"], "0.61.0", undefined],
    [["mcp_pages_wipe"], "0.61.0", true],
    [["scrape"], "0.35.3", true],
    [["toString"], "0.61.0", true],
    [["nope"], "0.61.1", false],
    [["nope"], undefined, undefined],
  ] as const)("%j in %s", ([tools, version, certain]) => {
    expect(unknownTools({ tools, mcpServers: SERVERS, files: [] }, version)?.certain).toBe(certain);
  });

  test("are named, and so are those it has", () => {
    const message = unknownTools({ tools: ["nope", "glob"], mcpServers: SERVERS, files: [] }, "0.61.0")?.message;
    expect(message).toMatch(/^tools is expected to name tools of Gemini CLI 0\.61\.0 or of mcpServers, not "nope"\. /);
    expect(message).toMatch(/Known are google_web_search, web_fetch, .*, mcp_pages_scrape$/);
  });
});

// That a model has them by these names: `runner.test.ts`, `pool.test.ts`.
test("a runner says by which names its model searches, reads and calls the tools of servers", () => {
  const { search, read, files, mcpTool } = createGeminiRunner().capabilities;
  expect([search?.tool, read?.tool, files?.tool]).toEqual(["google_web_search", "web_fetch", "read_file"]);
  expect(mcpTool("pages", "read_page")).toBe("mcp_pages_read_page");
});

test("every tool of the installed CLI is known", async () => {
  const names = await builtIn(path.dirname(CLI));
  expect(names).toContain("google_web_search");
  expect(unknownTools({ tools: names, mcpServers: {}, files: [] }, "0.61.0")).toBeUndefined();
});

/** The list that the CLI itself checks names with. */
async function builtIn(bundle: string): Promise<string[]> {
  for (const name of await readdir(bundle)) {
    if (!name.endsWith(".js")) continue;
    const code = await readFile(path.join(bundle, name), "utf8");
    const list = /ALL_BUILTIN_TOOL_NAMES = \[([^\]]*)\]/.exec(code)?.[1];
    if (list === undefined) continue;
    return (list.match(/\w+/g) ?? []).map(
      (constant) => new RegExp(`\\b${constant} = "(\\w+)"`).exec(code)?.[1] ?? constant,
    );
  }
  return [];
}
