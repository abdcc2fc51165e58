import type { DeepSearchReport, Evidence, EvidenceClaim, SearchReport } from "@x/research";
import { durationOf } from "../text/duration.js";
import { plainLine, plainText, shortLine } from "../text/plain-text.js";
import { changesSince, type ShownChange } from "./changes.js";
import { CLAIMS, CLAIMS_MEANING, STATUSES, weaknessIn } from "./claims.js";
import { dataOf } from "./data.js";
import { withNamedDocuments } from "./documents.js";
import { factsOf } from "./facts.js";
import { proofOf } from "./proof.js";
import { safeMarkdown } from "./safe-markdown.js";
import { shownOf } from "./shown.js";
import { verdictOf } from "./verdict.js";

/** The longest question in a title or a line, in characters. */
const LONGEST_QUESTION = 200;

/** The same for a file of its own, which the question is the title of. */
export function reportToMarkdownFile(report: SearchReport | DeepSearchReport): string {
  return safeMarkdown(fileAsWritten(report));
}

function fileAsWritten(report: SearchReport | DeepSearchReport): string {
  const question = plainLine(report.metadata.query);
  const title = shortLine(question, LONGEST_QUESTION);
  const whole = title === question ? "" : `\n## The whole question\n\n> ${question}\n`;
  return `# ${title}\n\n${asWritten(report)}${whole}`;
}

/** Reports that follow each other, in their order, as one file. */
export function threadToMarkdownFile(reports: readonly (SearchReport | DeepSearchReport)[]): string {
  // As one: a fence that one of them leaves open would turn code and text of the next around.
  return safeMarkdown(reports.map(fileAsWritten).join("\n---\n\n"));
}

/** The report, and below it what is known of how it came about: Markdown that loads and runs nothing where it is shown. */
export function reportToMarkdown(report: SearchReport | DeepSearchReport): string {
  return safeMarkdown(asWritten(report));
}

/** The same, with the report as the model wrote it. */
function asWritten(report: SearchReport | DeepSearchReport): string {
  const { metadata } = report;
  const { evidence } = metadata;
  const { rounds, gaps, warnings, follows, documents } = factsOf(report);
  const parts = [withNamedDocuments(plainText(report.result).trim()), "---"];
  const section = (title: string, lines: readonly string[]) => {
    if (lines.length > 0) parts.push(`## ${title}\n\n${lines.join("\n")}`);
  };
  parts.push(...warnings.map((line) => `> **Note:** ${line}`));
  const data = dataOf(report);
  if (data !== undefined) {
    section("Data", [`\`\`\`json\n${data.json}\n\`\`\``, ...(data.missing === "" ? [] : [`\n${data.missing}`])]);
  }
  const changes = changesSince(metadata.changes);
  if (changes !== undefined) {
    // It says how many claims are as before, and is all there is where every one of them is.
    parts.push(`## ${changes.title}`);
    if (changes.lines.length > 0) parts.push(changes.lines.map(changeLine).join("\n"));
  }
  if (evidence?.status === "available" && evidence.claims.length > 0) {
    section("Evidence", [`${CLAIMS_MEANING}\n`, ...STATUSES.flatMap((status) => claimLines(evidence, status))]);
  }
  const statusOf = new Map((evidence?.sources ?? []).map(({ url, status }) => [url, status]));
  const label = {
    quoted: " (read and quoted)",
    attributed: " (named by Google for what is said)",
    retrieved: " (read)",
    found: " (found by a search)",
  } as const;
  const visited = shownOf(metadata.sources_visited ?? [], "sources");
  const sourceLines = visited.shown.map((url) => {
    const status = statusOf.get(url);
    return `- ${addressOf(url)}${status === undefined ? "" : label[status]}`;
  });
  section("Sources visited", visited.more === "" ? sourceLines : [...sourceLines, `- ${visited.more}`]);
  section(
    "Still open",
    gaps.map((gap) => `- ${gap}`),
  );
  section(
    "Rounds",
    rounds.flatMap(({ number, state, summary, queries }) => [
      `${number}. ${state === "" ? "" : `*${state}:* `}${summary}`,
      ...queries.map((query) => `   - searched: ${query}`),
    ]),
  );
  const verdict = verdictOf(report);
  const facts = [
    shortLine(metadata.query, LONGEST_QUESTION),
    ...(follows === undefined ? [] : [`asked on from: ${follows}`]),
    ...(verdict ? [verdict.text] : []),
    ...(documents === undefined ? [] : [`documents read: ${documents}`]),
    plainLine(metadata.model),
    durationOf(metadata.duration_ms),
    plainLine(metadata.timestamp),
  ];
  parts.push(`*${facts.join(" · ")}*`);
  return `${parts.join("\n\n")}\n`;
}

function changeLine({ kind, text, before }: ShownChange): string {
  return `- **${kind}:** ${text}${before === undefined ? "" : ` (before: ${before})`}`;
}

/** An address of the web is a link; that of a document on this machine is none. */
function addressOf(url: string): string {
  return /^file:/i.test(url) ? `\`${plainLine(url).replaceAll("`", "%60")}\`` : `<${plainLine(url)}>`;
}

const QUOTE_SIGNS = { stands: "✓", differs: "!", missing: "✗" } as const;

function claimLines(evidence: Evidence, status: EvidenceClaim["status"]): string[] {
  const claims = evidence.claims.filter((claim) => claim.status === status);
  const weaknessOf = weaknessIn(evidence);
  const { shown: first, more } = shownOf(claims, "claims");
  const lines = first.map((claim) => {
    const weakness = weaknessOf(claim);
    const urls = claim.sources.map((url) => ` ${addressOf(url)}`).join("");
    const shown = proofOf(claim);
    const note = shown?.proof ?? weakness;
    const quotes = (shown?.quotes ?? []).map(({ tone, text, instead, note: about, place }) => {
      const said = instead === undefined ? "" : ` (the model quoted: “${instead}”)`;
      const where = [place, about].filter((part) => part !== "").join(", ");
      return `\n  - ${QUOTE_SIGNS[tone]} “${text}”${where === "" ? "" : ` (${where})`}${said}`;
    });
    const missing = shown?.missing.length ? `\n  - not in a quotation: ${shown.missing.join(", ")}` : "";
    return `- **${CLAIMS[status][0]}:** ${plainLine(claim.text)}${urls}${note === undefined ? "" : ` (${note})`}${quotes.join("")}${missing}`;
  });
  return more === "" ? lines : [...lines, `- ${more}`];
}
