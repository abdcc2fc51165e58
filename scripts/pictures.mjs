#!/usr/bin/env node
// The pictures of the README and of the docs, from runs of the demo: docs/demo.svg, its terminal; docs/report.png, the page it
// writes; docs/web.png, web-phone.png and web-dark.png, the researches in the browser; docs/evidence.png, claims with their
// passages. Linux, with Chromium. `npm run pictures`
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { webPictures } from "../packages/mcp-server/scripts/web-picture.mjs";
import { commandLine } from "../packages/proof/measure/command-line.mjs";
import { writeEvidencePage } from "./evidence-page.mjs";
import { draw, record } from "./recording.mjs";

const root = new URL("../", import.meta.url);
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const WINDOW = { width: 1_180, height: 1_500 };
/** Paper around a part of a page. */
const MARGIN = 24;
const EVIDENCE_WINDOW = { width: 860, height: 1_500 };

commandLine(
  "The pictures of the README and of the docs, from a run of the demo: npm run pictures\n\nWrites docs/demo.svg, docs/report.png, docs/web.png, docs/web-phone.png, docs/web-dark.png and docs/evidence.png.",
  {},
);

const executablePath = BROWSERS.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error(`No browser: install Chromium (looked for ${BROWSERS.join(", ")})`);

const { CI: _, NO_COLOR: __, FORCE_COLOR: ___, ...env } = process.env;
const demo = fileURLToPath(new URL("packages/mcp-server/demo/demo.mjs", root));
const recording = await record(process.execPath, [demo], env);
// Where this machine keeps temporary files is nobody's matter; the width of the line stays.
const drawn = draw(recording, "npm run demo").replace(/\/\S*\/(report\.html)/g, (path, name) =>
  name.padEnd(path.length),
);
writeFileSync(new URL("docs/demo.svg", root), drawn);

const page = /Open the page in a browser:\s*(\/\S+\.html)/.exec(recording.text.replaceAll("\n", ""))?.[1];
if (page === undefined) throw new Error(`The demo named no page:\n${recording.text}`);
const evidence = join(mkdtempSync(join(tmpdir(), "research-page-")), "evidence.html");
await writeEvidencePage(evidence);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const view = await browser.newPage({ viewport: WINDOW, colorScheme: "light" });
  await view.goto(pathToFileURL(page).href);
  await view.screenshot({ path: fileURLToPath(new URL("docs/report.png", root)) });
  await webPictures(browser, { pathOf: (name) => fileURLToPath(new URL(`docs/${name}.png`, root)), env });
  await view.setViewportSize(EVIDENCE_WINDOW);
  await view.goto(pathToFileURL(evidence).href);
  const { x, y, width, height } = await view.locator("#evidence").boundingBox();
  const clip = { x: x - MARGIN, y, width: width + 2 * MARGIN, height: height + MARGIN };
  await view.screenshot({ path: fileURLToPath(new URL("docs/evidence.png", root)), clip, fullPage: true });
} finally {
  await browser.close();
  for (const file of [page, evidence]) rmSync(dirname(file), { recursive: true, force: true });
}
console.log("Wrote docs/demo.svg, and docs/report.png, web.png, web-phone.png, web-dark.png and evidence.png");
