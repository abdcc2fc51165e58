import { execFile } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newActivity } from "../../src/jobs/activity.js";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { createRecordFiles } from "../../src/jobs/record-files.js";
import { deepReport } from "../support/fake-research.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "record-files-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const at = "2026-11-20T09:00:00.000Z";
const recordOf = (name: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id: `deep-search-000000000${name}`, tool: "deep_search", request: { query: `why\n${name}` }, state: "running" },
  ...{ pid: 1, place: "", createdAt: at, updatedAt: at, activity: newActivity(), ...more },
});
const pathOf = ({ id }: JobRecord) => join(directory, `${id}.json`);
const done = recordOf("d", { state: "completed", report: deepReport("line\nline") });

test("a record is read as it was saved, from a file that is one JSON object for its owner alone", async () => {
  const files = createRecordFiles({ directory });
  await files.save(done);
  expect(await files.load(done.id)).toEqual({ ...done, verified: true });
  expect(JSON.parse(readFileSync(pathOf(done), "utf8"))).toMatchObject(done);
  expect(statSync(pathOf(done)).mode & 0o777).toBe(0o600);
  expect(await files.load("deep-search-0000000000")).toBeUndefined();
  expect(await files.load("../d")).toBeUndefined();
});

test("heads come without reports, that of the last save first, and are read again when they change", async () => {
  const files = createRecordFiles({ directory });
  const running = recordOf("r");
  await files.save(running);
  await files.save(done);
  utimesSync(pathOf(running), new Date(Date.now() - 1_000), new Date(Date.now() - 1_000));
  const { report: _, ...head } = done;
  expect(await files.heads()).toEqual([{ ...head, verified: true }, running]);
  await files.save({ ...running, state: "interrupted" });
  expect(await files.heads()).toEqual([
    { ...running, state: "interrupted" },
    { ...head, verified: true },
  ]);
});

test("a head is read without the report behind it, however long it is", async () => {
  const files = createRecordFiles({ directory });
  await files.save(done);
  // A report that is cut is noticed by who reads it.
  truncateSync(pathOf(done), statSync(pathOf(done)).size - 5);
  expect(await files.heads()).toMatchObject([{ id: done.id, state: "completed" }]);
  await expect(files.load(done.id)).rejects.toThrow("JSON");
  const long = recordOf("l", { request: { query: "ü".repeat(200_000) } });
  await files.save(long);
  expect(await files.heads()).toContainEqual(long);
});

test("what is no file is passed over: whoever opens a pipe waits for good", async () => {
  const files = createRecordFiles({ directory });
  await promisify(execFile)("mkfifo", [pathOf(done)]);
  expect(await files.load(done.id)).toBeUndefined();
  expect(await files.heads()).toEqual([]);
});

test("what is past its time goes, and so do drafts of a minute; other files stay", async () => {
  const files = createRecordFiles({ directory, keepMs: 100_000 });
  const draft = `${done.id}.json.00000000-0000-4000-8000-000000000000.tmp`;
  await files.save(done);
  await files.save(recordOf("n"));
  for (const name of [draft, "mine.txt"]) writeFileSync(join(directory, name), "{}");
  for (const name of [`${done.id}.json`, draft, "mine.txt"]) utimesSync(join(directory, name), 1, 1);
  expect(await files.heads()).toHaveLength(1);
  expect(readdirSync(directory)).toEqual([`${recordOf("n").id}.json`, "mine.txt"]);
});
