import type { ClaimProof, Evidence, EvidenceClaim, EvidenceQuote } from "@x/research";
import { plainLine, shortLine } from "../text/plain-text.js";
import { sourceUrl } from "./citations.js";

/** What a reader is told of a quotation. */
export interface ShownQuote {
  /** `stands`: the page says so. `differs`: the page says something else. `missing`: no page that was read says it. */
  tone: "stands" | "differs" | "missing";
  /** What the page says, in its own characters; of a quotation that is missing, the model's words. */
  text: string;
  /** The model's words, where the page says something else. */
  instead?: string;
  /** What is to be known of it; may be empty. */
  note: string;
  url: string | undefined;
  /** `page 3`, `line 12`; empty where there is none. */
  place: string;
}

/** How far a claim is proven, in a few words, and the quotations for it. */
export interface ShownProof {
  proof: string;
  /** Numbers, dates and names of the claim that its quotations do not hold. */
  missing: string[];
  quotes: ShownQuote[];
}

const PROOFS: Readonly<Record<ClaimProof, string>> = {
  quoted: "quoted: the page's words hold it",
  attributed: "attributed: Google names the source, its words were not compared",
  read: "a source was read, and no quotation of it holds this",
  found: "a source was found, not read",
  none: "no source was seen",
};

/** A passage is shown to be compared; whoever wants more opens the page. */
const LONGEST_PASSAGE = 600;
const MOST_QUOTES = 4;
const MOST_MISSING = 12;

/** The proof of one claim for people. Records of older versions know none: `undefined`. */
export function proofOf({ proof, quotes, missing = [] }: Partial<EvidenceClaim>): ShownProof | undefined {
  if (proof === undefined || !Array.isArray(quotes)) return undefined;
  return {
    proof: PROOFS[proof] ?? plainLine(proof),
    missing: missing.slice(0, MOST_MISSING).map((part) => shortLine(part, 60)),
    quotes: quotes.slice(0, MOST_QUOTES).map(shownQuote),
  };
}

/** Whether something of the proof speaks against the claim, or is missing in it: {@link proofOf} shows what. */
export function isDoubted({ proof, quotes, missing = [] }: Partial<EvidenceClaim>): boolean {
  if (proof === undefined || !Array.isArray(quotes)) return false;
  const doubted = quotes.slice(0, MOST_QUOTES).some(({ found }) => found === "not-found" || found === "altered");
  return doubted || missing.length > 0;
}

/** Called supported by the model, and neither quoted nor attributed: it must not look like what is proven. */
export function isUnproven({ status, proof }: Partial<EvidenceClaim>): boolean {
  return status === "supported" && proof !== undefined && proof !== "quoted" && proof !== "attributed";
}

function shownQuote({ url, text, found, passage, page, line, unusable }: EvidenceQuote): ShownQuote {
  const place = page !== undefined ? `page ${page}` : line !== undefined ? `line ${line}` : "";
  const said = shortLine(text, LONGEST_PASSAGE);
  const shown = { url: sourceUrl(url)?.href, place };
  switch (found) {
    case "not-found":
      return { ...shown, tone: "missing", text: said, note: "not found in any page that was read" };
    case "altered":
      return {
        ...shown,
        tone: "differs",
        text: shortLine(passage ?? "", LONGEST_PASSAGE),
        instead: said,
        note: "the page says this instead",
      };
    default: {
      const notes = [
        found === "elsewhere" ? "on another page than the one named" : [],
        unusable === undefined
          ? []
          : unusable === "too-long"
            ? "too long for a quotation"
            : "too short to prove anything",
      ].flat();
      return { ...shown, tone: "stands", text: shortLine(passage ?? text, LONGEST_PASSAGE), note: notes.join(", ") };
    }
  }
}

/** The share of claims that are proven, as a whole percent; `undefined`: there are no claims, or an older version made it. */
export function provenPercent({ proven }: Partial<Evidence>): number | undefined {
  return typeof proven === "number" ? Math.floor(proven * 100) : undefined;
}

/** Pairs of claims that give different values for the same thing, in a sentence each. */
export function contradictionsOf({ contradictions = [] }: Partial<Evidence>): string[] {
  return contradictions.map(
    ({ values: [one, other] }) => `Quoted sources differ: ${shortLine(one, 80)} and ${shortLine(other, 80)}`,
  );
}

/** What was asked for and not reached; `undefined`: nothing was, or it was reached. */
export function shortOf({ required, proven }: Partial<Evidence>): string | undefined {
  if (typeof required !== "number" || (proven ?? 0) >= required) return undefined;
  const percent = (share: number) => `${Math.floor(share * 100)} %`;
  return `${percent(required)} of the claims were to be proven; ${percent(proven ?? 0)} are`;
}
