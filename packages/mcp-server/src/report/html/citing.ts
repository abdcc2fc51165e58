import { escapeHtml } from "../../text/escape.js";
import { shortLine } from "../../text/plain-text.js";
import { siteOf } from "../../text/site.js";
import type { CitedReport, NumberedSource } from "../citations.js";
import { shownOf } from "../shown.js";

/** Citations of a page, and where they stand. */
export interface Citing {
  /** `[n]` links that open the source's card, each the place that its entry in the list leads back to. */
  marks(numbers: readonly number[]): string;
  /** The same for URLs, outside of the report's text. */
  chips(urls: readonly string[]): string;
  /** How many places of the text cite this source; the nth of them has the id `cite-{number}-{n}`. */
  placesOf(number: number): number;
  /** Whether anything opens the card of this source. */
  hasCard(number: number): boolean;
}

/** The id of the card that a citation opens. */
export function cardOf(number: number): string {
  return `card-${number}`;
}

/** A label stands at every citation. */
const LONGEST_LABEL = 120;
/** Those beyond are no links: a page with more of them is too heavy for a browser. */
const MOST_LINKS = 5_000;

/** Makes the citations of one page. Counts them: its places are numbered in the order of the calls. */
export function citing({ sources, numberOf }: Pick<CitedReport, "sources" | "numberOf">): Citing {
  // Those that are in no list have no card.
  const byNumber = new Map(shownOf(sources, "sources").shown.map((source) => [source.number, source]));
  const labels = new Map<number, string>();
  const places = new Map<number, number>();
  const linked = new Set<number>();
  let left = MOST_LINKS;
  const link = (source: NumberedSource, id?: string) => {
    left -= 1;
    if (left < 0) return `<span class="cite ${source.status}">${source.number}</span>`;
    linked.add(source.number);
    const label = labels.get(source.number) ?? escapeHtml(shortLine(labelOf(source), LONGEST_LABEL));
    labels.set(source.number, label);
    return `<a class="cite ${source.status}" href="#${cardOf(source.number)}"${id ? ` id="${id}"` : ""} title="${label}" aria-label="Source ${source.number}: ${label}">${source.number}</a>`;
  };
  return {
    marks(numbers) {
      const links = numbers.map((number) => {
        const source = byNumber.get(number);
        if (source === undefined) return String(number);
        if (left <= 0) return link(source);
        const place = (places.get(number) ?? 0) + 1;
        places.set(number, place);
        return link(source, `cite-${number}-${place}`);
      });
      return `<sup class="cites">${links.join("")}</sup>`;
    },
    chips(urls) {
      const numbers = new Set(urls.flatMap((url) => numberOf(url) ?? []));
      const known = Array.from(numbers, (number) => byNumber.get(number) ?? []).flat();
      return known.length === 0 ? "" : `<span class="chips">${known.map((source) => link(source)).join("")}</span>`;
    },
    placesOf: (number) => places.get(number) ?? 0,
    hasCard: (number) => linked.has(number),
  };
}

function labelOf(source: NumberedSource): string {
  return source.title ? `${source.title} (${siteOf(source.url)})` : siteOf(source.url);
}
