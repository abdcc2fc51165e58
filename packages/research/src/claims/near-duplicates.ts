import { foldLoose } from "../quotes/fold-loose.js";
import { wordsOf } from "../quotes/word-index.js";

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

/** Which pages have nearly the same text, as a press release on many sites has. */
export class NearDuplicates {
  readonly #groups = new Map<string, string>();
  readonly #sketches: { url: string; hashes: ReadonlySet<number>; largest: number }[] = [];

  /** Notes the text of a page; gives nothing new for an address that is known. */
  add(url: string, text: string): void {
    if (this.#groups.has(url)) return;
    const sketch = sketchOf(text);
    const same = this.#sketches.find((other) => share(sketch, other) >= MIN_SHARED);
    this.#groups.set(url, same === undefined ? url : (this.#groups.get(same.url) ?? same.url));
    if (sketch.hashes.size >= MIN_SHINGLES) this.#sketches.push({ url, ...sketch });
  }

  /** Gives the first page with nearly the same text; the address itself when there is none. */
  groupOf(url: string): string | undefined {
    return this.#groups.get(url);
  }
}

interface Sketch {
  hashes: ReadonlySet<number>;
  /** No sequence of the text that is missing here has a smaller hash. */
  largest: number;
}

function sketchOf(text: string): Sketch {
  const { hashes } = wordsOf(foldLoose(text.slice(0, MAX_CHARACTERS)).text);
  const all = new Set<number>();
  for (let at = 0; at + SHINGLE <= hashes.length; at++) {
    let hash = 0;
    for (let word = 0; word < SHINGLE; word++) hash = Math.imul(hash ^ (hashes[at + word] as number), 0x01000193) >>> 0;
    all.add(mixed(hash));
  }
  const sorted = Uint32Array.from(all).sort();
  const sample = sorted.subarray(0, SAMPLE);
  const whole = sample.length === sorted.length;
  return { hashes: new Set(sample), largest: whole ? 2 ** 32 : (sample.at(-1) as number) };
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
