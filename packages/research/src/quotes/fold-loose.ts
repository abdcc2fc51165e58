import { areNothing, endOfBlanks } from "./blanks.js";
import {
  characterTables,
  DROPPED,
  EXPANDS,
  expansionOf,
  isDigit,
  isLetter,
  isWord,
  Kind,
  kindOf,
} from "./characters.js";
import { compose, type Exchanged } from "./compose.js";
import { type Folded, FoldedUnits, Way } from "./fold.js";
import {
  ADDRESS,
  BETWEEN_NOTES,
  FOOTNOTE,
  isNoteMark,
  isRaised,
  LINE_MARK,
  LINE_MARK_BEGINS,
  LINE_TAG,
  LINK_FILE,
  LINK_REFERENCE,
  LINK_TARGET,
  RAISED_NOTE,
  SMALL_FIGURES,
  TABLE_RULE,
  TABLE_RULE_BEGINS,
  TAG,
} from "./loose-marks.js";
import {
  BAR,
  CARET,
  CLOSING,
  DAGGERS,
  DASHES,
  EMPHASIS,
  LESS,
  LINE_FEED,
  looseTable,
  OPENING,
  QUOTES,
} from "./loose-table.js";

const BLANK = 0x20;
const HYPHENS = new Set(Array.from("-\u05be\u2010\u2011", (char) => char.charCodeAt(0)));
const BACKSLASH = 0x5c;
const APOSTROPHE = 0x27;
const TILDE = 0x7e;
const UNDERSCORE = 0x5f;
/** Before a figure that begins a text these may be signs. */
const SIGNS = "-+>";
/** Letters before a raised figure that are looked at. */
const WORD_BEFORE = 30;

/**
 * Folds what {@link foldTypography} does, and case, marks of Markdown, targets of links, footnote marks, quotation marks,
 * hyphens inside of words, blanks before punctuation. Digits and what stands between them are left as they are.
 *
 * @param composed What {@link compose} makes of the text, where that is there already.
 */
export function foldLoose(text: string, composed: Exchanged = compose(text)): Folded {
  return new LooseFolding(composed).run(text.length);
}

class LooseFolding {
  readonly #composed: Exchanged;
  readonly #units: FoldedUnits;
  #at = 0;
  #lineStart = true;
  /** Nothing of the line was read but blanks. */
  #isFresh = true;

  constructor(composed: Exchanged) {
    this.#composed = composed;
    this.#units = new FoldedUnits(this.#composed.text.length);
  }

