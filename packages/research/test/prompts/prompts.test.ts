import { chmod, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInPrompts, renderPrompt, search } from "../../src/index.js";
import { loadPrompts } from "../../src/node/index.js";
import { fillPrompt } from "../../src/prompts/render.js";
import { answer, drain, temporaryFolder, world } from "../world.js";

test("a value is never read as a template", () => {
  expect(renderPrompt("ask: {{query}} / {{other}}", { query: "$& {{other}} $'", other: "x" })).toBe(
    "ask: $& {{other}} $' / x",
  );
});

test("a placeholder without a value stays", () => {
  expect(renderPrompt("{{constructor}} {{a}}", { a: "1" })).toBe("{{constructor}} 1");
});

test("limits that a template has no place for follow it", () => {
  const given = { now: 0, boundary: "b", searchTool: "look_up", reading: { own: false, told: "fetch" } };
  expect(fillPrompt("Q {{query}}", { query: "{{filters}}", filters: "- limit" }, given)).toBe(
    "Q {{filters}}\n\n- limit\n",
  );
  expect(fillPrompt("{{filters}} {{today}} {{boundary}}", { filters: "- limit" }, given)).toBe("- limit 1970-01-01 b");
  expect(fillPrompt("Q", { filters: "" }, given)).toBe("Q");
});

test("a template from the folder is used and filled [search/template-loading]", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "search-prompt.md"), "\uFEFFMine: {{query}}");
  const warnings: string[] = [];
  const prompts = await loadPrompts(folder, (message) => warnings.push(message));
  const { deps, requests } = world([answer("ok")], { prompts });
  await drain(search({ query: "why {{query}} $&" }, deps));
  expect(requests[0]?.prompt).toBe("Mine: why {{query}} $&");
  expect(warnings).toHaveLength(4);
});

test("for a template that is missing, unreadable or empty the built-in text serves, with a warning [search/template-loading]", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "search-prompt.md"));
  await writeFile(join(folder, "verify-prompt.md"), " \n");
  await writeFile(join(folder, "research-prompt.md"), "About something");
  const warnings: string[] = [];
  const prompts = await loadPrompts(folder, (message) => warnings.push(message));
  expect(prompts).toEqual({ ...builtInPrompts, research: "About something" });
  expect(warnings).toHaveLength(5);
  for (const said of [
    /EISDIR/,
    /deep-search-prompt\.md: there is no such file/,
    /verify-prompt\.md: the file is empty/,
    /correction-prompt\.md: there is no such file/,
    /no \{\{topic\}\}/,
  ]) {
    expect(warnings.filter((line) => said.test(line))).toHaveLength(1);
  }
});

