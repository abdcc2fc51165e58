import { createHash } from "node:crypto";
import type { DeepSearchReport, Evidence, EvidenceClaim, SearchReport } from "@x/research";
import { Lexer } from "marked";
import { durationOf } from "../../text/duration.js";
import { escapeHtml } from "../../text/escape.js";
import { plainLine } from "../../text/plain-text.js";
import { type CitedReport, httpUrl, type NumberedSource, readCitations } from "../citations.js";
import { CLAIMS, CLAIMS_MEANING, STATUSES, weaknessOf } from "../claims.js";
import { factsOf, type ReportFacts, type RoundFacts } from "../facts.js";
import { type Heading, markdownToHtml } from "./markdown.js";
import { STYLE } from "./style.js";

/** The whole report as one HTML file that needs no network, no script and no other file. */
export function reportPage(report: SearchReport | DeepSearchReport, options: { generator: string }): string {
  const { metadata } = report;
  const cited = readCitations(report);
  const cite = citing(cited.sources);
  const body = markdownToHtml(cited.blocks, cite.marks);
  const title = plainLine(metadata.query);
  const facts = factsOf(report);
  const sections: Section[] = [
    {
      id: "report",
      title: "Report",
      html: `<article class="report" dir="auto" lang="">${body.html}</article>`,
      headings: body.headings,
    },
    { id: "evidence", title: "Evidence", html: evidenceHtml(metadata.evidence, cited, cite) },
    { id: "gaps", title: "Still open", html: listHtml(facts.gaps) },
    { id: "rounds", title: "How it was researched", html: roundsHtml(facts.rounds, cite) },
    { id: "sources", title: "Sources", html: sourcesHtml(cited.sources, cite) },
  ].filter((section) => section.html !== "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hashOf(STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(options.generator)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header class="top">
<p class="kind">${"verified" in report ? "Deep search" : "Search"}</p>
<h1 dir="auto" lang=""${title.length > 90 ? ' class="long"' : ""}>${escapeHtml(title)}</h1>
${verdictHtml(report)}
${factsHtml(report, facts, cited.sources)}
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">${contentsHtml(sections)}</nav>
<main>
${facts.warnings.length > 0 ? `<aside class="note">${facts.warnings.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`).join("")}</aside>` : ""}
${sections.map(sectionHtml).join("\n")}
</main>
</div>
<footer><p>Made by ${escapeHtml(options.generator)} on ${escapeHtml(dateOf(metadata.timestamp))}. Statements come from a language model and from pages of others; the evidence says which of the sources it names were seen.</p></footer>
</body>
</html>
`;
}

interface Section {
  id: string;
  title: string;
  html: string;
  headings?: Heading[];
}

const sectionHtml = ({ id, title, html }: Section) =>
  `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" class="section">${title}</h2>${html}</section>`;

