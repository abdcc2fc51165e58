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
