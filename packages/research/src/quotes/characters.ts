/** What a UTF-16 code unit is and what it is folded to, in tables that are made at the first use. */

const WHITE = /[\s\u0085]+/gu;
const LETTERS = /[\p{L}\p{M}]+/gu;
const DIGITS = /\p{Nd}+/gu;
const CAPITALS = /\p{Changes_When_Lowercased}+/gu;
/** Written without blanks between words: a quotation may begin and end at every character. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}々〇ー]+/gu;
/** Soft hyphens, joiners, marks of direction, the stroke that stretches Arabic words, variation selectors: the first and the last of each range. */
const INVISIBLE = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x0640, 0x0640],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const;

/** Chinese and Japanese characters begin here; of those before, some are unspaced too, but blanks end their phrases. */
export const WIDE_FROM = 0x2e80;

const WHITE_UNIT = 0x20;
const GERSHAYIM = "\u05f4";
const GERESH = "\u05f3";
const MAQAF = "\u05be";
const DOUBLE_QUOTES = `“”„‟«»″〝〞〟「」『』《》❝❞${GERSHAYIM}`;
const SINGLE_QUOTES = `‘’‚‛′´ʻʼ‹›〈〉❛❜${GERESH}`;
const DASHES = `‐‑‒–—―−﹘﹣⸺⸻${MAQAF}`;
/** Two code points for one sign or letter, that encodings and keyboards mix up; no two words differ in them alone. */
const TWINS: readonly (readonly [string, string])[] = [
  ["〜", "~"],
  ["µ", "μ"],
  ["・", "·"],
  ["ș", "ş"],
  ["Ș", "Ş"],
  ["ț", "ţ"],
  ["Ț", "Ţ"],
  ["ي", "ی"],
  ["ك", "ک"],
];
const UNITS = 0x10000;

/** A character that is folded to several: {@link expansions}. */
export const EXPANDS = 1;
/** A character that is left out. */
export const DROPPED = 0;

const EXPANSIONS: Readonly<Record<string, string>> = {
  "…": "...",
  ﬀ: "ff",
  ﬁ: "fi",
  ﬂ: "fl",
  ﬃ: "ffi",
  ﬄ: "ffl",
  ﬅ: "st",
  ﬆ: "st",
  ĳ: "ij",
  Ĳ: "IJ",
};

/** What a code unit is. Half of a pair counts as a letter, so that no pair is split. */
export const Kind = { other: 0, white: 1, letter: 2, digit: 3, unspaced: 4, invisible: 5 } as const;

interface Tables {
  /** A value of {@link Kind}. */
  kind: Uint8Array;
  /** Without differences of typography; {@link DROPPED} and {@link EXPANDS} say that it is not one unit. */
  plain: Uint16Array;
  /** Lower case, where that is one unit. */
  lower: Uint16Array;
}

let made: Tables | undefined;

/** Gives the tables, each with one entry a code unit. */
export function characterTables(): Tables {
  made ??= { kind: makeKinds(), plain: makePlain(), lower: makeLower() };
  return made;
}

/** Tells what a code unit is: a value of {@link Kind}. */
export function kindOf(unit: number): number {
  return characterTables().kind[unit] ?? Kind.other;
}

export function isDigit(unit: number): boolean {
  return kindOf(unit) === Kind.digit;
}

export function isLetter(unit: number): boolean {
  return kindOf(unit) === Kind.letter;
}

/** A part of a word or of a number. */
export function isWord(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || kindOf(unit) === Kind.unspaced;
}

/** Gives what a unit that {@link EXPANDS} is folded to. */
export function expansionOf(unit: number): string {
  return EXPANSIONS[String.fromCharCode(unit)] ?? "";
}

/** Calls with each run of units that a pattern finds: far quicker than to test them one by one. Halves of pairs are left out. */
export function eachRun(pattern: RegExp, apply: (first: number, behind: number) => void): void {
  for (const { 0: run, index } of textOfAllUnits().matchAll(pattern)) apply(index, index + run.length);
}

/** The text of code units, also of halves of pairs: a `TextDecoder` would exchange these. */
export function textOf({ buffer, byteOffset, byteLength }: Uint16Array): string {
  // Typed arrays have the byte order of the machine; Node runs on little-endian ones alone.
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf16le");
}

let allUnits: string | undefined;

/** Every code unit in order; nothing of a class for the halves of pairs. */
function textOfAllUnits(): string {
  allUnits ??= textOf(identity().fill(0, 0xd800, 0xe000));
  return allUnits;
}

/** A table that leaves every unit as it is. */
function identity(): Uint16Array {
  const table = new Uint16Array(UNITS);
  for (let unit = 0; unit < UNITS; unit++) table[unit] = unit;
  return table;
}

function makeKinds(): Uint8Array {
  const kinds = new Uint8Array(UNITS);
  const set = (kind: number) => (first: number, behind: number) => void kinds.fill(kind, first, behind);
  eachRun(LETTERS, set(Kind.letter));
  eachRun(UNSPACED, set(Kind.unspaced));
  eachRun(DIGITS, set(Kind.digit));
  eachRun(WHITE, set(Kind.white));
  for (const [first, last] of INVISIBLE) set(Kind.invisible)(first, last + 1);
  set(Kind.letter)(0xd800, 0xe000);
  return kinds;
}

function makePlain(): Uint16Array {
  const plain = identity();
  eachRun(WHITE, (first, behind) => void plain.fill(WHITE_UNIT, first, behind));
  for (let unit = 0xff01; unit <= 0xff5e; unit++) if (!isWideDigit(unit)) plain[unit] = unit - 0xfee0;
  for (const [first, last] of INVISIBLE) plain.fill(DROPPED, first, last + 1);
  const fold = (from: string, to: string) => {
    for (const char of from) plain[char.charCodeAt(0)] = to.charCodeAt(0);
  };
  fold(DOUBLE_QUOTES, '"');
  fold(SINGLE_QUOTES, "'");
  fold(DASHES, "-");
  for (const [one, other] of TWINS) fold(one, other);
  for (const char of Object.keys(EXPANSIONS)) plain[char.charCodeAt(0)] = EXPANDS;
  return plain;
}

function makeLower(): Uint16Array {
  const lower = identity();
  eachRun(CAPITALS, (first, behind) => {
    for (let unit = first; unit < behind; unit++) {
      const small = String.fromCharCode(unit).toLowerCase();
      if (small.length === 1) lower[unit] = small.charCodeAt(0);
    }
  });
  // Its small letter is that of other languages, with a mark that counts as a unit.
  lower["İ".charCodeAt(0)] = "i".charCodeAt(0);
  // At the end of a Greek word it looks different.
  lower["ς".charCodeAt(0)] = "σ".charCodeAt(0);
  return lower;
}

/** No digit is folded, nor one of these: what a number is stays as it was written. */
function isWideDigit(unit: number): boolean {
  return unit >= 0xff10 && unit <= 0xff19;
}
