import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The strings of a union that a package exports, from the page of its public surface. */
function codesOf(name: string, type: string): string[] {
  const declaration = new RegExp(`^export type ${type} =([^;]*);`, "m").exec(read(`packages/${name}/api.md`))?.[1];
  const code = (declaration ?? "").replace(/\/\*\*.*?\*\//gs, "");
  return [...code.matchAll(/"([^"]+)"/g)].map(([, word]) => word as string);
}

test.each([
  ["gemini-runner", "RunnerErrorCode"],
  ["gemini-runner", "ExecutionReason"],
  ["research", "ResearchErrorCode"],
  ["json-repair", "JsonExtractErrorCode"],
])("the page on troubleshooting tells of every %s %s", (name, type) => {
  const codes = codesOf(name, type);
  expect(codes.length).toBeGreaterThan(2);
  const page = read("docs/troubleshooting.md");
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
