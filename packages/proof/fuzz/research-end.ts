import type { DeepSearchReport, SearchReport } from "@x/research";
import { must, UNCHECKED } from "./target.js";

/** A research ends with a report of the promised shape, or with the one error. Gives the error's text. */
export async function mustEndWell(ended: Promise<SearchReport | DeepSearchReport>): Promise<string | undefined> {
  let report: SearchReport | DeepSearchReport;
  try {
    report = await ended;
  } catch (error) {
    const { name, message, details = "" } = error as Error & { details?: string };
    must(name === "ResearchError", () => `threw ${name}: ${message}`);
    must(!UNCHECKED.test(`${message} ${details}`), () => `nobody checked: ${message} ${details}`);
    return message;
  }
  const { success, result, metadata } = report;
  must(success === true && typeof result === "string", () => `is ${JSON.stringify(report).slice(0, 500)}`);
  must(Number.isFinite(metadata.duration_ms), () => `the duration is ${metadata.duration_ms}`);
  mustBeTexts(metadata.sources_visited ?? []);
  if (!("verified" in report)) return undefined;
  must(typeof report.verified === "boolean", () => `verified is ${JSON.stringify(report.verified)}`);
  const { iterations, search_queries_used } = report.metadata;
  must(Number.isInteger(iterations) && iterations >= 1, () => `iterations are ${iterations}`);
  mustBeTexts(search_queries_used);
  return undefined;
}

function mustBeTexts(list: unknown): void {
  const are = Array.isArray(list) && list.every((each) => typeof each === "string");
  must(are, () => `a list is ${JSON.stringify(list)}`);
}
