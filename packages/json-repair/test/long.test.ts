import { expect, test } from "vitest";
import { createPartialParser, extractJson, repairJson } from "../src/index.js";

/** Nearly as many as a text may have. */
const LENGTH = 15_000_000;

test("the patterns of this process are not optimized: a long run overflows", () => {
  expect(() => /^[ab]+$/.test("a".repeat(20_000_000))).toThrow("Maximum call stack size exceeded");
});

test.each(["x", " ", "word. ", "7", "ä", "}", "\\n", "`", "//"])(
  "a string of nothing but %j, with damage behind it",
  (piece) => {
    const string = piece.repeat(LENGTH / piece.length);
    const expected = JSON.parse(`{"a":"${string}"}`);
    expect(repairJson(`{"a":"${string}",}`).value).toEqual(expected);
    expect(extractJson(`{"a":"${string}",}`)).toMatchObject({ ok: true, value: expected });
  },
);

test.each([" ", "\n", "\u00a0", "// x\n", "# x\n", "/* x */"])("%j before and behind a value", (piece) => {
  const run = piece.repeat(LENGTH / piece.length / 2);
  expect(repairJson(`${run}[1,]${piece.startsWith("#") ? "" : run}`).value).toEqual([1]);
});

test.each(["`", "x", "~", "- "])("%j before and behind a value in words", (piece) => {
  const run = piece.repeat(LENGTH / piece.length / 2);
  expect(extractJson(`${run}\n[1,]\n${run}`).ok).toBe(true);
});

test("a comment without an end, and one that is long", () => {
  const long = "x".repeat(LENGTH);
  expect(repairJson(`// ${long}\n[1,]// ${long.slice(0, 900_000)}`).value).toEqual([1]);
  expect(() => repairJson(`[1] /* ${long}`)).toThrow("something else follows the JSON");
});

test.each(["x", " ", "7"])("%j in a text that arrives at once", (piece) => {
  const run = piece.repeat(LENGTH);
  const parser = createPartialParser();
  expect(parser.push(`{"a":"${run}","b":1}`).value).toEqual({ a: run, b: 1 });
  expect(createPartialParser().push(`{"a":1,${" ".repeat(LENGTH)}"b":1}`).value).toEqual({ a: 1, b: 1 });
});
