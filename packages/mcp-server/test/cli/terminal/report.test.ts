import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { reportToTerminal } from "../../../src/cli/terminal/report.js";
import { reportPage } from "../../../src/report/html/page.js";
import { reportToMarkdown } from "../../../src/report/markdown.js";
import { hostileReport } from "../../report/html/hostile-report.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { plainScreen } from "./plain-screen.js";

test("a report shows its sources by number, and what is doubtful", () => {
  const text = reportToTerminal(sampleReport, plainScreen());
  expect(text).toContain("by or before 2035 [1]. Until then");
  expect(text).toContain("[7] Negative leap second in 2026  never seen\n    https://clockblog.example/");
  expect(text).toContain("  ✗ unsupported  Others still name 2026. [7]");
  const words = text.replaceAll(/\s+/g, " ");
  expect(words).toContain(
    "✓ 1 supported · ? 2 supported, not proven · ! 1 disputed · ✗ 1 unsupported · 20 % of the claims quoted or attributed · 85 % of the cited addresses were seen",
  );
  // Without colours each part begins as Markdown does.
  for (const title of ["Sources", "Evidence", "Still open"]) expect(text).toContain(`\n## ${title}\n`);
  expect(words).toContain("Evidence What the model claims, and how far it is proven:");
  expect(words).toContain("differ by more than 0.9 s. [3] (a source was found, not read)");
  expect(words).toContain("20 % of the claims quoted or attributed");
  expect(words).toContain(
    "✓ quoted The world's metrology conference decided in 2022 that the tolerance is to be raised by or before 2035. [1] “decides that the maximum value for the difference (UT1−UTC) will be increased in, or before, 2035,” bipm.org, page 2",
  );
  expect(words).toContain(
    "? supported There have been 27, the last one on 31 December 2016, which is why TAI − UTC is 37 s today. [4] (a source was read, and no quotation of it holds this) ! “from 2017 January 1, 0h UTC, until further notice : UTC-TAI = -37 s” datacenter.iers.org, line 14 (the page says this instead) the model quoted: “TAI-UTC = 36 s”",
  );
  expect(words).toContain(
    "✗ “27 leap seconds have been introduced” datacenter.iers.org (not found in any page that was read)",
  );
  expect(words).toContain("! not in a quotation: 27, 31 December 2016");
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

test("documents that were given are counted with those that were read, in every form for people", () => {
  const metadata = { ...sampleReport.metadata, documents: { given: 3, read: 1 } };
  const report = { ...sampleReport, metadata };
  expect(reportToTerminal(report, plainScreen()).replaceAll(/\s+/g, " ")).toContain(" · documents read: 1 of 3");
  expect(reportToMarkdown(report)).toMatch(/ · documents read: 1 of 3 · /);
  expect(reportPage(report, { generator: "x" })).toContain("<dt>Documents read</dt><dd>1 of 3</dd>");
  expect(reportToTerminal(sampleReport, plainScreen())).not.toContain("documents read");
});

test("text of a model cannot move the cursor or colour the screen", () => {
  const text = reportToTerminal(hostileReport, plainScreen());
  expect(stripVTControlCharacters(text)).toBe(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
