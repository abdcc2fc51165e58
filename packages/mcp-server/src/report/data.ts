import type { DeepSearchReport, SearchReport } from "@x/research";
import { plainText, shortLine } from "../text/plain-text.js";

/** Characters that are shown; the JSON of the report has all of it. */
const LONGEST = 20_000;
const MOST_MISSING = 20;

/** Data of a report as people are shown it: JSON, and what of it nothing proves. `undefined`: none was wanted. */
export function dataOf(report: SearchReport | DeepSearchReport): { json: string; missing: string } | undefined {
  const { data, metadata } = report;
  if (data === undefined) return undefined;
  const json = plainText(JSON.stringify(data, null, 2));
  const missing = Array.isArray(metadata.missing) ? metadata.missing : [];
  const named = missing.slice(0, MOST_MISSING).map((leaf) => shortLine(String(leaf), 80) || "the whole");
  const more = missing.length > MOST_MISSING ? [`${missing.length - MOST_MISSING} more`] : [];
  return {
    json: json.length > LONGEST ? `${json.slice(0, LONGEST)}\n…` : json,
    missing: missing.length === 0 ? "" : `Not proven: ${[...named, ...more].join(", ")}`,
  };
}
