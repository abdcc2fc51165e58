import { expect, test } from "vitest";
import { createLog } from "../../src/host/log.js";

test("one line a call, with its level; debug lines only when asked for", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  log("info", "round 1\r\nof \u001b[31m5\u202E\u{E0041}\u009b2J\b");
  log("debug", "hidden");
  expect(lines).toEqual(["[INFO] round 1 of 5\n"]);
});

test("as JSON a line is one object, with its time", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), { json: true, now: () => 0 });
  log("warn", 'said "no"\nand more');
  expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"said \\"no\\" and more"}\n']);
});
