import { decodeHTML } from "entities";
import { characterTables, DROPPED, EXPANDS, expansionOf } from "./characters.js";

/** A text without some differences, and where each of its code units stands in the text it was made of. */
export interface Folded {
  text: string;
  /** Index in the original of each unit, and at the end the length of the original. */
  from: Uint32Array;
}

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
    const from = new Uint32Array(this.length + 1);
    from.set(this.#from.subarray(0, this.length));
    from[this.length] = end;
    return { text: textOf(this.#units.subarray(0, this.length)), from };
  }
}

/** Lone halves of pairs are kept, which a decoder would replace. */
function textOf(units: Uint16Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < units.length; at += 8_192) {
    pieces.push(String.fromCharCode(...units.subarray(at, at + 8_192)));
  }
  return pieces.join("");
}

/**
 * Folds differences of typography: composed and decomposed letters (NFC), blanks, quotation marks, dashes, soft hyphens
 * and other invisible marks, the ligatures of f and s, full-width forms, `…`. Not NFKC: `10²` is not `102`.
 */
export function foldTypography(text: string): Folded {
  const composed = compose(text);
  const { plain } = characterTables();
  const units = new FoldedUnits(composed.text.length);
  for (let at = 0; at < composed.text.length; at++) {
    const original = composed.text.charCodeAt(at);
    const unit = plain[original] as number;
    const from = composed.from?.[at] ?? at;
    if (unit === EXPANDS) for (const char of expansionOf(original)) units.push(char.charCodeAt(0), from);
    else if (unit === BLANK ? units.last() !== BLANK : unit !== DROPPED) units.push(unit, from);
  }
  return units.done(text.length);
}

/** A base with its marks, parts of a Korean syllable, or one character of the ranges that hold second names of others. */
const CLUSTER = /\P{M}\p{M}+|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[\u0340-\u0387\u1f00-\u2fff\uf900-\ufaff]/gu;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,15});/g;

/** A text with some characters exchanged; `from` is missing when there are none. */
interface Exchanged {
  text: string;
  from?: Uint32Array;
}

/** The text in NFC with its entities decoded. */
export function compose(text: string): Exchanged {
  const decoded = text.includes("&") ? exchange({ text }, ENTITY, (entity) => decodeHTML(entity)) : { text };
  const composed = decoded.text.normalize("NFC") === decoded.text;
  return composed ? decoded : exchange(decoded, CLUSTER, (cluster) => cluster.normalize("NFC"));
}

function exchange({ text, from }: Exchanged, what: RegExp, by: (found: string) => string): Exchanged {
  const pieces: string[] = [];
  const places: number[] = [];
  let at = 0;
  const copyUntil = (end: number) => {
    pieces.push(text.slice(at, end));
    for (; at < end; at++) places.push(from?.[at] ?? at);
  };
  for (const { 0: found, index } of text.matchAll(what)) {
    copyUntil(index);
    const exchanged = by(found);
    pieces.push(exchanged);
    for (let unit = 0; unit < exchanged.length; unit++) places.push(from?.[index] ?? index);
    at = index + found.length;
  }
  if (at === 0) return from === undefined ? { text } : { text, from };
  copyUntil(text.length);
  return { text: pieces.join(""), from: Uint32Array.from(places) };
}
