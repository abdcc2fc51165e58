import { compareClaims } from "../claims/compare-claims.js";
import { contradictionsBetween } from "../claims/contradictions.js";
import type { ResearchDeps } from "../deps.js";
import { ResearchError } from "../errors.js";
import { PageTexts } from "../evidence/page-texts.js";
import { Redirects } from "../evidence/redirects.js";
import type { Trail } from "../evidence/trail.js";
import type { PageRecord } from "../page-reading.js";
import { earlierPrompt } from "../prompts/earlier.js";
import type { SearchMetadata } from "../report.js";
import type { ResearchOptions } from "../request.js";
import { loadCheckpoint } from "./checkpoint.js";
import { type Best, type Findings, trailsOf } from "./findings.js";
import { evidenceOfFindings } from "./findings-evidence.js";
import type { KnownBefore } from "./known-before.js";
import { claimLine, plainClaimLine } from "./proof.js";
import type { Session } from "./session.js";

/** What a research that follows or renews others starts with. */
interface Start {
  earlier: readonly KnownBefore[];
  /** What is known of the pages of the one that it follows. */
  before?: Trail | undefined;
}

const MAX_PAGES = 500;
const MAX_SOURCES = 2_000;
const MAX_TOLD = 10;
/** Claims of each report that are compared with each other. */
const MAX_COMPARED = 300;

type Asked = Pick<ResearchOptions, "followUpOf" | "refreshOf"> & { query: string };

/** Loads the researches that a request follows and renews, if it does. Throws `INVALID_INPUT` when that cannot be done. */
export async function loadEarlier({ query, followUpOf, refreshOf }: Asked, deps: Stores): Promise<Start> {
  const followed = followUpOf === undefined ? undefined : await loadOne("follow-up", followUpOf, deps);
  const renewed = refreshOf === undefined ? undefined : await loadOne("refresh", refreshOf, deps);
  if (renewed !== undefined && renewed.known.query !== query) {
    const [was, is] = [renewed.known.query, query].map((text) => JSON.stringify(text));
    throw new ResearchError(
      "INVALID_INPUT",
      `The research ${refreshOf} asks ${was}, not ${is}. Ask the same question to refresh it, or start a new research.`,
    );
  }
  const earlier = [followed, renewed].flatMap((loaded) => loaded?.known ?? []);
  // What is asked anew is read anew.
  return { earlier, before: renewed === undefined ? followed?.before : undefined };
}

type Stores = Pick<ResearchDeps, "store" | "pageStore">;

async function loadOne(how: KnownBefore["how"], id: string, { store, pageStore }: Stores) {
  const { order, findings, links, savedAt: at = "" } = await loadCheckpoint(store, id);
  const { best } = findings;
  if (best === undefined) {
    const message = `The research ${id} has no result yet, so nothing can follow it. Let it end first.`;
    throw new ResearchError("INVALID_INPUT", message);
  }
  const redirects = new Redirects(undefined, links);
  const texts = new PageTexts(pageStore);
  await texts.load(trailsOf(findings).flatMap(({ pages }) => pages));
  const claims = claimsOf(best, evidenceOfFindings({ order, findings, best, links: redirects, texts }));
  const report = redirects.inText(best.answer.report);
  const known: KnownBefore = { how, id, query: order.query, at, report, claims };
  return { known, before: trailBefore(findings, redirects) };
}

function claimsOf(best: Best, { status, claims }: ReturnType<typeof evidenceOfFindings>): KnownBefore["claims"] {
  if (status === "available") return claims.map((claim) => ({ text: claim.text, line: claimLine(claim) }));
  return best.answer.claims.map((claim) => ({ text: claim.text, line: plainClaimLine(claim) }));
}

/** All that is known of the pages of a research and of those that it followed; runs without a record know nothing. */
function trailBefore(findings: Findings, links: Redirects): Trail {
  const trails = trailsOf(findings).filter(({ recorded }) => recorded);
  const pages = new Map<string, PageRecord>();
  for (const page of trails.flatMap((trail) => trail.pages)) {
    pages.delete(page.final_url);
    pages.set(page.final_url, page);
  }
  return {
    recorded: true,
    queries: [],
    sources: trails
      .flatMap(({ sources }) => sources.map((source) => ({ ...source, url: links.pageOf(source.url) })))
      .slice(-MAX_SOURCES),
    failures: 0,
    pages: [...pages.values()].slice(-MAX_PAGES),
    attributions: trails.flatMap(({ attributions }) => attributions).slice(-MAX_SOURCES),
    earlier: true,
  };
}

/** The section of a prompt that tells of earlier researches; empty when there is none. */
export function earlierSection(
  { earlier, before }: Start,
  { deps: { prompts }, tools }: Pick<Session, "deps" | "tools">,
  boundary: () => string,
): string {
  const kept = tools.reading.own ? (before?.pages ?? []) : [];
  const pages = kept.map(
    ({ final_url: url, title, fetched_at: at }) => `${url} (${at.slice(0, 10)}${title ? `, ${title}` : ""})`,
  );
  return earlier
    .map(({ claims, ...known }) => {
      const lines = claims.map(({ line }) => line);
      return earlierPrompt(prompts, { ...known, claims: lines, pages }, boundary());
    })
    .join("\n\n");
}

/** What a report says of the researches that it follows and renews, and what a reader must know of that. */
export function earlierFacts(earlier: readonly KnownBefore[], claims: readonly { text: string }[]): EarlierFacts {
  const now = claims.map(({ text }) => text);
  const facts: EarlierFacts = { metadata: {}, warnings: [] };
  for (const known of earlier) {
    const { metadata, warnings } = known.how === "follow-up" ? followUpOf(known, now) : changesSince(known, now);
    Object.assign(facts.metadata, metadata);
    facts.warnings.push(...warnings);
  }
  return facts;
}

interface EarlierFacts {
  metadata: Pick<SearchMetadata, "follow_up" | "changes">;
  warnings: string[];
}

function followUpOf({ id: of, query, at, claims }: KnownBefore, now: readonly string[]): EarlierFacts {
  const was = claims.slice(0, MAX_COMPARED).map(({ text }) => text);
  const is = now.slice(0, MAX_COMPARED);
  const contradicts = contradictionsBetween(was, is).map(({ values, ...pair }) => ({
    was: was[pair.was] as string,
    is: is[pair.is] as string,
    values,
  }));
  const warnings = contradicts
    .slice(0, MAX_TOLD)
    .map((found) => `The earlier report said otherwise: "${found.was}" Now: "${found.is}"`);
  return { metadata: { follow_up: { of, query, ...(at !== "" && { at }), contradicts } }, warnings };
}

function changesSince({ id: of, at, claims }: KnownBefore, is: readonly string[]): EarlierFacts {
  const was = claims.map(({ text }) => text);
  if (was.length === 0 || is.length === 0) {
    const which = was.length === 0 ? "the earlier report" : "this report";
    return { metadata: {}, warnings: [`What has changed cannot be told: ${which} names no claims.`] };
  }
  const { added, gone, changed, same } = compareClaims(was, is);
  const changes = {
    of,
    ...(at !== "" && { at }),
    added: added.map((place) => is[place] as string),
    gone: gone.map((place) => was[place] as string),
    changed: changed.map(({ values, ...pair }) => ({
      was: was[pair.was] as string,
      is: is[pair.is] as string,
      ...(values && { values }),
    })),
    same,
  };
  return { metadata: { changes }, warnings: [] };
}
