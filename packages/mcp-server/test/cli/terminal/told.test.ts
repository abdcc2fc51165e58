import { expect, test } from "vitest";
import { told } from "../../../src/cli/terminal/told.js";

const NAMES = ["notes/a\u00a0b.md", "notes/a  b.md", "notes/a\tb.md", "notes/a.md "];

test.each(NAMES)("a program reads the name of a file as it is: %j", (name) => {
  const stream = { isTTY: false, columns: 20 };
  expect(told("✓", `Wrote ${name}`, stream, {})).toBe(`✓ Wrote ${name}\n`);
  expect(told("", `Wrote ${name}`, stream, {})).toBe(`Wrote ${name}\n`);
});

test("the name of a file can be copied from a window, with a no-break space in it", () => {
  const name = "reports/of/the/year/a\u00a0b.md";
  const stream = { isTTY: true, columns: 20 };
  expect(told("✓", `Wrote ${name}`, stream, { NO_COLOR: "1" })).toBe(`✓ Wrote\n  ${name}\n`);
});

test.each([true, false])("further lines stand below the first, behind its sign; in a window: %s", (isTTY) => {
  const stream = { isTTY, columns: 80 };
  expect(told("✗", "No browser.\nThe page is a.html", stream, { NO_COLOR: "1" })).toBe(
    "✗ No browser.\n  The page is a.html\n",
  );
  expect(told("", "One.\nTwo.", stream, {})).toBe("One.\nTwo.\n");
});
