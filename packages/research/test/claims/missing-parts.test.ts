import { expect, test } from "vitest";
import { missingParts } from "../../src/claims/missing-parts.js";

const missing = (claim: string, ...quotes: string[]) =>
  missingParts(
    claim,
    quotes.map((text) => ({ text })),
  );

test.each([
  ["separators of another language", "Zurich has 443,000 inhabitants", "Zürich hat 443 000 Einwohner."],
  ["a number in words", "Mars has two moons", "Around the planet Mars 2 moons turn"],
  ["a magnitude in words", "5 million tonnes were made", "The output rose to 5,000,000 t"],
  ["a magnitude of another language", "It cost €1.5 billion", "Die Kosten lagen bei 1,5 Milliarden Euro"],
  ["a decimal that could be a group", "growth of 1.234", "Wachstum von 1,234"],
  ["the percent sign", "It is 12 % of the whole", "12 per cent of all"],
  ["the unit in the head of a table", "The area is 41,285 km²", "Area (km²) | 41,285"],
  ["a date in figures", "It opened on 3 May 2024", "opened 2024-05-03"],
  ["a date of another language", "It opened in March 2019", "Die Eröffnung war im März 2019"],
  ["a date of another order", "It opened on December 24, 1968", "on 24 December 1968"],
  ["names in another case and with accents", "The river Aare flows through Zurich", "DIE AARE UND ZÜRICH"],
  ["a sign", "It fell to −5 °C", "a low of -5 degrees Celsius"],
  ["no number and no name", "water is wet", "whatever stands here"],
])("%s counts as the same", (_, claim, quote) => {
  expect(missing(claim, quote)).toEqual([]);
});

test.each([
  ["a number", "Zurich has 444,000 inhabitants", "Zürich hat 443 000 Einwohner.", ["444,000"]],
  ["a magnitude", "It made 5 million cars", "It made 5 billion cars", ["5 million"]],
  ["a unit", "It is 12 km long", "a length of 12 miles", ["12 km"]],
  ["a currency", "It earned $1.5 billion", "It earned €1.5bn", ["$1.5 billion"]],
  ["a year", "It was found in 1877", "It was found in 1878", ["1877"]],
  ["a day", "It opened on 3 May 2024", "opened May 4, 2024", ["3"]],
  ["a month", "It opened on 3 May 2024", "opened 3 June 2024", ["May"]],
  ["a name", "It was found by Asaph Hall", "It was found by Asaph Smith", ["Hall"]],
  ["an acronym", "It was built by NASA", "It was built by ESA", ["NASA"]],
  ["a sign", "It fell to −5 °C", "a high of 5 °C", ["-5 °C"]],
  ["percent and percentage points", "It rose by 3 percentage points", "It rose by 3 percent", ["3 percentage"]],
])("%s that is not there is named", (_, claim, quote, parts) => {
  expect(missing(claim, quote)).toEqual(parts);
});

test("several quotations together hold what a claim says", () => {
  expect(missing("Phobos and Deimos were found in 1877", "a moon called Phobos", "Deimos, found in 1877")).toEqual([]);
  expect(missing("Phobos and Deimos were found in 1877")).toEqual(["1877", "Phobos", "Deimos"]);
});

test("a name may stand in the title of the page, a number not", () => {
  const quotes = [{ text: "The planet has two moons", title: "Mars in 1877 - Wikipedia" }];
  expect(missingParts("The planet called Mars has two moons", quotes)).toEqual([]);
  expect(missingParts("Its two moons were found in 1877", quotes)).toEqual(["1877"]);
});

test.each([
  ["a page of digits", "1 ".repeat(100_000)],
  ["one number", "1".repeat(200_000)],
  ["separators", "1,".repeat(100_000)],
  ["capitals", "Ab ".repeat(60_000)],
  ["apostrophes", "a'".repeat(100_000)],
])("%s are read in time that grows with them", (_, text) => {
  expect(missing(text, text)).toBeInstanceOf(Array);
});

test("a name with more marks than any language has is compared without waiting", () => {
  const marks = "\u0301\u0323".repeat(20_000);
  expect(missingParts("It was Ida Brandt who measured it.", [{ text: `Ida Bra${marks}ndt measured it.` }])).toEqual([]);
});
