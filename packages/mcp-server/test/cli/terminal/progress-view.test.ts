import type { ResearchEvent } from "@x/research";
import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { doneLines, lineOf, liveLines } from "../../../src/cli/terminal/progress-view.js";
import { newActivity, update } from "../../../src/jobs/activity.js";
import { plainScreen } from "./plain-screen.js";

/** Plays events at one a second; gives the lines and the view after them. */
function play(events: readonly ResearchEvent[], { columns = 60 } = {}) {
  const createdAt = new Date(0).toISOString();
  const record = { createdAt, activity: newActivity() };
  const lines: (string | undefined)[] = [];
  events.forEach((event, index) => {
    const now = (index + 1) * 1_000;
    update(record.activity, event, now);
    lines.push(lineOf(event, record, now));
  });
  const now = (events.length + 1) * 1_000;
  return {
    lines: lines.filter(Boolean),
    live: liveLines(record, now, plainScreen(columns)),
    done: doneLines(record.activity, plainScreen()),
  };
}

const step = (round: number, event: Extract<ResearchEvent, { type: "step" }>["step"]): ResearchEvent => ({
  type: "step",
  round,
  step: event,
});
const searching = step(1, { type: "tool-call", id: "a", tool: "google_web_search", query: "leap second 2035" });
const found = step(1, { type: "tool-result", id: "a", tool: "google_web_search", ok: true });
const reading = step(1, { type: "tool-call", id: "b", tool: "web_fetch", urls: ["https://www.bipm.org/en/x/"] });
const unread = step(1, { type: "tool-result", id: "b", tool: "web_fetch", ok: false, message: "blocked" });

test("every search, page, failure and round is a line with its time; what the log warns of is not said twice", () => {
  const { lines } = play([
    { type: "round-start", round: 1, of: 5 },
    searching,
    found,
    reading,
    unread,
    { type: "round-end", round: 1, verified: false, result: "x" },
    { type: "round-start", round: 2, of: 5 },
    { type: "round-failed", round: 2, code: "EXECUTION_ERROR", reason: "It took\ntoo long." },
    { type: "model-fallback", round: 2, from: "pro", to: "flash", reason: "quota" },
    { type: "wait", round: 2, ms: 2_000 },
  ]);
  expect(lines).toEqual([
    "0:01  round 1 of 5",
    "0:02  searching  leap second 2035",
    "0:04  reading  bipm.org/en/x",
    "0:05  failed     bipm.org/en/x",
    "0:06  round 1 done: not verified · 1 search · 5 s",
    "0:07  round 2 of 5",
    "0:08  round 2 failed: It took too long. · 1 s",
    "0:10  waiting 2 s before the next attempt",
  ]);
});

test("the view holds the finished rounds, what happens now, and the last steps", () => {
  const { live } = play([
    { type: "round-start", round: 1, of: 5 },
    searching,
    found,
    { type: "round-end", round: 1, verified: false, result: "x" },
    { type: "round-start", round: 2, of: 5 },
    step(2, { type: "tool-call", id: "c", tool: "google_web_search", query: "negative leap second" }),
    step(2, { type: "tool-result", id: "c", tool: "google_web_search", ok: true }),
    step(2, { type: "tool-call", id: "d", tool: "web_fetch", urls: ["https://a.example/1", "https://b.example/2"] }),
  ]);
  expect(live).toEqual([
    "✓ Round 1  not verified · 1 search · 3 s",
    expect.stringMatching(/^. Round 2 of 5 {2}reading {2}0:09$/),
    "  ✓ search negative leap second",
    "  › read   a.example/1, b.example/2",
    "  Ctrl-C stops; finished rounds are kept.",
  ]);
});

test("no line is longer than the screen, whatever is searched", () => {
  const query = `${"很长的问题".repeat(30)} ${"x".repeat(300)}`;
  const events: ResearchEvent[] = [
    { type: "round-start", round: 1, of: 5 },
    step(1, { type: "tool-call", id: "a", tool: "google_web_search", query }),
  ];
  for (const columns of [32, 40, 100])
    for (const line of play(events, { columns }).live) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test("what is searched cannot move the cursor", () => {
  const { lines, live } = play([
    { type: "round-start", round: 1, of: 1 },
    step(1, { type: "tool-call", id: "a", tool: "google_web_search", query: "a\u001b[2J\u001b]0;x\u0007b\u0000\r\nc" }),
  ]);
  expect(lines).toEqual(["0:02  searching  ab c"]);
  expect(live[1]).toBe("  › search ab c");
});

test("when it is over, a line for each round stays", () => {
  expect(
    play([
      { type: "round-start", round: 1, of: 2 },
      { type: "round-failed", round: 1, code: "EXECUTION_ERROR", reason: "Timed out." },
      { type: "round-start", round: 2, of: 2 },
      { type: "round-end", round: 2, verified: true, result: "x" },
    ]).done,
  ).toEqual(["✗ Round 1  Timed out. · 1 s", "✓ Round 2  verified · 1 s"]);
});
