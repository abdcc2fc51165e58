import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { reportToTerminal } from "../../../src/cli/terminal/report.js";
import { hostileReport } from "../../report/html/hostile-report.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { plainScreen } from "./plain-screen.js";

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
