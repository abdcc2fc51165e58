import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog, linesTo } from "../../src/host/log.js";

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
  log("info", "begun", { tenant: "ada", job: "search-1" });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"said \\"no\\" and more"}\n',
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","tenant":"ada","job":"search-1","message":"begun"}\n',
  ]);
});

test("a log that nobody reads does not grow, and goes on when it is read", () => {
  const unread = new PassThrough({ readableHighWaterMark: 0 });
  const write = linesTo(unread as unknown as NodeJS.WriteStream);
  for (let i = 0; i < 5_000; i++) write(`${"x".repeat(999)}\n`);
  expect(unread.writableLength).toBeLessThan(1_100_000);
  const read: string[] = [];
  unread.on("data", (text) => read.push(String(text)));
  while (unread.read() !== null);
  write("read again\n");
  expect(read.at(-1)).toBe("read again\n");
});
