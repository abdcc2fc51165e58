import { characterTables, Kind, kindOf } from "./characters.js";
import type { Folded } from "./fold.js";

/** The words of a folded text: a number with its separators is one word, and so is each character of unspaced scripts. */
export interface Words {
  /** Where each word begins, in the folded text. */
  starts: Uint32Array;
  /** Where each word ends. */
  ends: Uint32Array;
  /** Equal for equal words. Words with equal hashes may still differ. */
  hashes: Uint32Array;
}

/** 1 for those that may stand between two digits of one number; apostrophes are folded to the plain one. */
const SEPARATORS = Uint8Array.from({ length: 128 }, (_, unit) => (".,:/'".includes(String.fromCharCode(unit)) ? 1 : 0));
const MINUS = 0x2d;
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
/** Differs from process to process, so that no page can fill one slot of the index. No result depends on it. */
const SALT = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/** Reads the words of a folded text. */
export function wordsOf({ units }: Pick<Folded, "units">): Words {
  const { kind } = characterTables();
  const end = units.length;
  const found = new FoundWords(isUnspaced(units, kind) ? end : end >>> 2);
  // A unit is read only where there is one: what may be missing is many times slower.
  for (let at = 0; at < end; ) {
    const start = at;
    const first = units[at] as number;
    const hash = Math.imul(OFFSET ^ first, PRIME);
    if (kind[first] === Kind.unspaced) found.push(start, ++at, hash);
    else if (kind[first] === Kind.letter || kind[first] === Kind.digit)
      at = found.pushFrom(units, kind, start, at, hash);
    else if (first === MINUS && isSign(units, at)) at = found.pushFrom(units, kind, start, at + 1, hash);
    else at++;
  }
  return found.done();
}

/** Units of a text that tell of which script most of it is. */
const SAMPLE = 1_000;

/** Whether most of a text has no blanks between its words: then each character is one. */
function isUnspaced(units: Uint16Array, kind: Uint8Array): boolean {
  const sample = units.subarray(units.length >>> 1, (units.length >>> 1) + SAMPLE);
  return sample.reduce((count, unit) => count + (kind[unit] === Kind.unspaced ? 1 : 0), 0) > sample.length / 2;
}

/** Collects words. */
class FoundWords {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #hashes: Uint32Array;
  #count = 0;

  constructor(expected: number) {
    this.#starts = new Uint32Array(expected + 16);
    this.#ends = new Uint32Array(expected + 16);
    this.#hashes = new Uint32Array(expected + 16);
  }

  /** Takes the word that began at `start` and goes on at `at`; gives where it ends. */
  pushFrom(units: Uint16Array, kind: Uint8Array, start: number, at: number, hash: number): number {
    let end = at;
    let word = hash;
    for (; end < units.length; end++) {
      const unit = units[end] as number;
      const is = kind[unit];
      if (
        is !== Kind.letter &&
        is !== Kind.digit &&
        !(unit < 0x80 && SEPARATORS[unit] === 1 && isInNumber(units, end))
      ) {
        break;
      }
      word = Math.imul(word ^ unit, PRIME);
    }
    this.push(start, end, word);
    return end;
  }

