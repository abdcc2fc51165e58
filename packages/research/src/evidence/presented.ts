import { type Answer, MAX_CLAIMS } from "../answer.js";
import type { Evidence } from "../report-evidence.js";
import type { Filters } from "../request.js";
import { filterWarnings, isAllowed } from "./filters.js";
import type { Redirects } from "./redirects.js";
import { SeenPages } from "./seen-pages.js";
import type { Trail } from "./trail.js";
import { MAX_CITED, mergeTexts, mergeUrls, urlsIn } from "./urls.js";

type Listed = Answer["metadata"];

/**
 * What may be presented as the sources and queries of a round. With the CLI's record: the queries that ran, the pages
 * that were read, and of what the answer lists only what any round has seen. Without: what the answer lists.
 */
export function visitedIn(
  { listed, trail }: { listed: Listed; trail: Trail },
  { trails, links, filters }: { trails: readonly Trail[]; links: Redirects; filters: Filters },
): { sources: string[]; queries: string[] } {
  const pages = new SeenPages(trails, links);
  const named = listed.sources_visited.map((url) => links.pageOf(url));
  const allowed = (sources: string[]) => sources.filter((url) => isAllowed(pages.shown(url), filters));
  if (!trails.every(({ recorded }) => recorded)) {
    return { sources: allowed(mergeUrls(named)), queries: mergeTexts(listed.search_queries_used) };
  }
  const seen = named.flatMap((url) => pages.get(url)?.url ?? []);
  const read = trail.sources
    .filter(({ status }) => status === "retrieved")
    .flatMap(({ url }) => pages.get(url)?.url ?? []);
  return { sources: allowed(mergeUrls(seen, read)), queries: trail.queries };
}

interface WarningContext {
  evidence: Evidence;
  trails: readonly Trail[];
  filters: Filters;
  links: Redirects;
  now: number;
}

interface Presented {
  report: string;
  queries: readonly string[];
  cutOff: boolean;
  unstructured: boolean;
}

/** What a reader should know before trusting the answer; empty for most answers. */
export function warningsOf(
  { report, queries, cutOff, unstructured }: Presented,
  { evidence, trails, filters, links, now }: WarningContext,
): string[] {
  const warnings: string[] = [];
  if (unstructured) {
    warnings.push("The model did not answer in the asked form: this is its text as it stands, unchecked.");
  }
  if (cutOff) warnings.push("The answer was cut off: the end of the report is missing.");
  if (evidence.unseen.length > 0) {
    const [are, them] = evidence.unseen.length === 1 ? ["address was", "it"] : ["addresses were", "them"];
    warnings.push(
      `${evidence.unseen.length} cited ${are} not seen in any search or page of this research, do not rely on ${them}: ${firstOf(evidence.unseen)}`,
    );
  }
  for (const round of evidence.unsupported_verifications) {
    warnings.push(`Round ${round} said "verified" without one search that gave results.`);
  }
  const cited = urlsIn(links.inText(report));
  if (cited.length === MAX_CITED) warnings.push(`Only the first ${MAX_CITED} cited pages were looked at.`);
  if (evidence.claims.length === MAX_CLAIMS) warnings.push(`Only the first ${MAX_CLAIMS} claims were looked at.`);
  const pages = new SeenPages(trails, links);
  const outside = cited.filter((url) => !isAllowed(pages.shown(url), filters));
  if (outside.length > 0) warnings.push(`The report cites pages that the filters exclude: ${firstOf(outside)}`);
  return [...warnings, ...filterWarnings(filters, now, { queries, text: report })];
}

/** The evidence has all of them; a warning that names thousands is not read. */
function firstOf(urls: readonly string[]): string {
  const named = urls.slice(0, 10).join(", ");
  return urls.length > 10 ? `${named}, and ${urls.length - 10} more` : named;
}
