import { expect, test } from "vitest";
import { foldLines } from "../../src/rounds/fold-lines.js";

test("a text whose lines can be read whole stays as it is", () => {
  const text = `one\n\n${"x".repeat(1_500)}\r\n two `;
  expect(foldLines(text) === text).toBe(true);
});

test.each([
  ["words", "word ".repeat(2_000)],
  ["no blank at all", "x".repeat(10_000)],
  ["pairs of code units", "😀".repeat(5_000)],
])("a long line of %s is broken, and nothing of it is lost", (_, line) => {
  const folded = foldLines(`before\n${line}\nafter`);
  const lines = folded.split("\n");
  expect(Math.max(...lines.map((part) => [...part].length))).toBeLessThanOrEqual(1_500);
  expect([lines[0], lines.at(-1)]).toEqual(["before", "after"]);
  expect(lines.slice(1, -1).join("") === line).toBe(true);
});

test.each([2_000_000, 20_000_000])("a line of %d characters is broken whole", (length) => {
  const line = "x".repeat(length);
  expect(foldLines(line).length).toBe(line.length + Math.floor((line.length - 1) / 1_500));
});

test("a blank where the line is full begins no line of its own", () => {
  const line = `${"x".repeat(1_499)} ${"y".repeat(1_499)} z`;
  expect(foldLines(line).split("\n")).toEqual([`${"x".repeat(1_499)} `, `${"y".repeat(1_499)} `, "z"]);
});
