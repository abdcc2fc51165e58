/// <reference lib="dom" />

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test } from "vitest";
import { leapSeconds, QUESTION } from "../../demo/leap-seconds.mjs";
import "../../demo/offline-names.mjs";
import { startPages } from "../../demo/pages.mjs";
import { main } from "../../src/cli/main.js";
import { fakeIo } from "../cli/fake-io.js";
import { hasChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.js";
import { newPlace } from "../support/place.js";

test.skipIf(!hasChromium)(
  `a question of the form is researched by the real CLI, and its report is shown${WITHOUT_CHROMIUM}`,
  async () => {
    const { home, env, remove } = newPlace();
    onTestFinished(remove);
    const model = await startModelServer({ scenario: leapSeconds(QUESTION, { thinkMs: 0 }) });
    onTestFinished(() => model.close());
    const pages = await startPages();
    onTestFinished(() => pages.close());
    const { browser, close } = await startChromium();
    const { io, interrupt } = fakeIo({ home, env: { ...env, ...model.env, ...pages.env } });
    const stdout = new PassThrough();
    const web = main(["web", "--no-open"], { ...io, stdout: stdout as unknown as NodeJS.WriteStream });
    try {
      const [address] = await once(stdout.setEncoding("utf8"), "data");
      const page = await browser.newPage();
      // The CLI takes its time on a busy machine.
      page.setDefaultTimeout(120_000);
      await page.goto(String(address).trim());
      await page.fill("#query", QUESTION);
      await page.selectOption("#tool", "deep_search");
      await page.click("button:text-is('Ask')");
      await page.waitForSelector(".steps li");
      // Without a click.
      await page.waitForSelector("#evidence");
      expect(await page.innerText("h1")).toBe(QUESTION);
      expect(await page.innerText(".verdict")).toContain("verified by the model");
      expect(await page.locator(".badge.quoted").count()).toBeGreaterThan(0);
    } finally {
      await close();
      interrupt();
      expect(await web).toBe(0);
    }
  },
  300_000,
);
