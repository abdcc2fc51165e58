import { expect, test } from "vitest";
import { makePageText } from "../../src/pages/text/page-text.js";
import { findQuote } from "../../src/quotes/find-quote.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";
import { COPIED_PAGES } from "./copied-pages.js";
import { HARD_PAGES, type HardPage } from "./hard-pages.js";

// Written beside the matcher, to break it; what was wrong is mended.

async function wrongOn({ text, bytes, type = "text/html; charset=utf-8", quotes }: HardPage): Promise<string[]> {
  const page = { url: "https://a.example/x", bytes: bytes ?? new TextEncoder().encode(text), contentType: type };
  const searchable = new SearchablePage((await makePageText(page)).text);
  return quotes.flatMap(([quote, expected]) => {
    const { found, span } = findQuote(quote, [searchable], [0]);
    const passage = searchable.text.slice(span?.start, span?.end);
    const isFound = ["exact", "typography", "loose"].includes(found);
    if (expected === "found") return isFound ? [] : [`${quote} is ${found}`];
    if (expected === "none") return isFound ? [`${quote} counts as ${found}`] : [];
    if (!expected.startsWith("altered: ")) return found === expected ? [] : [`${quote} is ${found}, not ${expected}`];
    if (found !== "altered") return [`${quote} is ${found}, not altered`];
    return passage.includes(expected.slice(9)) ? [] : [`${quote} is shown as ${passage}`];
  });
}

test.each([...HARD_PAGES, ...COPIED_PAGES].map((page) => [page.name, page] as const))(
  "quotations of a page: %s",
  async (_, page) => {
    expect(await wrongOn(page)).toEqual([]);
  },
);
