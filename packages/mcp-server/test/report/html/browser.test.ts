/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { mkdir, writeFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { reportPage, threadPage } from "../../../src/report/html/page.js";
import { violationsOf } from "../../support/axe.js";
import { hasChromium, startChromium, WITHOUT_CHROMIUM } from "../../support/chromium.js";
import { hostileReport } from "./hostile-report.js";
import { sampleReport } from "./sample-report.js";

const LOOKS = [
  ["dark", 390],
  ["dark", 1280],
  ["light", 390],
  ["light", 1280],
] as const;
const pictures = new URL("../../../.turbo/pictures/", import.meta.url);

/** A window that reports every request, message and dialog. Each window costs as much as all that is looked at in it. */
async function openWindow(browser: Browser) {
  const page = await browser.newPage({ hasTouch: true });
  const trouble: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) trouble.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, trouble };
}

/** Texts whose colour is too close to what is behind them: less than 4.5 to 1, as WCAG 2.2 AA asks. */
function faintTexts(): string[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element: Element | null): string => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim()) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${node.textContent.trim().slice(0, 40)}`);
  }
  return faint;
}

/** Headings without a gap, ids that are each there once, links within the page that lead somewhere. */
async function hasWholeStructure(page: Page): Promise<void> {
  const structure = await page.evaluate(() => ({
    levels: [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map((heading) => Number(heading.tagName[1])),
    ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
    dead: [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].filter(
      (link) => document.getElementById(link.hash.slice(1)) === null,
    ).length,
  }));
  expect(structure.levels.filter((level, index, levels) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  expect(new Set(structure.ids).size).toBe(structure.ids.length);
  expect(structure.dead).toBe(0);
}

const { metadata } = sampleReport;
/** A report with data that is not all proven, of a question that was asked anew. */
const withMore = {
  ...sampleReport,
  data: {
    abolished: 2035,
    decided: { by: "27th CGPM", on: "2022-11-18" },
    note: `${"long ".repeat(60)}text`,
    gap: null,
  },
  metadata: {
    ...metadata,
    missing: ["/gap"],
    changes: {
      of: "search-0000000000",
      at: "2026-10-01T00:00:00Z",
      added: ["The first country has announced an earlier date."],
      gone: ["Nobody objects."],
      changed: [{ was: "It ends in 2035.", is: "It ends by 2035.", values: ["2035", "by 2035"] as [string, string] }],
      same: 4,
    },
  },
};
const GENERATOR = { generator: "@x/mcp-server" };
const PAGES = {
  more: reportPage(withMore, GENERATOR),
  thread: threadPage(
    [sampleReport, withMore, { ...sampleReport, metadata: { ...metadata, query: "And in space?" } }],
    GENERATOR,
  ),
};

test.skipIf(!hasChromium).each(Object.entries(PAGES))(
  `the page of %s in a browser${WITHOUT_CHROMIUM}`,
  async (name, html) => {
    const { browser, close } = await startChromium();
    try {
      await mkdir(pictures, { recursive: true });
      const { page, trouble } = await openWindow(browser);
      await page.setContent(html);
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(faintTexts), `${colorScheme}, ${width} px`).toEqual([]);
        expect(await violationsOf(page), `${colorScheme}, ${width} px`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await writeFile(new URL(`${name}-${colorScheme}-${width}.png`, pictures), await page.screenshot());
      }
      await hasWholeStructure(page);
      await page.emulateMedia({ media: "print", colorScheme: "light" });
      expect(await violationsOf(page), "print").toEqual([]);
      await writeFile(new URL(`${name}-print.pdf`, pictures), await page.pdf({ format: "A4" }));
      expect(await page.locator("nav:visible, .card:visible").count()).toBe(0);
      expect(trouble).toEqual([]);
    } finally {
      await close();
    }
  },
  180_000,
);

test("on the page of a thread every citation opens the card of its own report", () => {
  for (const research of ["research-1", "research-2", "research-3"]) {
    expect(PAGES.thread).toContain(`<a class="cite retrieved" href="#${research}-card-1" id="${research}-cite-1-1"`);
    expect(PAGES.thread).toContain(`id="${research}-card-1"`);
    expect(PAGES.thread).toContain(`<li><a href="#${research}" dir="auto">`);
    expect(PAGES.thread).toContain(`<li><a href="#${research}-evidence" dir="auto">Evidence</a></li>`);
  }
});

const words = (text: string, length: number) => `${text} `.repeat(length).slice(0, length).trim();
const quote = {
  url: metadata.sources_visited?.[0] ?? "",
  text: words("It ends in 2035.", 280),
  found: "exact" as const,
  before: words("What stands before it.", 200),
  passage: words("It ends in 2035.", 280),
  behind: words("And what stands behind it.", 200),
};
/** Its words are quoted from the middle of a page, and it has addresses for its text. */
const quoting = {
  ...sampleReport,
  result: `It ends [1](${quote.url}). See https://example.org/köln or [the page](https://example.org/page).`,
  metadata: {
    ...metadata,
    evidence: {
      ...(metadata.evidence as NonNullable<typeof metadata.evidence>),
      claims: [{ text: "It ends.", status: "supported" as const, sources: [quote.url], quotes: [quote, quote] }],
    },
  },
};

