import type { ResearchEvent } from "../events.js";
import { isProven } from "../evidence/evidence.js";
import type { PageTexts } from "../evidence/page-texts.js";
import type { Evidence, EvidenceClaim, EvidenceQuote } from "../report-evidence.js";
import type { ResearchRun } from "./session.js";

/** Keeps the texts of the pages that runs read; what cannot be kept is told. */
export async function* keepTexts(
  texts: PageTexts,
  runs: readonly ResearchRun[],
): AsyncGenerator<ResearchEvent, void, void> {
  for (const problem of await texts.add(runs.flatMap(({ reads }) => reads?.pages ?? []))) {
    yield { type: "log", level: "warn", message: `Cannot keep the text of a page: ${problem}` };
  }
}

/** The share that a percentage asks for. */
export function shareOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}

/** Whether the share of proven claims that was asked for is reached. Without claims only a share of nothing is. */
export function isEnough({ proven, required }: Pick<Evidence, "proven" | "required">): boolean {
  return required === undefined || (proven ?? 0) >= required;
}

/** How many claims are proven, in words. */
export function provenWords({ claims }: Pick<Evidence, "claims">): string {
  return `${claims.filter(isProven).length} of ${claims.length} claims`;
}

/** One claim with what is known of it, for the model that goes on with it; in one line. */
export function claimLine(claim: EvidenceClaim): string {
  const { text, status, sources, proof, quotes, missing = [] } = claim;
  const known = [status, ...sources].join(", ");
  const found = quotes.find((quote) => quote.found !== "altered" && quote.found !== "not-found");
  if (proof === "quoted" && found !== undefined)
    return `${text} (${known}) PROVEN: ${found.url} says "${found.passage}"`;
  const problems = [
    ...quotes.flatMap(problemOf),
    ...(missing.length > 0 ? [`its quotations lack ${missing.join(", ")}`] : []),
  ];
  const why = problems.length > 0 ? problems.join("; ") : WITHOUT_QUOTE[proof];
  return `${text} (${known}) ${proof === "attributed" ? "ATTRIBUTED" : "NOT PROVEN"}: ${why}`;
}

/** The same where nothing is known of the claim but what the model says. */
export function plainClaimLine({ text, status, sources }: Pick<EvidenceClaim, "text" | "status" | "sources">): string {
  return `${text} (${[status, ...sources].join(", ")})`;
}

const WITHOUT_QUOTE: Readonly<Record<EvidenceClaim["proof"], string>> = {
  quoted: "",
  attributed: "by a search alone; no page was quoted",
  read: "no quotation of a page was given",
  found: "no page was read that says so",
  none: "none of its sources was seen",
};

const UNUSABLE: Readonly<Record<NonNullable<EvidenceQuote["unusable"]>, string>> = {
  "too-short": "is too short for a quotation",
  "too-short-parts": "leaves parts that are too short for a quotation: copy one whole sentence",
  "too-long": "is too long for a quotation",
};

function problemOf({ url, text, found, passage, unusable }: EvidenceQuote): string[] {
  const said = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  if (unusable !== undefined) return [`"${said}" ${UNUSABLE[unusable]}`];
  if (found === "altered") return [`${url} does not say "${said}" but "${passage}"`];
  return found === "not-found" ? [`"${said}" stands on no page that was read, ${url || "no address was given"}`] : [];
}