  run(length: number): Folded {
    const { plain } = characterTables();
    const table = looseTable();
    const { text } = this.#composed;
    for (let at = 0; at < text.length; ) {
      if (!this.#lineStart) at = this.#units.pushRun(this.#composed, at, table);
      if (at === text.length) break;
      const original = text.charCodeAt(at);
      this.#at = at;
      this.#special(original, plain[original] as number);
      at = this.#at + 1;
    }
    while (this.#units.last() === BLANK) this.#units.pop();
    return this.#units.done(length);
  }

  #special(original: number, unit: number): void {
    if (unit === BLANK) this.#white(original);
    else if (unit !== DROPPED && !(this.#lineStart && this.#lineMark())) {
      this.#lineStart = false;
      if (unit === BAR) this.#bar();
      else if (looseTable().ways[original] !== Way.special || !this.#mark(original, unit)) this.#push(original, unit);
    }
  }

  #white(original: number): void {
    const end = endOfBlanks(this.#composed.text, this.#at);
    if (areNothing(this.#composed.text, this.#at, end)) {
      this.#at = end - 1;
      return;
    }
    if (original === LINE_FEED) [this.#lineStart, this.#isFresh] = [true, true];
    this.#blank();
  }

  #blank(): void {
    const last = this.#units.last();
    if (last !== BLANK && last !== 0 && last !== OPENING) this.#emit(BLANK);
  }

  /** Between cells a blank, unless their figures would be one number then. */
  #bar(): void {
    const left = this.#units.last() === BLANK ? this.#units.beforeLast() : this.#units.last();
    if (!isDigit(left)) {
      this.#blank();
      return;
    }
    const next = this.#nextWord(this.#at + 1);
    const isGroup = [0, 1, 2].every((at) => isDigit(this.#unitAt(next + at)));
    if (!isGroup || isDigit(this.#unitAt(next + 3))) this.#blank();
    else {
      if (this.#units.last() === BLANK) this.#units.pop();
      this.#emit(BAR);
      this.#at = next - 1;
    }
  }

  /** Skips a mark that begins a line; before a figure that begins the text it may be a sign. */
  #lineMark(): boolean {
    const first = this.#composed.text[this.#at] as string;
    if (this.#units.length === 0 && SIGNS.includes(first) && isDigit(this.#unitAt(this.#nextWord(this.#at + 1))))
      return false;
    // A rule is a whole line: it is looked for once in each, and marks may follow each other.
    const rule = this.#isFresh && TABLE_RULE_BEGINS.includes(first) ? this.#match(TABLE_RULE) : undefined;
    this.#isFresh = false;
    const mark = rule ?? (LINE_MARK_BEGINS.includes(first) ? this.#match(LINE_MARK) : undefined);
    if (mark === undefined) return false;
    this.#at += mark.length - 1;
    return true;
  }

  /** Skips what is not a character of the words; `false` when this one is. */
  #mark(original: number, unit: number): boolean {
    if (EMPHASIS.has(original)) return this.#emphasis();
    if (QUOTES.has(unit)) return !this.#isInWord(unit);
    if (original === LESS) return this.#tag();
    if (original === CARET) return this.#caret();
    if (DASHES.has(original)) return this.#dash(original);
    if (unit === 0x5b) this.#at += (this.#match(FOOTNOTE)?.length ?? 1) - 1;
    else if (unit === 0x5d) this.#at += (this.#endOfLink()?.length ?? 1) - 1;
    else if (unit === BACKSLASH) return kindOf(this.#unitAt(this.#at + 1)) === Kind.other;
    else if (unit === 0x21) return this.#unitAt(this.#at + 1) === 0x5b;
    else return DAGGERS.includes(original);
    return true;
  }

  /** An apostrophe between letters, as in "we're", and any mark between figures. */
  #isInWord(unit: number): boolean {
    const [last, next] = [this.#units.last(), this.#unitAt(this.#at + 1)];
    return (isDigit(last) && isDigit(next)) || (unit === APOSTROPHE && isLetter(last) && isLetter(next));
  }

  #endOfLink(): string | undefined {
    return this.#match(LINK_TARGET) ?? this.#match(LINK_FILE) ?? this.#match(LINK_REFERENCE) ?? this.#match(TAG);
  }

  /** Skips an element of HTML, or an address in its brackets. */
  #tag(): boolean {
    const found = this.#match(TAG) ?? this.#match(ADDRESS);
    if (found === undefined) return false;
    if (LINE_TAG.test(found)) this.#blank();
    this.#at += found.length - 1;
    return true;
  }

  /** Skips a raised note, and the mark of a power behind letters: `km^2` is `km2`. */
  #caret(): boolean {
    const comma = this.#match(BETWEEN_NOTES);
    const note = comma ?? this.#match(RAISED_NOTE);
    if (note !== undefined && (comma !== undefined || this.#isBehindNoteWord())) {
      this.#at += note.length - 1;
      return true;
    }
    return isPowered(this.#units.last()) && isDigit(this.#unitAt(this.#at + 1));
  }

  #isBehindNoteWord(): boolean {
    return isNoteMark(this.#composed.text.slice(Math.max(0, this.#at - WORD_BEFORE), this.#at));
  }

  /** Skips a run of `*`, `_`, `~` or backticks, unless it stands inside of a name or a calculation; `~5` is about 5. */
  #emphasis(): boolean {
    let end = this.#at + 1;
    while (EMPHASIS.has(this.#unitAt(end))) end++;
    const [before, after] = [this.#unitAt(this.#at - 1), this.#unitAt(end)];
    const inside = isWord(before) && isWord(after);
    if (end - this.#at === 1 && this.#unitAt(this.#at) === TILDE && isDigit(after)) return false;
    if (inside && (end - this.#at === 1 || (isDigit(before) && isDigit(after)))) return false;
    this.#at = end - 1;
    return true;
  }

  /** A hyphen inside of a word goes, a dash between words is a blank; beside a digit it may be a minus. */
  #dash(original: number): boolean {
    let end = this.#at + 1;
    while (this.#unitAt(end) === 0x2d) end++;
    const before = this.#unitAt(this.#at - 1);
    const isHyphen = end - this.#at === 1 && HYPHENS.has(original);
    const isInWord = isHyphen && isLetter(before);
    if (isInWord && isLetter(this.#unitAt(end))) return true;
    const next = this.#nextWord(end);
    if (isDigit(this.#unitAt(next))) return this.#beforeFigure(end, next);
    if (this.#unitAt(next) === 0x2e || (isHyphen && isDigit(before) && next === end)) return false;
    if (isInWord && isLetter(this.#unitAt(next)) && this.#isLineEnd(end, next)) {
      this.#at = next - 1;
      return true;
    }
    this.#blank();
    this.#at = end - 1;
    return true;
  }

  /** `10 – 20` is `10-20`, also over two lines, and so are a word and a figure; `10 -20` may be two numbers. */
  #beforeFigure(end: number, next: number): boolean {
    const isApart = this.#units.last() === BLANK;
    const isTorn = !isApart && isWord(this.#units.last()) && this.#isLineEnd(end, next);
    if (isApart === (end === next) && !isTorn) return false;
    if (isApart) this.#units.pop();
    this.#emit(0x2d);
    this.#at = next - 1;
    return true;
  }

  #isLineEnd(from: number, to: number): boolean {
    return this.#composed.text.slice(from, to).includes("\n");
  }

  #nextWord(from: number): number {
    let at = from;
    while (at < from + 20 && kindOf(this.#unitAt(at)) === Kind.white) at++;
    return at;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#composed.text)?.[0];
  }

  #push(original: number, unit: number): void {
    const figure = SMALL_FIGURES.get(original);
    if (figure !== undefined) {
      this.#smallFigure(original, figure);
      return;
    }
    if (unit === EXPANDS) {
      for (const char of expansionOf(original)) this.#letter(char.charCodeAt(0));
      return;
    }
    this.#letter(unit);
  }

  #letter(unit: number): void {
    // "5 .5" stays two numbers.
    if (CLOSING.has(unit) && this.#units.last() === BLANK && !isDigit(this.#unitAt(this.#at + 1))) this.#units.pop();
    this.#emit(characterTables().lower[unit] as number);
  }

  /** Behind a letter the plain figure, as in `km2` and `H2O`; behind a figure it is kept apart; else a mark of a note. */
  #smallFigure(original: number, figure: number): void {
    if (isRaised(original) && this.#isBehindNoteWord()) return;
    const last = this.#units.last();
    const goesOn = SMALL_FIGURES.has(this.#unitAt(this.#at - 1));
    if (isDigit(last) && !goesOn) this.#emit(isRaised(original) ? CARET : UNDERSCORE);
    this.#emit(goesOn || isDigit(last) || isPowered(last) ? figure : original);
  }

  #emit(unit: number): void {
    this.#units.push(unit, this.#composed.from?.[this.#at] ?? this.#at);
  }

  #unitAt(at: number): number {
    return at >= 0 && at < this.#composed.text.length ? this.#composed.text.charCodeAt(at) : 0;
  }
}

/** A letter, or a bracket that closes. */
function isPowered(unit: number): boolean {
  return isLetter(unit) || unit === 0x29;
}
