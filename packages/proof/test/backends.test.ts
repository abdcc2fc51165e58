import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SCRIPT = join(ROOT, "scripts/backends.mjs");

/** What is said of this repository's own research and prompts with these files beside or in the place of theirs. */
async function problemsWith(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), "backends-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const part of ["packages/research/src", "prompts"])
    await cp(join(ROOT, part), join(root, part), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root], { encoding: "utf8" });
  return { status, problems: stderr.trim() };
}

test("research and the prompts name a backend only in defaults and docs", async () => {
  expect(await problemsWith({})).toEqual({ status: 0, problems: "" });
});

test("a comment may name one", async () => {
  const files = { "packages/research/src/new.ts": "/** As Gemini CLI does. */\nexport const a = 1; // or web_fetch\n" };
  expect(await problemsWith(files)).toEqual({ status: 0, problems: "" });
});

test.each([
  ["a tool in code", "packages/research/src/new.ts", 'export const tools = ["google_web_search"];'],
  ["the program in a text for people", "packages/research/src/new.ts", "export const a = `Start the Gemini CLI.`;"],
  ["an import", "packages/research/src/new.ts", 'import type { RunEvent } from "@x/gemini-runner";'],
  ["a variable behind a comment", "packages/research/src/new.ts", "/* of */ export const a = env.GEMINI_MODEL;"],
  ["a prompt", "prompts/new-prompt.md", "Use web_fetch for each page."],
])("%s is found", async (_, file, line) => {
  const { status, problems } = await problemsWith({ [file]: `\n${line}\n` });
  expect(problems).toContain(`${file}:2: names a backend: `);
  expect(status).toBe(1);
});

test("a line that is allowed and gone is named", async () => {
  const { problems } = await problemsWith({ "packages/research/src/deps.ts": "export {};\n" });
  expect(problems).toContain("packages/research/src/deps.ts has no line throw missing(");
});
