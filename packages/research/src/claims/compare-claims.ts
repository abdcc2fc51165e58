import { contradictionsBetween } from "./contradictions.js";

/** What became of the claims of an earlier report. */
export interface ClaimChanges {
  /** Places of the claims that nothing of the earlier report says. */
  added: number[];
  /** Places of the earlier claims that nothing says any more. */
  gone: number[];
  /** The same thing, said otherwise: the places of both, and the values when they contradict each other. */
  changed: { was: number; is: number; values?: [string, string] }[];
  /** How many say the same as before. */
  same: number;
}

/** So many of their words must two claims share to speak of the same. */
const ALIKE = 0.6;
/** Claims of each report that are compared word by word; further ones must be equal to be the same. */
const MAX_COMPARED = 300;

/** Tells which claims are new, gone and changed. */
export function compareClaims(earlier: readonly string[], now: readonly string[]): ClaimChanges {
  const left = new Map(earlier.map((text, at) => [at, text] as const));
  const right = new Map(now.map((text, at) => [at, text] as const));
  const same = takeEqual(left, right);
  const changed: ClaimChanges["changed"] = [];
  for (const { was, is, values } of pairsOf(left, right)) {
    // Each claim has one partner.
    if (!left.has(was) || !right.has(is)) continue;
    left.delete(was);
    right.delete(is);
    changed.push({ was, is, ...(values && { values }) });
  }
  changed.sort((a, b) => a.is - b.is);
  return { added: [...right.keys()], gone: [...left.keys()], changed, same };
}

/** Takes the claims away that are equal but for case, blanks and marks; gives how many they are. */
function takeEqual(left: Map<number, string>, right: Map<number, string>): number {
  const places = new Map<string, number[]>();
  for (const [at, text] of left) places.set(plain(text), [...(places.get(plain(text)) ?? []), at]);
  let equal = 0;
  for (const [is, text] of right) {
    const was = places.get(plain(text))?.shift();
    if (was === undefined) continue;
    left.delete(was);
    right.delete(is);
    equal++;
  }
  return equal;
}

/** Two claims that speak of the same, and their values where they contradict each other. */
interface Pair {
  was: number;
  is: number;
  /** Of their words, those that both have. */
  share: number;
  values?: [string, string];
}

/** Pairs of claims that speak of the same, the most alike first. */
function pairsOf(left: ReadonlyMap<number, string>, right: ReadonlyMap<number, string>): Pair[] {
  const [before, after] = [left, right].map((claims) => [...claims].slice(0, MAX_COMPARED));
  if (before === undefined || after === undefined) return [];
  const words = after.map(([, text]) => wordsOf(text));
  const contradicting = new Map(
    contradictionsBetween(
      before.map(([, text]) => text),
      after.map(([, text]) => text),
    ).map(({ was, is, values }) => [`${was} ${is}`, values]),
  );
  const pairs = before.flatMap(([was, text], row) => {
    const own = wordsOf(text);
    return after.flatMap(([is], column): Pair[] => {
      const values = contradicting.get(`${row} ${column}`);
      const share = sharedBy(own, words[column] ?? own);
      return share >= ALIKE || values !== undefined ? [{ was, is, share, ...(values && { values }) }] : [];
    });
  });
  return pairs.sort((a, b) => b.share - a.share);
}

function plain(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** Words without numbers: these are what changes. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{2,}/gu) ?? []);
}

function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
