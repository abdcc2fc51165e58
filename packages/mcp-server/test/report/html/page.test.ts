import type { SearchReport } from "@x/research";
import { expect, test } from "vitest";
import { reportPage } from "../../../src/report/html/page.js";
import { hostileReport } from "./hostile-report.js";
import { sampleReport } from "./sample-report.js";

const page = reportPage(sampleReport, { generator: "x 1.2.3" });

test("every citation opens the card of its source, which leads to the list, and the list leads back", () => {
  const citations = [...page.matchAll(/<a class="cite \w+" href="#card-(\d+)" id="(cite-[\d-]+)"/g)];
  expect(citations).toHaveLength(11);
  for (const [, number, id] of citations) {
    expect(page).toMatch(new RegExp(`<aside class="card" id="card-${number}".*<a href="#source-${number}">`));
    expect(page).toContain(`<li id="source-${number}" value=`);
    expect(page).toContain(`<a href="#${id}" aria-label="Back to citation`);
  }
  // A source that nothing cites needs no card.
  expect(page).toContain('id="source-8"');
  expect(page).not.toContain('id="card-8"');
});

test("a report with citations that were never seen is not shown as verified", () => {
  expect(page).toMatch(
    /<p class="verdict no">.*Called verified by the model in 3 rounds, but 1 of 7 citations was never seen</,
  );
  expect(page).toContain("<dt>Sources</dt><dd>7, 3 of them read, 1 more never seen</dd>");
});

test("a long question: two or three lines of it, and the whole for whoever opens it", () => {
  const query = `Why ${"is it so and not otherwise ".repeat(4_000)}?`;
  const long = reportPage({ ...sampleReport, metadata: { ...sampleReport.metadata, query } }, { generator: "x" });
  const [, heading = ""] = /<h1[^>]*>(.*)<\/h1>/.exec(long) ?? [];
  expect(heading).toMatch(/^Why is it so .*…$/);
  expect(heading.length).toBeLessThanOrEqual(120);
  expect(/<title>(.*)<\/title>/.exec(long)?.[1]?.length).toBeLessThanOrEqual(100);
  expect(long.split(query).length).toBe(2);
  expect(long).toMatch(/<details class="question">/);
  expect(page).not.toContain('<details class="question">');
});

test("that a model calls a round verified has not the colour of proof", () => {
  expect(page).toMatch(/<li class="verified"><h3>Round 3/);
  expect(page).not.toMatch(/\.verified[^{}]*\{[^}]*--good/);
});

test("on paper it has margins", () => {
  expect(page).toMatch(/@page\{margin:\d+mm \d+mm\}/);
});

test("dates in tables are not broken, tasks have one mark", () => {
  const result = "| Date |\n|---|\n| 2016-12-31 & later |\n\n- [x] done\n- [ ] open";
  const shown = reportPage({ ...sampleReport, result }, { generator: "x" });
  expect(shown).toContain('<td><span class="whole">2016-12-31</span> &amp; later</td>');
  expect(shown).toContain('<li class="task">☑ done</li>\n<li class="task">☐ open</li>');
});

test("the report's own list of references gives way to the page's", () => {
  expect(page).not.toContain('<h3 id="h-4">');
  expect(page.match(/Resolution 4 of the 27th CGPM \(2022\)<\/a>/g)).toHaveLength(2);
  expect(page.match(/<ol class="sources">/g)).toHaveLength(1);
});

test("an accuracy is never rounded up", () => {
  expect(page).toContain("<b>85 %</b> of the cited addresses");
});

test("claims are the model's, and one whose sources were not read says so", () => {
  expect(page).toContain(`<p class="hint">What the model claims, and how far it is proven: `);
  expect(page.match(/<small>a source was found, not read<\/small>/g)).toHaveLength(1);
});

