import { datesIn, monthName } from "./dates.js";
import { hasName, namesIn, wordsOf } from "./names.js";
import { type FoundNumber, numbersIn } from "./numbers.js";
import { unitAt, unitsIn } from "./units.js";

/** What a quotation is read for: its own words, and what names it: the title of its page. */
export interface QuotedText {
  /** The words of the quotation, as the page has them. */
  text: string;
  /** Where a name of the claim may stand as well. */
  title?: string | undefined;
}

/** What is looked at of a claim, and of the quotations of one claim. */
const MAX_CLAIM = 2_000;
const MAX_QUOTED = 50_000;
/** Places of one number that are looked at for its unit. */
const MAX_SAME = 20;

/**
 * Gives what a claim says and its quotations together do not: numbers, units, years, dates and proper names, in the words
 * of the claim. Empty when all are there. A number is the same in any way of writing it.
 */
export function missingParts(said: string, quotes: readonly QuotedText[]): string[] {
  const claim = said.slice(0, MAX_CLAIM);
  const text = quotes
    .map((quote) => quote.text)
    .join("\n")
    .slice(0, MAX_QUOTED);
  const named = wordsOf([text, ...quotes.map(({ title = "" }) => title.slice(0, MAX_CLAIM))].join("\n"));
  const missing = [...missingNumbers(claim, text), ...missingMonths(claim, text)];
  return [...new Set([...missing, ...namesIn(claim).filter((name) => !hasName(named, name))])];
}

function missingNumbers(claim: string, text: string): string[] {
  const dates = datesIn(claim);
  const quoted = byValue(numbersIn(text));
  const inDates = datesIn(text).numbers;
  const units = unitsIn(text);
  const missing: string[] = [];
  for (const number of numbersIn(claim)) {
    if (dates.spans.some(({ start, end }) => number.start >= start && number.end <= end)) continue;
    const unit = unitAt(claim, number);
    const same = number.values.flatMap((value) => quoted.get(value) ?? []);
    if (same.length === 0 && !number.values.some((value) => inDates.has(value))) {
      missing.push(unit === undefined ? number.text : withUnit(claim, number));
    } else if (unit !== undefined && !hasUnit(unit, same, text, units)) missing.push(withUnit(claim, number));
  }
  return [...missing, ...[...dates.numbers].filter((number) => !inDates.has(number) && !quoted.has(number))];
}

function byValue(numbers: readonly FoundNumber[]): Map<string, FoundNumber[]> {
  const found = new Map<string, FoundNumber[]>();
  for (const number of numbers) {
    for (const value of number.values) found.set(value, [...(found.get(value) ?? []).slice(0, MAX_SAME), number]);
  }
  return found;
}

/** The unit stands beside the number, or anywhere when nothing stands beside it, as in the cells of a table. */
function hasUnit(unit: string, same: readonly FoundNumber[], text: string, units: ReadonlySet<string>): boolean {
  const beside = same.map((number) => unitAt(text, number));
  return beside.includes(unit) || ((same.length === 0 || beside.includes(undefined)) && units.has(unit));
}

function withUnit(claim: string, { text, start, end }: FoundNumber): string {
  const before = /[$€£¥₹]\s?$/u.exec(claim.slice(Math.max(0, start - 2), start))?.[0] ?? "";
  const behind = /^\s?[^\s.,;:!?()]{1,20}/u.exec(claim.slice(end, end + 21))?.[0] ?? "";
  return (before + text + (before === "" ? behind : "")).trim();
}

function missingMonths(claim: string, text: string): string[] {
  const { months } = datesIn(text);
  return [...datesIn(claim).months].filter((month) => !months.has(month)).map(monthName);
}
