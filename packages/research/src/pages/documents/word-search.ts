import MiniSearch from "minisearch";

/** A passage of a document: by the document's number, from one character to before another. */
export interface Hit {
  document: number;
  start: number;
  end: number;
}

const PASSAGE = 1_200;
const MAX_WORDS = 16;
const MAX_HITS = 200;
/** Longer than a word is. */
const MAX_WORD = 64;

interface Passage extends Hit {
  id: number;
  text: string;
  name: string;
}

/** Finds passages of documents by words, the best first (BM25). */
export class WordSearch {
  readonly #passages: Hit[] = [];
  readonly #search = new MiniSearch<Passage>({
    fields: ["text", "name"],
    tokenize: wordsIn,
    processTerm: (word) => word,
    searchOptions: { boost: { name: 2 }, prefix: (word) => word.length > 3 },
  });

  add(document: number, name: string, text: string): void {
    for (const { start, end } of passagesOf(text)) {
      const hit = { document, start, end };
      this.#search.add({ id: this.#passages.length, ...hit, name, text: text.slice(start, end) });
      this.#passages.push(hit);
    }
  }

  search(words: string): Hit[] {
    const wanted = wordsIn(words).slice(0, MAX_WORDS).join(" ");
    if (wanted === "") return [];
    return this.#search
      .search(wanted)
      .slice(0, MAX_HITS)
      .flatMap(({ id }) => this.#passages[id] ?? []);
  }
}

/** Words in any case, without marks above letters; of scripts without blanks between words, each two letters. */
function wordsIn(text: string): string[] {
  // Without its marks first: to put many of them into order takes time that grows with the square of their number.
  const folded = text
    .replaceAll(/\p{M}+/gu, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    const isPlain = !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(word);
    return isPlain ? [word.slice(0, MAX_WORD)] : pairsOf([...word]);
  });
}

function pairsOf(letters: readonly string[]): string[] {
  if (letters.length < 2) return [letters.join("")];
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** Parts of some length that end with a paragraph or a line, where there is one near. */
function* passagesOf(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length; ) {
    const part = text.slice(start, start + PASSAGE);
    const isLast = start + PASSAGE >= text.length;
    const cut = [part.lastIndexOf("\n\n"), part.lastIndexOf("\n"), part.lastIndexOf(" ")].find(
      (at) => at > PASSAGE / 2,
    );
    const end = isLast ? text.length : start + (cut ?? PASSAGE);
    yield { start, end };
    start = end;
  }
}
