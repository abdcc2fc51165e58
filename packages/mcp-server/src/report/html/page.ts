import { createHash } from "node:crypto";
import type { DeepSearchReport, SearchReport } from "@x/research";
import { durationOf } from "../../text/duration.js";
import { escapeHtml } from "../../text/escape.js";
import { plainLine, shortLine } from "../../text/plain-text.js";
import { changesSince } from "../changes.js";
import { type NumberedSource, readCitations, wasRead } from "../citations.js";
import { dataOf } from "../data.js";
import { factsOf, type ReportFacts, type RoundFacts } from "../facts.js";
import { verdictOf } from "../verdict.js";
import { type Citing, citing } from "./citing.js";
import { evidenceHtml, lineHtml } from "./evidence.js";
import { type Heading, markdownToHtml } from "./markdown.js";
import { passagesOf } from "./passages.js";
import { cardsHtml, sourcesHtml } from "./sources.js";
import { STYLE } from "./style.js";
import { ICON, SYMBOLS } from "./symbols.js";

/** What stands on the page beside the report. */
export interface PageOptions {
  /** Names the program and its version. */
  generator: string;
  /** Links, as HTML, where the page is one of many. */
  links?: string;
}

/** The whole report as one HTML file that needs no network, no script and no other file. */
export function reportPage(report: SearchReport | DeepSearchReport, options: PageOptions): string {
  const { head, note, sections, cards } = partsOf(report);
  const body = `<a class="skip" href="#report">Skip to the report</a>
<header class="top">
${kindHtml(kindOf(report), options)}
${head}
</header>
${columnsHtml(sections.map(entryOf), `${note}\n${sections.map(sectionHtml).join("\n")}`)}
${cards}`;
  return framed({ title: report.metadata.query, body, at: report.metadata.timestamp }, options);
}

/** Reports that follow each other as one such file, in their order. */
export function threadPage(reports: readonly (SearchReport | DeepSearchReport)[], options: PageOptions): string {
  const [first] = reports;
  const last = reports.at(-1);
  if (first === undefined || last === undefined) throw new TypeError("A thread has at least one report.");
  const parts = reports.map(partsOf);
  const entries = reports.map(({ metadata }, at) => ({
    id: researchOf(at),
    title: shortLine(plainLine(metadata.query), LONGEST_QUESTION),
    inner: (parts[at]?.sections ?? []).map(({ id, title }) => ({ id: `${researchOf(at)}-${id}`, title })),
  }));
  const articles = parts.map(({ head, note, sections }, at) => {
    const html = `${head}\n${note}\n${sections.map(sectionHtml).join("\n")}`;
    return `<article class="one" id="${researchOf(at)}">\n${withOwnIds(html, at)}\n</article>`;
  });
  const body = `<a class="skip" href="#${researchOf(0)}">Skip to the first report</a>
<header class="top">
${kindHtml(`${reports.length} ${reports.length === 1 ? "research" : "researches that follow each other"}`, options)}
</header>
${columnsHtml(entries, articles.join("\n"))}
${parts.map(({ cards }, at) => withOwnIds(cards, at)).join("\n")}`;
  return framed({ title: first.metadata.query, body, at: last.metadata.timestamp }, options);
}

/** The id of a research on the page of its thread. */
function researchOf(at: number): string {
  return `research-${at + 1}`;
}

/**
 * What is the same on the pages of all reports has ids of its own in each; sections that several have are no landmarks. A
 * quotation mark of a text is never one of a tag.
 */
function withOwnIds(html: string, at: number): string {
  return html.replaceAll(/ aria-labelledby="[^"]*"/g, "").replaceAll(/ (?:id="|href="#)/g, `$&${researchOf(at)}-`);
}

