import { Brackets } from "./brackets.js";

/** A text, and what is known of it as a whole: found out when first asked for, and once. */
export class SourceText {
  readonly text: string;
  /** Where the last double quote stands, -1 if there is none. */
  readonly lastQuote: number;
  #brackets: Brackets | undefined;
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(text: string) {
    this.text = text;
    this.lastQuote = text.lastIndexOf('"');
  }

  get brackets(): Brackets {
    this.#brackets ??= new Brackets(this.text);
    return this.#brackets;
  }

  /**
   * As `text.indexOf`, but places that rise cost one pass together: a part of the text that lacks the sign is not
   * searched again by every reading that stands in it.
   */
  next(sign: string, from: number): number {
    const known = this.#found.get(sign);
    if (known && known.from <= from && (known.at < 0 || from <= known.at)) return known.at;
    const at = this.text.indexOf(sign, from);
    this.#found.set(sign, { from, at });
    return at;
  }
}
