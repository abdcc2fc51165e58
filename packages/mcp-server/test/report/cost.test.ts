import { expect, test } from "vitest";
import { readPrices } from "../../src/host/prices.js";
import { costInWords, costOf } from "../../src/report/cost.js";

const usage = { input_tokens: 200_000, output_tokens: 20_000, total_tokens: 250_000 };
const prices = readPrices("gemini-3=1/8, *=0.1/0.4") ?? {};

test.each([
  ["its own price; thoughts count as output", { model: "gemini-3", usage }, "about $0.60"],
  ["that of any other", { model: "other", usage }, "about $0.04"],
  ["less than a cent", { model: "other", usage: { input_tokens: 9_000, total_tokens: 10_000 } }, "about $0.001"],
])("%s", (_what, report, words) => {
  expect(costInWords(costOf(report, prices) ?? Number.NaN)).toBe(words);
});

test.each([
  ["no price", { model: "a", usage }, readPrices("b=1/2")],
  ["a prototype's name", { model: "constructor", usage }, readPrices("b=1/2")],
  ["no tokens", { model: "gemini-3" }, prices],
  ["tokens that cannot be", { model: "gemini-3", usage: { input_tokens: 9, total_tokens: 1 } }, prices],
])("%s: no cost", (_what, report, table) => {
  expect(costOf(report, table ?? {})).toBeUndefined();
});

test.each(["", "a", "a=1", "a=1/x", "a=-1/2", "=1/2", "a=1/2,"])("%j is no price table", (text) => {
  expect(readPrices(text)).toBeUndefined();
});
