import type { DeepSearchReport, SearchReport } from "@x/research";
import type { Prices } from "../../host/prices.js";
import { changesSince } from "../../report/changes.js";
import { type NumberedSource, readCitations } from "../../report/citations.js";
import { costInWords, costOf } from "../../report/cost.js";
import { dataOf } from "../../report/data.js";
import { factsOf } from "../../report/facts.js";
import { shownOf } from "../../report/shown.js";
import { verdictOf } from "../../report/verdict.js";
import { durationOf } from "../../text/duration.js";
import { plainLine } from "../../text/plain-text.js";
import { evidenceText } from "./evidence.js";
import { partTitle } from "./heading.js";
import { layOut, type Piece } from "./layout.js";
import { markdownToTerminal } from "./markdown.js";
import type { Screen } from "./paint.js";

/** A report with its sources and what the evidence says, as text for a terminal. */
export function reportToTerminal(
  report: SearchReport | DeepSearchReport,
  screen: Screen,
  { prices = {} }: { prices?: Prices | undefined } = {},
): string {
  const cited = readCitations(report);
  const urls = new Map(cited.sources.map(({ number, url }) => [number, url]));
  const parts = [
    markdownToTerminal(cited.blocks, { ...screen, urlOf: (number) => urls.get(number) }),
    sourcesText(cited.sources, screen),
    dataText(report, screen),
    changesText(report, screen),
    evidenceText(report.metadata.evidence, cited, screen),
    gapsText(report, screen),
    closingText(report, screen, prices),
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

function sourcesText(sources: readonly NumberedSource[], screen: Screen): string {
  const { paint, columns, link } = screen;
  if (sources.length === 0) return "";
  const width = String(sources.at(-1)?.number ?? 0).length + 3;
  const indent = " ".repeat(width);
  const { shown: first, more } = shownOf(sources, "sources");
  const lines = first.flatMap(({ number, url, title, status }) => {
    const linked = link(url);
    const mark = paint.cyan(`[${number}]`.padEnd(width));
    const label = STATUS[status] === "" ? "" : `  ${STATUS[status]}`;
    const shown: Piece = { text: label, style: status === "unseen" ? paint.red : paint.dim };
    // An address is not broken: where links are not known it is copied whole.
    if (title === undefined) return [`${mark}${linked(url)}${shown.style(label)}`];
    const named = layOut([{ text: title, style: linked }, shown], { columns, first: mark, indent });
    return [...named, `${indent}${paint.dim(linked(url))}`];
  });
  return [partTitle("Sources", screen), ...lines, ...(more === "" ? [] : [paint.dim(more)])].join("\n");
}

function dataText(report: SearchReport | DeepSearchReport, screen: Screen): string {
  const { paint, columns } = screen;
  const data = dataOf(report);
  if (data === undefined) return "";
  const missing = data.missing === "" ? [] : layOut(data.missing, { columns, first: paint.yellow("! ") });
  // It is copied: no line of it is broken.
  return [partTitle("Data", screen), data.json, ...missing].join("\n");
}

const CHANGE_SIGNS = { changed: "~ ", new: "+ ", gone: "- " } as const;

function changesText({ metadata }: SearchReport | DeepSearchReport, screen: Screen): string {
  const { paint, columns } = screen;
  const changes = changesSince(metadata.changes);
  if (changes === undefined) return "";
  const styles = { changed: paint.yellow, new: paint.green, gone: paint.red };
  const lines = changes.lines.flatMap(({ kind, text, before }) => [
    ...layOut(text, { columns, first: styles[kind](CHANGE_SIGNS[kind]) }),
    ...(before === undefined
      ? []
      : layOut([{ text: `before: ${before}`, style: paint.dim }], { columns, first: "  ", indent: "  " })),
  ]);
  return [partTitle(changes.title, screen), ...lines].join("\n");
}

function gapsText(report: SearchReport | DeepSearchReport, screen: Screen): string {
  const { paint, columns } = screen;
  const { gaps } = factsOf(report);
  if (gaps.length === 0) return "";
  return [
    partTitle("Still open", screen),
    ...gaps.flatMap((gap) => layOut(gap, { columns, first: paint.dim("• ") })),
  ].join("\n");
}

function closingText(report: SearchReport | DeepSearchReport, { paint, columns }: Screen, prices: Prices): string {
  const { duration_ms, model, search_queries_used } = report.metadata;
  const { warnings, tokens, follows, documents } = factsOf(report);
  const cost = costOf(report.metadata, prices);
  const searches = search_queries_used?.length ?? 0;
  const facts = [
    durationOf(duration_ms),
    plainLine(model),
    ...(searches > 0 ? [`${searches} ${searches === 1 ? "search" : "searches"}`] : []),
    ...(documents === undefined ? [] : [`documents read: ${documents}`]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en-GB")} tokens`]),
    ...(cost === undefined ? [] : [costInWords(cost)]),
    ...(follows === undefined ? [] : [`asked on from: ${follows}`]),
  ];
  const verdict = verdictOf(report);
  const style = verdict?.tone === "good" ? paint.green : paint.yellow;
  const first = verdict && style(verdict.tone === "good" ? "✓ " : "! ");
  const pieces: Piece[] = [{ text: facts.join(" · "), style: paint.dim }];
  if (verdict) pieces.unshift({ text: verdict.text, style }, { text: " · ", style: paint.dim });
  return [
    ...warnings.flatMap((line) => layOut(line, { columns, first: paint.yellow("! "), wholeWords: true })),
    ...layOut(pieces, { columns, ...(first && { first }) }),
  ].join("\n");
}
