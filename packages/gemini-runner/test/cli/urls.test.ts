import { expect, test } from "vitest";
import { pageKey, urlsIn } from "../../src/cli/urls.js";

test.each([
  ["Read https://a.example/x, then (https://b.example/y).", ["https://a.example/x", "https://b.example/y"]],
  [
    "https://en.wikipedia.org/wiki/Tide_(sea) and https://a.example/?q=(1)",
    ["https://en.wikipedia.org/wiki/Tide_(sea)", "https://a.example/?q=(1)"],
  ],
  ["**https://a.example** [x](https://b.example/z) https://a.example", ["https://a.example", "https://b.example/z"]],
  ["ftp://a.example and javascript:alert(1)", []],
])("the addresses in %j", (text, expected) => {
  expect(urlsIn(text)).toEqual(expected);
});

test.each([
  ["https://A.example/x/", "https://a.example/x"],
  ["http://a.example:80", "http://a.example/"],
  ["https://github.com/o/r/blob/main/a.md", "https://raw.githubusercontent.com/o/r/main/a.md"],
  ["https://github.com/o/r/tree/main", "https://github.com/o/r/tree/main"],
  ["no address", "no address"],
])("%s is the page %s", (url, expected) => {
  expect(pageKey(url)).toBe(expected);
});
