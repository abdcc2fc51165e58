import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const at = (path: string) => new URL(`../../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");

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

test("what a failure names as the place of more is a heading of the page", () => {
  const named = [...read("packages/mcp-server/src/jobs/troubleshooting.ts").matchAll(/\$\{PAGE\}#([a-z-]+)/g)];
  expect(named).toHaveLength(3);
  const headings = [...read("docs/troubleshooting.md").matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
  for (const [, fragment = ""] of named)
    expect(headings.map((title) => title.toLowerCase().replaceAll("`", "").replaceAll(" ", "-"))).toContain(fragment);
});

test("the page tells of every reason that the server and a research give by themselves", () => {
  const reasons = ["mcp-server", "research"].flatMap((name) =>
    readdirSync(at(`packages/${name}/src`), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...read(`packages/${name}/src/${file}`).matchAll(/\breason\??: "([a-z-]+)"/g)]),
  );
  const names = [...new Set(reasons.map(([, name]) => name))];
  expect(names).toContain("unreadable");
  const page = read("docs/troubleshooting.md");
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
