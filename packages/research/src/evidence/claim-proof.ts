import type { Answer } from "../answer.js";
import { missingParts } from "../claims/missing-parts.js";
import type { NearDuplicates } from "../claims/near-duplicates.js";
import { countOwners } from "../claims/owners.js";
import { findQuote, type QuoteMatch } from "../quotes/find-quote.js";
import { PART_BOUNDARY } from "../quotes/part-boundary.js";
import type { Span } from "../quotes/searchable-page.js";
import type { ClaimProof, EvidenceClaim, EvidenceQuote } from "../report-evidence.js";
import type { Attributions } from "./attributions.js";
import type { ReadablePage } from "./page-texts.js";
import { mergeUrls, pageKey } from "./urls.js";

type Claim = Answer["claims"][number];

/** What a claim is judged by. */
export interface ProofContext {
  /** Pages whose text is there. */
  pages: readonly ReadablePage[];
  attributions: Attributions;
  /** The page behind a link, where it is known. */
  pageOf: (url: string) => string;
  /** What the runs know of a page: its address, and whether it was read. */
  seen: (url: string) => { url: string; isRead: boolean } | undefined;
  /** The address that says who stands behind a page. */
  shown: (url: string) => string;
  duplicates: NearDuplicates;
}

/** The rungs, the best first. */
const RUNGS: readonly ClaimProof[] = ["quoted", "attributed", "read", "found", "none"];
/** Characters of a passage that are told. */
const MAX_PASSAGE = 2_000;
/** Characters on either side of it. */
const AROUND = 200;

/** Judges one claim by what was read and found. */
export function proofOf(claim: Claim, context: ProofContext): EvidenceClaim {
  const checked = claim.quotes.map((quote) => checkQuote(quote, context));
  const found = checked.filter(({ match }) => isFound(match));
  const missing = found.length === 0 ? [] : missingParts(claim.text, found.map(quotedText));
  const attributed = context.attributions.sourcesOf(
    claim.text,
    claim.quotes.map(({ text }) => text),
  );
  const named = claim.sources.flatMap((url) => context.seen(url) ?? []);
  const proof = rungOf({ isQuoted: found.length > 0 && missing.length === 0, attributed, named });
  const carrying =
    proof === "quoted"
      ? found.map(({ quote }) => quote.url)
      : proof === "attributed"
        ? attributed
        : named.map(({ url }) => url);
  const pages = attributed.map((url) => context.seen(url)?.url ?? context.pageOf(url));
  const sources = mergeUrls(
    named.map(({ url }) => url),
    found.map(({ quote }) => quote.url),
    proof === "attributed" ? pages : [],
  );
  return {
    text: claim.text,
    sources,
    status: claim.status === "supported" && RUNGS.indexOf(proof) > RUNGS.indexOf("read") ? "unsupported" : claim.status,
    proof,
    quotes: checked.map(({ quote }) => quote),
    owners: countOwners(carrying.map(context.shown), context.duplicates),
    ...(missing.length > 0 && { missing }),
  };
}

interface Checked {
  quote: EvidenceQuote;
  match: QuoteMatch;
  readable: ReadablePage | undefined;
}

function checkQuote({ url = "", text }: Claim["quotes"][number], { pages, pageOf }: ProofContext): Checked {
  const key = pageKey(pageOf(url));
  const named = pages.flatMap(({ record }, at) =>
    pageKey(record.url) === key || pageKey(record.final_url) === key ? [at] : [],
  );
  const match = findQuote(
    text,
    pages.map(({ page }) => page),
    named,
  );
  const readable = match.page === undefined ? undefined : pages[match.page];
  return { quote: toEvidence({ url, text }, match, readable), match, readable };
}

function toEvidence(
  { url, text }: { url: string; text: string },
  { found, span, unusable }: QuoteMatch,
  readable: ReadablePage | undefined,
): EvidenceQuote {
  const passage =
    readable && span && readable.page.text.slice(span.start, Math.min(span.end, span.start + MAX_PASSAGE));
  const { page_starts: starts, first_line: firstLine } = readable?.record ?? {};
  return {
    url: readable?.record.final_url ?? url,
    text,
    found,
    ...(passage !== undefined && { passage }),
    ...(readable && span && aroundOf(readable.page.text, span)),
    ...(starts !== undefined && span && { page: starts.filter((start) => start <= span.start).length }),
    ...(firstLine !== undefined && span && { line: firstLine + linesBefore(readable, span.start) }),
    ...(unusable !== undefined && { unusable }),
  };
}

/** What stands before and behind, from word to word, in the same part of the page. */
function aroundOf(text: string, { start, end }: Span): Pick<EvidenceQuote, "before" | "behind"> {
  const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, end + AROUND)];
  const before = text.slice(from, start).split(PART_BOUNDARY).at(-1) ?? "";
  const behind = text.slice(end, to).split(PART_BOUNDARY)[0] ?? "";
  const isCut = {
    before: from > 0 && before.length === start - from,
    behind: to < text.length && behind.length === to - end,
  };
  const [first, last] = [
    isCut.before ? before.replace(/^\S{0,40}\s/, "") : before,
    isCut.behind ? behind.replace(/\s\S{0,40}$/, "") : behind,
  ];
  return { ...(first.trim() !== "" && { before: first }), ...(last.trim() !== "" && { behind: last }) };
}

function linesBefore(readable: ReadablePage | undefined, end: number): number {
  return (readable?.page.text.slice(0, end).split("\n").length ?? 1) - 1;
}

function isFound({ found }: QuoteMatch): boolean {
  return found !== "altered" && found !== "not-found";
}

function quotedText({ match, quote, readable }: Checked) {
  const { span } = match;
  const text = span && readable ? readable.page.text.slice(span.start, span.end) : quote.text;
  return { text, title: readable?.record.title };
}

function rungOf(known: {
  isQuoted: boolean;
  attributed: readonly string[];
  named: readonly { isRead: boolean }[];
}): ClaimProof {
  if (known.isQuoted) return "quoted";
  if (known.attributed.length > 0) return "attributed";
  if (known.named.some(({ isRead }) => isRead)) return "read";
  return known.named.length > 0 ? "found" : "none";
}
