import { expect, test } from "vitest";
import { whichResearch } from "../../../src/cli/research/which.js";
import { newActivity } from "../../../src/jobs/activity.js";
import type { JobHead } from "../../../src/jobs/job-record.js";

const IDS = ["search-2f37a4r32z", "deep-search-2f99999999", "deep-search-abcdefghjk"];
const head = (id: string, more: Partial<JobHead> = {}) =>
  ({ id, state: "completed", activity: newActivity(), ...more }) as JobHead;
const jobs = (heads: readonly JobHead[]) => ({ list: async () => [...heads] });
const found = (which: { id?: string; last?: boolean }, ids = IDS) =>
  whichResearch(jobs(ids.map((id) => head(id))), which, "x-research");

test.each([
  ["the whole id", "deep-search-2f99999999", IDS[1]],
  ["its beginning", "search-2", IDS[0]],
  ["its last part", "abcdefghjk", IDS[2]],
  ["the beginning of that", "ABC", IDS[2]],
  // Whether it is kept is found out by whoever reads it.
  ["an id that is none of these", "search-0000000000", "search-0000000000"],
])("%s is enough", async (_what, id, whole) => {
  expect(await found({ id })).toEqual({ id: whole });
});

test("--last is the one that was asked last", async () => {
  expect(await found({ last: true })).toEqual({ id: IDS[0] });
  expect(await found({ last: true }, [])).toEqual({
    missing: "No research is kept yet; `x-research list` names the folder.",
  });
});

const [failed = "", earlier = ""] = IDS;
test.each([
  ["one that failed before it searched anything does not count", {}, false, earlier],
  ["nor does one whose process ended before", { state: "interrupted" }, false, earlier],
  ["unless it is to go on", { state: "interrupted" }, true, failed],
  [
    "one that was interrupted after a round does",
    { state: "interrupted", activity: { ...newActivity(), roundsDone: 1 } },
    false,
    failed,
  ],
  ["unless it is to be begun again", {}, true, failed],
  ["one that failed after a search does", { activity: { ...newActivity(), queries: ["why"] } }, false, failed],
  ["one that was stopped does", { state: "cancelled" }, false, failed],
  ["one that has only begun does", { state: "running" }, false, failed],
] as const)("of --last: %s", async (_, more, failedStart, id) => {
  const heads = [head(failed, { state: "failed", ...(more as Partial<JobHead>) }), head(earlier)];
  expect(await whichResearch(jobs(heads), { last: true }, "x-research", { failedStart })).toEqual({ id });
});

test("where nothing else is kept, a start that failed is the last one", async () => {
  const heads = [head(failed, { state: "failed" })];
  expect(await whichResearch(jobs(heads), { last: true }, "x-research")).toEqual({ id: failed });
});

test.each([
  [{ id: "2f" }, /^"2f" fits 2 researches: search-2f37a4r32z, deep-search-2f99999999\.$/],
  [{ id: "zzz" }, /^There is no research "zzz"; `x-research list` shows them\.$/],
  [{ id: "" }, /^There is no research ""/],
  [{ id: "../../etc/passwd\u001b[31m" }, /^There is no research "\.\.\/\.\.\/etc\/passwd"/],
  [{}, /^Which research\? Give its id, or --last/],
  [{ id: "2f37", last: true }, /not both/],
])("%j is not clear", async (which, message) => {
  expect(await found(which)).toEqual({ missing: expect.stringMatching(message) });
});

test("of many that fit a few are named", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `search-aaaaaaaa${String(index).padStart(2, "0")}`);
  expect(await found({ id: "a" }, ids)).toEqual({
    missing: expect.stringMatching(/^"a" fits 40 researches: (?:search-\w+, ){4}search-\w+, and 35 more\.$/),
  });
});
