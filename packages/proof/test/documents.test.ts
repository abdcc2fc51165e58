import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8").replaceAll(/\s+/g, " ");

const SERVER = "packages/mcp-server/README.md";

test.each([
  ["how a research is stopped in Gemini CLI, which keeps Esc to itself", SERVER, /Esc: there `research_cancel` stops/],
  ["where the key goes, so that no client's configuration holds it", SERVER, /`~\/\.gemini\/\.env`, as a line/],
  ["where the key goes", "README.md", /`~\/\.gemini\/\.env`, as a line/],
  ["that the CLI's own file of keys counts", "packages/gemini-runner/README.md", /`~\/\.gemini\/\.env` count/],
  ["why Codex may know no tool at first", "docs/clients.md", /Codex sends the first message .* without waiting/],
  [
    "why the first message may come without tools",
    SERVER,
    /first message .* may come before the server is there: Codex/,
  ],
])("a reader is told %s: %s", (_, path, words) => {
  expect(read(path)).toMatch(words);
});

test("no page asks for a secret in a client's file in the place of a reference to it", () => {
  for (const path of [SERVER, "README.md", "docs/clients.md", "docs/getting-started.md"])
    expect(read(path), path).not.toMatch(/--env GEMINI_API_KEY=|"GEMINI_API_KEY": "(?!\$)/);
});
