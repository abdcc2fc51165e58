import { datesIn, type FoundDates } from "./dates.js";
import { namesIn } from "./names.js";
import { type FoundNumber, isSameNumber, numbersIn } from "./numbers.js";
import { unitAt, unitLengthAt } from "./units.js";

/** Two statements of one thing that cannot both be true, by their values. */
interface Contradiction {
  values: [string, string];
}

interface Measure extends FoundNumber {
  unit: string | undefined;
  /** Characters of the unit behind the number. */
  unitLength: number;
  /** What the words before it say of it. */
  bound: "exact" | "about" | "above" | "below";
}

interface Statement {
  measures: Measure[];
  years: ReadonlySet<string>;
  months: ReadonlySet<number>;
  names: ReadonlySet<string>;
  /** The words that say what is measured. */
  subject: ReadonlySet<string>;
  /** Whether it tells of what happens once. */
  once: boolean;
}

/** So many words must two statements share to speak of the same. */
const MIN_COMMON = 2;
/** What is looked at of a claim. */
const MAX_CLAIM = 2_000;
/** "About" allows so much. */
const ABOUT = 0.1;

const STOP_WORDS = new Set(
  `a an the is are was were be been being has have had of in on at to for from by with and or as that this it its their his her
about approximately roughly around nearly almost circa some more than over less under least most up only just currently now
der die das ein eine ist sind war waren hat haben von im in am auf zu für mit und oder als es rund etwa knapp über mehr
le la les un une des est sont était du de dans au aux pour avec et ou environ plus el los las una es son era en y con
year years jahr jahre`.split(/\s+/),
);
/** What happens once to one thing, in the languages with most pages. */
const ONCE = new Set(
  `founded established born died built opened discovered launched invented published released completed signed enacted created erected inaugurated
constructed ratified abolished demolished buried baptised patented incorporated consecrated crowned assassinated
gegründet geboren gestorben eröffnet entdeckt erbaut gebaut errichtet erfunden veröffentlicht abgerissen unterzeichnet
fondé fondée né née mort morte construit construite ouvert ouverte inauguré inaugurée inventé découvert découverte
fundado fundada nacido nacida nació murió construido construida inaugurado inaugurada descubierto inventado nascido nascida morreu construído construída
fondato fondata nato nata morto morta costruito costruita inaugurato inaugurata scoperto opgericht geboren overleden gebouwd geopend
основан основана основано построен построена построено открыт открыта открыто родился родилась умер умерла создан создана создано изобретён
założony założona urodzony urodzona zmarł zmarła zbudowany zbudowana otwarty otwarta`.split(/\s+/),
);
/** What is done again and again, unless it is said of a thing: "made 5 million", "was made in 1791". */
const ONCE_PASSIVE = /\b(?:was|were) (?:made|formed|introduced|adopted|destroyed|painted|composed|written)\b/i;
const ABOVE = /(?:more than|over|above|at least|exceed(?:s|ed|ing)?|mehr als|über|mindestens|plus de|más de|>|≥)\s?$/i;
const BELOW =
  /(?:less than|under|below|at most|up to|fewer than|weniger als|unter|höchstens|moins de|menos de|<|≤)\s?$/i;
const NEAR =
  /(?:about|approximately|roughly|around|nearly|almost|some|circa|ca\.|rund|etwa|knapp|environ|unos|~|≈)\s?$/i;

/** Finds the pairs of claims that give different values for the same subject, unit and time, by their places. */
export function contradictionsIn(claims: readonly string[]): { claims: [number, number]; values: [string, string] }[] {
  const statements = claims.map(readStatement);
  return statements.flatMap((one, i) =>
    statements.slice(i + 1).flatMap((other, offset) => {
      const found = between(one, other);
      return found === undefined ? [] : [{ claims: [i, i + 1 + offset] as [number, number], ...found }];
    }),
  );
}

/** Finds the claims of one list that contradict one of another list: the places of both, and the values. */
export function contradictionsBetween(
  earlier: readonly string[],
  later: readonly string[],
): { was: number; is: number; values: [string, string] }[] {
  const [before, after] = [earlier, later].map((claims) => claims.map(readStatement)) as [Statement[], Statement[]];
  return after.flatMap((now, is) =>
    before.flatMap((then, was) => {
      const found = between(then, now);
      return found === undefined ? [] : [{ was, is, values: found.values }];
    }),
  );
}

function between(one: Statement, other: Statement): Contradiction | undefined {
  if (!isSameSubject(one, other)) return undefined;
  for (const unit of new Set(one.measures.map((measure) => measure.unit))) {
    const left = one.measures.filter((measure) => measure.unit === unit);
    const right = other.measures.filter((measure) => measure.unit === unit);
    const [first, second] = [left[0], right[0]];
    if (first === undefined || second === undefined || left.length > 1 || right.length > 1) continue;
    if (!mayAgree(first, second)) return { values: [first.text, second.text] };
  }
  return contradictingYears(one, other);
}

