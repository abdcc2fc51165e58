import type { Evidence, EvidenceClaim } from "@x/research";
import { escapeHtml } from "../../text/escape.js";
import { plainLine } from "../../text/plain-text.js";
import { siteOf } from "../../text/site.js";
import { type CitedReport, wasRead } from "../citations.js";
import { CLAIMS, CLAIMS_MEANING, STATUSES, type Weakness, weaknessIn } from "../claims.js";
import { parseInline } from "../markdown-parser.js";
import { contradictionsOf, isUnproven, proofOf, provenPercent, type ShownProof, shortOf } from "../proof.js";
import { shownOf } from "../shown.js";
import type { Citing } from "./citing.js";
import { inlineToHtml } from "./markdown.js";
import { SYMBOLS } from "./symbols.js";

/** What is known of the sources as a whole, and the claims, those that need care first. */
export function evidenceHtml(evidence: Evidence | undefined, cited: CitedReport, cite: Citing): string {
  if (evidence === undefined) return "";
  if (evidence.status === "unavailable")
    return `<p class="hint">The Gemini CLI gave no record of what it searched and read, so nothing can be said about the sources.</p>`;
  const { claims, unsupported_verifications: broken } = evidence;
  const sorted = STATUSES.map((status) => ({ status, claims: claims.filter((claim) => claim.status === status) }));
  const groups = sorted.filter((group) => group.claims.length > 0);
  const weaknessOf = weaknessIn(evidence);
  return [
    figuresHtml(evidence, cited),
    claims.length > 0 ? `<p class="hint">${CLAIMS_MEANING}</p>${sharesHtml(groups, claims.length)}` : "",
    ...[shortOf(evidence), ...contradictionsOf(evidence)].map((line) =>
      line === undefined ? "" : `<p class="hint warn" dir="auto">${escapeHtml(line)}.</p>`,
    ),
    broken.length > 0
      ? `<p class="hint warn">Round ${broken.join(", ")} called the report verified without one search that gave results.</p>`
      : "",
    ...groups.map(({ status, claims: group }) => {
      const { shown, more } = shownOf(group, "claims");
      const items = shown.map((claim) => claimHtml(claim, weaknessOf(claim), cite));
      const rest = more === "" ? "" : `<p class="hint">${more}.</p>`;
      return `<h3 class="${status}${group.some(isUnproven) ? " unproven" : ""}">${SYMBOLS[status]} ${CLAIMS[status][0]}<small>${CLAIMS[status][1]}</small></h3><ul class="claims">${items.join("")}</ul>${rest}`;
    }),
  ].join("\n");
}

function figuresHtml(evidence: Evidence, { sources }: CitedReport): string {
  const { citation_accuracy: accuracy, independent_hosts: hosts, unseen } = evidence;
  const read = sources.filter((source) => source.cited && wasRead(source)).length;
  const proven = provenPercent(evidence);
  const figures: [string, string][] = [
    ...(proven === undefined
      ? []
      : [[`${proven} %`, "of the claims quoted from a page, or attributed by Google"] as [string, string]]),
    [
      accuracy === null ? "–" : `${Math.floor(accuracy * 100)} %`,
      "of the cited addresses were found by a search or read",
    ],
    [String(hosts), `different ${hosts === 1 ? "site" : "sites"} cited`],
    [String(read), "cited pages read"],
    [String(unseen.length), "cited addresses never seen"],
  ];
  return `<ul class="figures">${figures.map(([value, label]) => `<li><b>${value}</b> ${label}</li>`).join("")}</ul>`;
}

interface Group {
  status: EvidenceClaim["status"];
  claims: readonly EvidenceClaim[];
}

interface Share {
  kind: EvidenceClaim["status"] | "unproven";
  count: number;
  words: string;
}

/** What the model calls supported and nothing proves is a share of its own: it must not look like what is proven. */
function sharesOf({ status, claims }: Group): Share[] {
  const unproven = claims.filter(isUnproven).length;
  const words = CLAIMS[status][0].toLowerCase();
  const shares: Share[] = [
    { kind: status, count: claims.length - unproven, words },
    { kind: "unproven", count: unproven, words: `${words}, not proven` },
  ];
  return shares.filter(({ count }) => count > 0);
}

/** Which part of the claims is what: a bar, and the same in words. The best stands first. */
function sharesHtml(groups: readonly Group[], total: number): string {
  const best = [...groups].reverse().flatMap(sharesOf);
  const bar = best.map(
    ({ kind, count }) => `<span class="${kind} w${Math.max(1, Math.round((count / total) * 20))}"></span>`,
  );
  const legend = best.map(({ kind, count, words }) => {
    const sign = kind === "unproven" ? "" : `${SYMBOLS[kind]} `;
    return `<li class="${kind}">${sign}${count} ${words}</li>`;
  });
  return `<div class="bar" aria-hidden="true">${bar.join("")}</div><ul class="legend">${legend.join("")}</ul>`;
}

function claimHtml(claim: EvidenceClaim, weakness: Weakness, cite: Citing): string {
  const { text, status, sources } = claim;
  const shown = proofOf(claim);
  const note = shown?.proof ?? weakness;
  const said = note === undefined ? "" : `<small>${escapeHtml(note)}</small>`;
  return `<li class="${status}${isUnproven(claim) ? " unproven" : ""}"><div><div dir="auto">${lineHtml(text)}</div>${said}${shown === undefined ? "" : quotesHtml(shown)}</div>${cite.chips(sources)}</li>`;
}

const QUOTE_SIGNS = { stands: SYMBOLS.supported, differs: SYMBOLS.disputed, missing: SYMBOLS.unsupported } as const;

/** The passages of the pages, each with its address; what is missing in them stands below. */
function quotesHtml({ quotes, missing }: ShownProof): string {
  const items = quotes.map(({ tone, text, instead, note, url, place }) => {
    const site = url === undefined ? "" : escapeHtml(plainLine(siteOf(url)));
    const isWeb = url !== undefined && !/^file:/i.test(url);
    const link = isWeb ? `<a href="${escapeHtml(url)}" rel="noreferrer">${site}</a>` : site;
    const about = [link, place, escapeHtml(note)].filter((part) => part !== "").join(" · ");
    const said =
      instead === undefined ? "" : `<p class="instead" dir="auto">The model quoted: “${escapeHtml(instead)}”</p>`;
    return `<figure class="quote ${tone}"><blockquote dir="auto" lang=""><p>“${escapeHtml(text)}”</p></blockquote>${said}<figcaption>${QUOTE_SIGNS[tone]} ${about}</figcaption></figure>`;
  });
  const left =
    missing.length === 0 ? "" : `<small class="missing">Not in a quotation: ${escapeHtml(missing.join(", "))}</small>`;
  return `${items.join("")}${left}`;
}

/** One line of a model's Markdown outside of the report. */
export function lineHtml(text: string): string {
  return `<p>${inlineToHtml(parseInline(plainLine(text)))}</p>`;
}
