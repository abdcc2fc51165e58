import { readFileSync } from "node:fs";
import { format } from "node:util";
import { expect, test, vi } from "vitest";

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
