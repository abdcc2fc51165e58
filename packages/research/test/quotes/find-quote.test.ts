import { describe, expect, test } from "vitest";
import { findQuote } from "../../src/quotes/find-quote.js";
import { PART_BOUNDARY } from "../../src/quotes/part-boundary.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";

const TIDES = `# Tides

The **gravity** of the [Moon](https://a.org/moon) raises two bulges of water, each about 0.54 m high,
on opposite sides of the Earth [1]. Spring tides are not rare – they come “twice a month”, near new and full moon.

| Place | Range (m) |
|---|---|
| Bay of Fundy | 16.3 |
| Bristol Channel | 14.6 |

- The café’s terrace was flooded in 2019, 2021 and 2024.
- Low water fell to −4.2 degrees below the long-term mean, a co-ordinated survey of 443 000 points found.

Stations report heights in 10–20 minute steps; the record of 1.295 m stands since then. An impassable road was closed at last.`;
const OTHER = "Elsewhere it is said that the lighthouse keeper counted seventeen ships on that morning alone.";

const look = (quote: string, named: number[] = [0]) => {
  const pages = [new SearchablePage(TIDES), new SearchablePage(OTHER)];
  const match = findQuote(quote, pages, named);
  const text = match.page === undefined ? "" : (pages[match.page]?.text ?? "");
  return { ...match, passage: match.span && text.slice(match.span.start, match.span.end) };
};

describe("levels", () => {
  test.each([
    ["exact", "as it stands", "raises two bulges of water, each about 0.54 m high"],
    ["typography", "a line end is a blank", "each about 0.54 m high, on opposite sides of the Earth"],
    ["typography", "straight quotation marks and a hyphen", 'are not rare - they come "twice a month", near new'],
    ["typography", "decomposed letters", "The cafe\u0301's terrace was flooded in 2019, 2021 and 2024."],
    ["typography", "no-break blanks and soft hyphens", "An im\u00adpassable road was\u00a0closed at last."],
    ["typography", "entities", "The café&rsquo;s terrace was flooded in 2019, 2021 and 2024."],
    ["typography", "a hyphen for a minus", "Low water fell to -4.2 degrees below the long-term mean"],
    ["loose", "case", "AN IMPASSABLE ROAD WAS CLOSED AT LAST."],
    ["loose", "without Markdown", "The gravity of the Moon raises two bulges of water"],
    ["loose", "with other Markdown", "The *gravity* of the Moon **raises two bulges** of water"],
    ["loose", "without footnote marks", "on opposite sides of the Earth. Spring tides are not rare"],
    ["loose", "without quotation marks", "they come twice a month, near new and full moon"],
    ["loose", "quotation marks and a stop around it", "“Spring tides are not rare – they come twice a month.”"],
    ["loose", "cells of a table", "Bay of Fundy 16.3 Bristol Channel 14.6"],
    ["loose", "without a hyphen inside of a word", "the longterm mean, a coordinated survey of 443 000 points"],
  ])("%s: %s", (found, _, quote) => {
    expect(look(quote)).toMatchObject({ found });
  });

  test("the passage is in the page's own characters [evidence/typography]", () => {
    expect(look("the gravity of the moon raises two bulges")).toMatchObject({
      passage: "The **gravity** of the [Moon](https://a.org/moon) raises two bulges",
    });
  });
});

