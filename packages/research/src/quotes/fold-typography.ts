import { areNothing, endOfBlanks } from "./blanks.js";
import { characterTables, EXPANDS, expansionOf, isDigit, isLetter, isWord } from "./characters.js";
import { compose, type Exchanged } from "./compose.js";
import { type Folded, FoldedUnits, type FoldTable, Way, waysOf } from "./fold.js";

const BLANK = 0x20;
const HYPHEN = 0x2d;
const BACKSLASH = 0x5c;
const APOSTROPHE = 0x27;
const QUOTES: readonly number[] = [0x22, APOSTROPHE];
/** In some languages blanks stand inside of them. */
const GUILLEMETS: readonly number[] = Array.from("«»‹›", (char) => char.charCodeAt(0));
/** In some languages a blank stands before them. */
const HIGH = Array.from("!?;:", (char) => char.charCodeAt(0));
const LINE_HYPHENS = "-\u2010";
/** Hyphens that are written for one dash. */
const MAX_HYPHENS = 3;

/**
 * Folds differences of typography: composed and decomposed letters (NFC), blanks, quotation marks, dashes, soft hyphens
 * and other invisible marks, the ligatures of f and s, full-width forms, `…`. Not NFKC: `10²` is not `102`.
 *
 * @param composed What {@link compose} makes of the text, where that is there already.
 */
export function foldTypography(text: string, composed: Exchanged = compose(text)): Folded {
  return new TypographyFolding(composed).run(text.length);
}

class TypographyFolding {
  readonly #composed: Exchanged;
  readonly #units: FoldedUnits;
  readonly #plain = characterTables().plain;

  constructor(composed: Exchanged) {
    this.#composed = composed;
    this.#units = new FoldedUnits(composed.text.length);
  }

  run(length: number): Folded {
    const table = typographyTable();
    const end = this.#composed.text.length;
    for (let at = this.#units.pushRun(this.#composed, 0, table); at < end; ) {
      at = this.#units.pushRun(this.#composed, this.#special(at), table);
    }
    return this.#units.done(length);
  }

  /** Folds what is not folded by itself; gives where it goes on. */
  #special(at: number): number {
    const original = this.#composed.text.charCodeAt(at);
    const unit = this.#plain[original] as number;
    if (unit === BLANK) return this.#white(at);
    if (unit === HYPHEN) return this.#dash(at);
    if (QUOTES.includes(unit)) return this.#quotationMark(original, unit, at);
    if (unit === BACKSLASH && QUOTES.includes(this.#plainAt(at + 1))) return at + 1;
    if (unit === EXPANDS) for (const char of expansionOf(original)) this.#push(char.charCodeAt(0), at);
    else {
      if (HIGH.includes(unit) && !this.#isWordAt(at + 1)) this.#dropBlank();
      this.#push(unit, at);
    }
    return at + 1;
  }

  #white(at: number): number {
    const { text } = this.#composed;
    const end = endOfBlanks(text, at);
    if (areNothing(text, at, end)) return end;
    if (this.#units.last() !== BLANK) this.#push(BLANK, at);
    return at + 1;
  }

  /** A dash with blanks around it is one without; `--` between words is a dash. Between figures it may be a minus. */
  #dash(at: number): number {
    let end = at + 1;
    while (end - at < MAX_HYPHENS && this.#plainAt(end) === HYPHEN) end++;
    const behind = endOfBlanks(this.#composed.text, end);
    if (end === at + 1 && this.#endsLine(at, behind)) return behind;
    const isApart = this.#units.last() === BLANK;
    const before = isApart ? this.#units.beforeLast() : this.#units.last();
    const isFigure = isDigit(this.#plainAt(behind));
    // What goes on in the next line behind a dash, as in `1894-` and `1931`, is not set apart.
    const goesOn = isFigure && isWord(before) && this.#composed.text.slice(end, behind).includes("\n");
    if (isApart ? behind > end && !(isDigit(before) && isFigure) : goesOn) {
      this.#dropBlank();
      this.#push(HYPHEN, at);
      return behind;
    }
    this.#push(HYPHEN, at);
    const joins = end > at + 1 && isLetter(before) && !isApart && isLetter(this.#plainAt(end));
    return joins ? end : at + 1;
  }

  /** The hyphen of a word that goes on in the next line, in small letters. */
  #endsLine(at: number, behind: number): boolean {
    const { text } = this.#composed;
    const next = this.#plainAt(behind);
    return (
      LINE_HYPHENS.includes(text[at] as string) &&
      isLetter(this.#units.last()) &&
      isLetter(next) &&
      characterTables().lower[next] === next &&
      text.slice(at, behind).includes("\n")
    );
  }

  /** Doubled ones are one, as in CSV; blanks inside of guillemets go. */
  #quotationMark(original: number, unit: number, at: number): number {
    const isDoubled = this.#plainAt(at + 1) === unit;
    const end = at + (isDoubled ? 2 : 1);
    const behind = endOfBlanks(this.#composed.text, end);
    const isGuillemet = GUILLEMETS.includes(original);
    const isOpening = this.#units.last() === BLANK || this.#units.last() === 0;
    if (isGuillemet && isOpening && behind === end && !this.#isWordAt(end)) this.#dropBlank();
    if (isGuillemet && isOpening && behind > end) return this.#spacedGuillemet(original, at, behind);
    this.#push(isDoubled && unit === APOSTROPHE ? (QUOTES[0] as number) : unit, at);
    return end;
  }

  /** With blanks on both sides: `«` opens and `»` closes; those who write them the other way set no blanks. */
  #spacedGuillemet(original: number, at: number, behind: number): number {
    const opens = original === GUILLEMETS[0] || original === GUILLEMETS[2];
    if (!opens) this.#dropBlank();
    this.#push(this.#plain[original] as number, at);
    return opens ? behind : at + 1;
  }

  #dropBlank(): void {
    if (this.#units.last() === BLANK) this.#units.pop();
  }

  #push(unit: number, at: number): void {
    this.#units.push(unit, this.#composed.from?.[at] ?? at);
  }

  #plainAt(at: number): number {
    return at < this.#composed.text.length ? (this.#plain[this.#composed.text.charCodeAt(at)] as number) : 0;
  }

  #isWordAt(at: number): boolean {
    return isWord(this.#plainAt(at));
  }
}

let typography: FoldTable | undefined;

function typographyTable(): FoldTable {
  if (typography !== undefined) return typography;
  const { plain } = characterTables();
  const ways = waysOf(plain);
  for (let unit = 0; unit < plain.length; unit++) {
    const folded = plain[unit] as number;
    if (folded === HYPHEN || folded === BACKSLASH || QUOTES.includes(folded)) ways[unit] = Way.special;
    else if (HIGH.includes(folded)) ways[unit] = Way.closing;
  }
  typography = { ways, folded: plain, opening: 0 };
  return typography;
}
