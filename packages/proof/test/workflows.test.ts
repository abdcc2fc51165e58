import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL("../../../.github/workflows/", import.meta.url);

describe.each(readdirSync(folder))("the workflow %s", (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");

  test("pins every action by the hash of a commit, with its version beside it", () => {
    const uses = text.split("\n").filter((line) => /^\s*-?\s*uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("grants nothing to all jobs at once", () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
  });

  test("gives no job that runs tests the right to write or to sign", () => {
    const jobs = text.slice(text.indexOf("\njobs:\n")).split(/^ {2}(?=[\w-]+:$)/m);
    const testing = jobs.filter((job) => /run: npm (?:test|run check)\b|run: \.ci\/run/.test(job));
    expect(testing.length).toBeGreaterThan(0);
    for (const job of testing) expect(job).not.toMatch(/: write\b/);
  });
});
