import type { Evidence, Usage } from "@x/research";
import type { Report } from "./job-record.js";

/** What a list says of a report without reading it. */
export interface ReportSummary {
  /** The model's own word on a deep search. */
  verified?: boolean;
  /** Addresses that the report cites, and how many of them stand in no search and no page. Missing without a record. */
  citations?: { cited: number; unseen: number };
  /** Claims of the report, and how many of them are quoted or attributed. Missing when an older version made it. */
  claims?: { count: number; proven: number };
  /** The last round called the report verified and searched nothing. */
  unsearched?: true;
  /** The model did not keep to the asked form. */
  unstructured?: true;
  /** It is a plan of a research. */
  isPlan?: true;
  /** What the research cost. Missing where it is not known. */
  cost?: { rounds: number; runs: number; tokens: number; durationMs: number };
}

const SUMMARY = [
  "verified",
  "citations",
  "claims",
  "unsearched",
  "unstructured",
  "isPlan",
  "cost",
] satisfies (keyof ReportSummary)[];

/** What was read from disk without the members of a summary. */
export function withoutSummary(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = { ...value };
  for (const name of SUMMARY) delete rest[name];
  return rest;
}

/** Reads a summary from disk, which may be damaged; leaves out what cannot be read. */
export function summaryOf(report: Report): ReportSummary {
  const { evidence, iterations, unstructured, usage } = report.metadata as Record<string, unknown>;
  const summary: ReportSummary = {};
  if ("plan" in report) summary.isPlan = true;
  const { runs, total_tokens: tokens, duration_ms: durationMs } = { ...(usage as Partial<Usage>) };
  if (runs !== undefined && tokens !== undefined && durationMs !== undefined && !summary.isPlan)
    summary.cost = { rounds: Number(iterations ?? 1), runs, tokens, durationMs };
  if ("verified" in report && typeof report.verified === "boolean") summary.verified = report.verified;
  if (unstructured === true) summary.unstructured = true;
  const { claims, proven, ...record } = { ...(evidence as Partial<Evidence>) };
  if (proven !== undefined && Array.isArray(claims)) {
    summary.claims = { count: claims.length, proven: claims.filter((claim) => claim && isProven(claim)).length };
  }
  const { status, sources, unseen, unsupported_verifications: unsearched } = record;
  if (status !== "available" || !Array.isArray(sources) || !Array.isArray(unseen)) return summary;
  const seen = sources.filter((source) => source?.cited === true).length;
  summary.citations = { cited: unseen.length + seen, unseen: unseen.length };
  if (Array.isArray(unsearched) && unsearched.includes(Number(iterations))) summary.unsearched = true;
  return summary;
}

function isProven({ proof }: Evidence["claims"][number]): boolean {
  return proof === "quoted" || proof === "attributed";
}
