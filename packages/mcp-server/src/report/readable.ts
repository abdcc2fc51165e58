import type { DeepSearchReport, SearchReport } from "@x/research";
import type { Report } from "../jobs/job-record.js";

/** The older tool's report in the shape of the others. */
export function readableReport(report: Report): SearchReport | DeepSearchReport {
  if ("result" in report) return report as SearchReport | DeepSearchReport;
  const { success, report: result, metadata } = report;
  return { success, result, metadata: { ...metadata, query: metadata.topic } } as SearchReport;
}
