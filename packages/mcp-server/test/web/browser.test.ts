/// <reference lib="dom" />
import { mkdir, writeFile } from "node:fs/promises";
import type { ResearchEvent } from "@x/research";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sampleReport } from "../report/html/sample-report.js";
import { violationsOf } from "../support/axe.js";
import { hasChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.js";
import { opened } from "./opened.js";

const pictures = new URL("../../.turbo/pictures/", import.meta.url);
const LOOKS = [
  ["light", 1280],
  ["light", 390],
  ["dark", 1280],
  ["dark", 390],
] as const;

const step = (round: number, event: Extract<ResearchEvent, { type: "step" }>["step"]): ResearchEvent => ({
  type: "step",
  round,
  step: event,
});
const searching = { type: "tool-call", tool: "google_web_search" } as const;
const reading = { type: "tool-call", tool: "web_fetch" } as const;
const ended = (id: string, ok: boolean) => ({ type: "tool-result", id, tool: "web_fetch", ok }) as const;

/** A round that is over, and one that has searched and could not read. */
const ROUND_AND_A_HALF: ResearchEvent[] = [
  { type: "round-start", round: 1, of: 5 },
  step(1, { ...searching, id: "1", query: "leap second" }),
  step(1, ended("1", true)),
  step(1, { ...reading, id: "2", urls: ["https://time.example/leap-seconds"] }),
  step(1, ended("2", true)),
  { type: "round-end", round: 1, verified: false, result: "Leap seconds are being retired." },
  { type: "round-start", round: 2, of: 5 },
  step(2, { ...reading, id: "3", urls: ["https://blocked.example/"] }),
  step(2, ended("3", false)),
  step(2, { ...searching, id: "4", query: "leap second abolition date" }),
];

/** What the page looks like at each width, light and dark; nothing of it may be out of reach for anybody. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    expect(await violationsOf(page), `${name}, ${colorScheme}, ${width} px`).toEqual([]);
    await writeFile(new URL(`web-${name}-${colorScheme}-${width}.png`, pictures), await page.screenshot());
  }
}

test.skipIf(!hasChromium)(
  `the pages in a browser${WITHOUT_CHROMIUM}`,
  async () => {
    await mkdir(pictures, { recursive: true });
    const { research, address, origin } = await opened();
    const { browser, close } = await startChromium();
    try {
      const page = await browser.newPage();
      const trouble: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) trouble.push(request.url());
      });
      page.on("console", (message) => trouble.push(message.text()));
      page.on("pageerror", (error) => trouble.push(error.message));
      await page.goto(address);
      expect(page.url()).toBe(`${origin}/`);
      await page.waitForSelector("text=No research is kept yet");
      await lookAt(page, "empty");

      await page.fill("#query", sampleReport.metadata.query);
      await page.selectOption("#tool", "deep_search");
      await page.click("text=Ask");
      await page.waitForURL(/\/research\/deep-search-/);
      await research.hasAsked(1);
      research.tell(...ROUND_AND_A_HALF);
      // Without a click.
      await page.waitForSelector("text=Round 2 of 5: searching");
      expect(await page.locator(".steps li").allInnerTexts()).toEqual([
        expect.stringMatching(/^✓\s+Round 1\s+not verified · 1 search · 1 read · /),
        expect.stringMatching(/^✗\s+read\s+blocked\.example$/),
        expect.stringMatching(/^›\s+search\s+leap second abolition date$/),
      ]);
      const time = await page.innerText("#time");
      expect(time).toMatch(/^\d+:\d\d$/);
      await page.waitForFunction((before) => document.getElementById("time")?.textContent !== before, time);
      await lookAt(page, "running");

      research.finish(sampleReport);
      await page.waitForSelector("#evidence");
      await lookAt(page, "report");

      await page.click("text=Ask on");
      await page.waitForSelector("text=Ask on after:");
      await lookAt(page, "ask-on");
      await page.fill("#query", "And in space?");
      expect(await page.inputValue("#tool")).toBe("deep_search");
      await page.selectOption("#tool", "search");
      await page.click("button:text-is('Ask')");
      await page.waitForURL(/\/research\/search-/);
      await research.hasAsked(2);
      research.finish(sampleReport);
      await page.waitForSelector("#evidence");
      await page.click("text=With what it follows");
      await page.waitForSelector("#research-2");
      await lookAt(page, "thread");

      await page.click("text=All researches");
      await page.waitForSelector(".jobs li");
      await page.fill("#query", "Is fasting healthy?");
      await page.click("button:text-is('Ask')");
      await page.waitForURL(/\/research\/search-/);
      await page.click("text=All researches");
      await page.waitForSelector("text=1 running");
      // A list that changes leaves the reader where they are.
      await page.focus(".jobs li:last-child a");
      const focused = await page.evaluate(() => document.activeElement?.id);
      research.tell({ type: "round-start", round: 1, of: 1 });
      await page.waitForSelector("text=starting the Gemini CLI");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(focused);
      await lookAt(page, "list");
      await page.emulateMedia({ media: "print" });
      expect(await page.locator("form:visible, button:visible, .links:visible").count()).toBe(0);
      expect(await page.locator(".jobs li:visible").count()).toBe(3);
      await writeFile(new URL("web-list-print.pdf", pictures), await page.pdf({ format: "A4" }));
      await page.emulateMedia({ media: "screen" });

      await page.click(".jobs li:first-child a");
      await page.click("text=Stop it");
      await page.waitForSelector("text=Ask it again");
      await lookAt(page, "stopped");
      await page.click("text=Ask it again");
      await research.hasAsked(4);
      research.tell(...ROUND_AND_A_HALF);
      research.fail(Object.assign(new Error("Nobody is signed in."), { code: "AUTH_REQUIRED" }));
      await page.waitForSelector("text=AUTH_REQUIRED");
      await lookAt(page, "failed");
      await page.click("text=All researches");

      await page.fill("#q", "nothing of it");
      await page.click("text=Show");
      await page.waitForSelector("text=No research fits");
      await lookAt(page, "nothing-found");
      await page.fill("#q", "leap");
      await page.click("text=Show");
      await page.waitForURL(/q=leap/);
      expect(await page.locator(".jobs li").count()).toBe(1);
      await page.click(".jobs li a");
      await page.click("text=Delete");
      await lookAt(page, "delete");
      await page.click("button:text-is('Delete it')");
      await page.waitForURL(`${origin}/`);
      expect(await page.locator(".jobs li").count()).toBe(2);
      expect(trouble).toEqual([]);

      // A browser writes of each answer that is none.
      await page.goto(`${origin}/research/search-0000000000`);
      expect(await page.innerText("h1")).toBe("There is no such research");
      await lookAt(page, "unknown");
      await page.context().clearCookies();
      await page.goto(address);
      expect(await page.innerText("h1")).toBe("This page is closed");
      await lookAt(page, "closed");
      expect(trouble.filter((line) => !/status of 40[34]/.test(line))).toEqual([]);
    } finally {
      await close();
    }
  },
  300_000,
);
