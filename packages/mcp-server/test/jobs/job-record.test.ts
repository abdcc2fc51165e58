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
  activity: {
    ...{ now: "done", round: 2, rounds: 5, roundsDone: 1, queries: [], pages: [], pagesDone: 0 },
    current: { startedMs: 1, searches: 1, reads: 0, steps: [{ id: "1", kind: "search", what: "sky", state: "done" }] },
    outcomes: [{ round: 1, end: "failed", reason: "It failed.", searches: 0, reads: 1, durationMs: 1 }],
  },
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

test("a record of before the account of each round is read with an empty one", () => {
  const { current: _, outcomes: __, ...older } = record.activity;
  expect(asJobRecord({ ...record, activity: older })?.activity).toEqual({
    ...older,
    current: { searches: 0, reads: 0, steps: [] },
    outcomes: [],
  });
});

test.each([
  ["round", { current: { searches: 1, reads: 0, steps: ["x"] } }],
  ["outcome", { outcomes: [{ round: 1, end: "lost", searches: 0, reads: 0, durationMs: 1 }] }],
])("a damaged account of a %s shows nothing", (_, damaged) => {
  const read = asJobRecord({ ...record, activity: { ...record.activity, ...damaged } });
  expect(read?.activity.now).toBe("starting");
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
