import type { Filters } from "../events.js";
import type { Evidence } from "../report.js";
import type { Answer } from "../rounds/answer.js";
import { Pages, type Trail } from "./evidence.js";
import { filterWarnings, isAllowed } from "./filters.js";
import type { Links } from "./redirects.js";
import { mergeSources, mergeTexts, urlsIn } from "./urls.js";

type Listed = Answer["metadata"];

/**
 * What may be presented as the sources and queries of a round. With the CLI's record: the queries that ran, the pages
 * that were read, and of what the answer lists only what any round has seen. Without: what the answer lists.
 */
export function visitedIn(
  { listed, trail }: { listed: Listed; trail: Trail },
  { trails, links, filters }: { trails: readonly Trail[]; links: Links; filters: Filters },
): { sources: string[]; queries: string[] } {
  const pages = new Pages(trails, links);
  const named = listed.sources_visited.map((url) => links.pageOf(url));
  const allowed = (sources: string[]) => sources.filter((url) => isAllowed(pages.shown(url), filters));
  if (!trails.every(({ recorded }) => recorded)) {
    return { sources: allowed(mergeSources(named)), queries: mergeTexts(listed.search_queries_used) };
  }
  const seen = named.flatMap((url) => pages.get(url)?.url ?? []);
  const read = trail.sources
    .filter(({ status }) => status === "retrieved")
    .flatMap(({ url }) => pages.get(url)?.url ?? []);
  return { sources: allowed(mergeSources(seen, read)), queries: trail.queries };
}

interface WarningContext {
  evidence: Evidence;
  trails: readonly Trail[];
  filters: Filters;
  links: Links;
  now: number;
}

/** What a reader should know before trusting the answer; empty for most answers. */
export function warningsOf(
  { report, queries, cutOff }: { report: string; queries: readonly string[]; cutOff: boolean },
  { evidence, trails, filters, links, now }: WarningContext,
): string[] {
  const warnings: string[] = [];
  if (cutOff) warnings.push("The answer was cut off: the end of the report is missing.");
  if (evidence.unseen.length > 0) {
    const [are, them] = evidence.unseen.length === 1 ? ["address was", "it"] : ["addresses were", "them"];
    warnings.push(
      `${evidence.unseen.length} cited ${are} not seen in any search or page of this research, do not rely on ${them}: ${evidence.unseen.join(", ")}`,
    );
  }
  for (const round of evidence.unsupported_verifications) {
    warnings.push(`Round ${round} said "verified" without one search that gave results.`);
  }
  const pages = new Pages(trails, links);
  const outside = urlsIn(links.inText(report)).filter((url) => !isAllowed(pages.shown(url), filters));
  if (outside.length > 0) warnings.push(`The report cites pages that the filters exclude: ${outside.join(", ")}`);
  return [...warnings, ...filterWarnings(filters, now, { queries, text: report })];
}
