import type { DeepSearchReport, SearchReport } from "@x/research";
import { type ReportSummary, summaryOf } from "../jobs/report-summary.js";

/** What may be said of a report as a whole: never more than was checked. */
export interface Verdict {
  /** `careful`: a reader should know this before trusting the report. */
  tone: "good" | "careful";
  /** A sentence without its full stop: a sign stands before it. */
  text: string;
}

const careful = (text: string): Verdict => ({ tone: "careful", text });

/** Gives the verdict on a report; `undefined` for a search when there is nothing to say. */
export function verdictOf(report: SearchReport | DeepSearchReport): Verdict | undefined {
  const { verified, citations, claims, unsearched, unstructured } = summaryOf(report);
  if (unstructured) return careful("The model's text as it stands: not in the asked form, and unchecked");
  const { cited = 0, unseen = 0 } = citations ?? {};
  const neverSeen = `${unseen} of ${cited} citations ${unseen === 1 ? "was" : "were"} never seen`;
  if (verified === undefined) return unseen === 0 ? undefined : careful(neverSeen);
  const { iterations } = report.metadata;
  const rounds = `${iterations} round${iterations === 1 ? "" : "s"}`;
  if (!verified) return careful(`Not verified in ${rounds}`);
  const claim = `Called verified by the model in ${rounds}`;
  if (citations === undefined) return careful(`${claim}; what it read is not known`);
  if (unseen > 0) return careful(`${claim}, but ${neverSeen}`);
  if (unsearched) return careful(`${claim}, but the last round searched nothing`);
  if (claims !== undefined && isShort(claims)) {
    if (claims.count === 0) return careful(`${claim}; it names no claims that could be proven`);
    return careful(`${claim}, ${claims.proven} of ${claims.count} claims proven`);
  }
  return { tone: "good", text: `Verified by the model in ${rounds}` };
}

/** Whether there is more to prove. Without claims nothing is proven. */
function isShort({ count, proven }: NonNullable<ReportSummary["claims"]>): boolean {
  return count === 0 || proven < count;
}

/** The same in one to three words, for a list. */
export function shortVerdict({
  verified,
  citations,
  claims,
  unsearched,
  unstructured,
  isPlan,
}: ReportSummary): Verdict {
  if (isPlan) return { tone: "good", text: "plan" };
  if (unstructured) return careful("unchecked text");
  if (verified === false) return careful("not verified");
  if (citations !== undefined && citations.unseen > 0)
    return careful(`${citations.unseen} of ${citations.cited} unseen`);
  if (verified === undefined) return { tone: "good", text: "done" };
  if (citations === undefined) return careful("sources unknown");
  if (unsearched) return careful("last round idle");
  if (claims !== undefined && isShort(claims))
    return careful(claims.count === 0 ? "nothing proven" : `${claims.proven} of ${claims.count} proven`);
  return { tone: "good", text: "verified" };
}