/** The parts of a page about one report. */
function partsOf(report: SearchReport | DeepSearchReport) {
  const { metadata } = report;
  const cited = readCitations(report);
  const cite = citing(cited);
  const body = markdownToHtml(cited.blocks, cite.marks);
  const facts = factsOf(report);
  const sections: Section[] = [
    {
      id: "report",
      title: "Report",
      html: `<article class="report" dir="auto" lang="">${body.html}</article>`,
      headings: body.headings,
    },
    { id: "data", title: "Data", html: dataHtml(report) },
    { id: "evidence", title: "Evidence", html: evidenceHtml(metadata.evidence, cited, cite) },
    { id: "changes", title: "What has changed", html: changesHtml(report) },
    { id: "gaps", title: "Still open", html: listHtml(facts.gaps) },
    { id: "rounds", title: "How it was researched", html: roundsHtml(facts.rounds, cite) },
    { id: "sources", title: "Sources", html: sourcesHtml(cited.sources, cite) },
  ];
  const notes = facts.warnings.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`);
  return {
    head: `${questionHtml(plainLine(metadata.query))}
${verdictHtml(report)}
${factsHtml(report, facts, cited.sources)}`,
    note: notes.length > 0 ? `<aside class="note">${notes.join("")}</aside>` : "",
    sections: sections.filter((section) => section.html !== ""),
    cards: `${cardsHtml(cited.sources, cite, passagesOf(metadata.evidence, cited))}\n<span class="here" id="read-on"></span>`,
  };
}

function kindOf(report: SearchReport | DeepSearchReport): string {
  return "plan" in report ? "Plan" : "verified" in report ? "Deep search" : "Search";
}

function kindHtml(kind: string, { links }: PageOptions): string {
  return `<p class="kind">${links === undefined ? "" : `<span class="links">${links} · </span>`}${kind}</p>`;
}

/** A page around its body. `at`: when what it shows was made. */
function framed(
  { title, body, at }: { title: string; body: string; at: string },
  { generator }: Pick<PageOptions, "generator">,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hashOf(STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(generator)}">
<title>${escapeHtml(shortLine(plainLine(title), LONGEST_TITLE))}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body>
${body}
<footer><p>Made by ${escapeHtml(generator)} on ${escapeHtml(dateOf(at))}. Statements come from a language model and from pages of others; the evidence says which of the sources it names were seen.</p></footer>
</body>
</html>
`;
}

const LONGEST_TITLE = 100;
/** Of a heading: about three lines. */
const LONGEST_QUESTION = 120;

/** A long question stands there whole for whoever opens it. */
function questionHtml(question: string): string {
  const shown = shortLine(question, LONGEST_QUESTION);
  const heading = `<h1 dir="auto" lang=""${shown.length > 90 ? ' class="long"' : ""}>${escapeHtml(shown)}</h1>`;
  if (shown === question) return heading;
  return `${heading}\n<details class="question"><summary>The whole question</summary><p dir="auto" lang="">${escapeHtml(question)}</p></details>`;
}

interface Section {
  id: string;
  title: string;
  html: string;
  headings?: Heading[];
}

const sectionHtml = ({ id, title, html }: Section) =>
  `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" class="section">${title}</h2>${html}</section>`;

/** In the table of contents. */
interface Entry {
  id: string;
  title: string;
  inner: readonly { id: string; title: string }[];
}

/** Headings in the table of contents; nobody reads more of them there. */
const MOST_CONTENTS = 300;

function entryOf({ id, title, headings = [] }: Section): Entry {
  const named = headings.filter(({ depth, text }) => depth <= 4 && text.trim() !== "").slice(0, MOST_CONTENTS);
  return {
    id,
    title,
    inner: named.length > 1 ? named.map((heading) => ({ id: heading.id, title: heading.text })) : [],
  };
}

/** The contents beside what they are of; in a narrow window above it, to be opened. */
function columnsHtml(entries: readonly Entry[], html: string): string {
  const contents = contentsHtml(entries);
  return `<div class="columns">
<nav class="contents" aria-label="Contents">${contents}</nav>
<details class="contents-small"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<main>
${html}
</main>
</div>`;
}

