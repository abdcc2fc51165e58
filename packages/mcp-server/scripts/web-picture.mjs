// docs/web.png, docs/web-phone.png and docs/web-dark.png: the pages of `x-research web` with one research done and one that
// runs, by the real Gemini CLI and the recorded topic of the demo.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer } from "@x/gemini-runner/testing";
import { leapSeconds, QUESTION } from "../demo/leap-seconds.mjs";
import { startPages } from "../demo/pages.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SERVER = here("../dist/bin.js");
const OFFLINE_NAMES = new URL("../demo/offline-names.mjs", import.meta.url).href;
const CLI = createRequire(import.meta.url).resolve("@google/gemini-cli/bundle/gemini.js");

const WINDOW = { width: 1_180, height: 760 };
const PHONE = { width: 390, height: 700 };

/** Takes the pictures with a browser that is there: the list, a running research on a phone, and the list dark. `pathOf` says where. */
export async function webPictures(browser, { pathOf, env: given }) {
  const folder = await mkdtemp(join(tmpdir(), "research-web-"));
  const model = await startModelServer({ scenario: leapSeconds(QUESTION, { thinkMs: 1_500 }) });
  const pages = await startPages();
  const own = { HOME: folder, GEMINI_CLI_HOME: folder, GEMINI_SEARCH_CONFIG_DIR: join(folder, "config") };
  const env = { ...given, ...model.env, ...pages.env, ...own, GEMINI_CLI_PATH: CLI };
  const start = (...args) =>
    spawn(process.execPath, ["--import", OFFLINE_NAMES, SERVER, ...args], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  let web;
  try {
    await once(
      start("deep-search", QUESTION, "--quiet")
        .on("error", () => {})
        .stdout.resume(),
      "close",
    );
    web = start("web", "--no-open");
    const [address] = await once(web.stdout.setEncoding("utf8"), "data");
    const view = await browser.newPage({ viewport: WINDOW, colorScheme: "light" });
    // The CLI takes its time on a busy machine.
    view.setDefaultTimeout(180_000);
    await view.goto(address.trim());
    await view.fill("#query", "When was the last leap second, and how long is a day without one?");
    await view.selectOption("#tool", "deep_search");
    await view.click("button:text-is('Ask')");
    await view.waitForSelector("text=This round");
    await view.setViewportSize(PHONE);
    await view.screenshot({ path: pathOf("web-phone") });
    await view.setViewportSize(WINDOW);
    await view.click("text=All researches");
    await view.waitForSelector("text=1 running");
    await view.screenshot({ path: pathOf("web") });
    await view.emulateMedia({ colorScheme: "dark" });
    await view.screenshot({ path: pathOf("web-dark") });
  } finally {
    const ended = web && once(web, "exit");
    web?.kill("SIGINT");
    await ended;
    await Promise.all([model.close(), pages.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