function readStatement(said: string): Statement {
  const claim = said.slice(0, MAX_CLAIM);
  const dates = datesIn(claim);
  const names = namesIn(claim);
  const numbers = numbersIn(claim).filter((number) => !isInDate(number, dates) && !isInName(claim, number, names));
  const measures = numbers.map((number) => measureAt(claim, number));
  const isYear = ({ text, unit }: Measure) => unit === undefined && /^(?:1[5-9]|20)\d\d$/.test(text);
  const years = measures.filter(isYear).map(({ text }) => text);
  const words =
    subjectOf(claim, measures)
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? [];
  return {
    measures: measures.filter((measure) => !isYear(measure)),
    years: new Set([...years, ...[...dates.numbers].filter((number) => number.length === 4)]),
    months: dates.months,
    // With their numbers: Apollo 11 is not Apollo 12.
    names: new Set([
      ...names,
      ...numbersIn(claim)
        .filter((number) => isInName(claim, number, names))
        .map(({ text }) => text),
    ]),
    subject: new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem)),
    once: happensOnce(claim),
  };
}

function happensOnce(claim: string): boolean {
  const words = claim.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.some((word) => ONCE.has(word)) || ONCE_PASSIVE.test(claim);
}

/** Days and figures of dates measure nothing. */
function isInDate({ start, end }: FoundNumber, { spans, worded }: FoundDates): boolean {
  return [...spans, ...worded].some((span) => start >= span.start && end <= span.end);
}

/** `Apollo 11`: the number is a part of the name. */
function isInName(claim: string, { start, end }: FoundNumber, names: readonly string[]): boolean {
  const before = /(\p{L}[\p{L}\p{N}-]*)[\s-]$/u.exec(claim.slice(Math.max(0, start - 40), start))?.[1];
  return before !== undefined && names.includes(before) && unitAt(claim, { start, end }) === undefined;
}

/** The claim without its values and their units. */
function subjectOf(claim: string, measures: readonly Measure[]): string {
  let [subject, at] = ["", 0];
  for (const { start, end, unitLength } of measures) {
    subject += `${claim.slice(at, start)} `;
    at = Math.max(at, end + unitLength);
  }
  return subject + claim.slice(at);
}

/** Without the most common endings: enough to see that two statements use the same words. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|ed|ing|en|n)$/u, "") : word;
}

function measureAt(claim: string, number: FoundNumber): Measure {
  const unitLength = unitLengthAt(claim, number.end);
  return { ...number, unit: unitAt(claim, number), unitLength, bound: boundOf(claim, number) };
}

function boundOf(claim: string, { start }: FoundNumber): Measure["bound"] {
  const before = claim.slice(Math.max(0, start - 20), start);
  if (ABOVE.test(before)) return "above";
  if (BELOW.test(before)) return "below";
  return NEAR.test(before) ? "about" : "exact";
}

function isSameSubject(one: Statement, other: Statement): boolean {
  if (!sameSet(one.names, other.names)) return false;
  const [few, many] =
    one.subject.size <= other.subject.size ? [one.subject, other.subject] : [other.subject, one.subject];
  // A word that each has for itself may be what sets them apart: members and guests, weekdays and weekends.
  return few.size >= MIN_COMMON && [...few].every((word) => many.has(word)) && hasSameTime(one, other);
}

/** What is said of two times may differ. */
function hasSameTime(one: Statement, other: Statement): boolean {
  if (one.once && other.once) return true;
  return sameSet(one.years, other.years) && sameSet(one.months, other.months);
}

function sameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}

function contradictingYears(one: Statement, other: Statement): Contradiction | undefined {
  const [[first], [second]] = [[...one.years], [...other.years]];
  if (!one.once || !other.once || one.years.size !== 1 || other.years.size !== 1) return undefined;
  return first === undefined || second === undefined || first === second ? undefined : { values: [first, second] };
}

/** Whether both can be true: by the words before the numbers, and when one is the other rounded. */
function mayAgree(a: Measure, b: Measure): boolean {
  if (isSameNumber(a, b)) return true;
  return a.values.some((left) => b.values.some((right) => agree(a.bound, left, b.bound, right)));
}

function agree(leftBound: Measure["bound"], left: string, rightBound: Measure["bound"], right: string): boolean {
  const [x, y] = [Number(left), Number(right)];
  if (Number.isNaN(x) || Number.isNaN(y)) return true;
  if (leftBound === rightBound && (leftBound === "above" || leftBound === "below")) return true;
  if (leftBound === "above" || rightBound === "below") return y > x || isClose(x, y);
  if (leftBound === "below" || rightBound === "above") return y < x || isClose(x, y);
  const near = leftBound === "about" || rightBound === "about";
  return (near && isClose(x, y)) || isRounded(left, y) || isRounded(right, x);
}

function isClose(x: number, y: number): boolean {
  return Math.abs(x - y) <= ABOUT * Math.max(Math.abs(x), Math.abs(y));
}

/** Whether a value is this one with the figures that the text gives: 1,498,000 is 1.5 million. */
function isRounded(text: string, value: number): boolean {
  const figures = withoutZeros(text.replace(/[-.]/g, "")).length;
  return figures > 0 && Number(value.toPrecision(figures)) === Number(text);
}

function withoutZeros(digits: string): string {
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
}
