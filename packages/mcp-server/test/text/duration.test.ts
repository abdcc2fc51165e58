import { expect, test } from "vitest";
import { ageOf, durationMs, durationOf } from "../../src/text/duration.js";

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [1_000, "1 s"],
  [59_600, "1 min"],
  [187_400, "3 min 7 s"],
  [3_600_000, "1 h"],
  [3_725_000, "1 h 2 min"],
])("%d ms reads as %s", (ms, text) => {
  expect(durationOf(ms)).toBe(text);
});

test.each([
  [59_000, "now"],
  [60_000, "1 min ago"],
  [47 * 3_600_000, "47 h ago"],
  [49 * 3_600_000, "2 d ago"],
])("%d ms back is %s", (ms, text) => {
  expect(ageOf(ms)).toBe(text);
});

test.each([
  ["90s", 90_000],
  ["45", undefined],
  ["10m", 600_000],
  ["10 min", 600_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["2w", 1_209_600_000],
  ["7d", 604_800_000],
  ["", undefined],
  ["soon", undefined],
  ["10m!", undefined],
  ["-5s", undefined],
])("%s is read as %s ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});
