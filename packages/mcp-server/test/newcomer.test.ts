import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { httpError, startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test } from "vitest";
import { leapSeconds, QUESTION } from "../demo/leap-seconds.mjs";
import "../demo/offline-names.mjs";
import { startPages } from "../demo/pages.mjs";
import { main } from "../src/cli/main.js";
import { fakeIo } from "./cli/fake-io.js";
import { newPlace } from "./support/place.js";

const SENTENCE = "The pump of hall 3 was replaced on 14 March 2025 for 48,200 euros.";
const SCHEMA = {
  type: "object",
  required: ["abolished_in_year", "leap_seconds", "mayor"],
  properties: {
    abolished_in_year: { type: ["integer", "null"] },
    leap_seconds: { type: "object", properties: { count: { type: ["integer", "null"] } } },
    mayor: { type: ["string", "null"] },
  },
};

/** The terminal in an empty home, with the recorded topic of the demo as the model. */
async function terminal() {
  const { home, env, remove } = newPlace();
  const model = await startModelServer({ scenario: leapSeconds(QUESTION, { thinkMs: 0 }) });
  const pages = await startPages();
  onTestFinished(async () => {
    await Promise.all([model.close(), pages.close()]);
    remove();
  });
  const run = async (...argv: string[]) => {
    const { io, out, err } = fakeIo({ home, env: { ...env, ...model.env, ...pages.env } });
    const code = await main(argv, io);
    return { code, out: out(), err: err() };
  };
  return { home, run };
}

test("a search in a schema, then its export: data from proven claims, and null for what nothing says", async () => {
  const { home, run } = await terminal();
  await writeFile(join(home, "schema.json"), JSON.stringify(SCHEMA));
  const { code, out, err } = await run("search", QUESTION, "--schema", "schema.json", "--json");
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  const answer = JSON.parse(out);
  expect(answer.data).toEqual({ abolished_in_year: 2035, leap_seconds: { count: 27 }, mayor: null });
  expect((await run("export", "--last", "--format", "ris", "--out", "sources.ris")).code).toBe(0);
  expect(await readFile(join(home, "sources.ris"), "utf8")).toContain("http://metrology.example/resolution-4");
}, 300_000);

test("a key that Google refuses is named with the file that it stands in, and corrected there", async () => {
  const { home, env, remove } = newPlace();
  const model = await startModelServer({ scenario: () => httpError("bad-key") });
  onTestFinished(async () => {
    await model.close();
    remove();
  });
  await mkdir(join(home, ".gemini"));
  await writeFile(join(home, ".gemini/.env"), "GEMINI_API_KEY=mistyped\n");
  const { GOOGLE_GEMINI_BASE_URL = "" } = model.env;
  const { io, err } = fakeIo({ home, env: { ...env, GOOGLE_GEMINI_BASE_URL }, columns: 1_000 });
  expect(await main(["search", QUESTION], io)).toBe(4);
  expect(err()).toContain("The API refused the key (GEMINI_API_KEY in ~/.gemini/.env)");
  expect(err()).toContain("Correct GEMINI_API_KEY in ~/.gemini/.env");
}, 300_000);

test("a document of one's own is found by words and quoted with its line", async () => {
  const { home, run } = await terminal();
  await mkdir(join(home, "notes"));
  await writeFile(join(home, "notes/hall-3.md"), `# Hall 3\n\n${SENTENCE}\n`);
  await writeFile(join(home, "notes/hall-4.md"), "# Hall 4\n\nNothing happened.\n");
  const question = "When was the pump of hall 3 replaced?";
  const { code, out } = await run("search", question, "--dir", "notes", "--no-web", "--json");
  expect({ code, answer: JSON.parse(out) }).toMatchObject({
    code: 0,
    answer: {
      metadata: { evidence: { proven: 1, claims: [{ quotes: [{ text: SENTENCE, found: "exact", line: 3 }] }] } },
    },
  });
}, 300_000);
