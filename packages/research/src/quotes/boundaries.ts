import { Kind, kindOf } from "./characters.js";
import { LINK_REFERENCE } from "./loose-marks.js";
import { isMagnitudeOfNumber, numberBegan, numberGoesOn } from "./number-parts.js";

/** Marks that do not separate: emphasis, brackets of links, escapes. */
const MARKS = "*_~`[]\\";
const HYPHENS = "-\u05be\u2010\u2011\u2012–−";
const SEPARATORS = ".,:/⁄'’·";
/** Before a number they are a part of it. */
const SIGNS = "<>≤≥±≈^×+~";
const HYPHENS_OR_SIGNS = [...HYPHENS, ...SIGNS];
/** `$5` is not a part of `A$5`, nor of `−$5`. */
const CURRENCY = /\p{Sc}/u;
const FRACTION = /[¼-¾⅐-⅞]/u;
const SCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻^₀₁₂₃₄₅₆₇₈₉";
/** What follows the letters of a word and belongs to it: `C++`, `C#`, `Node.js`, `can't`. */
const REST_OF_NAME = /^(?:\+\+|#(?!\p{L})|\.\p{Ll}|['’]t(?!\p{L}))/u;
/** So many letters at most has a unit that takes a power, as in `km²`. */
const UNIT_LETTERS = 3;

/**
 * Tells whether a part of a text begins and ends where its words and numbers do. `passable` is not a part of
 * `impassable`, nor `1.2` of `1.295`, `4.2` of `−4.2`, `10` of `10–20` or of `10³`.
 */
export function isWhole(text: string, start: number, end: number): boolean {
  return !beginsInside(text, start) && !endsInside(text, end);
}

/** Tells whether a word or number that begins at `start` began before. */
export function beginsInside(text: string, start: number): boolean {
  const first = kindAt(text, start);
  const at = significant(text, start - 1, -1);
  const before = text[at] ?? "";
  const kind = kindAt(text, at);
  if (first === Kind.letter) {
    if (kind === Kind.letter || kind === Kind.digit || isHyphenAfterWord(text, at)) return true;
    return isMagnitudeOfNumber(text, start);
  }
  if (CURRENCY.test(text[start] ?? ""))
    return kind === Kind.letter || kind === Kind.digit || HYPHENS_OR_SIGNS.includes(before);
  if (first !== Kind.digit) return FRACTION.test(text[start] ?? "") && numberBegan(text, start);
  if (kind === Kind.digit || kind === Kind.letter) return true;
  const further = kindAt(text, at - 1);
  if (SEPARATORS.includes(before) && before !== "") {
    return further === Kind.digit || (before === "." && further !== Kind.letter && further !== Kind.other);
  }
  if (HYPHENS_OR_SIGNS.includes(before) || CURRENCY.test(before)) return true;
  return isGroupGap(text, at, start) || numberBegan(text, start);
}

/** Tells whether the word or number that ends at `end` goes on. */
export function endsInside(text: string, end: number): boolean {
  const last = kindAt(text, end - 1);
  const at = significant(text, end, 1);
  const after = text[at] ?? "";
  const kind = kindAt(text, at);
  if (after === "/" && kindAt(text, at + 1) === Kind.letter && endsWithUnit(text, end)) return true;
  if (last === Kind.letter) {
    if (kind === Kind.letter || kind === Kind.digit) return true;
    if (HYPHENS.includes(after) && after !== "") return kindAt(text, at + 1) === Kind.letter;
    if (REST_OF_NAME.test(text.slice(at, at + 3))) return true;
    return after !== "" && SCRIPTS.includes(after) && isShortWord(text, end);
  }
  if (last !== Kind.digit) return false;
  if (kind === Kind.digit || kind === Kind.letter) return true;
  if (after === "") return false;
  if (SCRIPTS.includes(after)) return true;
  const continues = kindAt(text, at + 1) === Kind.digit;
  if ((SEPARATORS.includes(after) || HYPHENS.includes(after)) && continues) return true;
  return isGroupGap(text, end, at + 1) || numberGoesOn(text, at);
}

/** Where the next character stands, forwards or backwards, that is no mark, of no note, and not invisible. */
function significant(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (at >= 0 && at < text.length && !(step === -1 && text.startsWith(SECTION, at + 1 - SECTION.length))) {
    const note = noteLength(text, at, step);
    if (note === 0 && !MARKS.includes(text[at] as string) && kindAt(text, at) !== Kind.invisible) break;
    at += step * Math.max(note, 1);
  }
  return at;
}

/** Begins text in XML. */
const SECTION = "<![CDATA[";
const NOTE_BEHIND = /\[[\d^][\d,–-]{0,9}\]/y;
const NOTE_BEFORE = /\[[\d^][\d,–-]{0,9}\]$/;
const LONGEST_NOTE = 12;

/** How long the mark of a note is that begins at a place, or ends there, or the name of a link: what follows is another word. */
function noteLength(text: string, at: number, step: 1 | -1): number {
  if (step === 1 && text.startsWith("][", at)) {
    LINK_REFERENCE.lastIndex = at;
    return LINK_REFERENCE.exec(text)?.[0].length ?? 0;
  }
  if (text[at] !== (step === 1 ? "[" : "]")) return 0;
  if (step === -1) return NOTE_BEFORE.exec(text.slice(Math.max(0, at + 1 - LONGEST_NOTE), at + 1))?.[0].length ?? 0;
  NOTE_BEHIND.lastIndex = at;
  return NOTE_BEHIND.exec(text)?.[0].length ?? 0;
}

/** `non-` before `compliant`: without it the word says the opposite. */
function isHyphenAfterWord(text: string, at: number): boolean {
  const char = text[at] ?? "";
  return char !== "" && HYPHENS.includes(char) && kindAt(text, at - 1) === Kind.letter;
}

/** A blank between two groups of digits of one number, as in `443 000`. */
function isGroupGap(text: string, left: number, right: number): boolean {
  const gapStart = kindAt(text, left) === Kind.white ? left : left - 1;
  if (kindAt(text, gapStart) !== Kind.white || kindAt(text, gapStart - 1) !== Kind.digit) return false;
  if (gapStart + 1 !== right || kindAt(text, right) !== Kind.digit) return false;
  return digitsFrom(text, right, 1) === 3 && digitsFrom(text, gapStart - 1, -1) <= 3;
}

function digitsFrom(text: string, from: number, step: 1 | -1): number {
  let count = 0;
  while (count < 5 && kindAt(text, from + step * count) === Kind.digit) count++;
  return count;
}

function isShortWord(text: string, end: number): boolean {
  return lettersBefore(text, end) <= UNIT_LETTERS;
}

/** How many letters end at a place; those of a longer word than a unit are not all counted. */
function lettersBefore(text: string, end: number): number {
  let letters = 0;
  while (letters <= UNIT_LETTERS && kindAt(text, end - 1 - letters) === Kind.letter) letters++;
  return letters;
}

/** A number with its unit or currency: `17.4 km` of `17.4 km/h` is another quantity. */
function endsWithUnit(text: string, end: number): boolean {
  const letters = lettersBefore(text, end);
  if (letters > UNIT_LETTERS) return false;
  const start = letters > 0 ? end - letters : end - 1;
  if (letters === 0 && !CURRENCY.test(text[start] ?? "")) return false;
  const gap = kindAt(text, start - 1) === Kind.white ? 1 : 0;
  return kindAt(text, start - 1 - gap) === Kind.digit;
}

function kindAt(text: string, at: number): number | undefined {
  return at >= 0 && at < text.length ? kindOf(text.charCodeAt(at)) : undefined;
}
