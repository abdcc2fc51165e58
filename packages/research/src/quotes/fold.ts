import { decodeHTML } from "entities";
import { characterTables, DROPPED, EXPANDS, expansionOf } from "./characters.js";

/** A text without some differences, and where each of its code units stands in the text it was made of. */
export class Folded {
  /** The code units of the text. */
  readonly units: Uint16Array;
  /** Index in the original of each unit, and at the end the length of the original. */
  readonly from: Uint32Array;
  #text: string | undefined;

  constructor(units: Uint16Array, from: Uint32Array) {
    this.units = units;
    this.from = from;
  }

  /** The units as one string, made when it is first asked for: most texts are ruled out by their words. */
  get text(): string {
    this.#text ??= UTF16.decode(this.units);
    return this.#text;
  }
}

// Typed arrays have the byte order of the machine; Node runs on little-endian ones alone.
const UTF16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const BLANK = 0x20;

/** Collects folded units. */
export class FoldedUnits {
  #units: Uint16Array;
  #from: Uint32Array;
  /** Units so far. */
  length = 0;

  constructor(expected: number) {
    this.#units = new Uint16Array(expected + 16);
    this.#from = new Uint32Array(expected + 16);
  }

  push(unit: number, from: number): void {
    if (this.length === this.#units.length) this.#grow();
    this.#units[this.length] = unit;
    this.#from[this.length++] = from;
  }

  /**
   * Takes units of a text as a table says, from `at` on, until one for which it says 0; a blank behind one of them is kept.
   * Gives the index of the unit that it stopped at.
   */
  pushRun({ text, from }: Exchanged, at: number, table: Uint16Array): number {
    const end = text.length;
    while (this.length + end - at > this.#units.length) this.#grow();
    const [units, places] = [this.#units, this.#from];
    let [next, length] = [at, this.length];
    for (; next < end; next++) {
      const unit = text.charCodeAt(next);
      const folded = table[unit] as number;
      if (folded === 0 && (unit !== BLANK || length === 0 || table[units[length - 1] as number] === 0)) break;
      units[length] = folded === 0 ? BLANK : folded;
      places[length++] = from === undefined ? next : (from[next] as number);
    }
    this.length = length;
    return next;
  }

  /** The last unit; 0 when there is none. */
  last(): number {
    return this.length === 0 ? 0 : (this.#units[this.length - 1] as number);
  }

  /** The unit before the last; 0 when there is none. */
  beforeLast(): number {
    return this.length < 2 ? 0 : (this.#units[this.length - 2] as number);
  }

  pop(): void {
    this.length--;
  }

  #grow(): void {
    const [units, from] = [new Uint16Array(this.length * 2), new Uint32Array(this.length * 2)];
    units.set(this.#units);
    from.set(this.#from);
    [this.#units, this.#from] = [units, from];
  }

  /** Gives the text; `end` is the length of the original. */
  done(end: number): Folded {
    this.push(0, end);
    return new Folded(this.#units.subarray(0, this.length - 1), this.#from.subarray(0, this.length));
  }
}

/**
 * Folds differences of typography: composed and decomposed letters (NFC), blanks, quotation marks, dashes, soft hyphens
 * and other invisible marks, the ligatures of f and s, full-width forms, `…`. Not NFKC: `10²` is not `102`.
 */
export function foldTypography(text: string): Folded {
  const composed = compose(text);
  const { plain } = characterTables();
  const units = new FoldedUnits(composed.text.length);
  const ordinary = unchangedUnits();
  for (let at = units.pushRun(composed, 0, ordinary); at < composed.text.length; ) {
    const original = composed.text.charCodeAt(at);
    const unit = plain[original] as number;
    const from = composed.from?.[at] ?? at;
    if (unit === EXPANDS) for (const char of expansionOf(original)) units.push(char.charCodeAt(0), from);
    else if (unit === BLANK ? units.last() !== BLANK : unit !== DROPPED) units.push(unit, from);
    at = units.pushRun(composed, at + 1, ordinary);
  }
  return units.done(text.length);
}

let unchangedMade: Uint16Array | undefined;

/** Each unit that is folded to itself; 0 for the others. */
function unchangedUnits(): Uint16Array {
  unchangedMade ??= characterTables().plain.map((unit, at) => (unit === at && unit !== BLANK ? unit : 0));
  return unchangedMade;
}

/** A base with its marks, parts of a Korean syllable, or one character of the ranges that hold second names of others. */
const CLUSTER =
  /\P{M}\p{M}{1,30}|\p{M}{2,30}|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[\u0340-\u0387\u0958-\u095f\u09dc-\u09df\u0a33-\u0a5e\u0b5c\u0b5d\u0f43-\u0fb9\u1f00-\u2fff\uf900-\ufaff\ufb1d-\ufb4e]/gu;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,15});/g;

/**
 * More marks on one letter than any language has. To put them into order takes time that grows with the square of their number:
 * they are composed in pieces.
 */
const MANY_MARKS = /\p{M}{31}/u;

/** A text with some characters exchanged; `from` is missing when there are none. */
export interface Exchanged {
  text: string;
  from?: Uint32Array;
}

/** The text in NFC with its entities decoded. */
export function compose(text: string): Exchanged {
  const decoded = text.includes("&") ? exchange({ text }, ENTITY, (entity) => decodeHTML(entity)) : { text };
  const composed = !MANY_MARKS.test(decoded.text) && decoded.text.normalize("NFC") === decoded.text;
  return composed ? decoded : exchange(decoded, CLUSTER, (cluster) => cluster.normalize("NFC"));
}

function exchange({ text, from }: Exchanged, what: RegExp, by: (found: string) => string): Exchanged {
  const pieces: string[] = [];
  let places: Uint32Array = new Uint32Array(text.length + 16);
  let [at, length] = [0, 0];
  const copyUntil = (end: number) => {
    pieces.push(text.slice(at, end));
    for (; at < end; at++) places[length++] = from === undefined ? at : (from[at] as number);
  };
  for (const { 0: found, index } of text.matchAll(what)) {
    const exchanged = by(found);
    if (exchanged === found) continue;
    copyUntil(index);
    pieces.push(exchanged);
    // Room for what is added, and for all that is left.
    if (length + exchanged.length + text.length - at > places.length) places = longer(places);
    for (let unit = 0; unit < exchanged.length; unit++) places[length++] = from?.[index] ?? index;
    at = index + found.length;
  }
  if (at === 0) return from === undefined ? { text } : { text, from };
  copyUntil(text.length);
  return { text: pieces.join(""), from: places.subarray(0, length) };
}

function longer(list: Uint32Array): Uint32Array {
  const grown = new Uint32Array(list.length * 2 + 16);
  grown.set(list);
  return grown;
}
