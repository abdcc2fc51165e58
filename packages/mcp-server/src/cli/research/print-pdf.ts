import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Io } from "../../host/io.js";

const run = promisify(execFile);

/** Browsers that print without a window, by platform; `PRINT_BROWSER` has the first word. */
const BROWSERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};
const BY_NAME = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const LONGEST_MS = 60_000;

/** A page as PDF, printed by a browser that is there. Rejects when none is, in words. */
export async function printPdf(
  page: string,
  { env, host, signal }: Pick<Io, "env" | "host" | "signal">,
): Promise<Buffer> {
  const { PRINT_BROWSER } = env;
  const browsers = PRINT_BROWSER ? [PRINT_BROWSER] : (BROWSERS[host.platform] ?? BY_NAME);
  const folder = await mkdtemp(join(tmpdir(), "report-"));
  try {
    const [source, target] = [join(folder, "report.html"), join(folder, "report.pdf")];
    await writeFile(source, page, { mode: 0o600 });
    const args = [
      "--headless",
      "--disable-gpu",
      "--no-first-run",
      "--no-pdf-header-footer",
      `--user-data-dir=${join(folder, "profile")}`,
    ];
    // The page is our own: without network or script, whatever a model wrote. A browser of root starts without a sandbox alone.
    if (process.getuid?.() === 0) args.push("--no-sandbox");
    for (const browser of browsers) {
      try {
        await run(browser, [...args, `--print-to-pdf=${target}`, pathToFileURL(source).href], {
          env: { ...env },
          signal,
          timeout: LONGEST_MS,
          killSignal: "SIGKILL",
        });
        return await readFile(target);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "ENOENT" && code !== "EACCES") throw pdfError(`${browser} could not print the page`);
      }
    }
    throw pdfError("There is no browser here that prints");
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function pdfError(message: string): Error {
  const details = "Install Chromium or Chrome, name one in PRINT_BROWSER, or export html and print that.";
  return Object.assign(new Error(message), { code: "EXECUTION_ERROR", details });
}
