import { DROPPED, EXPANDS, textOf, WIDE_FROM } from "./characters.js";
import type { Exchanged } from "./compose.js";

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
    this.#text ??= textOf(this.units);
    return this.#text;
  }
}

const BLANK = 0x20;

/** How a code unit is folded. `closing`: as it is, unless a blank stands before it. `special`: not by itself. */
export const Way = { special: 0, same: 1, blank: 2, closing: 3, dropped: 4 } as const;

/** How code units are folded, by a {@link Way} and a unit for each. */
export interface FoldTable {
  ways: Uint8Array;
  folded: Uint16Array;
  /** Behind this unit blanks do not count; 0: behind none. */
  opening: number;
}

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
   * Takes units of a text from `at` on that are folded alike wherever they stand, until one that is not. Gives the index of
   * the unit that it stopped at.
   */
  pushRun({ text, from }: Exchanged, at: number, { ways, folded, opening }: FoldTable): number {
    const end = text.length;
    while (this.length + end - at > this.#units.length) this.#grow();
    const [units, places] = [this.#units, this.#from];
    let [next, length] = [at, this.length];
    for (; next < end; next++) {
      const unit = text.charCodeAt(next);
      const way = ways[unit];
      let given = folded[unit] as number;
      if (way !== Way.same) {
        if (way === Way.dropped) continue;
        if (way === Way.special || length === 0) break;
        const last = units[length - 1];
        if (way === Way.blank) {
          if (last === BLANK || last === opening) continue;
          // Beside Chinese and Japanese it may be nothing.
          if ((last as number) >= WIDE_FROM || text.charCodeAt(next + 1) >= WIDE_FROM) break;
          given = BLANK;
        } else if (last === BLANK) break;
      }
      units[length] = given;
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

/** How units are folded that are folded to these by themselves. */
export function waysOf(plain: Uint16Array): Uint8Array {
  const ways = new Uint8Array(plain.length).fill(Way.same);
  for (let unit = 0; unit < plain.length; unit++) {
    const folded = plain[unit];
    if (folded === DROPPED) ways[unit] = Way.dropped;
    else if (folded === EXPANDS) ways[unit] = Way.special;
    else if (folded === BLANK) ways[unit] = Way.blank;
  }
  return ways;
}
