import type { Filters } from "../request.js";
import { isDocument, isOfDomain } from "./urls.js";

const DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;
const DAY_MS = 86_400_000;
/** The number of characters that tell the language of a report. */
const LANGUAGE_SAMPLE = 20_000;

/** The first day that pages may be of, as `YYYY-MM-DD`. */
function since(recency: NonNullable<Filters["recency"]>, now: number): string {
  return new Date(now - DAYS[recency] * DAY_MS).toISOString().slice(0, 10);
}

/** The limits in words and as query operators, for the prompt; the empty string when there are none. */
export function filtersPrompt(
  { allowedDomains = [], blockedDomains = [], recency, language }: Filters,
  now: number,
): string {
  const lines: string[] = [];
  if (allowedDomains.length > 0) {
    const sites = allowedDomains.map((domain) => `site:${domain}`).join(" OR ");
    lines.push(
      `- Use only pages of ${allowedDomains.join(", ")}. Add \`${allowedDomains.length > 1 ? `(${sites})` : sites}\` to every query.`,
    );
  }
  if (blockedDomains.length > 0) {
    const sites = blockedDomains.map((domain) => `-site:${domain}`).join(" ");
    lines.push(`- Use no page of ${blockedDomains.join(", ")}. Add \`${sites}\` to every query.`);
  }
  if (recency !== undefined) {
    const day = since(recency, now);
    lines.push(`- Use only pages published on or after ${day}. Add \`after:${day}\` to every query.`);
  }
  if (language !== undefined) lines.push(`- Write the report in this language: ${language}.`);
  return lines.length === 0 ? "" : ["## Limits of this search", "", ...lines].join("\n");
}

/** Whether a page may be used under the filters; they say nothing of documents of one's own. */
export function isAllowed(url: string, { allowedDomains = [], blockedDomains = [] }: Filters): boolean {
  if (isDocument(url)) return true;
  if (blockedDomains.some((domain) => isOfDomain(url, domain))) return false;
  return allowedDomains.length === 0 || allowedDomains.some((domain) => isOfDomain(url, domain));
}

/** Warnings for the person: filters of time and language that the answer does not seem to have kept. */
export function filterWarnings(
  filters: Filters,
  now: number,
  answer: { queries: readonly string[]; text: string },
): string[] {
  const warnings: string[] = [];
  if (filters.recency !== undefined) {
    const operator = `after:${since(filters.recency, now)}`;
    const without = answer.queries.filter((query) => !/\bafter:\d{4}/.test(query));
    if (without.length > 0 || answer.queries.length === 0) {
      const which =
        answer.queries.length === 0
          ? "No search is known to have been"
          : `${without.length} of ${answer.queries.length} searches were not`;
      warnings.push(
        `${which} limited to pages of the last ${filters.recency} (${operator}): older pages may be among the sources.`,
      );
    }
  }
  const script = filters.language === undefined ? undefined : scriptOf(filters.language);
  if (script !== undefined) {
    const beginning = answer.text.slice(0, LANGUAGE_SAMPLE);
    const letters = beginning.match(/\p{L}/gu)?.length ?? 0;
    const fitting = beginning.match(script)?.length ?? 0;
    if (letters > 0 && fitting < letters / 4)
      warnings.push(`The report does not seem to be written in ${filters.language}.`);
  }
  return warnings;
}

/** Matches the letters that a language is written with, when the name tells. */
function scriptOf(language: string): RegExp | undefined {
  const together: Record<string, string> = {
    Jpan: "[\\p{sc=Hani}\\p{sc=Hira}\\p{sc=Kana}]",
    Kore: "[\\p{sc=Hang}\\p{sc=Hani}]",
  };
  try {
    const { script } = new Intl.Locale(language).maximize();
    if (script === undefined) return undefined;
    const name = /^Han[st]$/.test(script) ? "Hani" : script;
    return new RegExp(together[name] ?? `\\p{sc=${name}}`, "gu");
  } catch {
    return undefined; // a name such as "Swiss German (Bern)": no tag, nothing can be said
  }
}
