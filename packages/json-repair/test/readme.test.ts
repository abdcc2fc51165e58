import { readFileSync } from "node:fs";
import { format } from "node:util";
import { expect, test, vi } from "vitest";
import { extractJson } from "../src/index.js";

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
const KINDS = ["repair/edits.ts", "repairs.ts"].flatMap((name) => {
  const source = readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");
  const union = /export type RepairKind =([^;]*);/.exec(source)?.[1] ?? "";
  return Array.from(union.matchAll(/\| "([\w-]+)"/g), ([, kind]) => kind as string);
});

interface Row {
  kinds: string[];
  /** What it shows: texts, and values that stand in a text. */
  spans: string[];
}

const table = /## Repairs\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
const rows: Row[] = Array.from(table.matchAll(/^\| (`.*?) \| (.*) \|$/gm), ([, kinds = "", shown = ""]) => ({
  kinds: Array.from(kinds.matchAll(/`([\w-]+)`/g), ([, kind]) => kind as string),
  spans: Array.from(shown.matchAll(/``(.+?)``|`([^`]+)`/g), ([, long, short]) =>
    (long ?? (short as string)).replaceAll("\\|", "|"),
  ),
}));

function toldOf(text: string): string[] {
  const result = extractJson(text);
  return result.ok ? result.repairs.map(({ kind }) => kind) : [];
}

test("the table of repairs has every kind", () => {
  expect(rows.flatMap(({ kinds }) => kinds).sort()).toEqual(KINDS.toSorted());
});

test.each(rows.map((row) => [row.kinds.join(", "), row] as const))(
  "each text of the table is repaired as %s",
  (_, row) => {
    const told = new Set<string>();
    for (const span of row.spans) {
      const text = /^[[{]./.test(span);
      const kinds = text ? toldOf(span) : toldOf(`{"x": ${span}}`);
      if (text)
        expect(
          kinds.filter((kind) => row.kinds.includes(kind)),
          span,
        ).not.toEqual([]);
      for (const kind of kinds) told.add(kind);
    }
    // These cannot be shown in a cell, or depend on a schema.
    const shown = row.kinds.filter(
      (kind) => !["control-character", "whitespace", "envelope", "coercion"].includes(kind),
    );
    expect(shown.filter((kind) => !told.has(kind))).toEqual([]);
  },
);
