import { Kind, kindOf } from "../quotes/characters.js";
import { magnitudeAt } from "../quotes/magnitudes.js";

/** A number that a text holds, in every way that it may be read. */
export interface FoundNumber {
  /** As it stands there. */
  text: string;
  /** Each value that it may have, as a decimal text: `1.234` is both `1.234` and `1234`. */
  values: readonly string[];
  /** Where it stands, its sign and its magnitude included. */
  start: number;
  end: number;
}

/** Groups of three, or digits with separators between them. */
const DIGITS = /\d{1,3}(?:[\u00a0\u202f\u2009'’ ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/gu;

const SIGN = /(?:^|[^\p{L}\p{N}])(?:[-−]|minus |moins |menos )$/iu;

/** Words for small numbers. "One" is left out: in most texts it counts nothing. */
const WORDS: ReadonlyMap<string, number> = new Map(
  [
    "two zwei deux dos due",
    "three drei trois tres tre",
    "four vier quatre cuatro quattro",
    "five fünf cinq cinco cinque",
    "six sechs seis sei",
    "seven sieben sept siete sette",
    "eight acht huit ocho otto",
    "nine neun nueve nove",
    "ten zehn diez dieci",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici",
  ].flatMap((words, at) => words.split(" ").map((word) => [word, at + 2] as const)),
);
const WORD = /(?<![\p{L}\p{N}])\p{L}{3,6}(?![\p{L}\p{N}])/gu;

/** Finds the numbers of a text, in figures and in words. */
export function numbersIn(text: string): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    if (isPartOfWord(text, index)) continue;
    const sign = SIGN.exec(text.slice(Math.max(0, index - 8), index)) === null ? "" : "-";
    const end = index + digits.length;
    const { zeros, length } = magnitudeAt(text, end);
    const values = readingsOf(digits).map((value) => sign + shifted(value, zeros));
    found.push({ text: sign + text.slice(index, end + length), values, start: index, end: end + length });
  }
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const value = WORDS.get(word.toLowerCase());
    if (value === undefined) continue;
    const { zeros, length } = magnitudeAt(text, index + word.length);
    const end = index + word.length + length;
    found.push({ text: text.slice(index, end), values: [shifted(String(value), zeros)], start: index, end });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether two numbers may have the same value. */
export function isSameNumber(a: FoundNumber, b: FoundNumber): boolean {
  return a.values.some((value) => b.values.includes(value));
}

/** `A4` holds no number; characters of scripts without blanks are no letters of a word. */
function isPartOfWord(text: string, at: number): boolean {
  const kind = at === 0 ? Kind.white : kindOf(text.charCodeAt(at - 1));
  return kind === Kind.letter || text[at - 1] === "_";
}

/** Every value that digits with separators may stand for. */
function readingsOf(digits: string): string[] {
  const compact = digits.replace(/[\u00a0\u202f\u2009'’ ]/gu, "");
  const separators: string[] = compact.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return [plain(compact)];
  const [whole = "", ...groups] = compact.split(/[.,]/);
  const kinds = new Set(separators);
  const decimal = plain(`${[whole, ...groups.slice(0, -1)].join("")}.${groups.at(-1)}`);
  const grouped = groups.every((group) => group.length === 3) && whole.length <= 3 && !/^0/.test(whole);
  if (kinds.size === 2) {
    const asGroups = groups.slice(0, -1).every((group) => group.length === 3);
    return asGroups && separators.indexOf(last) === separators.length - 1 ? [decimal] : [compact];
  }
  if (separators.length > 1) return grouped ? [plain(compact.replace(/[.,]/g, ""))] : [compact];
  return grouped ? [decimal, plain(compact.replace(/[.,]/g, ""))] : [decimal];
}

/** Without zeros that say nothing. */
function plain(value: string): string {
  const [whole = "", part = ""] = value.split(".");
  let end = part.length;
  while (end > 0 && part[end - 1] === "0") end--;
  const fraction = part.slice(0, end);
  const number = whole.replace(/^0+(?=\d)/, "");
  return fraction === "" ? number : `${number}.${fraction}`;
}

/** The value with its point moved to the right. */
function shifted(value: string, zeros: number): string {
  if (zeros === 0 || !/^\d+(?:\.\d+)?$/.test(value)) return value;
  const [whole = "", part = ""] = value.split(".");
  const digits = whole + part.padEnd(zeros, "0");
  const point = whole.length + zeros;
  return plain(`${digits.slice(0, point)}.${digits.slice(point)}`);
}
