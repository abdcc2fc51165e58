/** Steps that trials of ways may take in any text, and for each of its characters. */
const CREDIT = 10_000;
const CREDIT_OF_CHARACTER = 0.25;

/** A text, and what its readings share. */
export class Source {
  readonly text: string;
  /** Steps that may still be spent on trials; then the first look decides. */
  credit: number;
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(text: string) {
    this.text = text;
    this.credit = CREDIT + CREDIT_OF_CHARACTER * text.length;
  }

  /** As `text.indexOf`; places that rise cost one pass together. */
  next(sign: string, from: number): number {
    const known = this.#found.get(sign);
    if (known && known.from <= from && (known.at < 0 || from <= known.at)) return known.at;
    const at = this.text.indexOf(sign, from);
    this.#found.set(sign, { from, at });
    return at;
  }
}
