import { builtInPrompts } from "./built-in.js";
import { type Prompts, renderPrompt } from "./render.js";

/** What a prompt says of an earlier research. */
export interface EarlierText {
  how: "follow-up" | "refresh";
  /** When it was done, in ISO 8601; empty when that is not known. */
  at: string;
  query: string;
  report: string;
  /** One line each. */
  claims: readonly string[];
  /** Pages that are kept, one line each. */
  pages: readonly string[];
}

/** Of a report; what a longer one says stands in its claims. */
const MAX_REPORT = 100_000;

/** The section of a prompt that tells of an earlier research. */
export function earlierPrompt(
  { followUp = builtInPrompts.followUp, refresh = builtInPrompts.refresh }: Pick<Prompts, "followUp" | "refresh">,
  { how, at, query, report, claims, pages }: EarlierText,
  boundary: string,
): string {
  const cut = report.length > MAX_REPORT ? `${report.slice(0, MAX_REPORT)}\n\n(The rest is left out.)` : report;
  return renderPrompt(how === "refresh" ? refresh : followUp, {
    boundary,
    earlier_date: at.slice(0, 10) || "an earlier day",
    earlier_query: query,
    earlier_report: cut,
    earlier_claims: listOf(claims),
    kept_pages: listOf(pages),
  }).trim();
}

/** Puts each item on one line, so that text from the web cannot begin a section of its own. */
export function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item.replaceAll(/\s+/g, " ")}`).join("\n") || "- (nothing is listed)";
}
