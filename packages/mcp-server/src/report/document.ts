import { type JobRecord, type Report, subjectOf } from "../jobs/job-record.js";

/** The Markdown of a report's answer. */
function resultOfReport(report: Report): string {
  return "report" in report ? (report.report as string) : report.result;
}

/** A finished job as one Markdown text, the answer first: nothing that is known is left out. */
export function toDocument(record: JobRecord): string {
  const { report } = record;
  if (report === undefined) return "";
  const { sources_visited, search_queries_used, rounds, evidence, note, warnings, ...facts } =
    report.metadata as Record<string, unknown>;
  const parts = [resultOfReport(report).trimEnd()];
  for (const careful of [note, ...(isList(warnings) ? warnings : [])]) {
    if (typeof careful === "string") parts.push(`> ${careful}`);
  }
  if (isList(sources_visited)) parts.push(`## Sources visited\n\n${sources_visited.map(item).join("\n")}`);
  if (isList(search_queries_used)) parts.push(`## Searches\n\n${search_queries_used.map(item).join("\n")}`);
  for (const [title, value] of [
    ["Rounds", rounds],
    ["Evidence", evidence],
  ] as const) {
    if (value !== undefined) parts.push(`## ${title}\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``);
  }
  const about = {
    question: subjectOf(record),
    ...("verified" in report ? { verified: report.verified } : {}),
    ...facts,
  };
  parts.push(`## About this report\n\n${Object.entries(about).map(fact).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
function item(value: unknown): string {
  return `- ${String(value)}`;
}
function fact([name, value]: [string, unknown]): string {
  return `- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/**
 * Cuts a text into pages that take at most `maxChars` inside JSON, at the end of a line where there is one. Joined, they
 * are the text.
 */
export function pagesOf(text: string, maxChars: number): string[] {
  const pages: string[] = [];
  let page = "";
  let left = maxChars;
  const endPage = () => {
    pages.push(page);
    page = "";
    left = maxChars;
  };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? [""]) {
    const size = sizeInJson(line);
    if (size > left && page !== "") endPage();
    if (size <= left) {
      page += line;
      left -= size;
      continue;
    }
    for (const character of line) {
      const width = sizeInJson(character);
      if (width > left) endPage();
      page += character;
      left -= width;
    }
  }
  if (page !== "" || pages.length === 0) pages.push(page);
  return pages;
}

export function sizeInJson(text: string): number {
  return JSON.stringify(text).length - 2;
}
