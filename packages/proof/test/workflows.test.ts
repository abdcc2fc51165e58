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

  test("gives the right to sign to no job that installs, builds or tests, and to write to the one that raises the versions", () => {
    const jobs = text.slice(text.indexOf("\njobs:\n")).split(/^ {2}(?=[\w-]+:$)/m);
    const working = jobs.filter((job) => /\b(?:run|version): (?:npm|npx|pnpm|\.ci\/run)\b/.test(job));
    expect(working.length).toBeGreaterThan(0);
    for (const job of working) {
      expect(job).not.toMatch(/\b(?:id-token|pages|packages|attestations): write\b/);
      if (!job.startsWith("version:")) expect(job).not.toMatch(/: write\b/);
    }
  });
});
