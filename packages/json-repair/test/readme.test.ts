import { readFileSync } from "node:fs";
import { format } from "node:util";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { type ExtractResult, extractJson } from "../src/index.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function block(name: string): string {
  const inside = readme.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? "";
  return /`{3,}\w*\n([\s\S]*)\n`{3,}\s*$/.exec(inside)?.[1] ?? "";
}

test("the README shows the example as it is", () => {
  const example = readFileSync(new URL("../examples/first.mjs", import.meta.url), "utf8");
  expect(block("example")).toBe(example.trimEnd());
});

test("the example prints what the README says", async () => {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(format(...words)));
  try {
    await import(new URL("../examples/first.mjs", import.meta.url).href);
  } finally {
    log.mockRestore();
  }
  expect(printed.join("\n")).toBe(block("output"));
});

/** Every kind, as the sources name it. */
const KINDS = ["repair/edits.ts", "result.ts"].flatMap((name) => {
  const source = readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");
  const union = /export type RepairKind =([^;]*);/.exec(source)?.[1] ?? "";
  return Array.from(union.matchAll(/\| "([\w-]+)"/g), ([, kind]) => kind as string);
});

/** The rows of the table of a section, as their cells. */
function rowsOf(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("\\|", "|")));
}

/** What stands first between backticks; a line end is shown as a sign. */
const shownIn = (cell = "") => /^`([^`]+)`/.exec(cell)?.[1]?.replaceAll("⏎", "\n");

const told = <T>(result: ExtractResult<T>) =>
  result.ok && { value: result.value, sure: result.repairs.every(({ sure }) => sure) };

let kindAbove = "";
const repairs = rowsOf("Repairs").map(([kind = "", text, value, sure]) => {
  kindAbove = shownIn(kind) ?? kindAbove;
  return { kind: kindAbove, text: shownIn(text), value: shownIn(value), sure };
});

test("the table of repairs has every kind", () => {
  expect(Array.from(new Set(repairs.map(({ kind }) => kind))).sort()).toEqual(KINDS.toSorted());
});

test.each(repairs.filter(({ text }) => text !== undefined))(
  "the text of the table is read as it says: $kind, $text",
  ({ kind, text = "", value = "", sure }) => {
    const result = extractJson(text);
    expect(told(result)).toEqual({ value: JSON.parse(value), sure: sure === "yes" });
    expect(result.ok && result.repairs.map((repair) => repair.kind)).toContain(kind);
  },
);

test.each<[string, z.ZodType]>([
  ["Answers inside of other JSON", z.object({ name: z.string(), age: z.number() })],
  ["Arguments of a call", z.object({ city: z.string(), days: z.number() })],
  ["Several values as one list", z.array(z.object({ a: z.number() }))],
])("each text of the table is read as it says: %s", (heading, schema) => {
  const rows = rowsOf(heading);
  expect(rows.length).toBeGreaterThan(3);
  for (const [text, value, sure] of rows) {
    const shown = shownIn(value);
    const expected = shown !== undefined && { value: JSON.parse(shown), sure: sure === "yes" };
    expect(told(extractJson<unknown>(shownIn(text) ?? "", { schema })), text).toEqual(expected);
  }
});

const ASKED: Record<string, z.ZodType> = {
  number: z.number(),
  boolean: z.boolean(),
  string: z.string(),
  '`"in_progress"` or `"done"`': z.enum(["in_progress", "done"]),
  "object or list": z.object({ a: z.number() }),
  list: z.array(z.string()),
  "an object that may be empty": z.object({ a: z.number().optional() }),
  "list of lists": z.array(z.array(z.number())),
  null: z.number().nullable(),
  "an optional number": z.number().optional(),
};

const coercions = rowsOf("What a schema changes").filter(([asked]) => !asked?.startsWith("the key"));

test.each(coercions)("a schema that asks for %s makes of %s %s", (asked = "", text, value, sure) => {
  const shown = shownIn(value);
  const schema = z.object({ x: ASKED[asked] ?? z.never() });
  const expected = shown === undefined ? {} : { x: JSON.parse(shown) };
  expect(told(extractJson(`{"x": ${shownIn(text)}}`, { schema }))).toEqual({ value: expected, sure: sure === "yes" });
});

test("a key in another style is the one that the schema asks for", () => {
  const schema = z.object({ first_name: z.string() });
  expect(told(extractJson('{"First-Name": "Ann"}', { schema }))).toEqual({ value: { first_name: "Ann" }, sure: true });
});

test.each(["95%", "1.234,5", "12 apples", "01234", "12345678901234567890", "2026-01-02"])(
  "%s is never a number",
  (text) => {
    expect(extractJson(JSON.stringify({ x: text }), { schema: z.object({ x: z.number() }) }).ok).toBe(false);
  },
);
