import { expect, test } from "vitest";
import { withoutMarks } from "../../src/report/citation-marks.js";

test.each([
  ["It is so [1], and so [2, 3].", "It is so, and so."],
  ['It is so. [1](https://example.org/a "A title") It goes on.', "It is so. It goes on."],
  ["It is so [1](https://example.org/a_(b)).", "It is so."],
  ["It is so [1] (since 1990).", "It is so (since 1990)."],
  ["It is so [1](in the first year).", "It is so(in the first year)."],
  ["[The page](https://example.org) stays.", "[The page](https://example.org) stays."],
])("numbers in brackets go, with where they lead: %s", (text, expected) => {
  expect(withoutMarks(text)).toBe(expected);
});
