import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeFolder } from "@x/owned-files";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { openInBrowser } from "../../host/open-in-browser.js";
import type { JobRecord, Report } from "../../jobs/job-record.js";
import { readableReport } from "../../report/readable.js";
import { told } from "../terminal/told.js";
import { pageOf } from "./page-of.js";

/** Pages that were made for a browser, in the config directory. */
const PAGES = "pages";

/** Writes the page of a report, or of a thread under the name of its first, and opens it. Gives the exit code. */
export async function openPage(records: readonly (JobRecord & { report: Report })[], io: Io): Promise<number> {
  const { stderr, env } = io;
  const { configDir, keepMs } = loadConfig(io).config;
  const directory = join(configDir, PAGES);
  await makeFolder(directory, { mode: 0o700 });
  await sweep(directory, Date.now() - keepMs);
  const file = join(directory, pageName(records[0]?.id ?? "none"));
  const page = await pageOf(records.map(({ report }) => readableReport(report)));
  await writeFile(file, page, { mode: 0o600 });
  const url = pathToFileURL(file).href;
  if (await openInBrowser(url, io)) {
    stderr.write(told("✓", `Opened ${url}`, stderr, env));
    return EXIT.ok;
  }
  const instead = `The page is ${url}\nBROWSER can name the program that opens it.`;
  stderr.write(told("✗", `No browser could be started here. ${instead}`, stderr, env));
  return EXIT.failed;
}

/** Pages are kept no longer than the reports that they show. */
async function sweep(directory: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    const found = await stat(file).catch(() => undefined);
    if (name.endsWith(".html") && found?.isFile() && found.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

/** The file of a research among {@link PAGES}. */
function pageName(id: string): string {
  return `${id}.html`;
}

/** Where the page of a research stands, if one was made. */
export function pageFileOf(configDir: string, id: string): string {
  return join(configDir, PAGES, pageName(id));
}
