import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultOf } from "@x/gemini-runner";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "../src/host/config.js";
import { toFailure } from "../src/jobs/failure.js";
import { createResearch, type ResearchParts } from "../src/research.js";
import { hangingGemini, newPlace, type Place, plainGemini, processesOf, promptsOf } from "./support/place.js";

// What the settings do, from the environment to the program that is started.

let place: Place;
let research: ResearchParts | undefined;
const log: string[] = [];
beforeEach(() => {
  place = newPlace();
  log.length = 0;
});
afterEach(async () => {
  await research?.close();
  expect(processesOf(place.home)).toEqual([]);
  place.remove();
});

async function create(settings: Record<string, string>, pool?: boolean): Promise<ResearchParts> {
  // Less than a test may take: a run that hangs is to say so itself.
  const env = { ...place.env, GEMINI_SEARCH_TIMEOUT: "40000", ...settings };
  const host = { platform: process.platform, homeDir: place.home, cwd: place.home, pid: process.pid };
  const { config, problems } = parseConfig(env, host);
  expect(problems).toEqual([]);
  research = await createResearch(config, (level, message) => log.push(`${level} ${message}`), { env, host }, pool);
  return research;
}

const answer = { success: true, report: "Plain.", metadata: {} };
const asked = () => promptsOf(place).at(-1);

test("GEMINI_SYSTEM_PROMPT replaces the prompt of deep_research", async () => {
  const { ask } = await create({
    GEMINI_CLI_PATH: plainGemini(place, answer),
    GEMINI_SYSTEM_PROMPT: "All about {topic}, {depth}, by {model}.",
    GEMINI_MODEL: "flash",
  });
  const report = await resultOf(ask("deep_research", { topic: "{depth} $&", depth: "concise" }));
  expect(report).toMatchObject({
    report: "Plain.",
    metadata: { topic: "{depth} $&", depth: "concise", model: "flash" },
  });
  expect(asked()).toContain("All about {depth} $&, concise, by flash.");
});

test("GEMINI_PROMPTS_DIR brings templates of one's own; for one that is missing the built-in serves, with a warning", async () => {
  const folder = join(place.home, "templates");
  mkdirSync(folder);
  writeFileSync(join(folder, "search-prompt.md"), "Mine: {{query}}");
  const { ask } = await create({ GEMINI_CLI_PATH: plainGemini(place, answer), GEMINI_PROMPTS_DIR: folder });
  await resultOf(ask("search", { query: "why" }));
  expect(asked()).toContain("Mine: why");
  expect(log.some((line) => /^warn .*verify-prompt\.md.*built-in/.test(line))).toBe(true);
});

test("GEMINI_SEARCH_TIMEOUT ends a run, and the failure says which setting to raise", async () => {
  const { ask } = await create({ GEMINI_CLI_PATH: hangingGemini(place), GEMINI_SEARCH_TIMEOUT: "300" });
  const error = await resultOf(ask("search", { query: "why" })).catch((reason) => reason);
  expect(toFailure(error)).toMatchObject({
    code: "EXECUTION_ERROR",
    details: expect.stringContaining("GEMINI_SEARCH_TIMEOUT"),
  });
});

test("DEEP_SEARCH_MAX_ITERATIONS is the number of rounds, unless the call says otherwise", async () => {
  const { ask } = await create({ GEMINI_CLI_PATH: plainGemini(place, answer), DEEP_SEARCH_MAX_ITERATIONS: "2" });
  expect(await resultOf(ask("deep_search", { query: "why" }))).toMatchObject({
    verified: false,
    metadata: { iterations: 2 },
  });
  expect(await resultOf(ask("deep_search", { query: "why", maxRounds: 3 }))).toMatchObject({
    metadata: { iterations: 3 },
  });
});

test("where runs share a process, a program that cannot be shared answers all the same, and one line says so", async () => {
  const { ask } = await create({ GEMINI_CLI_PATH: plainGemini(place, answer) }, true);
  for (let i = 0; i < 2; i++) await resultOf(ask("search", { query: `why ${i}` }));
  expect(log.filter((line) => line.startsWith("warn"))).toEqual([expect.stringContaining("Each has one of its own")]);
});
