import { expect, test } from "vitest";
import { NearDuplicates } from "../../src/claims/near-duplicates.js";
import { countOwners, ownerOf } from "../../src/claims/owners.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";

test.each([
  ["https://www.bbc.co.uk/news/1", "bbc.co.uk"],
  ["https://news.example.com/x", "example.com"],
  ["https://someone.github.io/x", "someone.github.io"],
  ["http://93.184.215.14/x", "93.184.215.14"],
  ["no address", undefined],
])("who runs %s", (url, owner) => {
  expect(ownerOf(url)).toBe(owner);
});

test("pages of one owner count once", () => {
  expect(countOwners(["https://a.example.com/1", "https://b.example.com/2", "https://other.org/"])).toBe(2);
  expect(countOwners([])).toBe(0);
});

const release = Array.from({ length: 300 }, (_, i) => `word${(i * 7919) % 1_000}`).join(" ");
const other = Array.from({ length: 300 }, (_, i) => `thing${(i * 6007) % 1_000}`).join(" ");

function pagesOf(texts: Record<string, string>): NearDuplicates {
  const pages = new NearDuplicates();
  for (const [url, text] of Object.entries(texts)) pages.add(url, () => new SearchablePage(text).words);
  return pages;
}

test("pages with nearly the same text count once", () => {
  const pages = pagesOf({
    "https://one.org/": release,
    "https://two.org/": `Our own headline. ${release.replace("word7", "changed")} Read more on our site.`,
    "https://three.org/": other,
    "https://four.org/": "short",
    "https://five.org/": "short",
  });
  const all = ["one", "two", "three", "four", "five"].map((name) => `https://${name}.org/`);
  expect(countOwners(all, pages)).toBe(4);
  expect(countOwners(all.slice(0, 2), pages)).toBe(1);
});

test("long pages are compared by a sample of their words", () => {
  const long = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `w${(i * seed) % 19_997}`).join(" ");
  const pages = pagesOf({
    "https://one.org/": long(7_919),
    "https://two.org/": `Before. ${long(7_919)} Behind.`,
    "https://three.org/": long(6_007),
    "https://four.org/": "one line again and again. ".repeat(5_000),
  });
  expect(countOwners(["https://one.org/", "https://two.org/"], pages)).toBe(1);
  expect(countOwners(["https://one.org/", "https://three.org/", "https://four.org/"], pages)).toBe(3);
});

test("the texts of one owner's pages are not compared", () => {
  const pages = new NearDuplicates();
  pages.add("https://a.org/1", () => expect.unreachable());
  expect(countOwners(["https://a.org/1", "https://www.a.org/2"], pages)).toBe(1);
});
