import { expect, test } from "vitest";
import {
  canonicalUrl,
  isOfDomain,
  isRedirectLink,
  mergeTexts,
  mergeUrls,
  pageKey,
  urlsIn,
} from "../../src/evidence/urls.js";

test.each([
  ["https://a.org/x", "https://a.org/x"],
  ["https://a.org", "https://a.org"],
  [" https://a.org/x?utm_source=chat&id=7&fbclid=1#part ", "https://a.org/x?id=7"],
  ["https://a.org/x#:~:text=moon", "https://a.org/x"],
  ["https://a.org/#/route", "https://a.org/#/route"],
  ["Wikipedia", "Wikipedia"],
  ["javascript:alert(1)", "javascript:alert(1)"],
])("%s is shown as %s", (text, shown) => {
  expect(canonicalUrl(text)).toBe(shown);
});

test.each([
  ["https://a.org/x", "http://www.a.org/x/"],
  ["https://a.org/?b=2&a=1", "https://A.org/?a=1&b=2&utm_medium=x"],
  ["https://a.org", "https://a.org/#top"],
  ["https://a.org:443/x", "https://a.org/x"],
])("%s and %s are one page", (one, other) => {
  expect(pageKey(one)).toBe(pageKey(other));
});

test.each([
  ["https://a.org/x", "https://a.org/X"],
  ["https://a.org/x?id=1", "https://a.org/x?id=2"],
  ["https://a.org:8443/x", "https://a.org/x"],
  ["https://a.org/x", "https://b.a.org/x"],
])("%s and %s are two pages", (one, other) => {
  expect(pageKey(one)).not.toBe(pageKey(other));
});

test("lists are merged in order, each item once", () => {
  expect(
    mergeUrls(["https://b.org/", "https://a.org"], ["https://a.org/", "", "https://c.org", "http://b.org"]),
  ).toEqual(["https://b.org/", "https://a.org", "https://c.org"]);
  expect(mergeTexts(["b", " a "], ["a", "", "c"])).toEqual(["b", "a", "c"]);
});

test.each([
  ["see [one](https://a.org/x_(y)) and (https://b.org/z).", ["https://a.org/x_(y)", "https://b.org/z"]],
  ['<https://a.org/x>, "https://b.org", `https://c.org/y`', ["https://a.org/x", "https://b.org", "https://c.org/y"]],
  ['[1](https://a.org/x "a title") [2]: https://b.org/y', ["https://a.org/x", "https://b.org/y"]],
  ["**https://a.org/x**, https://a.org/x/. https://", ["https://a.org/x"]],
  ["| https://a.org/x | https://b.org/y |", ["https://a.org/x", "https://b.org/y"]],
  ["no address, not even ftp://a.org", []],
])("the addresses in %s", (markdown, urls) => {
  expect(urlsIn(markdown)).toEqual(urls);
});

test("an address has at most 8,192 characters", () => {
  const longest = `https://a.org/${"x".repeat(8_192 - 14)}`;
  expect(urlsIn(longest)).toEqual([longest]);
  expect(urlsIn(`${longest}x`)).toEqual([]);
});

// Each piece makes a text that a search beginning at each place, or a change for each item, would take minutes for.
test.each(["(", "/", "https://", "https://a.org/", "https://a.org/x?utm_x=1&", "utm_x=1&"])(
  "addresses in 400,000 characters of %s take time in proportion",
  (piece) => {
    const text = `https://a.org/?${piece.repeat(Math.ceil(400_000 / piece.length))}b`;
    expect(mergeUrls([text, `${text} ${text}`], urlsIn(text), urlsIn(text.replace("?", "")))).not.toEqual([]);
  },
);

test("a domain is itself and what is below it", () => {
  expect(isOfDomain("https://docs.iana.org/x", "iana.org")).toBe(true);
  expect(isOfDomain("https://www.iana.org/x", "www.IANA.org")).toBe(true);
  expect(isOfDomain("https://notiana.org/x", "iana.org")).toBe(false);
  expect(isOfDomain("https://iana.org.evil.net/x", "iana.org")).toBe(false);
  expect(isOfDomain("iana.org", "iana.org")).toBe(false);
});

test("only Google's own redirect is one", () => {
  expect(isRedirectLink("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC")).toBe(true);
  expect(isRedirectLink("https://vertexaisearch.cloud.google.com/else")).toBe(false);
  expect(isRedirectLink("https://vertexaisearch.cloud.google.com.evil.net/grounding-api-redirect/AbC")).toBe(false);
});
