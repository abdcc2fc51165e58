import type { ResearchEvent } from "@x/research";
import { expect, test } from "vitest";
import { newActivity, update } from "../../src/jobs/activity.js";

test.each([
  ["mcp_pages_read_page", "reading a document"],
  ["firecrawl_scrape", "using firecrawl_scrape"],
])("a call of %s without an address of the web is told as %j", (tool, now) => {
  const activity = newActivity();
  expect(update(activity, { type: "step", round: 1, step: { type: "tool-call", id: "1", tool } })).toBe(true);
  expect(activity.now).toBe(now);
});

test("nothing is said to think before the model is asked", () => {
  const activity = newActivity();
  const told = (step: Extract<ResearchEvent, { type: "step" }>["step"]) => {
    update(activity, { type: "step", round: 1, step });
    return activity.now;
  };
  expect(told({ type: "run-start", pid: 1, queuedMs: 0, warm: false })).toBe("waiting for the Gemini CLI");
  expect(told({ type: "turn-start" })).toBe("thinking");
  expect(told({ type: "tool-call", id: "1", tool: "google_web_search", query: "tides" })).toBe('searching "tides"');
  expect(told({ type: "tool-result", id: "1", tool: "google_web_search", ok: true })).toBe('searching "tides"');
  expect(told({ type: "turn-start" }), "with what the search gave").toBe("thinking");
});
