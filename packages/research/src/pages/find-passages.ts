import { foldLoose } from "../quotes/fold-loose.js";
import { PART_BOUNDARY } from "../quotes/part-boundary.js";

/** A part of a text around what was looked for. */
export interface Passage {
  start: number;
  end: number;
}

const PASSAGE = 800;
const MAX_PASSAGES = 8;
const MAX_WORDS = 8;
const PLACES_OF_A_WORD = 500;

/**
 * Finds the passages of a text that hold the most of some words, whatever their case and typography; the best first
 * chosen, given in the order of the text. Empty when no word stands there.
 */
export function findPassages(text: string, wanted: string): Passage[] {
  const folded = foldLoose(text);
  const words = [...new Set(foldLoose(wanted).text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.,-]*/gu) ?? [])].slice(
    0,
    MAX_WORDS,
  );
  const phrase = foldLoose(wanted).text;
  const places = words.flatMap((word, at) => placesOf(folded.text, word).map((place) => ({ place, word: at })));
  const whole = placesOf(folded.text, phrase).map((place) => ({ place, word: words.length }));
  const sorted = [...places, ...whole].sort((a, b) => a.place - b.place);
  const scored = sorted.map(({ place }, at) => ({ place, score: scoreFrom(sorted, at, words.length) }));
  const chosen: Passage[] = [];
  const taken = new Set<string>();
  for (const { place } of scored.sort((a, b) => b.score - a.score || a.place - b.place)) {
    const passage = around(text, folded.from[place] as number);
    const said = text.slice(passage.start, passage.end).trim();
    // The main part and the whole page say the same.
    if (taken.has(said) || chosen.some(({ start, end }) => passage.start < end && start < passage.end)) continue;
    taken.add(said);
    chosen.push(passage);
    if (chosen.length === MAX_PASSAGES) break;
  }
  return chosen.sort((a, b) => a.start - b.start);
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  if (word === "") return places;
  for (let at = text.indexOf(word); at !== -1 && places.length < PLACES_OF_A_WORD; at = text.indexOf(word, at + 1)) {
    places.push(at);
  }
  return places;
}

/** How many different words stand within one passage from here on; the whole phrase counts as all of them. */
function scoreFrom(sorted: readonly { place: number; word: number }[], from: number, words: number): number {
  const first = sorted[from]?.place ?? 0;
  const held = new Set<number>();
  for (let at = from; at < sorted.length && (sorted[at]?.place ?? 0) < first + PASSAGE / 2; at++) {
    held.add(sorted[at]?.word ?? 0);
    if (held.size > words) break;
  }
  return held.has(words) ? 2 * words : held.size;
}

/** Some hundred characters around a place, from line to line where there are lines. */
function around(text: string, place: number): Passage {
  const before = text.slice(Math.max(0, place - PASSAGE / 3), place);
  const after = text.slice(place, place + PASSAGE);
  const cutBefore = Math.max(before.lastIndexOf("\n\n"), before.lastIndexOf(PART_BOUNDARY));
  const boundary = after.indexOf(PART_BOUNDARY);
  const paragraph = after.indexOf("\n\n", PASSAGE / 2);
  const ends = [boundary, paragraph].filter((end) => end !== -1);
  return {
    start: place - before.length + (cutBefore === -1 ? 0 : cutBefore + 1),
    end: place + Math.min(after.length, ...ends),
  };
}
