import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contradictionsIn } from "../../src/claims/contradictions.js";
import { missingParts } from "../../src/claims/missing-parts.js";
import { NearDuplicates } from "../../src/claims/near-duplicates.js";
import { countOwners } from "../../src/claims/owners.js";
import { makePageText } from "../../src/pages/text/page-text.js";
import { findQuote } from "../../src/quotes/find-quote.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";

// 500 quotations over 60 pages, 228 over 23 more, 300 over 32 more, 379 and 428 over 34 more each, claims, pairs and owners, written by people who had not seen the matcher.

type Label = "exact" | "typography" | "loose" | "elsewhere" | "altered" | "not-found" | "too-short";
interface Case {
  id: string;
  kind: string;
  url: string;
  quote: string;
  expect: {
    found: Label;
    /** Labels that are right too. */
    accept?: Label[];
    /** Pages that hold one that was moved. */
    onUrl?: string[];
    /** Of an altered one: what a passage must show. */
    trueKey?: string;
    /** Of a PDF. */
    page?: number;
    /** The rules leave it open. */
    soft?: boolean;
  };
}

const read = (name: string) => readFileSync(join(import.meta.dirname, "corpus", name));
const linesOf = <T>(name: string): T[] =>
  read(name)
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
/** The files of all sets: `quotes.jsonl`, `quotes-2.jsonl` … */
const setsOf = (name: RegExp) => readdirSync(join(import.meta.dirname, "corpus")).filter((file) => name.test(file));
const files = setsOf(/^pages(?:-\d+)?\.json$/).flatMap(
  (name) => JSON.parse(read(name).toString("utf8")) as { file: string; url: string; contentType: string }[],
);
const pages = await Promise.all(
  files.map(async ({ file, url, contentType }) => {
    const { text, pageStarts } = await makePageText({ url, bytes: new Uint8Array(read(file)), contentType });
    return { url, page: new SearchablePage(text), pageStarts };
  }),
);
const FOUND: readonly Label[] = ["exact", "typography", "loose", "elsewhere"];
/** Without blanks, and marks of Markdown that a page may have or not. */
const bare = (text: string) =>
  text
    .normalize("NFC")
    .replace(/[\s*_`]+/g, "")
    .toLowerCase();

function look({ url, quote }: Case) {
  const searchable = pages.map(({ page }) => page);
  const named = pages.flatMap((page, at) => (page.url === url ? [at] : []));
  const { found, span, page, unusable } = findQuote(quote, searchable, named);
  const on = page === undefined ? undefined : pages[page];
  return {
    label: unusable === "too-short" ? ("too-short" as const) : found,
    url: on?.url ?? url,
    passage: on && span ? on.page.text.slice(span.start, span.end) : "",
    page: span && on?.pageStarts?.filter((start) => start <= span.start).length,
  };
}

/** Why a quotation was not judged as it should be; empty when it was. */
function wrongIn(one: Case): string[] {
  const { found, accept = [], onUrl = [], trueKey = "", page, soft } = one.expect;
  const is = look(one);
  const isMoved = FOUND.includes(is.label) && found === "elsewhere";
  if (FOUND.includes(is.label) && !FOUND.includes(found) && found !== "too-short" && !soft) {
    return [`${one.id} counts as ${is.label}`];
  }
  if (soft) return [];
  if (is.label !== found && !accept.includes(is.label)) return [`${one.id} is ${is.label}, not ${found}`];
  if (isMoved && !onUrl.includes(is.url)) return [`${one.id} is found at ${is.url}`];
  if (page !== undefined && is.page !== undefined && is.page !== page) return [`${one.id} is on page ${is.page}`];
  const isShown = is.label !== "altered" || found !== "altered" || bare(is.passage).includes(bare(trueKey));
  return isShown ? [] : [`${one.id} is shown as ${is.passage}`];
}

const cases = setsOf(/^quotes(?:-\d+)?\.jsonl$/).flatMap((name) => linesOf<Case>(name));
const kinds = [...new Set(cases.map(({ kind }) => kind))];

test.each(kinds)("quotations: %s", (kind) => {
  expect(cases.filter((one) => one.kind === kind).flatMap(wrongIn)).toEqual([]);
});

test("there are at least 500 of them over 60 pages, each with a name of its own", () => {
  expect(cases.length).toBeGreaterThanOrEqual(500);
  expect(pages.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});

test("claims that contradict each other, and none else", () => {
  const pairs = linesOf<{
    id: string;
    a: { claim: string };
    b: { claim: string };
    contradict: boolean;
    soft?: boolean;
  }>("contradictions.jsonl");
  const wrong = pairs.filter(
    ({ a, b, contradict, soft }) => !soft && contradictionsIn([a.claim, b.claim]).length > 0 !== contradict,
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("what the quotations of a claim do not hold", () => {
  const claims = linesOf<{ id: string; claim: string; quotes: string[]; missing: string[]; soft?: boolean }>(
    "claims.jsonl",
  );
  const unsaid = claims.filter(({ claim, quotes, missing, soft }) => {
    const said = missingParts(
      claim,
      quotes.map((text) => ({ text })),
    );
    return !soft && (said.length === 0) !== (missing.length === 0);
  });
  // "Lake" begins the name "Lake Orlenn", for which the quotation says "It".
  expect(unsaid.map(({ id }) => id)).toEqual([]);
});

test.each(["owners.jsonl", "owners-texts.jsonl"])("independent owners: %s", (name) => {
  const duplicates = new NearDuplicates();
  for (const { url, page } of pages) duplicates.add(url, () => page.words);
  const lists = linesOf<{ id: string; urls: string[]; owners: number }>(name);
  const wrong = lists.filter(({ urls, owners }) => countOwners(urls, duplicates) !== owners);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