describe("nothing else counts", () => {
  test.each([
    [
      "a word",
      "raises three bulges of water, each about 0.54 m high",
      "raises two bulges of water, each about 0.54 m high",
    ],
    [
      "a digit",
      "raises two bulges of water, each about 0.55 m high",
      "raises two bulges of water, each about 0.54 m high",
    ],
    [
      "not",
      "Spring tides are rare – they come “twice a month”",
      "Spring tides are not rare – they come “twice a month",
    ],
    [
      "the blank in a number",
      "a co-ordinated survey of 443000 points found",
      "a co-ordinated survey of 443 000 points found",
    ],
    [
      "a sign",
      "Low water fell to 4.2 degrees below the mean",
      "Low water fell to −4.2 degrees below the long-term mean",
    ],
    ["the begin of a word", "passable road was closed and closed", undefined],
    [
      "the begin of a number",
      "295 m stands since then. An impassable road",
      "the record of 1.295 m stands since then. An impassable road",
    ],
    ["the end of a number", "heights in 10–20 minute steps; the record of 1.29", undefined],
    [
      "half of a range",
      "20 minute steps; the record of 1.295 m stands",
      "10–20 minute steps; the record of 1.295 m stands since then",
    ],
    ["the sign before", "4.2 degrees below the long-term mean", "−4.2 degrees below the long-term mean"],
    ["a group of digits", "000 points found. Stations report heights in", undefined],
    [
      "its first word, shown with the one before",
      "Drops water fell to −4.2 degrees below",
      "Low water fell to −4.2 degrees below",
    ],
    [
      "its last word, shown with the one behind",
      "The **gravity** of the Moon raises two lumps",
      "The **gravity** of the [Moon](https://a.org/moon) raises two bulges of",
    ],
  ])("altered in %s", (_, quote, passage) => {
    const match = look(quote);
    expect(match.found).toMatch(/^(?:altered|not-found)$/);
    if (passage !== undefined) expect(match).toMatchObject({ found: "altered", passage });
  });

  test.each([
    ["invented", "the tides of the northern sea were measured by satellites for decades"],
    ["stitched from two places", "Spring tides are not rare as the café’s terrace was flooded"],
    ["of words that stand apart", "gravity Moon Earth tides bulges water spring new full moon Fundy"],
  ])("%s", (_, quote) => {
    expect(look(quote).found).toBe("not-found");
  });
});

describe("places", () => {
  test("on another page than the named one", () => {
    expect(look("the lighthouse keeper counted seventeen ships")).toMatchObject({
      found: "elsewhere",
      page: 1,
      level: "exact",
    });
    expect(look("the lighthouse keeper counted seventeen ships", [])).toMatchObject({ found: "elsewhere", page: 1 });
  });

  test("altered, and from another page", () => {
    expect(look("the lighthouse keeper counted eighteen ships on that morning")).toMatchObject({
      found: "altered",
      page: 1,
    });
  });

  test("a boundary of the page is not crossed", () => {
    const page = new SearchablePage("the first part of the page ends here\u001eand the second part begins");
    expect(findQuote("part of the page ends here and the second part begins", [page], [0]).found).toBe("not-found");
    expect(findQuote("part of the page ends here\u001eand the second part begins", [page], [0]).found).toBe(
      "not-found",
    );
  });
});

describe("ellipsis", () => {
  test.each([
    [
      "exact",
      "raises two bulges of water, each about 0.54 m high ... near new and full moon.\n\n| Place | Range (m) |",
    ],
    ["exact", "raises two bulges of water, each about 0.54 m high […] on opposite sides of the Earth [1]"],
    ["loose", "The gravity of the Moon raises two bulges of water … SPRING TIDES ARE NOT RARE – THEY COME"],
  ])("parts in their order: %s", (found, quote) => {
    expect(look(quote).found).toBe(found);
  });

  test("in another order, or too far apart, they are none", () => {
    expect(look("Spring tides are not rare – they come ... raises two bulges of water, each about").found).not.toBe(
      "exact",
    );
    const far = new SearchablePage(
      `The first of two statements stands here. ${"x ".repeat(400)}The second of the two stands here.`,
    );
    const quote = "The first of two statements stands here. ... The second of the two stands here.";
    expect(findQuote(quote, [far], [0]).found).not.toBe("exact");
  });

  test("a boundary of the page is not left out", () => {
    const said = ["The first of the two statements stands here.", "The second of the two statements stands here."];
    const page = new SearchablePage([...said.toReversed(), PART_BOUNDARY, ...said.toReversed()].join(" "));
    expect(findQuote(said.join(" ... "), [page], [0]).found).toMatch(/^(?:altered|not-found)$/);
    expect(findQuote(said.toReversed().join(" ... "), [page], [0]).found).toBe("exact");
  });

  test("each part is long enough", () => {
    expect(look("two bulges ... spring tides ... full moon ... the road")).toMatchObject({
      found: "not-found",
      unusable: "too-short-parts",
    });
  });
});