function contentsHtml(sections: readonly Section[]): string {
  const items = sections.map(({ id, title, headings = [] }) => {
    const shown = headings.filter((heading) => heading.depth <= 4 && heading.text.trim() !== "");
    const inner = shown.map(
      (heading) => `<li><a href="#${heading.id}" dir="auto">${escapeHtml(heading.text)}</a></li>`,
    );
    return `<li><a href="#${id}">${title}</a>${inner.length > 1 ? `<ul>${inner.join("")}</ul>` : ""}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

interface Citing {
  /** `[n]` links to the list of sources, each the place that its entry leads back to. */
  marks(numbers: readonly number[]): string;
  /** The same for URLs, outside of the report's text. */
  chips(urls: readonly string[]): string;
  /** Places of the text that cite this source. */
  placesOf(number: number): string[];
}

function citing(sources: readonly NumberedSource[]): Citing {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const byUrl = new Map(sources.map((source) => [source.url, source]));
  const places = new Map<number, string[]>();
  const link = (source: NumberedSource, id: string) =>
    `<a class="cite ${source.status}" href="#source-${source.number}"${id} title="${escapeHtml(labelOf(source))}" aria-label="Source ${source.number}: ${escapeHtml(labelOf(source))}">${source.number}</a>`;
  return {
    marks(numbers) {
      const links = numbers.map((number) => {
        const source = byNumber.get(number);
        if (source === undefined) return String(number);
        const seen = places.get(number) ?? [];
        const id = `cite-${number}-${seen.length + 1}`;
        places.set(number, [...seen, id]);
        return link(source, ` id="${id}"`);
      });
      return `<sup class="cites">${links.join("")}</sup>`;
    },
    chips(urls) {
      const known = urls.flatMap((url) => byUrl.get(httpUrl(url)?.href ?? "") ?? []);
      return known.length > 0 ? `<span class="chips">${known.map((source) => link(source, "")).join("")}</span>` : "";
    },
    placesOf: (number) => places.get(number) ?? [],
  };
}

function labelOf(source: NumberedSource): string {
  return source.title ? `${source.title} (${hostOf(source.url)})` : hostOf(source.url);
}

function verdictHtml(report: SearchReport | DeepSearchReport): string {
  if (!("verified" in report)) return "";
  const rounds = count(report.metadata.iterations, "round");
  return report.verified
    ? `<p class="verdict yes">${SYMBOLS.supported} Verified by the model in ${rounds}</p>`
    : `<p class="verdict no">${SYMBOLS.disputed} Not verified in ${rounds}</p>`;
}

function factsHtml(
  report: SearchReport | DeepSearchReport,
  { runs, tokens }: ReportFacts,
  sources: readonly NumberedSource[],
): string {
  const { metadata } = report;
  const grouped = (number: number | undefined) => number?.toLocaleString("en-GB") ?? "";
  const read = sources.filter((source) => source.status === "retrieved").length;
  const facts: [string, string][] = [
    ["Date", dateOf(metadata.timestamp)],
    ["Time taken", durationOf(metadata.duration_ms)],
    ["Model", metadata.model],
    ["Searches", metadata.search_queries_used ? String(metadata.search_queries_used.length) : ""],
    ["CLI runs", grouped(runs)],
    ["Tokens", grouped(tokens)],
    ["Sources", read > 0 ? `${sources.length}, ${read} of them read` : String(sources.length)],
  ];
  const shown = facts.filter(([, value]) => value !== "");
  return `<dl class="facts">${shown.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(plainLine(value))}</dd></div>`).join("")}</dl>`;
}

function evidenceHtml(evidence: Evidence | undefined, cited: CitedReport, cite: Citing): string {
  if (evidence === undefined) return "";
  if (evidence.status === "unavailable")
    return `<p class="hint">The Gemini CLI gave no record of what it searched and read, so nothing can be said about the sources.</p>`;
  const { claims, citation_accuracy: accuracy, independent_hosts: hosts } = evidence;
  const citedSources = cited.sources.filter((source) => source.cited);
  const groups = STATUSES.map((status) => ({
    status,
    claims: claims.filter((claim) => claim.status === status),
  })).filter((group) => group.claims.length > 0);
  const figures: [string, string][] = [
    [
      accuracy === null ? "–" : `${Math.floor(accuracy * 100)} %`,
      "of the cited addresses were found by a search or read",
    ],
    [String(hosts), `different ${hosts === 1 ? "site" : "sites"} cited`],
    [String(citedSources.filter((source) => source.status === "retrieved").length), "cited pages read"],
    [String(evidence.unseen.length), "cited addresses never seen"],
  ];
  const bar = groups
    .map(
      ({ status, claims: { length } }) =>
        `<span class="${status} w${Math.max(1, Math.round((length / claims.length) * 20))}"></span>`,
    )
    .reverse()
    .join("");
  const legend = groups
    .map(
      ({ status, claims: { length } }) =>
        `<li class="${status}">${SYMBOLS[status]} ${length} ${CLAIMS[status][0].toLowerCase()}</li>`,
    )
    .reverse()
    .join("");
  const broken = evidence.unsupported_verifications;
  return [
    `<ul class="figures">${figures.map(([value, label]) => `<li><b>${value}</b> ${label}</li>`).join("")}</ul>`,
    claims.length > 0
      ? `<p class="hint">${CLAIMS_MEANING}</p><div class="bar" aria-hidden="true">${bar}</div><ul class="legend">${legend}</ul>`
      : "",
    broken.length > 0
      ? `<p class="hint warn">Round ${broken.join(", ")} called the report verified without one search that gave results.</p>`
      : "",
    ...groups.map(
      ({ status, claims: group }) =>
        `<h3 class="${status}">${SYMBOLS[status]} ${CLAIMS[status][0]}<small>${CLAIMS[status][1]}</small></h3><ul class="claims">${group.map((claim) => claimHtml(claim, evidence, cite)).join("")}</ul>`,
    ),
  ].join("\n");
}

function claimHtml(claim: EvidenceClaim, evidence: Evidence, cite: Citing): string {
  const weakness = weaknessOf(claim, evidence);
  const note = weakness === undefined ? "" : `<small>${weakness}</small>`;
  return `<li class="${claim.status}"><div><div dir="auto">${lineHtml(claim.text)}</div>${note}</div>${cite.chips(claim.sources)}</li>`;
}

/** One line of Markdown outside of the report. */
function lineHtml(text: string): string {
  return markdownToHtml([{ type: "paragraph", raw: "", text: "", tokens: Lexer.lexInline(plainLine(text)) }], () => "")
    .html;
}

function listHtml(items: readonly string[]): string {
  const shown = items.map((item) => `<li dir="auto">${escapeHtml(item)}</li>`);
  return shown.length > 0 ? `<ul>${shown.join("")}</ul>` : "";
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

const STATUS: Record<NumberedSource["status"], readonly [string, string]> = {
  retrieved: ["read", "The page was read."],
  found: ["found", "A search found the page; it was not opened."],
  unseen: ["never seen", "No search found this address and it was not read."],
  listed: ["listed", "The report names it; there is no record that it was seen."],
};

function sourcesHtml(sources: readonly NumberedSource[], cite: Citing): string {
  const items = sources.map((source) => {
    const [label, meaning] = STATUS[source.status];
    const places = cite.placesOf(source.number);
    const back = places.map(
      (id, index) =>
        `<a href="#${id}" aria-label="Back to citation ${index + 1} of source ${source.number}">↑${places.length > 1 ? index + 1 : ""}</a>`,
    );
    return `<li id="source-${source.number}" value="${source.number}" class="${source.status}"><a class="title" dir="auto" href="${escapeHtml(source.url)}" rel="noopener noreferrer nofollow">${escapeHtml(source.title ?? hostOf(source.url))}</a> <span class="badge ${source.status}" title="${meaning}">${label}</span><span class="url">${escapeHtml(shownUrl(source.url))}</span>${back.length > 0 ? `<span class="back">cited ${back.join(" ")}</span>` : ""}</li>`;
  });
  return items.length > 0 ? `<ol class="sources">${items.join("\n")}</ol>` : "";
}

const hostOf = (url: string) => new URL(url).hostname.replace(/^www\./, "");

/** The address as a person reads it. */
function shownUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = `${pathname.replace(/\/$/, "")}${search}`;
  return host.replace(/^www\./, "") + (path.length > 90 ? `${path.slice(0, 89)}…` : path);
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function dateOf(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return plainLine(timestamp);
  return `${date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

const symbol = (path: string) => `<svg class="symbol" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

/** Told apart by shape, not by colour alone. */
const SYMBOLS = {
  supported: symbol("M3 8.5 6.5 12 13 4.5"),
  disputed: symbol("M8 3v6M8 12.2v.6"),
  unsupported: symbol("M4 4l8 8M12 4l-8 8"),
} as const;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="14" cy="14" r="9" fill="none" stroke="#3b6ea5" stroke-width="4"/><path d="m21 21 8 8" stroke="#3b6ea5" stroke-width="4" stroke-linecap="round"/><path d="m10 14 3 3 6-6" fill="none" stroke="#3b6ea5" stroke-width="3"/></svg>';

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
