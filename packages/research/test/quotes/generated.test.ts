import { expect, test } from "vitest";
import { findQuote } from "../../src/quotes/find-quote.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";

/** Numbers that look random and are the same each time. */
function generator(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS =
  "river moon planet surface measured twice probe “Dawn” well-known camera lens 12.5 km 443 000 naïve Zürich [1] **bold** café’s (rough) 10–20 −4 field's, since; under: not".split(
    " ",
  );
const SAME: [RegExp, string][] = [
  [/’/g, "'"],
  [/[“”]/g, '"'],
  [/–/g, "-"],
  [/-/g, "–"],
  [/(?<=\p{Ll})-(?=\p{Ll})/gu, "—"],
  [/\*\*/g, ""],
  [/ /g, "\u00a0"],
  [/ \[1\]/g, ""],
];

function pageOf(next: (below: number) => number): string {
  const words = Array.from({ length: 400 }, (_, i) => {
    const unique = `${String.fromCharCode(97 + next(26))}${String.fromCharCode(97 + next(26))}${i}x`;
    return next(3) === 0 ? unique : WORDS[next(WORDS.length)];
  });
  return words.join(" ").replaceAll(/(?<=x) (?=[a-z])/g, ".\n");
}

/** A part of the page from one blank to another, long enough to count, which neither begins nor ends within a number. */
function quoteFrom(page: string, next: (below: number) => number): string {
  for (;;) {
    const start = page.indexOf(" ", next(page.length - 300)) + 1;
    const end = page.indexOf(" ", start + 60 + next(60));
    const quote = page.slice(start, end);
    if (/^[a-z]{2}\d+x|^[a-z]+ /.test(quote) && /[a-z]{3}$/.test(quote) && !quote.includes("\n\n")) return quote;
  }
}

test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
  "what a page says is found, and nothing else (seed %i)",
  (seed) => {
    const next = generator(seed);
    const text = pageOf(next);
    const pages = [new SearchablePage(text), new SearchablePage(pageOf(next))];
    for (let round = 0; round < 10; round++) {
      const quote = quoteFrom(text, next);
      expect(findQuote(quote, pages, [0]), quote).toMatchObject({ found: "exact" });
      const retyped = SAME.reduce((said, [from, to]) => (next(2) === 0 ? said.replace(from, to) : said), quote);
      expect(findQuote(retyped, pages, [0]).found, retyped).toMatch(/^(?:exact|typography|loose)$/);
      expect(findQuote(quote, pages, [1]).found, quote).toBe("elsewhere");
      const words = quote.split(" ");
      const at = 1 + next(words.length - 2);
      const changed = [words.with(at, `other${seed}`), words.toSpliced(at, 0, "not"), words.toSpliced(at, 1)];
      for (const other of changed.map((list) => list.join(" "))) {
        if (text.includes(other)) continue;
        const match = findQuote(other, pages, [0]);
        // Without a mark that does not count the quotation is the same.
        if (/^(?:\[1\]|\*\*bold\*\*)$/.test(words[at] ?? "") && other === changed[2]?.join(" ")) continue;
        expect(match.found, other).toMatch(/^(?:altered|not-found)$/);
      }
    }
  },
);
