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
const CLUSTER = /\P{M}\p{M}+|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[\u0340-\u0387\u1f00-\u2fff\uf900-\ufaff]/u;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,15});/u;
const CHANGING = new RegExp(`${ENTITY.source}|${CLUSTER.source}`, "gu");

/** The text in NFC with its entities decoded; `from` is missing when that is the text itself. */
export function compose(text: string): { text: string; from?: Uint32Array } {
  if (text.normalize("NFC") === text && !(text.includes("&") && ENTITY.test(text))) return { text };
  const pieces: string[] = [];
  const from: number[] = [];
  let at = 0;
  const copyUntil = (end: number) => {
    pieces.push(text.slice(at, end));
    for (; at < end; at++) from.push(at);
  };
  for (const { 0: cluster, index } of text.matchAll(CHANGING)) {
    copyUntil(index);
    const composed = (cluster.startsWith("&") ? decodeHTML(cluster) : cluster).normalize("NFC");
    pieces.push(composed);
    for (let unit = 0; unit < composed.length; unit++) from.push(index);
    at = index + cluster.length;
  }
  copyUntil(text.length);
  return { text: pieces.join(""), from: Uint32Array.from(from) };
}
