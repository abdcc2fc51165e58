import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { extractJson } from "../src/index.js";
import heldOut, { type Case } from "./corpus/held-out.js";
import { HINTS, judge } from "./corpus/score.js";

const read = (name: string): Case[] =>
  readFileSync(new URL(`corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const published = read("public.jsonl");
/** Written by another hand, and tried on a package that had not seen them. */
const varied = read("varied.jsonl");

describe.each([
  ["published", published],
  ["our own", heldOut],
  ["varied", varied],
])("the %s cases", (_, cases) => {
  test.each(cases.map((one) => [one.id, one] as const))("%s", (_id, { input, expect: expected, schemaHint }) => {
    const result = extractJson(input, schemaHint ? { schema: HINTS[schemaHint] } : {});
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
