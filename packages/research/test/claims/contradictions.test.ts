import { expect, test } from "vitest";
import { contradictionsIn } from "../../src/claims/contradictions.js";

test.each([
  ["another number", "Zurich has 443,000 inhabitants", "Zurich has 421,000 inhabitants", ["443,000", "421,000"]],
  ["another length", "The bridge is 1,280 m long", "The bridge is 1,310 metres long", ["1,280", "1,310"]],
  [
    "another year of what happens once",
    "The company was founded in 1863",
    "The company was founded in 1865",
    ["1863", "1865"],
  ],
  ["another year of what was made", "The bell was made in 1702", "The bell was made in 1720", ["1702", "1720"]],
  ["in Russian", "Мост был открыт в 1903 году", "Мост был открыт в 1930 году", ["1903", "1930"]],
  [
    "the same year, another value",
    "The steel output was 5 million tonnes in 2023",
    "In 2023 the steel output was 7 million tonnes",
    ["5 million", "7 million"],
  ],
])("%s", (_, a, b, values) => {
  expect(contradictionsIn([a, b])).toEqual([{ claims: [0, 1], values }]);
});

test.each([
  ["the same value", "Zurich has 443,000 inhabitants", "Zurich has 443 000 inhabitants"],
  ["a rounded value", "The output was 1.5 million tonnes", "The output was 1,498,000 tonnes"],
  ["about", "The bridge is about 1,300 m long", "The bridge is 1,280 m long"],
  ["more than", "The bridge is more than 1,200 m long", "The bridge is 1,280 m long"],
  ["another subject", "The diameter of Phobos is 22 km", "The diameter of Deimos is 12 km"],
  ["another unit", "The bridge is 1,280 m long", "The bridge is 4,200 feet long"],
  ["another time", "The output was 5 million tonnes in 2022", "The output was 7 million tonnes in 2023"],
  ["a year of what happens again", "The team won the title in 1998", "The team won the title in 2002"],
  ["what is made again", "The mill made 5 million in 2022", "The mill made 5 million in 2023"],
  ["other words", "The bridge is 1,280 m long", "Ticket sales reached 3,000 a day"],
  ["no number", "The bridge is long", "The bridge is short"],
])("no contradiction: %s", (_, a, b) => {
  expect(contradictionsIn([a, b])).toEqual([]);
  expect(contradictionsIn([b, a])).toEqual([]);
});