  push(start: number, end: number, hash: number): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#hashes[this.#count++] = hash;
  }

  #grow(): void {
    const longer = (list: Uint32Array) => {
      const grown = new Uint32Array(list.length * 2);
      grown.set(list);
      return grown;
    };
    [this.#starts, this.#ends, this.#hashes] = [longer(this.#starts), longer(this.#ends), longer(this.#hashes)];
  }

  done(): Words {
    const found = (list: Uint32Array) => list.subarray(0, this.#count);
    return { starts: found(this.#starts), ends: found(this.#ends), hashes: found(this.#hashes) };
  }
}

/** A minus before a number, where no word or number ends. */
function isSign(units: Uint16Array, at: number): boolean {
  const before = at === 0 ? Kind.white : kindOf(units[at - 1] as number);
  return isDigitAt(units, at + 1) && before !== Kind.letter && before !== Kind.digit;
}

/** A separator between two digits. */
function isInNumber(units: Uint16Array, at: number): boolean {
  return isDigitAt(units, at - 1) && isDigitAt(units, at + 1);
}

function isDigitAt(units: Uint16Array, at: number): boolean {
  return at >= 0 && at < units.length && kindOf(units[at] as number) === Kind.digit;
}

/** How many words a sequence has that is looked up. */
export const SEQUENCE = 3;
/** Places of one sequence that are looked at. */
const MAX_PLACES = 32;

/** Bits of the filter for each sequence. */
const FILTER_BITS = 16;
/** The three bits of a sequence stand in one line of the processor's cache. */
const LINE_BITS = 512;

/** Where sequences of three words may stand in a text: a place that it does not give is none. */
export class WordIndex {
  readonly #words: Words;
  readonly #mask: number;
  readonly #filter: Uint32Array;
  #places: SequencePlaces | undefined;

  constructor(words: Words) {
    this.#words = words;
    const count = sequencesIn(words);
    const size = powerOfTwo(Math.max(LINE_BITS, count * FILTER_BITS));
    this.#mask = size - 1;
    this.#filter = new Uint32Array(size / 32);
    for (let place = 0; place < count; place++) {
      const hash = sequenceHash(words.hashes, place);
      this.#set(hash & this.#mask);
      this.#set(bitBeside(hash, 23) & this.#mask);
      this.#set(bitBeside(hash, 14) & this.#mask);
    }
  }

  #set(at: number): void {
    (this.#filter[at >>> 5] as number) |= 1 << (at & 31);
  }

  /** Whether the sequence that stands at `place` of other words may stand here. */
  mayHold({ hashes }: Words, place: number): boolean {
    const hash = sequenceHash(hashes, place);
    return (
      this.#hasBit(hash & this.#mask) &&
      this.#hasBit(bitBeside(hash, 23) & this.#mask) &&
      this.#hasBit(bitBeside(hash, 14) & this.#mask)
    );
  }

  #hasBit(at: number): boolean {
    return (((this.#filter[at >>> 5] as number) >>> (at & 31)) & 1) === 1;
  }

  /** Gives the first places of the sequence that stands at `place` of other words. */
  placesOf(words: Words, place: number): number[] {
    if (!this.mayHold(words, place)) return [];
    this.#places ??= new SequencePlaces(this.#words);
    return this.#places.of(words, place);
  }
}

/** A table of sequences with their places. */
class SequencePlaces {
  readonly #words: Words;
  readonly #mask: number;
  /** Open addressing: the first place of a sequence, plus 1; 0 where there is none. */
  readonly #heads: Uint32Array;
  /** The next place of the same sequence, plus 1. */
  readonly #next: Uint32Array;

  constructor(words: Words) {
    this.#words = words;
    const count = sequencesIn(words);
    const size = powerOfTwo(count * 2);
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
      if (head === 0 || isSame(this.#words.hashes, head - 1, hashes, place)) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  of({ hashes }: Words, place: number): number[] {
    const places: number[] = [];
    let next = this.#heads[this.#slotOf(hashes, place)] as number;
    while (next !== 0 && places.length < MAX_PLACES) {
      places.push(next - 1);
      next = this.#next[next - 1] as number;
    }
    return places;
  }
}

function sequencesIn({ hashes }: Words): number {
  return Math.max(0, hashes.length - SEQUENCE + 1);
}

function powerOfTwo(atLeast: number): number {
  let size = 16;
  while (size < atLeast) size *= 2;
  return size;
}

/** Another bit of the same line, by other bits of the hash. */
function bitBeside(hash: number, shift: number): number {
  return hash ^ ((hash >>> shift) & (LINE_BITS - 1)) ^ 1;
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
