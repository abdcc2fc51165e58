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
import { asJobHead, type JobRecord } from "../../src/jobs/job-record.js";
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

test("all who read a long report at a time have the same one, until its file changes", async () => {
  const files = createRecordFiles({ directory });
  const long = { ...done, report: deepReport("tides\n".repeat(300_000)) };
  await files.save(long);
  const load = async () => (await files.load(long.id)) as JobRecord;
  const [first, second] = await Promise.all([load(), load()]);
  expect(first.report).toBe(second.report);
  expect(first).toEqual({ ...long, verified: true });
  first.request = { query: "another" };
  first.activity.round = 7;
  expect(await load()).toEqual({ ...long, verified: true });
  const changed = { ...long, report: deepReport("waves\n".repeat(300_000)) };
  await files.save(changed);
  expect((await load()).report).toEqual(changed.report);
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

test("a record that is longer than any that is made is not read", async () => {
  const files = createRecordFiles({ directory });
  await files.save(done);
  truncateSync(pathOf(done), 2 ** 40);
  await expect(files.load(done.id)).rejects.toMatchObject({ code: "EFBIG" });
  expect(await files.heads()).toMatchObject([{ id: done.id }]);
});

test("what is past its time goes, and so do drafts of a minute; other files stay", async () => {
  const files = createRecordFiles({ directory, keepMs: 100_000, always: 1 });
  const draft = `${done.id}.json.00000000-0000-4000-8000-000000000000.tmp`;
  await files.save(done);
  await files.save(recordOf("n"));
  for (const name of [draft, "mine.txt"]) writeFileSync(join(directory, name), "{}");
  for (const name of [`${done.id}.json`, draft, "mine.txt"]) utimesSync(join(directory, name), 1, 1);
  expect(await files.heads()).toHaveLength(1);
  expect(readdirSync(directory)).toEqual([`${recordOf("n").id}.json`, "mine.txt"]);
});

test("a clock that is eight days ahead empties no folder: the last twenty stay", async () => {
  const records = Array.from({ length: 25 }, (_, i) => recordOf("abcdefghjkmnpqrstvwxyz0123456789"[i] ?? ""));
  const saving = createRecordFiles({ directory });
  for (const record of records) await saving.save(record);
  records.forEach((record, i) => {
    utimesSync(pathOf(record), 1_000 + i, 1_000 + i);
  });
  const ahead = createRecordFiles({ directory, now: () => Date.now() + 8 * 24 * 3_600_000 });
  expect(await ahead.heads()).toHaveLength(20);
  expect(await ahead.load(records[24]?.id ?? "")).toMatchObject(records[24] ?? {});
  expect(await ahead.load(records[4]?.id ?? "")).toBeUndefined();
});

test("heads that were read are read from the index by the next process, unless their file has changed", async () => {
  const ids = Array.from({ length: 25 }, (_, i) => recordOf("abcdefghjkmnpqrstvwxyz0123456789"[i] ?? "").id);
  const files = createRecordFiles({ directory });
  for (const id of ids) await files.save({ ...done, id });
  const heads = await files.heads();
  const index = readFileSync(join(directory, "index.jsonl"), "utf8").trimEnd().split("\n");
  expect(index).toHaveLength(25);
  expect(index.map((line) => JSON.parse(line).head)).toEqual(expect.arrayContaining(heads));
  // What only the index says tells that it was read.
  writeFileSync(join(directory, "index.jsonl"), `no JSON\n${index.join("\n").replaceAll('"pid":1', '"pid":2')}\n`);
  const [first = "", second = ""] = ids;
  await createRecordFiles({ directory }).save({ ...done, id: first, pid: 3 });
  const next = new Map((await createRecordFiles({ directory }).heads()).map((head) => [asJobHead(head)?.id, head]));
  expect(next.size).toBe(25);
  expect(next.get(first)).toMatchObject({ pid: 3 });
  expect(next.get(second)).toMatchObject({ pid: 2 });
});

test("the last job of a question is found without a look at the others", async () => {
  const files = createRecordFiles({ directory });
  await files.noteLast("why?", done.id);
  await files.noteLast("why?", recordOf("n").id);
  expect(await createRecordFiles({ directory }).lastOf("why?")).toBe(recordOf("n").id);
  expect(await files.lastOf("how?")).toBeUndefined();
});
