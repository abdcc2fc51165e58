import { expect, test } from "vitest";
import { TooManyTasks } from "../../src/isolation/offload.js";
import { newRecord } from "../../src/jobs/job-record.js";
import { doTask } from "../../src/tools/tasks.js";
import { searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";

const finished = () => ({
  ...newRecord("person", "search", { query: "why" }, { own: processOf(1), nowMs: 0 }),
  state: "completed" as const,
  report: searchReport("tides ".repeat(20_000)),
});

/** Notes what it is given, and does it when it is told to. */
function lateOffload() {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const offload = (name: string, input: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      begun.push(`${name} ${JSON.stringify((input as { options?: unknown }).options)}`);
      ends.push((error) => (error === undefined ? resolve({ of: begun.length }) : reject(error)));
    });
  return { begun, ends, find: async () => offload };
}

test("many who want the same of one long report at once have it made once", async () => {
  const { begun, ends, find } = lateOffload();
  const record = finished();
  const ask = (page: number, of = record) =>
    doTask("answer", { record: { ...of }, options: { limits: { maxChars: undefined, structured: true }, page } }, find);
  const asked = [1, 1, 1, 2].map((page) => ask(page));
  const other = ask(1, finished());
  await new Promise(setImmediate);
  expect(begun).toHaveLength(3);
  for (const end of ends.splice(0)) end();
  await Promise.all([...asked, other]);
  // What is over is made anew.
  const again = ask(1);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(4);
  ends[0]?.(new TooManyTasks("too many"));
  await expect(again).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
});