test.skipIf(!hasChromium)(
  `on a phone: the marked words of a card are seen, no figure stands beside an empty place, a thread has its contents${WITHOUT_CHROMIUM}`,
  async () => {
    const { browser, close } = await startChromium();
    try {
      const { page } = await openWindow(browser);
      await page.setViewportSize({ width: 390, height: 700 });
      await page.setContent(reportPage(quoting as unknown as typeof sampleReport, GENERATOR));
      await page.tap("#cite-1-1");
      // The first ones whole, of the others the beginning.
      const seen = await page.evaluate(() => {
        const boxes = [document.querySelector(":target"), document.documentElement];
        const marks = [...document.querySelectorAll(":target mark")];
        return marks.map((mark, at) => {
          const lines = [...mark.getClientRects()].slice(0, at === 0 ? undefined : 1);
          const around = [...boxes, mark.closest("blockquote")].map((box) => box?.getBoundingClientRect());
          return lines.every(({ top, bottom }) =>
            around.every((box) => box !== undefined && top >= box.top && bottom <= Math.min(box.bottom, innerHeight)),
          );
        });
      });
      expect(seen).toEqual([true, true]);
      const printed = await page.evaluate(() =>
        [...document.querySelectorAll(".report a:not(.cite)")].map((link) => link.textContent),
      );
      expect(printed).toEqual(["https://example.org/köln", "the page"]);
      await page.emulateMedia({ media: "print" });
      const behind = await page.evaluate(() =>
        [...document.querySelectorAll(".report a:not(.cite)")].map((link) => getComputedStyle(link, "::after").content),
      );
      expect(behind).toEqual(["none", expect.stringContaining("https://example.org/page")]);
      await page.emulateMedia({ media: "screen" });

      await page.setContent(PAGES.thread);
      for (const width of [360, 390, 600, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const gaps = await page.evaluate(() =>
          [...document.querySelectorAll(".figures")].map((list) => {
            const { right } = list.getBoundingClientRect();
            const ends = new Map(
              [...list.children].map((item) => item.getBoundingClientRect()).map((box) => [box.top, box.right]),
            );
            return [...ends.values()].map((end) => Math.round(right - end));
          }),
        );
        expect(
          gaps.flat().filter((gap) => gap > 1),
          `${width} px`,
        ).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 700 });
      await page.tap(".contents-small summary");
      await page.tap(".contents-small [href='#research-2-sources']");
      await page.waitForFunction(() => {
        const { top = -1 } = document.getElementById("research-2-sources")?.getBoundingClientRect() ?? {};
        return top >= 0 && top < innerHeight;
      });
    } finally {
      await close();
    }
  },
  180_000,
);

test.skipIf(!hasChromium)(
  `the page in a browser${WITHOUT_CHROMIUM}`,
  async () => {
    const { browser, close } = await startChromium();
    try {
      await mkdir(pictures, { recursive: true });
      const { page, trouble } = await openWindow(browser);
      await page.setContent(reportPage(sampleReport, { generator: "@x/mcp-server" }));
      const papers = new Set<string>();
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(faintTexts), `${colorScheme}, ${width} px`).toEqual([]);
        expect(await violationsOf(page), `${colorScheme}, ${width} px`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        // One table of contents, whatever the width.
        expect(await page.locator("nav.contents:visible").count()).toBe(width > 1_000 ? 1 : 0);
        expect(await page.locator(".contents-small:visible").count()).toBe(width > 1_000 ? 0 : 1);
        papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        await writeFile(new URL(`${colorScheme}-${width}.png`, pictures), await page.screenshot({ fullPage: true }));
        expect(trouble).toEqual([]);
      }
      expect(papers.size).toBe(2);

      const inView = (selector: string) =>
        page.waitForFunction((at) => {
          const box = document.querySelector(at)?.getBoundingClientRect();
          return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
        }, selector);
      // Nothing moves slowly, so that what is read is where it stays.
      await page.emulateMedia({ reducedMotion: "reduce" });
      const scrolled = () => page.evaluate(() => Math.round(scrollY));
      for (const [width, press] of [
        [390, (selector: string) => page.tap(selector)],
        [1280, (selector: string) => page.click(selector)],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => document.getElementById("cite-7-1")?.scrollIntoView({ block: "center" }));
        await inView("#cite-7-1");
        const reading = await scrolled();
        await press("#cite-7-1");
        await inView("#card-7");
        expect(await page.textContent(":target .badge")).toBe("never seen");
        expect(await scrolled()).toBe(reading);
        await press(":target [href='#read-on']");
        expect(await page.isVisible("#card-7")).toBe(false);
        expect(await scrolled()).toBe(reading);
      }
      await page.click("#cite-7-1");
      await page.click(":target [href='#source-7']");
      await inView("#source-7");
      await page.click("#source-7 .back a");
      await inView("#cite-7-1");
      await hasWholeStructure(page);
      await page.emulateMedia({ media: "print", colorScheme: "light" });
      expect(await violationsOf(page), "print").toEqual([]);
      expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
      expect(trouble).toEqual([]);

      await page.setContent(reportPage(hostileReport, { generator: "x" }));
      const found = await page.evaluate(() => ({
        elements: document.querySelectorAll("script,img,iframe,form,input,object,embed,body style,body meta").length,
        handlers: [...document.querySelectorAll("*")].flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith("on")),
        ),
        schemes: [...new Set([...document.querySelectorAll("a")].map((link) => link.protocol))],
      }));
      expect(found).toEqual({ elements: 0, handlers: [], schemes: ["about:", "https:"] });
      expect(trouble).toEqual([]);
    } finally {
      await close();
    }
  },
  180_000,
);