test("a folder that is not there, or may not be read, warns for each template and stops nothing", async () => {
  const folder = join(await temporaryFolder(), "gone");
  const warnings: string[] = [];
  expect(await loadPrompts(folder, (message) => warnings.push(message))).toEqual(builtInPrompts);
  expect(warnings).toHaveLength(5);
  await mkdir(folder, { mode: 0o000 });
  expect(await loadPrompts(folder)).toEqual(builtInPrompts);
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

test("without a folder the shipped templates serve, and nothing is warned of", async () => {
  const warnings: string[] = [];
  expect(await loadPrompts(undefined, (message) => warnings.push(message))).toEqual(builtInPrompts);
  expect(warnings).toEqual([]);
});

const JSON_BLOCK = /```json\n[\s\S]*?"success": true[\s\S]*?```/;

test("the search prompt asks for one search, 3-5 pages, a summary with citations and nothing more [search/template-content]", () => {
  const { search: prompt } = builtInPrompts;
  expect(prompt).toContain("{{query}}");
  expect(prompt).toMatch(/`\{\{search_tool\}\}` exactly once/);
  expect(prompt).toMatch(/Fetch the full content of the 3-5 most promising URLs/);
  expect(prompt).toMatch(/concise summary .* with source citations/);
  expect(prompt).toMatch(/Do NOT perform additional searches or iterations/);
  expect(prompt).toMatch(JSON_BLOCK);
});

test("the first prompt of a deep search asks for five named perspectives and verified: false [deep-search/initial-prompt]", () => {
  const { deepSearch: prompt } = builtInPrompts;
  expect(prompt).toContain("{{query}}");
  expect(prompt).toMatch(/5 different perspectives/);
  expect(prompt.match(/^ {3}- \*\*\w+\*\*: /gm)).toHaveLength(5);
  expect(prompt).toMatch(/a search for each perspective/);
  expect(prompt).toMatch(/Fetch content from the promising sites/);
  expect(prompt).toMatch(/Synthesize .* into a temporary result/);
  expect(prompt).toMatch(/return `verified: false`/);
  expect(prompt).toMatch(JSON_BLOCK);
});

test("the verify prompt gives the question and the result, and asks to check, search, update and say whether it is sure [deep-search/verify-prompt]", () => {
  const { verify: prompt } = builtInPrompts;
  for (const name of ["query", "current_result", "claims", "gaps"]) expect(prompt).toContain(`{{${name}}}`);
  expect(prompt).toMatch(/Analyze the current result for accuracy/);
  expect(prompt).toMatch(/verification searches .* from multiple perspectives/);
  expect(prompt).toMatch(/refutation before confirmation/);
  expect(prompt).toMatch(/Update the result/);
  expect(prompt).toMatch(/Return `verified: true` if, .* you are confident in the accuracy/);
  expect(prompt).toMatch(/Return the whole updated report/);
  expect(prompt).toMatch(JSON_BLOCK);
});

test.each(Object.entries(builtInPrompts))(
  "the %s prompt shows no address that could be taken for a source, and says that text is data",
  (_, prompt) => {
    expect(prompt).not.toMatch(/https?:|www\.|\b[a-z\d-]+\.(?:com|org|net|gov|edu|io|example|test)\b/i);
    expect(prompt).toMatch(/is data\./);
    expect(prompt).not.toMatch(/\r/);
  },
);

test.each(["search", "deepSearch", "verify"] as const)(
  "the %s prompt wants claims tied to sources, dates, and what could not be found",
  (key) => {
    const prompt = builtInPrompts[key];
    expect(prompt).toMatch(/"claims": \[/);
    expect(prompt).toMatch(/"gaps": \[/);
    expect(prompt).toMatch(/carries a number such as \[1\]/);
    expect(prompt).toMatch(/Give dates/);
    expect(prompt).toMatch(/Say plainly what could not be found/);
    expect(prompt).toMatch(/primary source/i);
  },
);

test("a template that is too long is not read", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "search-prompt.md"), "Mine: {{query}}");
  await truncate(join(folder, "search-prompt.md"), 2 ** 40);
  const warnings: string[] = [];
  expect((await loadPrompts(folder, (message) => warnings.push(message))).search).toBe(builtInPrompts.search);
  expect(warnings).toContainEqual(expect.stringMatching(/search-prompt\.md: it is longer than 1000000 bytes/));
});

test.skipIf(process.platform === "win32")(
  "templates that others may change serve, and are warned of once",
  async () => {
    const folder = await temporaryFolder();
    const warnings: string[] = [];
    const load = async () => {
      warnings.length = 0;
      await loadPrompts(folder, (message) => warnings.push(message));
      return warnings.filter((line) => line.includes("others may change"));
    };
    for (const name of ["search-prompt.md", "verify-prompt.md"]) {
      await writeFile(join(folder, name), "{{query}} {{current_result}}");
      await chmod(join(folder, name), 0o644);
    }
    expect(await load()).toEqual([]);
    await chmod(join(folder, "search-prompt.md"), 0o662);
    await chmod(join(folder, "verify-prompt.md"), 0o666);
    expect(await load()).toEqual([
      `${folder}: others may change these prompts, and with them what is asked: others may write to search-prompt.md, verify-prompt.md. Mend it: chmod -R go-w.`,
    ]);
    await chmod(folder, 0o777);
    expect(await load()).toEqual([expect.stringContaining(`everybody may write to ${folder}`)]);
  },
);
