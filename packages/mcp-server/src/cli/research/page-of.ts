import type { DeepSearchReport, SearchReport } from "@x/research";
import { VERSION } from "../../host/version.js";

/** The report as one HTML page. */
export async function pageOf(report: SearchReport | DeepSearchReport): Promise<string> {
  const { reportPage } = await import("../../report/html/page.js");
  return reportPage(report, { generator: `@x/mcp-server ${VERSION}` });
}