function contentsHtml(entries: readonly (Entry | Entry["inner"][number])[]): string {
  const items = entries.map((entry) => {
    const inner = "inner" in entry && entry.inner.length > 0 ? contentsHtml(entry.inner) : "";
    return `<li><a href="#${entry.id}" dir="auto">${escapeHtml(entry.title)}</a>${inner}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

function verdictHtml(report: SearchReport | DeepSearchReport): string {
  const verdict = verdictOf(report);
  if (verdict === undefined) return "";
  const [look, symbol] = verdict.tone === "good" ? ["yes", SYMBOLS.supported] : ["no", SYMBOLS.disputed];
  return `<p class="verdict ${look}">${symbol} ${verdict.text}</p>`;
}

function factsHtml(
  report: SearchReport | DeepSearchReport,
  { runs, tokens, follows = "", documents = "" }: ReportFacts,
  sources: readonly NumberedSource[],
): string {
  const { metadata } = report;
  const grouped = (number: number | undefined) => number?.toLocaleString("en-GB") ?? "";
  const read = sources.filter(wasRead).length;
  const unseen = sources.filter((source) => source.status === "unseen").length;
  const seen = sources.length - unseen;
  const facts: [string, string][] = [
    ["Asked on from", follows],
    ["Date", dateOf(metadata.timestamp)],
    ["Time taken", durationOf(metadata.duration_ms)],
    ["Model", metadata.model],
    ["Searches", metadata.search_queries_used ? String(metadata.search_queries_used.length) : ""],
    ["Documents read", documents],
    ["CLI runs", grouped(runs)],
    ["Tokens", grouped(tokens)],
    [
      "Sources",
      [seen, ...(read > 0 ? [`${read} of them read`] : []), ...(unseen > 0 ? [`${unseen} more never seen`] : [])].join(
        ", ",
      ),
    ],
  ];
  const shown = facts.filter(([, value]) => value !== "");
  return `<dl class="facts">${shown.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(plainLine(value))}</dd></div>`).join("")}</dl>`;
}

function dataHtml(report: SearchReport | DeepSearchReport): string {
  const data = dataOf(report);
  if (data === undefined) return "";
  const missing = data.missing === "" ? "" : `<p class="hint warn" dir="auto">${escapeHtml(data.missing)}.</p>`;
  return `<pre tabindex="0"><code>${escapeHtml(data.json)}</code></pre>${missing}`;
}

function changesHtml({ metadata }: SearchReport | DeepSearchReport): string {
  const changes = changesSince(metadata.changes);
  if (changes === undefined) return "";
  const items = changes.lines.map(
    ({ kind, text, before }) =>
      `<b>${kind}:</b> ${escapeHtml(text)}${before === undefined ? "" : `<br><small>before: ${escapeHtml(before)}</small>`}`,
  );
  return `<p class="hint">${escapeHtml(changes.title)}.</p>${itemsHtml(items)}`;
}

function listHtml(items: readonly string[]): string {
  return itemsHtml(items.map(escapeHtml));
}

function itemsHtml(items: readonly string[]): string {
  return items.length > 0 ? `<ul>${items.map((item) => `<li dir="auto">${item}</li>`).join("")}</ul>` : "";
}

function roundsHtml(rounds: readonly RoundFacts[], cite: Citing): string {
  if (rounds.length === 0) return "";
  const items = rounds.map(({ number, state, summary, queries, sources }) => {
    const facts = [
      ...(queries.length > 0 ? [count(queries.length, "search", "searches")] : []),
      ...(sources.length > 0 ? [count(sources.length, "source")] : []),
    ];
    const label = state === "" ? "" : ` <span class="state">${state}</span>`;
    return `<li class="${state.replace(" ", "-")}"><h3>Round ${number}${label}<small>${facts.join(" · ")}</small></h3>
<div dir="auto">${lineHtml(summary)}</div>
${queries.length > 0 ? `<ul class="queries" aria-label="Searched for">${queries.map((query) => `<li dir="auto">${escapeHtml(query)}</li>`).join("")}</ul>` : ""}
${cite.chips(sources)}</li>`;
  });
  return `<ol class="rounds">${items.join("\n")}</ol>`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function dateOf(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return plainLine(timestamp);
  return `${date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
