import { expect, test } from "vitest";
import { markdownToTerminal } from "../../../src/cli/terminal/markdown.js";
import { screenOf } from "../../../src/cli/terminal/paint.js";
import { parseMarkdown } from "../../../src/report/markdown-parser.js";
import { plainScreen } from "./plain-screen.js";

const render = (markdown: string, columns = 60) => markdownToTerminal(parseMarkdown(markdown), plainScreen(columns));

test("paragraphs are wrapped at words", () => {
  expect(render("one two three four five six seven eight nine ten", 20)).toBe(
    "one two three four\nfive six seven eight\nnine ten",
  );
});

test("lists keep their numbers, levels and ticks", () => {
  expect(render("9. nine\n10. ten\n    - inner *word*\n\n- [x] done\n- [ ] open")).toBe(
    "9.  nine\n10. ten\n    • inner word\n\n☑ done\n☐ open",
  );
});

test("a table is aligned, and narrowed to the screen", () => {
  expect(render("| Year | Offset |\n|---|--:|\n| 1972 | 10 s |")).toBe("Year  Offset\n────  ──────\n1972    10 s");
  const narrow = render(`| a | b |\n|---|---|\n| ${"word ".repeat(20)}| x |`, 30);
  expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(30);
});

test("a table that takes fewer lines as records is one", () => {
  const names = ["System", "First", "Bits", "Epoch", "Leap", "Rolls over", "Remarks"];
  const row = ["GPS", "1978", "13", "1980-01-06", "no", "1,024 weeks", "the receiver ".repeat(12).trim()];
  const table = [names, names.map(() => "---"), row].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const width = Math.max(...names.map(({ length }) => length));
  expect(render(table, 60).split("\n").slice(0, 3)).toEqual([
    `${"System".padEnd(width)}  GPS`,
    `${"First".padEnd(width)}  1978`,
    `${"Bits".padEnd(width)}  13`,
  ]);
  expect(render(table, 160)).toMatch(/^System {2}First {2}Bits/);
});

test("a table that does not fit becomes a record for each row", () => {
  const table = `| Organisation | Responsibility | Establishment |\n|---|---|---|\n| BIPM | ${"keeps the time ".repeat(3)}| 1875 |\n| IERS | watches the Earth | 1987 |`;
  expect(render(table, 30)).toBe(
    [
      "Organisation    BIPM",
      "Responsibility  keeps the time",
      "                keeps the time",
      "                keeps the time",
      "Establishment   1875",
      "─".repeat(30),
      "Organisation    IERS",
      "Responsibility  watches the",
      "                Earth",
      "Establishment   1987",
    ].join("\n"),
  );
});

test("headings are seen without colours, and look like none with them", () => {
  expect(render("# One\n\n### Two *three*")).toBe("# One\n\n### Two three");
  const colours = screenOf({ isTTY: true }, { FORCE_COLOR: "1" });
  expect(markdownToTerminal(parseMarkdown("# One"), colours)).toBe("\u001b[1m\u001b[36mOne\u001b[39m\u001b[22m");
});

test("wide characters count as two cells", () => {
  expect(render("| 名前 | x |\n|---|---|\n| 東京タワー | y |").split("\n")[0]).toBe("名前        x");
});

test("quotes and code", () => {
  expect(render("> quoted\n> words\n\n```js\nconst a = 1;\n```")).toBe("│ quoted words\n\n  const a = 1;");
});
