import { expect, test } from "vitest";
import { screenOf } from "../../../src/cli/terminal/paint.js";

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: true }, { TERM: "dumb" }, false],
  [{ isTTY: false }, {}, false],
  [{ isTTY: false }, { FORCE_COLOR: "1" }, true],
])("%j with %j: colours %s", (stream, env, colors) => {
  expect(screenOf(stream, env).paint.isColorSupported).toBe(colors);
});

test("a terminal that does not know its width counts as one of 80 cells", () => {
  expect(screenOf({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
});
