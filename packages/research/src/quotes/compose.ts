import { decodeHTML } from "entities";
import { eachRun, textOf } from "./characters.js";

/** A text with some characters exchanged. */
export interface Exchanged {
  text: string;
  /** Index in the original of each code unit; missing when nothing was exchanged. */
  from?: Uint32Array;
}

/** The text in NFC with its entities decoded; half-width Japanese and the shapes of Arabic letters as the letters they are. */
export function compose(text: string): Exchanged {
  const decoded = text.includes("&") ? decodeEntities(text) : { text };
  return composeClusters(decoded);
}

/** Also one whose `&` is written as an entity itself, as in feeds. */
const ENTITY = /&(?:amp;){0,2}(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,15});/g;

function decodeEntities(text: string): Exchanged {
  const exchanging = new Exchanging({ text });
  const decoded = new Known((entity) => decodeHTML(entity.replace(/^&(?:amp;){1,3}/, "&")));
  ENTITY.lastIndex = 0;
  for (let found = ENTITY.exec(text); found !== null; found = ENTITY.exec(text)) {
    exchanging.exchange(found.index, ENTITY.lastIndex, decoded.of(found[0]));
  }
  return exchanging.done();
}

/**
 * More marks on one letter than any language has. To put them into order takes time that grows with the square of their number:
 * they are composed in pieces.
 */
const MAX_MARKS = 30;

/** Composes a base with its marks, parts of Korean syllables, and characters that are second names of others. */
function composeClusters(decoded: Exchanged): Exchanged {
  const { text } = decoded;
  const exchanging = new Exchanging(decoded);
  const composed = new Known((cluster) => cluster.normalize("NFC"));
  const letters = new Known((shapes) => shapes.normalize("NFKC"));
  const roles = rolesOfUnits();
  /** What stands before it is no base any more. */
  let behind = 0;
  for (let at = 0; at < text.length; ) {
    const role = roles[text.charCodeAt(at)] as number;
    if (role === Role.none) {
      at++;
      continue;
    }
    if (role === Role.shape) {
      const end = endOfRole(text, at, roles, Role.shape);
      exchanging.exchange(at, end, letters.of(text.slice(at, end)));
      at = behind = end;
      continue;
    }
    const isMark = markAt(text, at) > 0;
    const end = isMark ? endOfMarks(text, at) : role === Role.jamo ? endOfRole(text, at, roles, Role.jamo) : at + 1;
    const start = isMark ? baseOf(text, at, behind) : at;
    // What has marks is composed with them.
    if (isMark || (role !== Role.half && (end > at + 1 || markAt(text, end) === 0))) {
      exchanging.exchange(start, end, composed.of(text.slice(start, end)));
      behind = end;
    }
    at = end;
  }
  return exchanging.done();
}

/** Where the base of marks begins that begin at a place: there, when all before it is used. */
function baseOf(text: string, at: number, behind: number): number {
  const isPair = at - 2 >= behind && text.codePointAt(at - 2) !== text.charCodeAt(at - 2);
  return Math.max(behind, at - (isPair ? 2 : 1));
}

function endOfMarks(text: string, from: number): number {
  let end = from;
  for (let marks = 0; marks < MAX_MARKS; marks++) {
    const length = markAt(text, end);
    if (length === 0) break;
    end += length;
  }
  return end;
}

function endOfRole(text: string, from: number, roles: Uint8Array, role: number): number {
  let end = from + 1;
  while (end < text.length && roles[text.charCodeAt(end)] === role) end++;
  return end;
}

const MARK = /^\p{M}/u;

/** How many code units the mark has that stands at a place; 0 for no mark. */
function markAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const role = rolesOfUnits()[text.charCodeAt(at)];
  if (role !== Role.half) return role === Role.mark ? 1 : 0;
  return MARK.test(text.slice(at, at + 2)) ? 2 : 0;
}

/**
 * What a code unit can have to do with others. Half: the first one of a pair, which may be a mark. Shape: a letter as old
 * encodings and PDFs write it; no figure is one.
 */
const Role = { none: 0, mark: 1, jamo: 2, second: 3, half: 4, shape: 5 } as const;

let roles: Uint8Array | undefined;

function rolesOfUnits(): Uint8Array {
  if (roles !== undefined) return roles;
  const made = new Uint8Array(0x10000);
  const set = (pattern: RegExp, role: number) => eachRun(pattern, (first, end) => void made.fill(role, first, end));
  set(
    /[\u0340-\u0387\u0958-\u095f\u09dc-\u09df\u0a33-\u0a5e\u0b5c\u0b5d\u0f43-\u0fb9\u1f00-\u2fff\uf900-\ufaff\ufb1d-\ufb4e]+/gu,
    Role.second,
  );
  set(/[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+/gu, Role.jamo);
  set(/\p{M}+/gu, Role.mark);
  set(/[\uff61-\uff9f\ufb50-\ufdf9\ufe70-\ufefc]+/gu, Role.shape);
  made.fill(Role.half, 0xd800, 0xdc00);
  roles = made;
  return made;
}

/** How many texts are remembered with what was made of them: a page has few different ones. */
const MAX_KNOWN = 2_000;

/** What is made of short texts, each once. */
class Known {
  readonly #known = new Map<string, string>();
  readonly #make: (text: string) => string;

  constructor(make: (text: string) => string) {
    this.#make = make;
  }

  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#make(text);
    if (this.#known.size < MAX_KNOWN) this.#known.set(text, made);
    return made;
  }
}

/** Makes a text of another, from its beginning to its end. */
class Exchanging {
  readonly #original: Exchanged;
  #units: Uint16Array;
  #from: Uint32Array;
  #length = 0;
  #at = 0;

  constructor(original: Exchanged) {
    this.#original = original;
    this.#units = new Uint16Array(original.text.length + 16);
    this.#from = new Uint32Array(original.text.length + 16);
  }

  /** Puts something in the place of a part that stands behind the last one. */
  exchange(start: number, end: number, by: string): void {
    const { text, from } = this.#original;
    if (by.length === end - start && text.startsWith(by, start)) return;
    this.#copyUntil(start);
    // Room for what is added, and for all that is left.
    this.#hold(this.#length + by.length + text.length - end);
    this.#from.fill(from?.[start] ?? start, this.#length, this.#length + by.length);
    for (let at = 0; at < by.length; at++) this.#units[this.#length++] = by.charCodeAt(at);
    this.#at = end;
  }

  #hold(needed: number): void {
    if (needed <= this.#units.length) return;
    const [units, from] = [new Uint16Array(needed * 2), new Uint32Array(needed * 2)];
    units.set(this.#units);
    from.set(this.#from);
    [this.#units, this.#from] = [units, from];
  }

  #copyUntil(end: number): void {
    const { text, from } = this.#original;
    const [units, places] = [this.#units, this.#from];
    let length = this.#length;
    for (let at = this.#at; at < end; at++) {
      units[length] = text.charCodeAt(at);
      places[length++] = from === undefined ? at : (from[at] as number);
    }
    this.#length = length;
    this.#at = end;
  }

  done(): Exchanged {
    if (this.#at === 0) return this.#original;
    this.#copyUntil(this.#original.text.length);
    const units = this.#units.subarray(0, this.#length);
    return { text: textOf(units), from: this.#from.subarray(0, this.#length) };
  }
}
