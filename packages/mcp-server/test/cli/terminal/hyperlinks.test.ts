import { expect, test } from "vitest";
import { hyperlink, knowsHyperlinks } from "../../../src/cli/terminal/hyperlinks.js";
import { screenOf } from "../../../src/cli/terminal/paint.js";
import { reportToTerminal } from "../../../src/cli/terminal/report.js";
import { hostileReport } from "../../report/html/hostile-report.js";
import { sampleReport } from "../../report/html/sample-report.js";

test.each([
  ["iTerm", { TERM_PROGRAM: "iTerm.app" }, true],
  ["VS Code", { TERM_PROGRAM: "vscode" }, true],
  ["Kitty", { TERM: "xterm-kitty" }, true],
  ["Windows Terminal", { WT_SESSION: "x" }, true],
  ["GNOME Terminal", { VTE_VERSION: "7600" }, true],
  ["an old VTE", { VTE_VERSION: "4205" }, false],
  ["one of which nothing is known", { TERM: "xterm-256color" }, false],
  ["tmux in iTerm", { TERM: "tmux-256color", TERM_PROGRAM: "iTerm.app" }, false],
  ["a build server", { TERM_PROGRAM: "vscode", CI: "true" }, false],
  ["forced", { FORCE_HYPERLINK: "1", TERM: "dumb" }, true],
  ["forbidden", { FORCE_HYPERLINK: "0", TERM_PROGRAM: "iTerm.app" }, false],
])("%s", (_what, env, known) => {
  expect(knowsHyperlinks({ isTTY: true }, env)).toBe(known);
});

test("a file is no terminal", () => {
  expect(knowsHyperlinks({ isTTY: false }, { TERM_PROGRAM: "iTerm.app" })).toBe(false);
});

test("an address that could end the sequence is not linked", () => {
  expect(hyperlink("https://a.example/x")("text")).toBe("\u001b]8;;https://a.example/x\u001b\\text\u001b]8;;\u001b\\");
  for (const url of [
    "https://a.example/\u001b\\x",
    "https://a.example/\u0007",
    "javascript:alert(1)",
    "https://a.example/ü",
  ])
    expect(hyperlink(url)("text")).toBe("text");
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a link begins
const LINKS = /\u001b\]8;;([^\u001b]*)\u001b\\/g;

test("sources, links and citations of a report lead where they say, and every link ends on its line", () => {
  const screen = screenOf({ isTTY: true, columns: 40 }, { FORCE_COLOR: "1", FORCE_HYPERLINK: "1" });
  const text = reportToTerminal(sampleReport, screen);
  expect([...text.matchAll(LINKS)].map(([, url]) => url)).toContain("https://www.bipm.org/en/cgpm-2022/resolution-4");
  for (const line of text.split("\n")) {
    const urls = [...line.matchAll(LINKS)].map(([, url]) => url !== "");
    expect(urls).toEqual(urls.map((_, index) => index % 2 === 0));
  }
  const hostile = reportToTerminal(hostileReport, screen);
  expect([...hostile.matchAll(LINKS)].every(([, url = ""]) => url === "" || /^https?:\/\/[!-~]+$/.test(url))).toBe(
    true,
  );
});
