import type { Evidence, EvidenceClaim } from "@x/research";
import { plainLine } from "../../text/plain-text.js";
import { type CitedReport, wasRead } from "../citations.js";
import { CLAIMS, CLAIMS_MEANING, STATUSES, type Weakness, weaknessIn } from "../claims.js";
import { parseInline } from "../markdown-parser.js";
import type { Citing } from "./citing.js";
import { inlineToHtml } from "./markdown.js";
import { SYMBOLS } from "./symbols.js";

/** What is known of the sources as a whole, and the claims, those that need care first. */
export function evidenceHtml(evidence: Evidence | undefined, cited: CitedReport, cite: Citing): string {
  if (evidence === undefined) return "";
  if (evidence.status === "unavailable")
    return `<p class="hint">The Gemini CLI gave no record of what it searched and read, so nothing can be said about the sources.</p>`;
  const { claims, unsupported_verifications: broken } = evidence;
  const groups = STATUSES.map((status) => ({
    status,
    claims: claims.filter((claim) => claim.status === status),
  })).filter((group) => group.claims.length > 0);
  const weaknessOf = weaknessIn(evidence);
  return [
    figuresHtml(evidence, cited),
    claims.length > 0 ? `<p class="hint">${CLAIMS_MEANING}</p>${sharesHtml(groups, claims.length)}` : "",
    broken.length > 0
      ? `<p class="hint warn">Round ${broken.join(", ")} called the report verified without one search that gave results.</p>`
      : "",
    ...groups.map(
      ({ status, claims: group }) =>
        `<h3 class="${status}">${SYMBOLS[status]} ${CLAIMS[status][0]}<small>${CLAIMS[status][1]}</small></h3><ul class="claims">${group.map((claim) => claimHtml(claim, weaknessOf(claim), cite)).join("")}</ul>`,
    ),
  ].join("\n");
}

function figuresHtml(evidence: Evidence, { sources }: CitedReport): string {
  const { citation_accuracy: accuracy, independent_hosts: hosts, unseen } = evidence;
  const read = sources.filter((source) => source.cited && wasRead(source)).length;
  const figures: [string, string][] = [
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

/** Which part of the claims is what: a bar, and the same in words. The best stands first. */
function sharesHtml(groups: readonly Group[], total: number): string {
  const best = [...groups].reverse();
  const bar = best.map(
    ({ status, claims: { length } }) =>
      `<span class="${status} w${Math.max(1, Math.round((length / total) * 20))}"></span>`,
  );
  const legend = best.map(
    ({ status, claims: { length } }) =>
      `<li class="${status}">${SYMBOLS[status]} ${length} ${CLAIMS[status][0].toLowerCase()}</li>`,
  );
  return `<div class="bar" aria-hidden="true">${bar.join("")}</div><ul class="legend">${legend.join("")}</ul>`;
}

function claimHtml({ text, status, sources }: EvidenceClaim, weakness: Weakness, cite: Citing): string {
  const note = weakness === undefined ? "" : `<small>${weakness}</small>`;
  return `<li class="${status}"><div><div dir="auto">${lineHtml(text)}</div>${note}</div>${cite.chips(sources)}</li>`;
}

/** One line of a model's Markdown outside of the report. */
export function lineHtml(text: string): string {
  return `<p>${inlineToHtml(parseInline(plainLine(text)))}</p>`;
}
