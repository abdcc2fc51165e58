import type { Evidence } from "@x/research";
import type { Report } from "./job-record.js";

/** What a list says of a report without reading it. */
export interface ReportSummary {
  /** The model's own word on a deep search. */
  verified?: boolean;
  /** Addresses that the report cites, and how many of them stand in no search and no page. Missing without a record. */
  citations?: { cited: number; unseen: number };
  /** The last round called the report verified and searched nothing. */
  unsearched?: true;
  /** The model did not keep to the asked form. */
  unstructured?: true;
}

/** Reads a summary from disk, which may be damaged; leaves out what cannot be read. */
export function summaryOf(report: Report): ReportSummary {
  const { evidence, iterations, unstructured } = report.metadata as Record<string, unknown>;
  const summary: ReportSummary = {};
  if ("verified" in report && typeof report.verified === "boolean") summary.verified = report.verified;
  if (unstructured === true) summary.unstructured = true;
  const { status, sources, unseen, unsupported_verifications: unsearched } = { ...(evidence as Partial<Evidence>) };
  if (status !== "available" || !Array.isArray(sources) || !Array.isArray(unseen)) return summary;
  const seen = sources.filter((source) => source?.cited === true).length;
  summary.citations = { cited: unseen.length + seen, unseen: unseen.length };
  if (Array.isArray(unsearched) && unsearched.includes(Number(iterations))) summary.unsearched = true;
  return summary;
}
