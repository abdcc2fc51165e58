import { type JobRecord, type Report, subjectOf } from "../jobs/job-record.js";
import { outgoingJson } from "./outgoing.js";

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
    ["Data", "data" in report ? report.data : undefined],
    ["Plan", "plan" in report ? report.plan : undefined],
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

/** How much of a text a page takes inside JSON, in characters. */
export interface PageSizes {
  first: number;
  others: number;
}

/** Cuts a text into pages, at the end of a line where there is one. Joined, they are the text. */
export function pagesOf(text: string, { first, others }: PageSizes): string[] {
  const pages: string[] = [];
  let from = 0;
  let left = first;
  const endPage = (at: number) => {
    pages.push(text.slice(from, at));
    from = at;
    left = others;
  };
  for (let line = 0; line < text.length; ) {
    const newline = text.indexOf("\n", line);
    const end = newline === -1 ? text.length : newline + 1;
    const size = sizeInJson(text.slice(line, end));
    if (size > left && line > from) endPage(line);
    if (size <= left) left -= size;
    else {
      for (let at = line; at < end; ) {
        const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
        const width = widthInJson(text, at);
        if (width > left) endPage(at);
        left -= width;
        at = next;
      }
    }
    line = end;
  }
  if (from < text.length || pages.length === 0) endPage(text.length);
  return pages;
}

/** Characters that a text takes inside of a JSON string. */
export function sizeInJson(text: string): number {
  return outgoingJson(text).length - 2;
}

/** Characters that are escapes in JSON where they may act. */
const ACTING = "!<]";
const LONGEST_ESCAPE = 6;

/** At most the same for the one character that begins at `at`, without a text made for it. */
function widthInJson(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  if (code > 0xffff) return 2;
  // What stands behind it tells whether it is an escape.
  if (ACTING.includes(text.charAt(at))) return LONGEST_ESCAPE;
  const isEscaped = code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff);
  return isEscaped ? sizeInJson(text.charAt(at)) : 1;
}
