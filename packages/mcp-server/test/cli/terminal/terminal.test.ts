import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import { markdownToTerminal } from "../../../src/cli/terminal/markdown.js";
import { screenOf } from "../../../src/cli/terminal/paint.js";
import { reportToTerminal } from "../../../src/cli/terminal/report.js";
import { parseMarkdown } from "../../../src/report/markdown-parser.js";
import { hostileReport } from "../../report/html/hostile-report.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { plainScreen } from "./plain-screen.js";

const render = (markdown: string, columns = 60) => markdownToTerminal(parseMarkdown(markdown), plainScreen(columns));

describe("Markdown in a terminal", () => {
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

  test("a table that does not fit becomes a record for each row", () => {
    const table = `| Organisation | Responsibility | Establishment |\n|---|---|---|\n| BIPM | ${"keeps the time ".repeat(3)}| 1875 |\n| IERS | watches the Earth | 1987 |`;
    expect(render(table, 30)).toBe(
      [
        "Organisati  BIPM",
        "on",
        "Responsibi  keeps the time",
        "lity        keeps the time",
        "            keeps the time",
        "Establishm  1875",
        "ent",
        "─".repeat(30),
        "Organisati  IERS",
        "on",
        "Responsibi  watches the Earth",
        "lity",
        "Establishm  1987",
        "ent",
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
});

test("a report shows its sources by number, and what is doubtful", () => {
  const text = reportToTerminal(sampleReport, plainScreen());
  expect(text).toContain("by or before 2035 [1]. Until then");
  expect(text).toContain("[7] Negative leap second in 2026  never seen\n    https://clockblog.example/");
  expect(text).toContain("  ✗ unsupported  Others still name 2026. [7]");
  const words = text.replaceAll(/\s+/g, " ");
  expect(words).toContain("✓ 3 supported · ! 1 disputed · ✗ 1 unsupported · 85 % of the cited addresses were seen");
  expect(words).toContain("Evidence What the model claims, and whether the sources it names were seen.");
  expect(words).toContain("differ by more than 0.9 s. [3] (its sources were only found by a search, not read)");
  expect(words).not.toContain("by or before 2035. [1]");
  expect(words).toContain(
    "! Called verified by the model in 3 rounds, but 1 of 7 citations was never seen · 3 min 7 s · gemini-3-flash-preview · 4 searches",
  );
  expect(
    Math.max(
      ...text
        .split("\n")
        .filter((line) => !line.includes("https://") && !line.includes("tm_sec"))
        .map((line) => stringWidth(line)),
    ),
  ).toBeLessThanOrEqual(60);
});

test("text of a model cannot move the cursor or colour the screen", () => {
  const text = reportToTerminal(hostileReport, plainScreen());
  expect(stripVTControlCharacters(text)).toBe(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

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
