import { expect, test } from "vitest";
import { fail } from "../../../src/cli/terminal/fail.js";
import { fakeIo } from "../fake-io.js";

const FAILURE = {
  code: "EXECUTION_ERROR",
  message: "Look at <this> & ![that](x)\u001b[2J",
  details: "Put KEY=<the key> there",
  reason: "workspace",
};

test("JSON for a program holds the words as they are, and nothing that steers a terminal", () => {
  const { io, out } = fakeIo({ home: "/" });
  expect(fail(FAILURE, { json: true }, io)).toBe(1);
  expect(JSON.parse(out())).toEqual({ success: false, error: { ...FAILURE, message: "Look at <this> & ![that](x)" } });
});

test("the reason stands beside the code", () => {
  const { io, err } = fakeIo({ home: "/" });
  fail(FAILURE, {}, io);
  expect(err()).toContain("(EXECUTION_ERROR, workspace)");
  expect(err()).toContain("KEY=<the key>");
});
