import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainGemini, promptsOf } from "../../support/place.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

const ANSWER = {
  success: true,
  report: "212 km².",
  metadata: { sources_visited: [] },
  claims: [{ text: "It has 212 km².", sources: [], status: "supported" }],
  data: { area: 212, name: "Lake Vessin" },
  data_claims: { "/area": 1 },
};
const SCHEMA = { properties: { area: { type: ["number", "null"] }, name: { type: "string" } }, required: ["name"] };

const search = (...more: string[]) =>
  place.run(["search", "How large?", "--quiet", ...more], { env: { GEMINI_CLI_PATH: plainGemini(place, ANSWER) } });

test("--schema: the data in the report, in the JSON, on the page, and what of it nothing proves", async () => {
  writeFileSync(join(place.home, "lake.json"), `\uFEFF${JSON.stringify(SCHEMA)}`);
  const { code, out } = await search("--schema", "lake.json", "--html", "page.html");
  expect(code).toBe(0);
  expect(promptsOf(place)[0]).toContain(JSON.stringify(SCHEMA));
  expect(out).toContain('## Data\n\n```json\n{\n  "area": null,\n  "name": "Lake Vessin"\n}\n```\n');
  expect(out).toContain("Not proven: /area, /name");
  expect(readFileSync(join(place.home, "page.html"), "utf8")).toContain("Not proven: /area, /name.");
  const shown = JSON.parse((await place.run(["show", "--last", "--json"])).out);
  expect(shown).toMatchObject({ data: { area: null, name: "Lake Vessin" }, metadata: { missing: ["/area", "/name"] } });
  const terminal = await place.run(["show", "--last"], { tty: ["stdout"], env: { NO_COLOR: "1" } });
  expect(terminal.out).toMatch(
    /Data\n\{\n {2}"area": null,\n {2}"name": "Lake Vessin"\n\}\n! Not proven: \/area, \/name/,
  );
});

test.each<[string, (file: string) => void, RegExp]>([
  ["is not there", () => {}, /--schema lake\.json: it cannot be read: /],
  ["is a folder", (file) => mkdirSync(file), /--schema lake\.json: it cannot be read: /],
  ["is no JSON", (file) => writeFileSync(file, "{area: 1"), /--schema lake\.json: it is no JSON: /],
  [
    "is huge",
    (file) => {
      writeFileSync(file, "");
      truncateSync(file, 2 ** 31);
    },
    /it has [\d,]+ bytes, at most 1,000,000 are read/,
  ],
  ["holds no schema", (file) => writeFileSync(file, "[]"), /can be used: it must be an object/],
  ["has a fault", (file) => writeFileSync(file, '{"type":"strin"}'), /can be used: \/type: expected one of/],
])("a schema file that %s: wrong usage, said before anything is asked", async (_, make, message) => {
  make(join(place.home, "lake.json"));
  const { code, err } = await search("--schema", "lake.json");
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(promptsOf(place)).toEqual([]);
});

test.skipIf(process.platform === "win32").each(["--schema", "--plan-file"])(
  "%s names a device that gives without end: nothing of it is read",
  async (option) => {
    const { code, err } = await search(option, "/dev/zero");
    expect({ code, err: err.replace(/\s+/g, " ") }).toEqual({
      ...{ code: 2, err: `✗ ${option} /dev/zero: it cannot be read: it is a pipe or a device; a file is expected. ` },
    });
    expect(promptsOf(place)).toEqual([]);
  },
);
