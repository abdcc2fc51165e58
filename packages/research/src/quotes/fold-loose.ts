import { characterTables, DROPPED, EXPANDS, expansionOf, Kind, kindOf } from "./characters.js";
import { compose, type Exchanged } from "./compose.js";
import { type Folded, FoldedUnits, type FoldTable, Way, waysOf } from "./fold.js";

const BLANK = 0x20;
const QUOTES = new Set(Array.from("'\"「」『』《》〈〉", (char) => char.charCodeAt(0)));
const EMPHASIS = new Set(Array.from("*_~`", (char) => char.charCodeAt(0)));
const HYPHENS = new Set(Array.from("-\u05be\u2010\u2011", (char) => char.charCodeAt(0)));
const DASHES = new Set(Array.from("-\u05be\u2010\u2011\u2012–—―", (char) => char.charCodeAt(0)));
/** Before these a blank does not count. */
const CLOSING = new Set(Array.from(",.;:!?)%", (char) => char.charCodeAt(0)));
const LINE_MARK_BEGINS = "#-*+•>";
const LINE_MARK = /(?:#{1,6}|[-*+•])(?=\s)|>/y;
/** The line between the head and the body of a table. */
const TABLE_RULE_BEGINS = " :|-";
const TABLE_RULE = /[ :|-]{3,999}(?=[\r\n]|$)/y;
/** `[12]`, `[1, 2]`, `[^3]`, `[a]`, `[note 4]`, `[citation needed]`. */
const FOOTNOTE =
  /\[(?:\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,4}|\^?[a-z]|(?:note|nb|n|fn|ref)\.?\s?\d{1,3}|citation needed)\]/iy;
