import { expect, test } from "vitest";
import { siteOf } from "../../src/text/site.js";

test.each([
  ["https://www.example.org/a?b", "example.org"],
  ["http://example.org:8080/", "example.org:8080"],
  ["file:///home/me/my%20notes/hall%203.md", "hall 3.md"],
  ["file:///home/me/100%.md", "100%.md"],
  ["no address", "no address"],
])("the site of %j is %j", (url, site) => {
  expect(siteOf(url)).toBe(site);
});
