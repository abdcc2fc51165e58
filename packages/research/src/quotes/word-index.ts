import { characterTables, Kind, kindOf } from "./characters.js";

/** The words of a folded text: a number with its separators is one word, and so is each character of unspaced scripts. */
export interface Words {
  /** Where each word begins, in the folded text. */
  starts: Uint32Array;
  /** Where each word ends. */
  ends: Uint32Array;
  /** Equal for equal words. Words with equal hashes may still differ. */
  hashes: Uint32Array;
}

const SEPARATORS = new Set(Array.from(".,:/'’", (char) => char.charCodeAt(0)));
const MINUS = 0x2d;
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
/** Differs from process to process, so that no page can fill one slot of the index. No result depends on it. */
const SALT = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/** Reads the words of a folded text. */
export function wordsOf(text: string): Words {
  const { kind } = characterTables();
  const most = text.length + 1;
  const [starts, ends, hashes] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    let unit = text.charCodeAt(at);
    let hash = Math.imul(OFFSET ^ unit, PRIME);
    if (kind[unit] === Kind.unspaced) at++;
    else {
      if (unit === MINUS && isSign(text, at)) unit = text.charCodeAt(++at);
      while (
        kind[unit] === Kind.letter ||
        kind[unit] === Kind.digit ||
        (SEPARATORS.has(unit) && isInNumber(text, at))
      ) {
        hash = Math.imul(hash ^ unit, PRIME);
        unit = text.charCodeAt(++at);
      }
    }
    if (at === start) at++;
    else [starts[count], ends[count], hashes[count++]] = [start, at, hash];
  }
  return { starts: starts.slice(0, count), ends: ends.slice(0, count), hashes: hashes.slice(0, count) };
}

/** A minus before a number, where no word or number ends. */
function isSign(text: string, at: number): boolean {
  const before = at === 0 ? Kind.white : kindOf(text.charCodeAt(at - 1));
  return isDigitAt(text, at + 1) && before !== Kind.letter && before !== Kind.digit;
}

/** A separator between two digits. */
function isInNumber(text: string, at: number): boolean {
  return isDigitAt(text, at - 1) && isDigitAt(text, at + 1);
}

function isDigitAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && kindOf(text.charCodeAt(at)) === Kind.digit;
}

/** How many words a sequence has that is looked up. */
export const SEQUENCE = 3;
/** Places of one sequence that are looked at. */
const MAX_PLACES = 32;

/** Where sequences of three words may stand in a text: a place that it does not give is none. */
export class WordIndex {
  readonly words: Words;
  readonly #mask: number;
  /** Open addressing: the first place of a sequence, plus 1; 0 where there is none. */
  readonly #heads: Uint32Array;
  /** The next place of the same sequence, plus 1. */
  readonly #next: Uint32Array;

  constructor(words: Words) {
    this.words = words;
    const count = Math.max(0, words.hashes.length - SEQUENCE + 1);
    let size = 16;
    while (size < count * 2) size *= 2;
    this.#mask = size - 1;
    this.#heads = new Uint32Array(size);
    this.#next = new Uint32Array(count);
    // Backwards, so that the first place comes first.
    for (let place = count - 1; place >= 0; place--) {
      const slot = this.#slotOf(words.hashes, place);
      this.#next[place] = this.#heads[slot] as number;
      this.#heads[slot] = place + 1;
    }
  }

  #slotOf(hashes: Uint32Array, place: number): number {
    let slot = sequenceHash(hashes, place) & this.#mask;
    for (;;) {
      const head = this.#heads[slot] as number;
      if (head === 0 || isSame(this.words.hashes, head - 1, hashes, place)) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  /** Gives the first places of the sequence that stands at `place` of other words. */
  placesOf({ hashes }: Words, place: number): number[] {
    const places: number[] = [];
    let next = this.#heads[this.#slotOf(hashes, place)] as number;
    while (next !== 0 && places.length < MAX_PLACES) {
      places.push(next - 1);
      next = this.#next[next - 1] as number;
    }
    return places;
  }
}

function isSame(a: Uint32Array, at: number, b: Uint32Array, place: number): boolean {
  return a[at] === b[place] && a[at + 1] === b[place + 1] && a[at + 2] === b[place + 2];
}

function sequenceHash(hashes: Uint32Array, place: number): number {
  let hash = SALT;
  for (let word = 0; word < SEQUENCE; word++) {
    hash = Math.imul(hash ^ (hashes[place + word] as number), SALT);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
