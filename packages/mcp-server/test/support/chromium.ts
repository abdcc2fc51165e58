import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const executablePath = BROWSERS.find((path) => existsSync(path));

/** Whether there is a browser on this machine. */
export const hasChromium = executablePath !== undefined;

/** For the title of a test. */
export const WITHOUT_CHROMIUM = hasChromium ? "" : ": needs Chromium, and none is installed";

/** Starts a browser that leaves nothing; end it with `close`. */
export async function startChromium(): Promise<{ browser: Browser; close(): Promise<void> }> {
  // Chromium keeps crash reports in the home of whoever starts it, whatever its profile is.
  const home = await mkdtemp(join(tmpdir(), "browser-home-"));
  const browser = await chromium.launch({
    executablePath: executablePath as string,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_CACHE_HOME: join(home, ".cache") },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
