import type { DeepSearchReport, EvidenceClaim, SearchReport } from "@x/research";
import { type CitedReport, type NumberedSource, readCitations } from "../../report/citations.js";
import { CLAIMS_MEANING, weaknessOf } from "../../report/claims.js";
import { factsOf } from "../../report/facts.js";
import { durationOf } from "../../text/duration.js";
import { plainLine } from "../../text/plain-text.js";
import { markdownToTerminal, wrapped } from "./markdown.js";
import type { Screen } from "./paint.js";

/** A report with its sources and what the evidence says, as text for a terminal. */
export function reportToTerminal(report: SearchReport | DeepSearchReport, screen: Screen): string {
  const cited = readCitations(report);
  const parts = [
    markdownToTerminal(cited.blocks, screen),
    sourcesText(cited.sources, screen),
    evidenceText(report, cited, screen),
    gapsText(report, screen),
    closingText(report, screen),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const STATUS = { retrieved: "read", found: "found", unseen: "never seen", listed: "" } as const;

function sourcesText(sources: readonly NumberedSource[], { paint, columns }: Screen): string {
  if (sources.length === 0) return "";
  const width = String(sources.at(-1)?.number ?? 0).length + 3;
  const lines = sources.flatMap((source) => {
    const status = STATUS[source.status];
    const label = status === "" ? "" : `  ${source.status === "unseen" ? paint.red(status) : paint.dim(status)}`;
    const mark = paint.cyan(`[${source.number}]`.padEnd(width));
    const indent = " ".repeat(width);
    // An address is not wrapped: a terminal that knows links needs it whole.
    if (source.title === undefined) return [`${mark}${source.url}${label}`];
    return [...wrapped(`${source.title}${label}`, columns, mark, indent), `${indent}${paint.dim(source.url)}`];
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
    .map(([status, count]) => colour[status](`${SIGNS[status]} ${count} ${status}`));
  const seen = accuracy === null ? [] : [`${Math.floor(accuracy * 100)} % of the cited addresses were seen`];
  const doubtful = claims.filter((claim) => claim.status !== "supported" || weaknessOf(claim, evidence) !== undefined);
  const lines = doubtful.flatMap((claim) => {
    const { text, status, sources } = claim;
    const numbers = sources.flatMap((url) => cited.numberOf(url) ?? []);
    const marks = numbers.length > 0 ? paint.cyan(` [${numbers.join(", ")}]`) : "";
    const weakness = weaknessOf(claim, evidence);
    const note = weakness === undefined ? "" : paint.dim(` (${weakness})`);
    return wrapped(
      `${paint.dim(status)}  ${plainLine(text)}${marks}${note}`,
      columns,
      `  ${colour[status](SIGNS[status])} `,
      "    ",
    );
  });
  const summary = [...counts, ...seen].join(paint.dim(" · "));
  if (summary === "" && lines.length === 0) return "";
  const meaning = claims.length > 0 ? wrapped(CLAIMS_MEANING, columns).map((line) => paint.dim(line)) : [];
  return [paint.bold(paint.cyan("Evidence")), ...meaning, ...(summary === "" ? [] : [summary]), ...lines].join("\n");
}

function gapsText(report: SearchReport | DeepSearchReport, { paint, columns }: Screen): string {
  const { gaps } = factsOf(report);
  if (gaps.length === 0) return "";
  return [paint.bold(paint.cyan("Still open")), ...gaps.flatMap((gap) => wrapped(gap, columns, paint.dim("• ")))].join(
    "\n",
  );
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
  const rounds =
    "verified" in report ? `${report.metadata.iterations} round${report.metadata.iterations === 1 ? "" : "s"}` : "";
  const verdict =
    "verified" in report
      ? report.verified
        ? [paint.green(`✓ Verified by the model in ${rounds}`)]
        : [paint.yellow(`! Not verified in ${rounds}`)]
      : [];
  return [
    ...warnings.flatMap((line) => wrapped(line, columns, paint.yellow("! "))),
    [...verdict, paint.dim(facts.join(" · "))].join(paint.dim(" · ")),
  ].join("\n");
}
