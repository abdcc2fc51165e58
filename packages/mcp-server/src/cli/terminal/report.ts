import type { DeepSearchReport, EvidenceClaim, SearchReport } from "@x/research";
import { type CitedReport, type NumberedSource, readCitations } from "../../report/citations.js";
import { CLAIMS_MEANING, weaknessIn } from "../../report/claims.js";
import { factsOf } from "../../report/facts.js";
import { verdictOf } from "../../report/verdict.js";
import { durationOf } from "../../text/duration.js";
import { plainLine } from "../../text/plain-text.js";
import { layOut, NO_BREAK, type Piece } from "./layout.js";
import { markdownToTerminal } from "./markdown.js";
import type { Screen } from "./paint.js";

/** A report with its sources and what the evidence says, as text for a terminal. */
export function reportToTerminal(report: SearchReport | DeepSearchReport, screen: Screen): string {
  const cited = readCitations(report);
  const urls = new Map(cited.sources.map(({ number, url }) => [number, url]));
  const parts = [
    markdownToTerminal(cited.blocks, { ...screen, urlOf: (number) => urls.get(number) }),
    sourcesText(cited.sources, screen),
    evidenceText(report, cited, screen),
    gapsText(report, screen),
    closingText(report, screen),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const STATUS = {
  quoted: "quoted",
  attributed: "attributed",
  retrieved: "read",
  found: "found",
  unseen: "never seen",
  listed: "",
} as const;

function sourcesText(sources: readonly NumberedSource[], { paint, columns, link }: Screen): string {
  if (sources.length === 0) return "";
  const width = String(sources.at(-1)?.number ?? 0).length + 3;
  const indent = " ".repeat(width);
  const lines = sources.flatMap(({ number, url, title, status }) => {
    const linked = link(url);
    const first = paint.cyan(`[${number}]`.padEnd(width));
    const label = STATUS[status] === "" ? "" : `  ${STATUS[status]}`;
    const shown: Piece = { text: label, style: status === "unseen" ? paint.red : paint.dim };
    // An address is not broken: where links are not known it is copied whole.
    if (title === undefined) return [`${first}${linked(url)}${shown.style(label)}`];
    const named = layOut([{ text: title, style: linked }, shown], { columns, first, indent });
    return [...named, `${indent}${paint.dim(linked(url))}`];
  });
  return [paint.bold(paint.cyan("Sources")), ...lines].join("\n");
}

const SIGNS = { supported: "✓", disputed: "!", unsupported: "✗" } as const satisfies Record<
  EvidenceClaim["status"],
  string
>;

function evidenceText(
  { metadata: { evidence } }: SearchReport | DeepSearchReport,
  cited: CitedReport,
  { paint, columns }: Screen,
): string {
  if (evidence?.status !== "available") return "";
  const { claims, citation_accuracy: accuracy } = evidence;
  const colour = { supported: paint.green, disputed: paint.yellow, unsupported: paint.red };
  const counts = (["supported", "disputed", "unsupported"] as const)
    .map((status) => [status, claims.filter((claim) => claim.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(
      ([status, count]): Piece => ({
        text: `${SIGNS[status]}${NO_BREAK}${count}${NO_BREAK}${status}`,
        style: colour[status],
      }),
    );
  const seen = accuracy === null ? [] : [`${Math.floor(accuracy * 100)}${NO_BREAK}% of the cited addresses were seen`];
  const weaknessOf = weaknessIn(evidence);
  const doubtful = claims.filter((claim) => claim.status !== "supported" || weaknessOf(claim) !== undefined);
  const lines = doubtful.flatMap((claim) => {
    const { text, status, sources } = claim;
    const numbers = sources.flatMap((url) => cited.numberOf(url) ?? []);
    const weakness = weaknessOf(claim);
    const pieces: Piece[] = [{ text: `${status}  `, style: paint.dim }, plainLine(text)];
    if (numbers.length > 0) pieces.push({ text: ` [${numbers.join(", ")}]`, style: paint.cyan });
    if (weakness !== undefined) pieces.push({ text: ` (${weakness})`, style: paint.dim });
    return layOut(pieces, { columns, first: `  ${colour[status](SIGNS[status])} ` });
  });
  const facts = [...counts, ...seen].flatMap((piece, index) => (index === 0 ? [piece] : [" · ", piece]));
  if (facts.length === 0 && lines.length === 0) return "";
  const meaning = claims.length > 0 ? layOut({ text: CLAIMS_MEANING, style: paint.dim }, { columns }) : [];
  const summary = facts.length > 0 ? layOut(facts, { columns }) : [];
  return [paint.bold(paint.cyan("Evidence")), ...meaning, ...summary, ...lines].join("\n");
}

function gapsText(report: SearchReport | DeepSearchReport, { paint, columns }: Screen): string {
  const { gaps } = factsOf(report);
  if (gaps.length === 0) return "";
  return [
    paint.bold(paint.cyan("Still open")),
    ...gaps.flatMap((gap) => layOut(gap, { columns, first: paint.dim("• ") })),
  ].join("\n");
}

function closingText(report: SearchReport | DeepSearchReport, { paint, columns }: Screen): string {
  const { duration_ms, model, search_queries_used } = report.metadata;
  const { warnings } = factsOf(report);
  const searches = search_queries_used?.length ?? 0;
  const facts = [
    durationOf(duration_ms),
    plainLine(model),
    ...(searches > 0 ? [`${searches} ${searches === 1 ? "search" : "searches"}`] : []),
  ];
  const verdict = verdictOf(report);
  const style = verdict?.tone === "good" ? paint.green : paint.yellow;
  const first = verdict && style(verdict.tone === "good" ? "✓ " : "! ");
  const pieces: Piece[] = [{ text: facts.join(" · "), style: paint.dim }];
  if (verdict) pieces.unshift({ text: verdict.text, style }, { text: " · ", style: paint.dim });
  return [
    ...warnings.flatMap((line) => layOut(line, { columns, first: paint.yellow("! ") })),
    ...layOut(pieces, { columns, ...(first && { first }) }),
  ].join("\n");
}