describe("size", () => {
  test.each(["", " ", "moon", "the water", "two bulges of water", "...", "of the Earth"])(
    "%j is too short",
    (quote) => {
      expect(look(quote)).toMatchObject({ found: "not-found", unusable: "too-short" });
    },
  );

  test("a number with its unit, or a name with what belongs to it, may be short, as it stands", () => {
    expect(look("443 000 points").found).toBe("exact");
    expect(look("443 000 POINTS").found).toBe("not-found");
    expect(look("443 000 points", [1]).found).toBe("not-found");
  });

  test("a copy of a page is no quotation", () => {
    expect(look(TIDES.repeat(10))).toMatchObject({ found: "not-found", unusable: "too-long" });
  });
});

describe("other scripts", () => {
  const pages = [
    new SearchablePage("月は地球の海に潮汐を起こす最も重要な天体であり、大潮は新月と満月のころに起こる。"),
    new SearchablePage("المد والجزر ظاهرة طبيعية تحدث بسبب جاذبية القمر والشمس على مياه البحار والمحيطات"),
    new SearchablePage("น้ำขึ้นน้ำลงเกิดจากแรงดึงดูดของดวงจันทร์และดวงอาทิตย์"),
  ];
  test.each([
    [0, "潮汐を起こす最も重要な天体であり"],
    [1, "ظاهرة طبيعية تحدث بسبب جاذبية القمر"],
    [2, "แรงดึงดูดของดวงจันทร์และดวงอาทิตย์"],
  ])("page %i", (page, quote) => {
    expect(findQuote(quote, pages, [page])).toMatchObject({ found: "exact", page });
  });

  test("Hebrew marks may be typed as quotation marks and hyphens, and join words as these do", () => {
    const page = new SearchablePage(
      "מדי שנה מבקרים בגן כ־58,000 איש, והמחיר הוא 25 ש״ח למבוגר. הדבר לא־חוקי בשבת ובחג כולו",
    );
    expect(findQuote('כ-58,000 איש, והמחיר הוא 25 ש"ח למבוגר', [page], [0]).found).toBe("typography");
    expect(findQuote("חוקי בשבת ובחג כולו", [page], [0]).found).not.toMatch(/exact|typography|loose/);
  });

  test("full-width letters and signs are typography, full-width digits are not those of ASCII", () => {
    const page = new SearchablePage("建物は１９６８年に建てられ、ＡＢＣ（延べ床面積は1,150平方メートル）。");
    expect(findQuote("ABC(延べ床面積は1,150平方メートル)", [page], [0]).found).toBe("typography");
    expect(findQuote("建物は1968年に建てられ、ABC(延べ", [page], [0]).found).not.toMatch(/exact|typography|loose/);
  });

  test("a changed character is seen", () => {
    expect(findQuote("潮汐を起こす最も重要な惑星であり", pages, [0]).found).toBe("altered");
  });
});

// Each would take minutes if something began anew at each place.
test.each([
  ["one word again and again", "tide ".repeat(80_000)],
  ["one line without a blank", "tide".repeat(100_000)],
  ["brackets", "[".repeat(400_000)],
  ["targets of links", "](https://".repeat(40_000)],
  ["emphasis", "*a".repeat(200_000)],
  ["marks on letters", `a${"\u0301".repeat(400_000)}`],
  ["marks that are out of order", `a${"\u0301\u0323".repeat(200_000)}`],
  ["dashes and blanks", "- ".repeat(200_000)],
  ["rules of tables", "|-".repeat(200_000)],
  ["numbers", "1 ".repeat(200_000)],
])("a page of %s is looked through in time that grows with it", (_, text) => {
  const quotes = [text.slice(0, 4_000), "tide ".repeat(40), `${text.slice(10, 60)} altered ${text.slice(60, 120)}`];
  const pages = [new SearchablePage(text), new SearchablePage(TIDES)];
  for (const quote of quotes) expect(findQuote(quote, pages, [0])).toHaveProperty("found");
});
