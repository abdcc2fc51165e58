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
  expect(err()).toMatch(/More: the row `workspace` of\n? *https:\S+\/troubleshooting\.md#reasons\n$/);
});

test("a path in a failure can be copied, however narrow the screen is", () => {
  const { io, err } = fakeIo({ home: "/", columns: 30 });
  const path = `/home/${"folder/".repeat(8)}bin/gemini`;
  fail({ code: "EXECUTION_ERROR", message: `Gemini CLI (${path}) is too old`, details: `Remove ${path}.` }, {}, io);
  expect(err().split(path)).toHaveLength(3);
});
