import type { Pool } from "pg";
import { expect, test } from "vitest";
import { PostgresRows } from "../../src/queue/postgres/postgres-rows.js";

/** A database whose answers take their time, and whose clock is so far from this machine's. */
function rowsOf({ setUpMs, answerMs, aheadMs = 0 }: { setUpMs: number; answerMs: number; aheadMs?: number }) {
  let clock = 1_000_000;
  const pool = {
    async query() {
      clock += answerMs;
      return { rows: [{ now: clock + aheadMs }] };
    },
  };
  const setUp = async () => {
    clock += setUpMs;
  };
  return new PostgresRows(pool as unknown as Pool, setUp, { keepMs: 1, clock: () => clock });
}

test("a database that is set up, or answers, slowly is not taken for one with another clock", async () => {
  expect(await rowsOf({ setUpMs: 40_000, answerMs: 10 }).problem()).toBeUndefined();
  expect(await rowsOf({ setUpMs: 0, answerMs: 30_000 }).problem()).toBeUndefined();
});

test("a clock that is off is seen however slow the answer is", async () => {
  expect(await rowsOf({ setUpMs: 0, answerMs: 30_000, aheadMs: 60_000 }).problem()).toMatch(
    /^The clock of this machine is 60 s behind that of PostgreSQL/,
  );
  expect(await rowsOf({ setUpMs: 0, answerMs: 30_000, aheadMs: -60_000 }).problem()).toMatch(/30 s ahead of/);
});
