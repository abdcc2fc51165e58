import { expect, test } from "vitest";
import type { JobRecord } from "../../src/jobs/job-record.js";
import type { Rows, Write } from "../../src/queue/rows.js";
import { SharedStore } from "../../src/queue/shared-store.js";

const RECORD = { id: "job-1", tool: "search", request: { query: "q" }, state: "running", generation: 1 };

test("an older state of a record never stands behind a newer one, though connections keep no order", async () => {
  const written: string[] = [];
  let go = () => {};
  const slow = new Promise<void>((resolve) => {
    go = resolve;
  });
  const rows = {
    async write({ next }: Write) {
      if (next === "keep") await slow;
      written.push(next);
      return { written: true, owesTicket: false };
    },
  };
  const store = new SharedStore(rows as unknown as Rows, () => 0);
  const record = { ...RECORD } as unknown as JobRecord;
  const kept = store.save(record);
  record.state = "failed";
  const ended = store.save(record, "end");
  go();
  expect(await Promise.all([kept, ended])).toEqual(["saved", "saved"]);
  expect(written).toEqual(["keep", "end"]);
});

test("a write that fails does not hold up the next one", async () => {
  const rows = {
    async write({ next }: Write) {
      if (next === "keep") throw new Error("away");
      return { written: true, owesTicket: false };
    },
  };
  const store = new SharedStore(rows as unknown as Rows, () => 0);
  const record = { ...RECORD } as unknown as JobRecord;
  const [kept, ended] = await Promise.allSettled([store.save(record), store.save(record, "end")]);
  expect([kept?.status, ended]).toEqual(["rejected", { status: "fulfilled", value: "saved" }]);
});
