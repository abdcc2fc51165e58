import type { Answer } from "../answer.js";
import { contradictionsIn } from "../claims/contradictions.js";
import { NearDuplicates } from "../claims/near-duplicates.js";
import type { PageRecord } from "../page-reading.js";
import type { Evidence, EvidenceClaim, EvidencePage, EvidenceSource } from "../report-evidence.js";
import { Attributions } from "./attributions.js";
import { proofOf } from "./claim-proof.js";
import type { PageTexts, ReadablePage } from "./page-texts.js";
import type { Redirects } from "./redirects.js";
import { SeenPages } from "./seen-pages.js";
import type { Trail } from "./trail.js";
import { hostWithoutWww, isDocument, mergeUrls, urlsIn } from "./urls.js";

/** What evidence is made of. */
export interface EvidenceInput {
  answer: Pick<Answer, "report" | "claims" | "metadata">;
  trails: readonly Trail[];
  links: Redirects;
  /** The texts of the pages that the trails name. */
  texts: PageTexts;
  /** Rounds that said `verified`, with what they did. */
  verifications: readonly { round: number; trail: Trail }[];
  /** The share of proven claims that was asked for: 0 to 1. */
  required?: number | undefined;
}

/** Quoted claims that are compared with each other. */
const MAX_COMPARED = 200;

/**
 * Tells which sources of an answer the runs found and read, and how far each of its claims is proven. The model judges its
 * claims; of that judgement only `supported` without a source that was read is changed. Without the runs' record nothing
 * is said: it never guesses.
 */
export function evidenceOf({ answer, trails, links, texts, verifications, required }: EvidenceInput): Evidence {
  const unsupported = verifications
    .filter(({ trail }) => trail.recorded && trail.queries.length === 0 && !readsDocuments(trail))
    .map(({ round }) => round);
  const asked = required === undefined ? {} : { required };
  if (!trails.every((trail) => trail.recorded)) {
    return { ...NOTHING, ...asked, claims: [], sources: [], unsupported_verifications: unsupported };
  }
  const seen = new SeenPages(trails, links);
  const readable = texts.of(trails.flatMap(({ pages }) => pages));
  const claims = claimsOf(answer.claims, { trails, links, seen, readable });
  const unseen = markCited(answer, seen, links);
  markProven(claims, seen);
  const sources = seen.all().filter(isOfReport);
  const hosts = new Set(sources.filter((page) => page.cited).map((page) => hostWithoutWww(seen.shown(page.url))));
  return {
    status: "available",
    sources,
    unseen: unseen.urls,
    citation_accuracy: unseen.cited === 0 ? null : round(1 - unseen.urls.length / unseen.cited),
    independent_hosts: hosts.size,
    claims,
    proven: claims.length === 0 ? null : round(claims.filter(isProven).length / claims.length),
    ...asked,
    contradictions: contradictionsOf(claims),
    pages: readable.flatMap(({ record }) => {
      const page = seen.get(record.final_url);
      return page === undefined || isOfReport(page) ? [toEvidencePage(record)] : [];
    }),
    unsupported_verifications: unsupported,
  };
}

/** Whether a round looked into documents of one's own: that is a search, too. */
function readsDocuments({ pages }: Trail): boolean {
  return pages.some(({ final_url: url }) => isDocument(url));
}

/** Whether a page is one of the report's: cited, read, or with words that prove something. Of an earlier research's, reading is not enough. */
function isOfReport({ cited, status, earlier }: EvidenceSource): boolean {
  return cited || (status !== "found" && !(earlier && status === "retrieved"));
}

/** Of runs without a record nothing is said. */
const NOTHING = {
  status: "unavailable",
  unseen: [],
  citation_accuracy: null,
  independent_hosts: 0,
  proven: null,
  contradictions: [],
  pages: [],
} satisfies Partial<Evidence>;

/** Whether a program, and not the model alone, says that a claim stands somewhere. */
export function isProven({ proof }: Pick<EvidenceClaim, "proof">): boolean {
  return proof === "quoted" || proof === "attributed";
}

interface Known {
  trails: readonly Trail[];
  links: Redirects;
  seen: SeenPages;
  readable: readonly ReadablePage[];
}

function claimsOf(claims: Answer["claims"], { trails, links, seen, readable }: Known): EvidenceClaim[] {
  const duplicates = new NearDuplicates();
  for (const { record, page } of readable) duplicates.add(record.final_url, () => page.words);
  const attributions = new Attributions(trails.flatMap((trail) => trail.attributions));
  const context = {
    pages: readable,
    attributions,
    pageOf: (url: string) => links.pageOf(url),
    shown: (url: string) => seen.shown(url),
    seen: (url: string) => {
      const page = seen.get(url);
      return page && { url: page.url, isRead: page.status === "retrieved" };
    },
    duplicates,
  };
  return claims.map((claim) => proofOf(claim, context));
}

/** Marks what the answer cites; gives the addresses that were never seen, and how many it cites in all. */
function markCited(answer: EvidenceInput["answer"], seen: SeenPages, links: Redirects) {
  const cited = mergeUrls(
    urlsIn(answer.report).map((url) => links.pageOf(url)),
    answer.claims.flatMap((claim) => claim.sources.map((url) => links.pageOf(url))),
    answer.metadata.sources_visited.map((url) => links.pageOf(url)),
  );
  const urls: string[] = [];
  for (const url of cited) {
    const page = seen.get(url);
    if (page === undefined) urls.push(url);
    else page.cited = true;
  }
  return { urls, cited: cited.length };
}

/** Marks the pages that carry a proven claim. */
function markProven(claims: readonly EvidenceClaim[], seen: SeenPages): void {
  const found = (quote: EvidenceClaim["quotes"][number]) => quote.found !== "altered" && quote.found !== "not-found";
  for (const { proof, sources } of claims) {
    if (proof !== "attributed") continue;
    for (const page of sources.flatMap((url) => seen.get(url) ?? [])) page.status = "attributed";
  }
  for (const url of claims.flatMap(({ quotes }) => quotes.filter(found).map((quote) => quote.url))) {
    const page = seen.get(url);
    if (page !== undefined) page.status = "quoted";
  }
}

function contradictionsOf(claims: readonly EvidenceClaim[]): Evidence["contradictions"] {
  const quoted = claims.flatMap((claim, at) => (claim.proof === "quoted" ? [at] : [])).slice(0, MAX_COMPARED);
  const found = contradictionsIn(quoted.map((at) => claims[at]?.text ?? ""));
  return found.map(({ claims: [one, other], values }) => ({
    claims: [quoted[one] as number, quoted[other] as number],
    values,
  }));
}

function toEvidencePage({
  url,
  final_url,
  sha256,
  bytes,
  content_type,
  fetched_at,
  ...said
}: PageRecord): EvidencePage {
  const { title, published } = said;
  return {
    ...{ url, final_url, sha256, bytes, content_type, fetched_at },
    ...(title !== undefined && { title }),
    ...(published !== undefined && { published }),
  };
}

/** How many of the pages that a report cites were seen. */
export function supportedCitations(report: string, trails: readonly Trail[], links: Redirects): number {
  const seen = new SeenPages(trails, links);
  return urlsIn(report).filter((url) => seen.get(url) !== undefined).length;
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
