/** What a reading costs besides its characters, and what one that finds JSON as it stands. */
const READING_WORK = 16;
export const STRICT_WORK = 4;

/**
 * How many characters may be read before a search gives up, whoever reads them: the text itself, a part of it once
 * more, or the texts that stand in its strings. Keeps the time linear, whatever the text.
 */
export class WorkBudget {
  #left: number;
  /** The whole that this one is a part of. */
  readonly #whole: WorkBudget | undefined;

  private constructor(left: number, whole?: WorkBudget) {
    this.#left = left;
    this.#whole = whole;
  }

  /** For a text and all that is found in it. A short text may be read more often. */
  static forText(length: number): WorkBudget {
    return new WorkBudget(6 * length + 300_000);
  }

  /** For one pass over a text, with what it reads more than once: what that leaves over remains for others. */
  forScan(length: number): WorkBudget {
    return new WorkBudget(4 * length + 200_000, this);
  }

  get spent(): boolean {
    return this.#left <= 0 || (this.#whole?.spent ?? false);
  }

  spend(characters: number, besides = READING_WORK): void {
    this.#left -= characters + besides;
    this.#whole?.spend(characters, besides);
  }
}
