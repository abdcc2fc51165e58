import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../../src/cli/main.js";
import { newActivity } from "../../../src/jobs/activity.js";
import type { JobRecord } from "../../../src/jobs/job-record.js";
import { createRecordFiles } from "../../../src/jobs/record-files.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { fakeIo } from "../fake-io.js";

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "list-"));
  directory = join(home, ".config", "gemini-research", "jobs");
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function keep(...records: Partial<JobRecord>[]): Promise<void> {
  const files = createRecordFiles({ directory });
  for (const [index, record] of records.entries()) {
    const at = new Date(Date.now() - index * 60_000).toISOString();
    await files.save({
      id: `deep-search-000000000${index}`,
      tool: "deep_search",
      request: { query: "Is it so?" },
      state: "completed",
      pid: 1,
      place: "",
      createdAt: at,
      updatedAt: at,
      activity: newActivity(),
      ...record,
    });
  }
}

async function list(args: string[] = [], options: Partial<Parameters<typeof fakeIo>[0]> = {}) {
  const { io, out, err } = fakeIo({ home, ...options });
  const code = await main(["list", ...args], io);
  return { code, out: out(), err: err() };
}

test("nothing is kept: the list says so, in JSON it is empty", async () => {
  expect((await list()).out).toBe("No research is kept yet.\n");
  expect((await list(["--json"])).out).toBe("[]\n");
});

test("a research is two lines, however long its question is", async () => {
  await keep({ report: sampleReport, request: { query: `Why ${"is it so ".repeat(10_000)}?` } });
  const { out } = await list([], { tty: ["stdout"], env: { NO_COLOR: "1" } });
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^ {2}Why is it so .*…$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("a verified report with citations that were never seen is not a green one", async () => {
  const { evidence } = sampleReport.metadata;
  if (evidence === undefined) throw new Error("the sample has evidence");
  const checked = { ...sampleReport, metadata: { ...sampleReport.metadata, evidence: { ...evidence, unseen: [] } } };
  await keep({ report: sampleReport }, { report: checked });
  const { out } = await list([], { tty: ["stdout"], env: { FORCE_COLOR: "1" } });
  expect(out).toContain("\u001b[33m! 1 of 7 citations unseen\u001b[39m");
  expect(out).toContain("\u001b[32m✓ verified\u001b[39m");
});

test("a record of an older version, with its report on one line, is no stronger either", async () => {
  await keep({ report: sampleReport });
  const file = join(directory, "deep-search-0000000000.json");
  const { verified: _, citations: __, ...older } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(older));
  expect((await list()).out).toContain("! 1 of 7 citations unseen\n");
});

test("--json says why one failed, and how many citations were never seen", async () => {
  await keep(
    { report: sampleReport },
    { state: "failed", failure: { code: "AUTH_REQUIRED", message: "Not signed in", details: "Sign in." } },
  );
  const { out } = await list(["--json"]);
  expect(JSON.parse(out)).toMatchObject([
    { state: "completed", verified: true, citations: 7, citations_never_seen: 1 },
    { state: "failed", error: { code: "AUTH_REQUIRED", message: "Not signed in" } },
  ]);
});

test("a folder that cannot be read is an error, not an empty list", async () => {
  await mkdir(join(directory, ".."), { recursive: true });
  await writeFile(directory, "a file in the place of the folder");
  const { code, out, err } = await list();
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.replaceAll(/\s+/g, " ")).toContain(`${directory}: a part of its path is a file, not a folder`);
});