const LINK_TARGET = /\]\((?:https?:|mailto:|[/#.<])[^\s()]{0,1000}(?:\s"[^"\n]{0,200}")?\)/y;
/** Behind a letter they are the plain ones: `km²` is `km2`, `H₂O` is `H2O`. Behind a figure they are not. */
const SMALL_FIGURES = new Map(Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", (char, at) => [char.charCodeAt(0), 0x30 + (at % 10)]));
const SLASH = 0x5c;
const BAR = 0x7c;
/** Behind it a blank does not count. */
const OPENING = 0x28;
/** Marks of notes. */
const DAGGERS = [0x2020, 0x2021];
/** What links, footnotes, pictures and escapes are written with. */
const BRACKETS = new Set(Array.from("[]\\!", (char) => char.charCodeAt(0)));
const LINE_FEED = 0x0a;

/**
 * Folds what {@link foldTypography} does, and case, marks of Markdown, targets of links, footnote marks, quotation marks,
 * hyphens inside of words, blanks before punctuation. Digits and what stands between them are left as they are.
 *
 * @param composed What {@link compose} makes of the text, where that is there already.
 */
export function foldLoose(text: string, composed: Exchanged = compose(text)): Folded {
  return new LooseFolding(text.length, composed).run();
}

class LooseFolding {
  readonly #length: number;
  readonly #composed: Exchanged;
  readonly #units: FoldedUnits;
  #at = 0;
  #lineStart = true;
  /** Nothing of the line was read but blanks. */
  #isFresh = true;

  constructor(length: number, composed: Exchanged) {
    this.#composed = composed;
    this.#length = length;
    this.#units = new FoldedUnits(this.#composed.text.length);
  }

  run(): Folded {
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
    return this.#units.done(this.#length);
  }

  #special(original: number, unit: number): void {
    if (unit === BLANK) this.#white(original);
    else if (unit !== DROPPED && !(this.#lineStart && this.#lineMark())) {
      this.#lineStart = false;
      if (unit === BAR) this.#blank();
      else if (looseTable().ways[original] !== Way.special || !this.#mark(original, unit)) this.#push(original, unit);
    }
  }

  #white(original: number): void {
    if (original === LINE_FEED) {
      this.#lineStart = true;
      this.#isFresh = true;
    }
    this.#blank();
  }

  #blank(): void {
    const last = this.#units.last();
    if (last !== BLANK && last !== 0 && last !== OPENING) this.#emit(BLANK);
  }

  /** Skips a mark that begins a line. */
  #lineMark(): boolean {
    const first = this.#composed.text[this.#at] as string;
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
    if (QUOTES.has(unit)) return !(isDigit(this.#units.last()) && isDigit(this.#unitAt(this.#at + 1)));
    if (DASHES.has(original)) return this.#dash(original);
    if (unit === 0x5b) this.#at += (this.#match(FOOTNOTE)?.length ?? 1) - 1;
    else if (unit === 0x5d) this.#at += (this.#match(LINK_TARGET)?.length ?? 1) - 1;
    else if (unit === SLASH) return kindOf(this.#unitAt(this.#at + 1)) === Kind.other;
    else if (unit === 0x21) return this.#unitAt(this.#at + 1) === 0x5b;
    else return DAGGERS.includes(original);
    return true;
  }

  /** Skips a run of `*`, `_`, `~` or backticks, unless it stands inside of a name or a calculation. */
  #emphasis(): boolean {
    let end = this.#at + 1;
    while (EMPHASIS.has(this.#unitAt(end))) end++;
    const [before, after] = [this.#unitAt(this.#at - 1), this.#unitAt(end)];
    const inside = isWord(before) && isWord(after);
    if (inside && (end - this.#at === 1 || (isDigit(before) && isDigit(after)))) return false;
    this.#at = end - 1;
    return true;
  }

  /** A hyphen inside of a word goes, a dash between words is a blank; beside a digit it may be a minus. */
  #dash(original: number): boolean {
    let end = this.#at + 1;
    while (this.#unitAt(end) === 0x2d) end++;
    const before = this.#unitAt(this.#at - 1);
    const single = end - this.#at === 1 && HYPHENS.has(original);
    if (single && isLetter(before) && isLetter(this.#unitAt(end))) return true;
    const next = this.#nextWord(end);
    if (isDigit(this.#units.last() === BLANK ? this.#units.beforeLast() : before) && isDigit(this.#unitAt(next))) {
      return this.#range(end, next);
    }
    if (isDigit(this.#unitAt(next)) || this.#unitAt(next) === 0x2e) return false;
    if (
      single &&
      isLetter(before) &&
      isLetter(this.#unitAt(next)) &&
      this.#composed.text.slice(end, next).includes("\n")
    ) {
      this.#at = next - 1;
      return true;
    }
    if (isDigit(before) && next === end) return false;
    this.#blank();
    this.#at = end - 1;
    return true;
  }

  /** `10 – 20` is `10-20`; `10 -20` may be two numbers. */
  #range(end: number, next: number): boolean {
    const apart = this.#units.last() === BLANK;
    if (apart !== end < next) return false;
    if (apart) this.#units.pop();
    this.#emit(0x2d);
    this.#at = next - 1;
    return true;
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
    if (figure !== undefined && isLetter(this.#units.last())) {
      this.#emit(figure);
      return;
    }
    if (unit === EXPANDS) {
      for (const char of expansionOf(original)) this.#emit(char.charCodeAt(0));
      return;
    }
    // "5 .5" stays two numbers.
    if (CLOSING.has(unit) && this.#units.last() === BLANK && !isDigit(this.#unitAt(this.#at + 1))) this.#units.pop();
    this.#emit(characterTables().lower[unit] as number);
  }

  #emit(unit: number): void {
    this.#units.push(unit, this.#composed.from?.[this.#at] ?? this.#at);
  }

  #unitAt(at: number): number {
    return at >= 0 && at < this.#composed.text.length ? this.#composed.text.charCodeAt(at) : 0;
  }
}

let made: FoldTable | undefined;

function looseTable(): FoldTable {
  made ??= makeTable();
  return made;
}

function makeTable(): FoldTable {
  const { plain, lower } = characterTables();
  const [ways, folded] = [waysOf(plain), new Uint16Array(plain.length)];
  const plainWays = new Uint8Array(0x80).fill(Way.same);
  for (const unit of CLOSING) plainWays[unit] = Way.closing;
  for (const unit of [...QUOTES, ...BRACKETS]) if (unit < plainWays.length) plainWays[unit] = Way.special;
  plainWays[BAR] = Way.blank;
  for (let unit = 0; unit < plain.length; unit++) {
    const to = plain[unit] as number;
    folded[unit] = lower[to] as number;
    if (to < plainWays.length && ways[unit] === Way.same) ways[unit] = plainWays[to] as number;
  }
  const special = [...QUOTES, ...EMPHASIS, ...DASHES, ...SMALL_FIGURES.keys(), ...DAGGERS, LINE_FEED];
  for (const unit of special) ways[unit] = Way.special;
  return { ways, folded, opening: OPENING };
}

function isDigit(unit: number): boolean {
  return kindOf(unit) === Kind.digit;
}

function isLetter(unit: number): boolean {
  return kindOf(unit) === Kind.letter;
}

function isWord(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || kindOf(unit) === Kind.unspaced;
}
