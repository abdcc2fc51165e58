import { expect, test } from "vitest";
import { KINDS } from "../../src/isolation/kinds.js";
import { asJobRecord, isJobId, newJobId } from "../../src/jobs/job-record.js";

const record = {
  id: "search-0123456789",
  tool: "search",
  request: { query: "why is the sky blue" },
  state: "completed",
  pid: 1,
  place: "",
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:10.000Z",
  activity: { now: "done", round: 1, rounds: 1, roundsDone: 1, queries: [], pages: [], pagesDone: 0 },
  report: { success: true, result: "Rayleigh scattering.", metadata: { duration_ms: 1 } },
};
const { report: _, ...unfinished } = record;
const failed = { ...unfinished, state: "failed", failure: { code: "EXECUTION_ERROR", message: "It failed." } };

test.each([
  ["finished", record],
  [
    "of the older tool",
    {
      ...record,
      tool: "deep_research",
      request: { topic: "sky" },
      report: { success: true, report: "#", metadata: {} },
    },
  ],
  ["interrupted", { ...unfinished, state: "interrupted", researchId: "x" }],
  ["failed", failed],
])("a record that is %s is read as it stands", (_, value) => {
  expect(asJobRecord(value)).toEqual(value);
});

test.each([
  ["an unknown tool", { ...record, tool: "" }],
  ["an unknown state", { ...record, state: "done" }],
  ["no question", { ...record, request: {} }],
  ["no report", unfinished],
  ["a report that is none", { ...record, report: { success: "", result: "x", metadata: {} } }],
  ["a failure that is none", { ...failed, failure: {} }],
  ["a code that is none", { ...failed, failure: { code: "ERROR", message: "It failed." } }],
  ["a time that is none", { ...record, updatedAt: "yesterday" }],
  ["a name that is none", { ...record, id: "../x" }],
  ["a tool that every object has", { ...record, tool: "constructor" }],
])("a record with %s is none", (_, value) => {
  expect(asJobRecord(value)).toBeUndefined();
});

test("a report outlives a damaged account of how it came about", () => {
  expect(asJobRecord({ ...record, activity: [] })).toMatchObject({
    report: record.report,
    activity: { now: "starting" },
  });
});

test("an id names its tool; that of another is none", () => {
  const tools = Object.keys(KINDS) as (keyof typeof KINDS)[];
  expect(tools.map((tool) => isJobId(newJobId(tool)))).toEqual(tools.map(() => true));
  for (const id of ["search-0123", "deep_search-0123456789", "constructor-0123456789", "search-0123456789/", ""])
    expect(isJobId(id), id).toBe(false);
});
