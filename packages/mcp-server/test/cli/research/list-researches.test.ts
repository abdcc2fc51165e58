import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stringWidth from "fast-string-width";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../../src/cli/main.js";
import type { JobRecord } from "../../../src/jobs/job-record.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { keepIn, recordsIn } from "../../support/kept.js";
import { hangingGemini, processesOf } from "../../support/place.js";
import { BIN } from "../../support/stdio-server.js";
import { fakeIo } from "../fake-io.js";

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "list-"));
  directory = recordsIn(home);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const keep = (...records: Partial<JobRecord>[]) => keepIn(home, ...records);

async function list(args: string[] = [], options: Partial<Parameters<typeof fakeIo>[0]> = {}) {
  const { io, out, err } = fakeIo({ home, ...options });
  const code = await main(["list", ...args], io);
  return { code, out: out(), err: err() };
}

test("nothing is kept: the list says so, in JSON it is empty", async () => {
  // Who asked in a client that keeps its researches elsewhere sees where this one looks.
  expect((await list()).out.replaceAll(/\s+/g, " ")).toBe(
    `No research is kept yet in ${join(home, ".config/gemini-research")}. A client whose entry sets GEMINI_SEARCH_CONFIG_DIR keeps its researches in that folder. `,
  );
  expect((await list(["--json"])).out).toBe("[]\n");
});

// The only folder in which nothing can be made, whoever asks.
test.runIf(process.platform === "linux").each(["", "--json"])(
  "nothing can be kept: that is an error %s",
  async (json) => {
    const { code, out, err } = await list(json === "" ? [] : [json], {
      env: { GEMINI_SEARCH_CONFIG_DIR: "/proc/nope" },
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("/proc/nope: its folder does not exist");
    expect(err).not.toMatch(/ENOENT|mkdir/);
  },
);

test.each([60, 80, 120])("a research is one line of %d cells, however long its question is", async (columns) => {
  await keep(
    { report: sampleReport, request: { query: `Why ${"is it so ".repeat(10_000)}?` } },
    {
      state: "failed",
      failure: { code: "AUTH_REQUIRED", message: "Not signed in" },
      request: { query: "東京".repeat(90) },
    },
  );
  const { out } = await list([], { tty: ["stdout"], env: { NO_COLOR: "1" }, columns });
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^0000000000 {2}now {8}! 1 of 7 unseen {2}Why is it .*…$/);
  expect(lines[1]).toMatch(/^0000000001 {2}1 min ago {2}✗ AUTH_REQUIRED {2}東京.*…$/);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test("by words of the question, by state, by time, in pages", async () => {
  const at = (daysAgo: number) => ({ createdAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString() });
  await keep(
    { report: sampleReport, request: { query: "Is fasting healthy for everybody?" }, ...at(0) },
    { state: "cancelled", request: { query: "Is running healthy?" }, ...at(3) },
    { report: sampleReport, request: { query: "What is a leap second?" }, ...at(10) },
  );
  const ids = async (...args: string[]) =>
    (await list(["--ids", ...args])).out
      .split("\n")
      .filter(Boolean)
      .map((id) => Number(id.at(-1)));
  expect(await ids("--search", "HEALTHY is")).toEqual([0, 1]);
  expect(await ids("--state", "completed", "--state", "failed")).toEqual([0, 2]);
  expect(await ids("--since", "4d")).toEqual([0, 1]);
  expect(await ids("--since", "2000-01-01", "--limit", "2", "--page", "2")).toEqual([2]);
  expect((await list(["--search", "nothing of it"])).out).toBe("None fits.\n");
  expect((await list(["--limit", "2", "--page", "9"])).out).toBe("The last page is 2.\n");
  expect(await list(["--limit", "2"], { tty: ["stdout"] })).toMatchObject({
    err: "Page 1 of 2: --page 2 shows more.\n",
  });
  expect((await list(["--since", "long ago"])).err).toContain("Write 2d, 12h or a date");
  expect((await list(["--state", "open"])).err).toContain("it is one of running, completed");
});

test("a verified report with citations that were never seen, or claims without proof, is not a green one", async () => {
  const { evidence } = sampleReport.metadata;
  if (evidence === undefined) throw new Error("the sample has evidence");
  const withEvidence = (more: Partial<typeof evidence>) => {
    return { report: { ...sampleReport, metadata: { ...sampleReport.metadata, evidence: { ...evidence, ...more } } } };
  };
  const claims = evidence.claims.map((claim) => ({ ...claim, proof: "quoted" as const }));
  await keep({ report: sampleReport }, withEvidence({ unseen: [] }), withEvidence({ unseen: [], claims }));
  const { out } = await list([], { tty: ["stdout"], env: { FORCE_COLOR: "1" } });
  expect(out).toContain("\u001b[33m! 1 of 7 unseen\u001b[39m");
  expect(out).toContain(`\u001b[33m! 1 of ${claims.length} proven\u001b[39m`);
  expect(out).toContain("\u001b[32m✓ verified\u001b[39m");
});

test("a record of an older version, with its report on one line, is no stronger either", async () => {
  await keep({ report: sampleReport });
  const file = join(directory, "deep-search-0000000000.json");
  const { verified: _, citations: __, ...older } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(older));
  expect((await list()).out).toContain("! 1 of 7 unseen  Is it so?\n");
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

test("a start that was killed is interrupted, and --last is the report before it", async () => {
  await keep({ report: sampleReport, createdAt: "2026-01-01T00:00:00.000Z" });
  const env = { PATH: process.env["PATH"], HOME: home, GEMINI_CLI_PATH: hangingGemini({ home }) };
  const killed = spawn(process.execPath, [BIN, "search", "Is it killed?"], { env, stdio: "ignore" });
  const ended = once(killed, "exit");
  await expect.poll(async () => (await list()).out).toContain("› running");
  killed.kill("SIGKILL");
  await ended;
  expect((await list()).out).toMatch(/ {2}■ interrupted +Is it killed\?\n/);
  const { io, out } = fakeIo({ home });
  expect(await main(["show", "--last"], io)).toBe(0);
  expect(out()).toContain("Leap seconds are being retired");
  // Its CLI does not outlive it.
  await expect.poll(() => processesOf(home)).toEqual([]);
});
