import type { Evidence, EvidenceClaim } from "@x/research";
import type { CitedReport } from "../../report/citations.js";
import { CLAIMS_MEANING, weaknessIn } from "../../report/claims.js";

import { parseInline } from "../../report/markdown-parser.js";
import { textOf } from "../../report/markdown-tree.js";
import {
  contradictionsOf,
  isDoubted,
  isUnproven,
  proofOf,
  provenPercent,
  type ShownQuote,
  shortOf,
} from "../../report/proof.js";
import { shownOf } from "../../report/shown.js";
import { plainLine, shortLine } from "../../text/plain-text.js";
import { siteOf } from "../../text/site.js";
import { partTitle } from "./heading.js";
import { layOut, NO_BREAK, type Piece } from "./layout.js";
import type { Screen } from "./paint.js";

const SIGNS = { supported: "✓", disputed: "!", unsupported: "✗" } as const satisfies Record<
  EvidenceClaim["status"],
  string
>;

/** Claims that need no care, with the words of a page: whoever wants all of them opens the page of the report. */
const MOST_PROVEN = 12;
/** Of a passage; the page of the report shows more. */
const LONGEST_PASSAGE = 240;

/** What is known of the claims: those that need care first, then those that a page's words prove. */
export function evidenceText(evidence: Evidence | undefined, cited: CitedReport, screen: Screen): string {
  if (evidence?.status !== "available") return "";
  const { paint, columns } = screen;
  const { claims } = evidence;
  const weaknessOf = weaknessIn(evidence);
  const needsCare = (claim: EvidenceClaim): boolean =>
    claim.status !== "supported" || weaknessOf(claim) !== undefined || isDoubted(claim);
  const careful: EvidenceClaim[] = [];
  const proven: EvidenceClaim[] = [];
  for (const claim of claims) {
    if (needsCare(claim)) careful.push(claim);
    else if (claim.proof === "quoted") proven.push(claim);
  }
  const { shown, more: others } = shownOf(careful, "claims that need care");
  const linesOf = (claim: EvidenceClaim) => claimLines(claim, { cited, screen, weakness: weaknessOf(claim) });
  const lines = shown.flatMap(linesOf);
  if (others !== "") lines.push(paint.dim(`  ${others}`));
  lines.push(...proven.slice(0, MOST_PROVEN).flatMap(linesOf));
  const more = proven.length - MOST_PROVEN;
  if (more > 0) lines.push(paint.dim(`  … and ${more} more that are quoted; the page of the report shows them all`));
  const facts = factsText(evidence, screen);
  const warnings = [shortOf(evidence), ...contradictionsOf(evidence)].filter((line) => line !== undefined);
  if (facts.length === 0 && lines.length === 0) return "";
  return [
    partTitle("Evidence", screen),
    ...(claims.length > 0 ? layOut({ text: CLAIMS_MEANING, style: paint.dim }, { columns }) : []),
    ...(facts.length > 0 ? layOut(facts, { columns }) : []),
    ...warnings.flatMap((line) => layOut(line, { columns, first: paint.yellow("! "), wholeWords: true })),
    ...lines,
  ].join("\n");
}

/** The counts, in one line. */
function factsText(evidence: Evidence, { paint }: Screen): Piece[] {
  const { claims, citation_accuracy: accuracy } = evidence;
  const colour = colours(paint);
  const unproven = claims.filter(isUnproven).length;
  const counts = (["supported", "disputed", "unsupported"] as const).flatMap((status): Piece[] => {
    const count = claims.filter((claim) => claim.status === status).length;
    const sure = status === "supported" ? count - unproven : count;
    const open = count - sure;
    return [
      ...(sure > 0 ? [{ text: counted(SIGNS[status], sure, status), style: colour[status] }] : []),
      // As on the page: it must not look like what is proven.
      ...(open > 0 ? [{ text: counted("?", open, `${status}, not proven`), style: paint.yellow }] : []),
    ];
  });
  const percent = provenPercent(evidence);
  const facts: Piece[] = [
    ...counts,
    ...(percent === undefined ? [] : [`${percent}${NO_BREAK}% of the claims quoted or attributed`]),
    ...(accuracy === null ? [] : [`${Math.floor(accuracy * 100)}${NO_BREAK}% of the cited addresses were seen`]),
  ];
  return facts.flatMap((piece, index) => (index === 0 ? [piece] : [" · ", piece]));
}

/** Stays in one line. */
function counted(sign: string, count: number, words: string): string {
  return `${sign} ${count} ${words}`.replaceAll(" ", NO_BREAK);
}

interface ClaimParts {
  cited: CitedReport;
  screen: Screen;
  weakness: string | undefined;
}

function claimLines(claim: EvidenceClaim, { cited, screen, weakness }: ClaimParts): string[] {
  const { paint, columns } = screen;
  const { text, status, sources } = claim;
  const numbers = sources.flatMap((url) => cited.numberOf(url) ?? []);
  const proof = proofOf(claim);
  const isQuoted = claim.proof === "quoted";
  const note = isQuoted ? undefined : (proof?.proof ?? weakness);
  const pieces: Piece[] = [
    { text: `${isQuoted && status === "supported" ? "quoted" : status}  `, style: paint.dim },
    textOf(parseInline(plainLine(text))),
  ];
  if (numbers.length > 0) pieces.push({ text: ` [${numbers.join(", ")}]`, style: paint.cyan });
  if (note !== undefined) pieces.push({ text: ` (${note})`, style: paint.dim });
  const sign = isUnproven(claim) ? paint.yellow("?") : colours(paint)[status](SIGNS[status]);
  const lines = layOut(pieces, { columns, first: `  ${sign} ` });
  for (const quote of proof?.quotes ?? []) lines.push(...quoteLines(quote, screen));
  if (proof !== undefined && proof.missing.length > 0)
    lines.push(
      ...layOut(`not in a quotation: ${proof.missing.join(", ")}`, { columns, first: `      ${paint.yellow("!")} ` }),
    );
  return lines;
}

function quoteLines({ tone, text, instead, note, url, place }: ShownQuote, { paint, columns, link }: Screen): string[] {
  const sign = { stands: paint.green("“"), differs: paint.yellow("!"), missing: paint.red("✗") }[tone];
  const where = [url === undefined ? "" : plainLine(siteOf(url)), place].filter((part) => part !== "").join(", ");
  const passage = shortLine(text, LONGEST_PASSAGE);
  const pieces: Piece[] = [tone === "stands" ? `${passage}”` : `“${passage}”`];
  if (where !== "")
    pieces.push({ text: ` ${where}`, style: url === undefined ? paint.dim : (each) => paint.dim(link(url)(each)) });
  if (note !== "") pieces.push({ text: ` (${note})`, style: paint.dim });
  if (instead !== undefined)
    pieces.push({ text: ` the model quoted: “${shortLine(instead, LONGEST_PASSAGE)}”`, style: paint.dim });
  return layOut(pieces, { columns, first: `      ${sign}${tone === "stands" ? "" : " "}` });
}

function colours(paint: Screen["paint"]) {
  return { supported: paint.green, disputed: paint.yellow, unsupported: paint.red };
}
