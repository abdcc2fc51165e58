import type { DeepSearchReport, SearchReport } from "@x/research";
import { VERSION } from "../../host/version.js";

/** A report, or those of a thread, as one HTML page. */
export async function pageOf(reports: readonly (SearchReport | DeepSearchReport)[]): Promise<string> {
  const { reportPage, threadPage } = await import("../../report/html/page.js");
  const options = { generator: `@x/mcp-server ${VERSION}` };
  const [report] = reports;
  return reports.length === 1 && report !== undefined ? reportPage(report, options) : threadPage(reports, options);
}
