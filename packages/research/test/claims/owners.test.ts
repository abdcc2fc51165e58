import { expect, test } from "vitest";
import { NearDuplicates } from "../../src/claims/near-duplicates.js";
import { countOwners, ownerOf } from "../../src/claims/owners.js";

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

test("pages with nearly the same text count once", () => {
  const pages = new NearDuplicates();
  pages.add("https://one.org/", release);
  pages.add("https://two.org/", `Our own headline. ${release.replace("word7", "changed")} Read more on our site.`);
  pages.add("https://three.org/", other);
  pages.add("https://four.org/", "short");
  pages.add("https://five.org/", "short");
  const all = ["one", "two", "three", "four", "five"].map((name) => `https://${name}.org/`);
  expect(countOwners(all, pages)).toBe(4);
  expect(countOwners(all.slice(0, 2), pages)).toBe(1);
});
