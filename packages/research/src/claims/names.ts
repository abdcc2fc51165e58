import { isMonth } from "./dates.js";

/** Words that begin a sentence, or stand within a title, and name nothing. */
const NO_NAMES = new Set(
  `a an the this that these those it its he she they we i you his her their our your there here in on at by for from of to
with and or but nor so yet as if when while where since until after before during because although though however also
than then thus both each every some any all most many few several no not only such more less other another one two three
total according per between among about around over under up down out off into new old first second third last next`
    .split(/\s+/)
    .filter(Boolean),
);
/** Languages that begin every noun with a capital are told by such words. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|und|ist|sind|wurde|wurden|mit|auf|für|von|den|dem|des|ein|eine|im|nach)(?!\p{L})/giu;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-'’.&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
/** Behind these a capital says nothing. */
const SENTENCE_END = /(?:^|[.!?:;•|]\s*|["“„«(]\s*|\n\s*)$/u;

/** Finds the proper names of a claim: words with a capital inside of a sentence, acronyms, names with figures. */
export function namesIn(claim: string): string[] {
  const german = (claim.match(GERMAN)?.length ?? 0) >= 2;
  const words = [...claim.matchAll(WORD)];
  const names = new Set<string>();
  for (const [at, match] of words.entries()) {
    const word = match[0].replace(/['’]s$/u, "");
    if (isMonth(word) || !/\p{L}/u.test(word)) continue;
    const begins = SENTENCE_END.test(claim.slice(Math.max(0, match.index - 3), match.index));
    if (
      isCoined(word) ||
      (!german && isCapital(word) && (!begins || isNamed(words[at + 1]?.[0], words[at + 2]?.[0])))
    ) {
      if (!NO_NAMES.has(word.toLowerCase())) names.add(word);
    }
  }
  return [...names];
}

/** The words of a text without case and accents, and the parts of those that are joined. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set([...bare(text).matchAll(WORD)].flatMap(([word]) => [word, ...word.split(/[-'’.&]/u)]));
}

/** Whether a name is among the words of a text, whatever its case and its accents. */
export function hasName(words: ReadonlySet<string>, name: string): boolean {
  return words.has(bare(name));
}

function bare(text: string): string {
  // Without its marks first: to put many of them into order takes time that grows with the square of their number.
  return text
    .replace(/\p{M}+/gu, "")
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

function isCapital(word: string): boolean {
  return /^\p{Lu}\p{L}/u.test(word);
}

/** Acronyms, capitals inside of a word, letters with figures: `NASA`, `iPhone`, `GPT-4`, `A4`. */
function isCoined(word: string): boolean {
  return /\p{Lu}[\p{Lu}\p{N}]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}[\p{L}-]*-?\p{N}/u.test(word);
}

/** What follows makes a capital at the begin of a sentence a name, or the first part of one. */
function isNamed(next: string | undefined, behind?: string): boolean {
  if (next !== undefined && /^(?:and|or|und|oder|et|ou|y|e|&)$/.test(next)) return isNamed(behind);
  return (
    next !== undefined && (isCapital(next) || isCoined(next)) && !NO_NAMES.has(next.toLowerCase()) && !isMonth(next)
  );
}
