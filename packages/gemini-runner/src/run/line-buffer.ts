/** How many lines are joined to one text: millions of short ones would take many times their length. */
const LINES_JOINED = 1_000;

/** Keeps lines of text: all of them, or the last. */
export class LineBuffer {
  readonly #maxLength: number;
  #blocks: string[] = [];
  #lines: string[] = [];
  #length = 0;

  /** Keeps at least the last `maxLength` UTF-16 units, and at most twice as many. Default: all. */
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    this.#maxLength = maxLength;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && this.#blocks.length === 0;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
    if (this.#length > 2 * this.#maxLength) {
      const kept = this.text().slice(-this.#maxLength);
      this.#blocks = [];
      this.#lines = [kept];
      this.#length = kept.length;
    } else if (this.#lines.length >= LINES_JOINED) {
      this.#blocks.push(this.#lines.join("\n"));
      this.#lines = [];
    }
  }

  text(): string {
    return [...this.#blocks, ...this.#lines].join("\n");
  }
}
