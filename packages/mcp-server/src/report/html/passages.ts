import type { Evidence, EvidencePage, EvidenceQuote } from "@x/research";
import { escapeHtml } from "../../text/escape.js";
import { plainLine, shortLine } from "../../text/plain-text.js";
import type { CitedReport } from "../citations.js";

/** Of one page; further ones stand below their claims. */
const MOST_PASSAGES = 2;
const LONGEST = 300;
/** Of what stands around it: on a phone the words themselves must be seen. */
const LONGEST_AROUND = 80;

/**
 * What the card of a source shows, by the source's number: when the page was published, and the words that were quoted from
 * it, marked between those that stand around them.
 */
export function passagesOf(
  evidence: Partial<Evidence> | undefined,
  { numberOf }: Pick<CitedReport, "numberOf">,
): ReadonlyMap<number, string> {
  const quotes = new Map<number, EvidenceQuote[]>();
  for (const quote of (evidence?.claims ?? []).flatMap((claim) => claim.quotes ?? [])) {
    const number = quote.passage === undefined || quote.found === "altered" ? undefined : numberOf(quote.url);
    if (number !== undefined) quotes.set(number, [...(quotes.get(number) ?? []), quote]);
  }
  const pages = new Map((evidence?.pages ?? []).flatMap((page) => [[numberOf(page.final_url), page] as const]));
  return new Map(
    Array.from(quotes, ([number, own]) => [
      number,
      dateHtml(pages.get(number)) + own.slice(0, MOST_PASSAGES).map(passageHtml).join(""),
    ]),
  );
}

function dateHtml(page: EvidencePage | undefined): string {
  const published = page?.published === undefined ? "" : shortLine(plainLine(page.published), 40);
  return published === "" ? "" : `<span class="url">published ${escapeHtml(published)}</span>`;
}

function passageHtml({ before = "", passage = "", behind = "" }: EvidenceQuote): string {
  const [start, words, end] = [lastWords(before), shortLine(passage, LONGEST), shortLine(behind, LONGEST_AROUND)];
  const gap = (text: string, at: RegExp) => (at.test(text) ? " " : "");
  const left = start === "" ? "" : `${escapeHtml(start)}${gap(before, /\s$/)}`;
  const right = end === "" ? "" : `${gap(behind, /^\s/)}${escapeHtml(end)}`;
  return `<blockquote dir="auto" lang="">${left}<mark>${escapeHtml(words)}</mark>${right}</blockquote>`;
}

/** The end of a text, in one line: where it is long, from a word on. */
function lastWords(text: string): string {
  const line = plainLine(text);
  if (line.length <= LONGEST_AROUND) return line;
  return `…${line.slice(1 - LONGEST_AROUND).replace(/^(?:\S{0,20} |[\udc00-\udfff])/, "")}`;
}
