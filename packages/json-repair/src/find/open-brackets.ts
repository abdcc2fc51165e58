/** The brackets that are open behind the one at a place; places that rise cost one pass together. */
export class OpenBrackets {
  readonly #text: string;
  #upTo: number;
  #open = 1;

  constructor(text: string, opener: number) {
    this.#text = text;
    this.#upTo = opener + 1;
  }

  /** Whether that one is open at a place behind those that were asked for before. */
  holds(at: number): boolean {
    for (; this.#upTo < at && this.#open > 0; this.#upTo++) {
      const c = this.#text.charCodeAt(this.#upTo);
      if (c === 123 || c === 91) this.#open++;
      else if (c === 125 || c === 93) this.#open--;
    }
    return this.#open > 0;
  }
}
