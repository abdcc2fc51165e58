import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { callTool, text } from "../src/testing/index.js";
import { test } from "./small-world.js";

test("an MCP server offers its named tools alone, and its key stands in no file", async ({
  world,
  temporaryFolder,
}) => {
  const cwd = await temporaryFolder("runs");
  const said: string[] = [];
  const files: string[] = [];
  const { run, server } = await world(
    async (call) => {
      said.push(...call.toolResults.map(({ response }) => JSON.stringify(response)));
      if (call.turn > 0) return text("done");
      for (const entry of await readdir(cwd, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) files.push(await readFile(path.join(entry.parentPath, entry.name), "utf8"));
      }
      return [callTool("mcp_pages_scrape", { url: "http://x" }), callTool("mcp_pages_wipe", {})];
    },
    {
      cwd,
      env: { PAGES_API_KEY: "secret-key" },
      mcpServers: {
        pages: {
          command: process.execPath,
          args: [fileURLToPath(new URL("./fixtures/mcp-server.mjs", import.meta.url))],
          env: { PAGES_API_KEY: "$PAGES_API_KEY" },
          includeTools: ["scrape"],
        },
      },
    },
  );
  const { result, events } = await run("hello");
  expect(result.text).toBe("done");
  expect(server.requests[0]?.tools.toSorted()).toEqual(["google_web_search", "mcp_pages_scrape", "web_fetch"]);
  expect(said[0]).toContain("page http://x with key secret-key");
  expect(said[1]).toMatch(/not found|denied/);
  expect(files.length).toBeGreaterThan(5);
  expect(files.join("\n")).not.toContain("secret-key");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "tool-call", tool: "mcp_pages_scrape", urls: ["http://x"] }),
  );
});
