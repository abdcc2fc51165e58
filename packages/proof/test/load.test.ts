import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { test as each, expect, onTestFinished } from "vitest";
import { type Run, runsOf } from "../load/cli-log.js";
import { faultsOf, longestStoring, mostAtOnce, recoveries, repeatedRounds } from "../load/judge.js";
import { ask } from "../load/question.js";
import { toText } from "../load/report.js";

/** The load is for Linux, as its fake CLI is. */
const onLinux = each.runIf(process.platform === "linux");
const test = each;
const FAKE = fileURLToPath(new URL("../load/fake-gemini.sh", import.meta.url));

const run = (more: Partial<Run>): Run => ({ pid: 1, by: "w1", mark: "a", round: 1, start: 1_000, end: 1_200, ...more });

test("a round that ran again is seen, unless its worker was killed in it or before it was stored", () => {
  const twice = [run({}), run({ pid: 2, by: "w2", start: 9_000, end: 9_200 })];
  const repeated = (...args: Parameters<typeof repeatedRounds> extends [unknown, ...infer R] ? R : never) =>
    repeatedRounds(twice, ...args).map(({ mark, round }) => `${mark} ${round}`);
  expect(repeated([])).toEqual(["a 1"]);
  expect(repeated([{ worker: "w1", at: 1_100 }])).toEqual([]);
  expect(repeated([{ worker: "w1", at: 1_900 }])).toEqual([]);
  // Its CLI noted itself after the kill.
  expect(repeated([{ worker: "w1", at: 999 }])).toEqual([]);
  expect(repeated([{ worker: "w1", at: 2_300 }])).toEqual(["a 1"]);
  expect(repeated([{ worker: "w3", at: 1_100 }])).toEqual(["a 1"]);
  expect(repeated([], [{ from: 1_150, to: 5_000 }])).toEqual([]);
  expect(repeated([], [{ from: 3_000, to: 5_000 }])).toEqual(["a 1"]);
  expect(repeatedRounds([run({}), run({ round: 2 }), run({ mark: "b" })], [])).toEqual([]);
});

test("a round counts as stored when the next one of its job began, wherever that took longest", () => {
  const slow = [run({ mark: "b" }), run({ mark: "b", round: 2, start: 4_200, end: 4_400 })];
  expect(longestStoring([run({})])).toBe(1_000);
  expect(longestStoring(slow)).toBe(3_000);
  // By another worker it may have waited for a lease.
  expect(longestStoring([run({}), run({ round: 2, by: "w2", start: 30_000 })])).toBe(1_000);
  const twice = [run({}), run({ pid: 2, by: "w2", start: 9_000, end: 9_200 })];
  expect(repeatedRounds([...twice, ...slow], [{ worker: "w1", at: 4_100 }])).toEqual([]);
});

test("a job whose worker was killed in a run goes on with the next run, or never", () => {
  const kills = [{ worker: "w1", at: 1_100 }];
  expect(recoveries([run({}), run({ by: "w2", start: 4_100 })], kills)).toEqual([{ mark: "a", ms: 3_000 }]);
  expect(recoveries([run({ end: undefined as never })], kills)).toEqual([{ mark: "a", ms: undefined }]);
  expect(recoveries([run({ end: 1_050 })], kills)).toEqual([]);
});

test("runs at the same time are counted", () => {
  expect(mostAtOnce([run({}), run({ start: 1_200, end: 1_300 })])).toBe(1);
  expect(mostAtOnce([run({}), run({ start: 1_199 }), run({ start: 1_100 })])).toBe(3);
  expect(mostAtOnce([])).toBe(0);
});

test("a report holds each round of its own job once, by runs that were there", () => {
  const runs = [run({ pid: 7 }), run({ pid: 8, round: 2 })];
  const lines = (...all: string[]) => all.map((line) => `- round ${line}`).join("\n");
  expect(faultsOf(lines("1 of a by 7", "2 of a by 8"), "a", 2, runs)).toEqual([]);
  expect(faultsOf(lines("1 of a by 7", "1 of a by 7", "2 of a by 8"), "a", 2, runs)).toEqual([
    "holds rounds 1 1 2, expected 1 2",
  ]);
  expect(faultsOf(lines("2 of a by 8"), "a", 2, runs)).toEqual(["holds rounds 2, expected 1 2"]);
  expect(faultsOf(lines("1 of b by 7"), "a", 1, runs)).toEqual(["holds a line of b"]);
  expect(faultsOf(lines("1 of a by 9"), "a", 1, runs)).toEqual(["round 1 comes from run 9, which is not in the log"]);
});

onLinux("the fake CLI answers in the round that its prompt is in, and notes it", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "load-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "bin"));
  const cli = path.join(folder, "bin", "gemini");
  await writeFile(cli, await readFile(FAKE), { mode: 0o755 });
  const { mark, query } = ask("t1", { rounds: 2, ms: 1 });
  const prompt = await readFile(new URL("../../../prompts/verify-prompt.md", import.meta.url), "utf8");
  const input = prompt
    .replace("{{round}}", "2")
    .replace("{{query}}", query)
    .replace("{{current_result}}", `# Tides\n\n- round 1 of ${mark} by 5`);
  const said = execFileSync(cli, [], { input, env: { ...process.env, LC_PROOF: "marker.worker3" } }).toString();

  const [answered = ""] = said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { content?: string })
    .flatMap(({ content }) => content ?? []);
  const answer = JSON.parse(answered.replace(/^```json\n|\n```$/g, "")) as { report: string; verified: boolean };
  const [noted, ...others] = runsOf(await readFile(path.join(folder, "runs.log"), "utf8"));
  expect(others).toEqual([]);
  expect(noted).toMatchObject({ by: "worker3", mark, round: 2, end: expect.any(Number) });
  expect(answer.verified).toBe(true);
  expect(faultsOf(answer.report, mark, 2, [run({ pid: 5, mark }), noted as Run])).toEqual([]);
});

test("a row that does not hold is seen on the page", () => {
  const row = { part: "walls", what: "ids", expected: "none", seen: "a | b", holds: true };
  const page = toText([row, { ...row, holds: false }], { engine: "redis", tookSeconds: 3, busy: 0.5 });
  expect(page).toContain("| walls | ids | none | a \\| b | **no** |");
  expect(page).toContain("1 of 2 rows hold.");
});
