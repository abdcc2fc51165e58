import * as fc from "fast-check";
import { test, vi } from "vitest";
import { END, mustBeShown, repeated } from "../fuzz/rendering.js";

/** Far beyond what any takes, on a busy machine too; without it one that does not end would take the whole run with it. */
const END_MS = 60_000;
vi.setConfig({ testTimeout: 2 * END_MS });
const LENGTH = 200_000;

test.each([
  ["an address of mail that is none", `${"a".repeat(LENGTH)}@`],
  ["emphasis before mail", "*a@".repeat(LENGTH / 3)],
  ["brackets in addresses", "http://a(".repeat(LENGTH / 9)],
  ["addresses behind brackets that nobody opened", `${"](http://b/)".repeat(9)}${"(http://b/)".repeat(LENGTH / 11)}`],
  ["links that do not end", "[a](".repeat(LENGTH / 4)],
  ["images in images", "![".repeat(LENGTH / 2)],
  ["marks and addresses in one paragraph", "[1] https://a.b/c ".repeat(LENGTH / 18)],
  ["blanks inside a line", `a${" ".repeat(LENGTH)}b`],
  ["blanks before a mark", `a${" ".repeat(LENGTH)}[1]`],
  ["50,000 headings", "# a\n".repeat(LENGTH / 4)],
  ["a table of 50,000 columns", `|${"a|".repeat(LENGTH / 4)}\n|${"-|".repeat(LENGTH / 4)}\n|b|`],
  ["a cell as wide as the report", `|a|b|\n|-|-|\n|${"x".repeat(LENGTH)}|y|`],
  ["a list of 17,000 references", `x [1]\n\n## Sources\n\n${"1. http://a/\n".repeat(LENGTH / 12)}`],
  ["one source cited 50,000 times", `${"[1] ".repeat(LENGTH / 4)}\n\n1. http://a/`],
  ["deep quotes", "> ".repeat(LENGTH / 2)],
])("shown whole, and in time: %s", (_name, text) => {
  mustBeShown(`${text}\n\n${END}`, { endMs: END_MS });
});

test("a sample of what the fuzzing throws at it", () => {
  fc.assert(
    fc.property(repeated, (text) => mustBeShown(text, { endMs: END_MS })),
    { seed: 20_261_122, numRuns: 5 },
  );
});
