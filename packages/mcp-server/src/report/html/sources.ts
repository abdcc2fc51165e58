import { escapeHtml } from "../../text/escape.js";
import { plainLine } from "../../text/plain-text.js";
import { siteOf, unescaped } from "../../text/site.js";
import type { NumberedSource } from "../citations.js";
import { shownOf } from "../shown.js";
import { type Citing, cardOf } from "./citing.js";

const STATUS: Record<NumberedSource["status"], readonly [string, string]> = {
  quoted: ["quoted", "The page was read, and a quotation of the report stands there."],
  attributed: ["attributed", "Google names the page for what is said; its text was not compared."],
  retrieved: ["read", "The page was read."],
  found: ["found", "A search found the page; it was not opened."],
  unseen: ["never seen", "No search found this address and it was not read."],
  listed: ["listed", "The report names it; there is no record that it was seen."],
};

/** Places that the entry of a source leads back to; nobody follows more. */
const MOST_PLACES = 20;

/** The numbered list of sources. */
export function sourcesHtml(sources: readonly NumberedSource[], cite: Citing): string {
  const { shown, more } = shownOf(sources, "sources");
  const items = shown.map(
    (source) =>
      `<li id="source-${source.number}" value="${source.number}" class="${source.status}">${entryHtml(source)}${backHtml(source.number, cite)}</li>`,
  );
  const rest = more === "" ? "" : `<p class="hint">${more}.</p>`;
  return items.length > 0 ? `<ol class="sources">${items.join("\n")}</ol>${rest}` : "";
}

/**
 * A card for each source that is cited. It opens where one reads, without a script: it is the target of the citation's
 * link, and shown while it is.
 */
export function cardsHtml(
  sources: readonly NumberedSource[],
  cite: Citing,
  passages: ReadonlyMap<number, string>,
): string {
  const cards = sources
    .filter(({ number }) => cite.hasCard(number))
    .map(
      (source) =>
        `<aside class="card" id="${cardOf(source.number)}" aria-label="Source ${source.number}"><b>${source.number}</b><div>${entryHtml(source)}${passages.get(source.number) ?? ""}<p><a href="#source-${source.number}">In the list of sources</a> <a href="#read-on">Close</a></p></div></aside>`,
    );
  return cards.join("\n");
}

function entryHtml(source: NumberedSource): string {
  const [label, meaning] = STATUS[source.status];
  const title = escapeHtml(source.title ?? siteOf(source.url));
  // A page of the web may not lead to a file of this machine.
  const link = /^file:/i.test(source.url)
    ? `<span class="title" dir="auto">${title}</span>`
    : `<a class="title" dir="auto" href="${escapeHtml(source.url)}" rel="noopener noreferrer nofollow">${title}</a>`;
  return `${link} <span class="badge ${source.status}" title="${meaning}">${label}</span><span class="url">${escapeHtml(shownUrl(source.url))}</span>`;
}

function backHtml(number: number, cite: Citing): string {
  const places = cite.placesOf(number);
  if (places === 0) return "";
  const links = Array.from({ length: Math.min(places, MOST_PLACES) }, (_, index) => {
    const nth = index + 1;
    return `<a href="#cite-${number}-${nth}" aria-label="Back to citation ${nth} of source ${number}">↑${places > 1 ? nth : ""}</a>`;
  });
  const more = places > MOST_PLACES ? ` and ${places - MOST_PLACES} more` : "";
  return `<span class="back">cited ${links.join(" ")}${more}</span>`;
}

/** The address as a person reads it. */
function shownUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const path = protocol === "file:" ? plainLine(unescaped(pathname)) : `${pathname.replace(/\/$/, "")}${search}`;
  return host.replace(/^www\./, "") + (path.length > 90 ? `${path.slice(0, 89)}…` : path);
}