test("the passages stand below their claim: what the page says, what it says instead, what is in none [evidence/passages]", () => {
  expect(page).toContain("<b>20 %</b> of the claims quoted from a page, or attributed by Google");
  expect(page).toMatch(
    /<figure class="quote stands"><blockquote[^>]*><p>“decides that the maximum value .* 2035,”<\/p><\/blockquote><figcaption>.*>bipm\.org<\/a> · page 2<\/figcaption><\/figure>/,
  );
  expect(page).toMatch(
    /<figure class="quote differs">.*UTC-TAI = -37 s”.*The model quoted: “TAI-UTC = 36 s”.*line 14 · the page says this instead/,
  );
  expect(page).toMatch(
    /<figure class="quote missing">.*“27 leap seconds have been introduced”.*not found in any page that was read/,
  );
  expect(page.match(/<li class="supported unproven">/g)).toHaveLength(2);
  expect(page).toContain("Not in a quotation: 27, 31 December 2016");
});

test("a citation opens the quoted words, marked between those around them, with the title and the date of the page [evidence/passages]", () => {
  const [card = ""] = page.match(/<aside class="card" id="card-1"[\s\S]*?<\/aside>/) ?? [];
  expect(card).toMatch(/class="title"[\s\S]*class="badge retrieved"/);
  expect(card).toContain("published 2022-11-18");
  expect(card).toMatch(
    /<blockquote[^>]*>The General Conference .* meeting, <mark>decides that .* 2035,<\/mark> requests .* &lt;and others&gt;<\/blockquote>/,
  );
});

test("what is called supported and is not proven is a share of its own, without the colour of proof", () => {
  expect(page).toContain('<li class="unproven">2 supported, not proven</li>');
  expect(page).toMatch(/<div class="bar" aria-hidden="true">.*<span class="unproven w\d+"><\/span>/);
  expect(page).toContain('<h3 class="supported unproven">');
});

test("a search without evidence, rounds or sources is a page too", () => {
  const search: SearchReport = {
    success: true,
    result: "Nothing found.",
    metadata: { duration_ms: 900, query: "q?", model: "m", timestamp: "never", note: "Budget used up." },
  };
  const small = reportPage(search, { generator: "x" });
  expect(small).toContain('<p class="kind">Search</p>');
  expect(small).toContain("Budget used up.");
  expect(small).not.toMatch(/id="(evidence|rounds|sources)"/);
  expect(small).toContain("900 ms");
});

test("without a record of the searches the page says so", () => {
  const evidence = { ...sampleReport.metadata.evidence, status: "unavailable" as const };
  const metadata = {
    ...sampleReport.metadata,
    evidence: evidence as NonNullable<typeof sampleReport.metadata.evidence>,
  };
  expect(reportPage({ ...sampleReport, metadata }, { generator: "x" })).toContain("gave no record of what it searched");
});

test("a round that failed and one whose report was set aside say why", () => {
  const [first, second] = sampleReport.metadata.rounds ?? [];
  if (first === undefined || second === undefined) throw new Error("the sample has rounds");
  const rounds = [
    { ...first, intermediate_result_summary: "See *this* [1, 2]." },
    { ...second, set_aside: "it lost half of its citations" },
    {
      round_number: 3,
      sources_visited: [],
      search_queries: [],
      intermediate_result_summary: "",
      error: { code: "EXECUTION_ERROR", message: "Timed out after <300> s" },
    },
  ];
  const shown = reportPage({ ...sampleReport, metadata: { ...sampleReport.metadata, rounds } }, { generator: "x" });
  expect(shown).toContain("<p>See <em>this</em>.</p>");
  expect(shown).toMatch(/Round 2 <span class="state">set aside<\/span>.*[\s\S]*it lost half of its citations\./);
  expect(shown).toMatch(/Round 3 <span class="state">failed<\/span>[\s\S]*Timed out after &lt;300&gt; s/);
});

test("nothing of a model's text becomes markup", () => {
  const hostile = reportPage(hostileReport, { generator: "x" });
  const inside = hostile.slice(hostile.indexOf("<body>"));
  expect(inside).not.toMatch(/<(script|img|iframe|object|embed|form|base|meta|link|style|svg onload)/i);
  expect(inside).not.toMatch(/<[^>]*\son\w+=/i);
  expect(inside).not.toMatch(/(href|src)="(?!https?:|#)/i);
  expect(hostile).not.toContain("\u202e");
  expect(hostile).not.toContain("\u001b");
});
