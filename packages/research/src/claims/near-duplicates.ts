import type { Words } from "../quotes/word-index.js";

/** Words of a sequence that is compared. */
const SHINGLE = 5;
/** So many of the sequences of the shorter text stand in the other one too. */
const MIN_SHARED = 0.6;
/** Sequences of a text that are compared: those with the smallest hashes, which are the same for equal texts. */
const SAMPLE = 400;
/** A shorter text says too little. */
const MIN_SHINGLES = 30;
/** Of a longer text the beginning is compared. */
const MAX_CHARACTERS = 200_000;

/** Which pages have nearly the same text, as a press release on many sites has. Nothing is compared before it is asked for. */
export class NearDuplicates {
  readonly #pages = new Map<string, () => Words>();
  #groups: ReadonlyMap<string, string> | undefined;

  /**
   * Notes the text of a page; gives nothing new for an address that is known.
   *
   * @param words The words of its loosely folded text.
   */
  add(url: string, words: () => Words): void {
    if (this.#pages.has(url)) return;
    this.#pages.set(url, words);
    this.#groups = undefined;
  }

  /** Gives the first page with nearly the same text; the address itself when there is none. */
  groupOf(url: string): string | undefined {
    this.#groups ??= groupsOf(this.#pages);
    return this.#groups.get(url);
  }
}

function groupsOf(pages: ReadonlyMap<string, () => Words>): Map<string, string> {
  const groups = new Map<string, string>();
  const sketches: (Sketch & { url: string })[] = [];
  for (const [url, words] of pages) {
    const sketch = sketchOf(words());
    const same = sketches.find((other) => share(sketch, other) >= MIN_SHARED);
    groups.set(url, same === undefined ? url : (groups.get(same.url) ?? same.url));
    if (sketch.hashes.size >= MIN_SHINGLES) sketches.push({ url, ...sketch });
  }
  return groups;
}

interface Sketch {
  hashes: ReadonlySet<number>;
  /** No sequence of the text that is missing here has a smaller hash. */
  largest: number;
}

function sketchOf({ starts, hashes }: Words): Sketch {
  let words = 0;
  while (words < starts.length && (starts[words] as number) < MAX_CHARACTERS) words++;
  const sequences = Math.max(0, words - SHINGLE + 1);
  // Hashes are spread evenly: those below a bound hold the smallest ones, and few others.
  let bound = sequences === 0 ? ALL : Math.ceil((ALL * SAMPLE * 2) / sequences);
  for (;;) {
    const below = sequencesBelow(hashes, sequences, bound);
    if (below.length > SAMPLE) {
      const sample = below.slice(0, SAMPLE);
      return { hashes: new Set(sample), largest: sample.at(-1) as number };
    }
    if (bound >= ALL) return { hashes: new Set(below), largest: ALL };
    bound *= 4;
  }
}

const ALL = 2 ** 32;

/** The different hashes of sequences below a bound, in ascending order. */
function sequencesBelow(words: Uint32Array, sequences: number, bound: number): number[] {
  const found = new Set<number>();
  for (let at = 0; at < sequences; at++) {
    let hash = 0;
    for (let word = 0; word < SHINGLE; word++) hash = Math.imul(hash ^ (words[at + word] as number), 0x01000193) >>> 0;
    const mix = mixed(hash);
    if (mix < bound) found.add(mix);
  }
  return [...found].sort((a, b) => a - b);
}

function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 16);
  mix = Math.imul(mix, 0x85ebca6b);
  mix ^= mix >>> 13;
  return mix >>> 0;
}

/** The share of the shorter text's sequences that the other has, as far as both samples reach. */
function share(a: Sketch, b: Sketch): number {
  const reach = Math.min(a.largest, b.largest);
  const [left, right] = [a, b].map(({ hashes }) => [...hashes].filter((hash) => hash <= reach)) as [number[], number[]];
  const few = Math.min(left.length, right.length);
  if (few < MIN_SHINGLES) return 0;
  return left.filter((hash) => b.hashes.has(hash)).length / few;
}
