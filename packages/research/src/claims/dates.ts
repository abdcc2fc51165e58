/** Months by the words that texts use for them, in the order of the year. */
const MONTHS = [
  "january jan januar jänner janvier enero gennaio januari janeiro",
  "february feb februar février febrero febbraio februari fevereiro",
  "march mar märz mars marzo maart março",
  "april apr avril abril aprile",
  "may mai mayo maggio mei maio",
  "june jun juni juin junio giugno junho",
  "july jul juli juillet julio luglio julho",
  "august aug août agosto augustus",
  "september sep sept septembre septiembre settembre setembro",
  "october oct oktober okt octobre octubre ottobre outubro",
  "november nov novembre noviembre novembro",
  "december dec dezember dez décembre diciembre dicembre dezembro",
].map((words) => words.split(" "));
const NUMBER_OF = new Map(MONTHS.flatMap((words, at) => words.map((word) => [word, at + 1] as const)));

/** A month beside a day or a year: "may" and "march" alone are words. */
const WORDED =
  /(?:(\d{1,2})(?:\.|st|nd|rd|th|er)?\s(?:of\s|de\s)?)?(?<![\p{L}])(\p{L}{3,10})\.?(?:\s(?:de\s|of\s)?(\d{1,2})(?:st|nd|rd|th)?(?!\d))?,?(?:\s(?:de\s|of\s)?(\d{4}))?/gu;
const ISO = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;
const DOTTED = /(?<!\d)(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/g;
const ASIAN = /(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?/g;

/** What a text says of dates: the months that it names, and the numbers that stand in dates. */
export interface FoundDates {
  /** 1 to 12; of `3/5/2024` both. */
  months: Set<number>;
  /** Days and years of dates that are written in figures, as `2024-05-03`. */
  numbers: Set<string>;
  /** Where the dates stand that are written in figures. */
  spans: { start: number; end: number }[];
  /** Where a day stands beside the word of its month. */
  worded: { start: number; end: number }[];
}

/** Finds the dates of a text. */
export function datesIn(text: string): FoundDates {
  const found: FoundDates = { months: new Set(), numbers: new Set(), spans: [], worded: [] };
  for (const match of text.matchAll(WORDED)) {
    const [whole, day, word = "", dayBehind, year] = match;
    const month = NUMBER_OF.get(word.toLowerCase());
    if (month === undefined || (day ?? dayBehind ?? year) === undefined) continue;
    found.months.add(month);
    // The year behind them is a time of its own.
    const end = match.index + whole.length - (year?.length ?? 0);
    if ((day ?? dayBehind) !== undefined) found.worded.push({ start: match.index, end });
  }
  const add = (match: RegExpExecArray, months: readonly string[], others: readonly (string | undefined)[]) => {
    const valid = months.map(Number).filter((month) => month >= 1 && month <= 12);
    if (valid.length === 0) return;
    for (const month of valid) found.months.add(month);
    for (const number of others) if (number !== undefined) found.numbers.add(String(Number(number)));
    found.spans.push({ start: match.index, end: match.index + match[0].length });
  };
  for (const match of text.matchAll(ISO)) add(match, [match[2] as string], [match[1], match[3]]);
  for (const match of text.matchAll(ASIAN)) add(match, [match[2] as string], [match[1], match[3]]);
  for (const match of text.matchAll(DOTTED)) {
    const [, first = "", separator, second = "", year = ""] = match;
    const months = separator === "." ? [second] : [first, second];
    add(match, months, [first, second, year.length === 2 ? `20${year}` : year]);
  }
  return found;
}

/** Whether a word is a month in any of the languages. */
export function isMonth(word: string): boolean {
  return NUMBER_OF.has(word.toLowerCase());
}

/** The English name of a month. */
export function monthName(month: number): string {
  const [name = ""] = MONTHS[month - 1] ?? [];
  return name.charAt(0).toUpperCase() + name.slice(1);
}
