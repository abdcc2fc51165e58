import { afterEach, expect, test, vi } from "vitest";
import { seldom } from "../../src/host/seldom.js";

afterEach(() => void vi.restoreAllMocks());

test("a line stands once a minute, and however many lines there are, no more than a thousand", () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const lines: string[] = [];
  const log = seldom((level, message) => void lines.push(`${level} ${message}`));
  for (let n = 0; n < 3; n++) log("warn", "a");
  expect(lines).toEqual(["warn a"]);
  nowMs = 59_999;
  log("warn", "a");
  log("error", "b");
  expect(lines).toEqual(["warn a", "error b"]);
  nowMs = 60_000;
  for (let n = 0; n < 2; n++) for (const text of ["a", "b"]) log("warn", text);
  expect(lines).toEqual(["warn a", "error b", "warn a"]);
  for (let n = 0; n < 5_000; n++) log("warn", `made up ${n}`);
  expect(lines).toHaveLength(3 + 998);
});
