/** What a UTF-16 code unit is and what it is folded to, in tables that are made at the first use. */

const WHITE = /\s/u;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{Nd}/u;
/** Written without blanks between words: a quotation may begin and end at every character. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}々〇ー]/u;
/** Soft hyphens, joiners, marks of direction, variation selectors: the first and the last of each range. */
const INVISIBLE = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const;

const WHITE_UNIT = 0x20;
const DOUBLE_QUOTES = "“”„‟«»″〝〞〟";
const SINGLE_QUOTES = "‘’‚‛′´ʼ‹›";
const DASHES = "‐‑‒–—―−﹘﹣";
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

/** Gives what a unit that {@link EXPANDS} is folded to. */
export function expansionOf(unit: number): string {
  return EXPANSIONS[String.fromCharCode(unit)] ?? "";
}

function isInvisible(unit: number): boolean {
  return INVISIBLE.some(([first, last]) => unit >= first && unit <= last);
}

function makeKinds(): Uint8Array {
  return Uint8Array.from({ length: UNITS }, (_, unit) => {
    const char = String.fromCharCode(unit);
    if (unit >= 0xd800 && unit <= 0xdfff) return Kind.letter;
    if (isInvisible(unit)) return Kind.invisible;
    if (WHITE.test(char) || unit === 0x85) return Kind.white;
    if (DIGIT.test(char)) return Kind.digit;
    if (UNSPACED.test(char)) return Kind.unspaced;
    return LETTER.test(char) ? Kind.letter : Kind.other;
  });
}

function makePlain(): Uint16Array {
  const plain = Uint16Array.from({ length: UNITS }, (_, unit) => {
    const char = String.fromCharCode(unit);
    if (isInvisible(unit)) return DROPPED;
    if (WHITE.test(char) || unit === 0x85) return WHITE_UNIT;
    return unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit;
  });
  const fold = (from: string, to: string) => {
    for (const char of from) plain[char.charCodeAt(0)] = to.charCodeAt(0);
  };
  fold(DOUBLE_QUOTES, '"');
  fold(SINGLE_QUOTES, "'");
  fold(DASHES, "-");
  for (const char of Object.keys(EXPANSIONS)) plain[char.charCodeAt(0)] = EXPANDS;
  return plain;
}

function makeLower(): Uint16Array {
  return Uint16Array.from({ length: UNITS }, (_, unit) => {
    const lower = String.fromCharCode(unit).toLowerCase();
    return lower.length === 1 ? lower.charCodeAt(0) : unit;
  });
}
