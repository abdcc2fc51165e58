/** How much is told of a line that is too long, in UTF-16 units. */
const BEGINNING = 1_000;

/** Cuts a stream of text into lines. The pieces of a long line are joined once. */
export class Lines {
  readonly #onLine: (line: string) => void;
  readonly #maxLength: number;
  readonly #onTooLong: (beginning: string) => void;
  #pieces: string[] = [];
  #length = 0;

  /**
   * Calls `onLine` with each line, without its end. Lines of more than `maxLength` UTF-16 units are left out: of each `onTooLong`
   * is told how it begins, as soon as it is too long.
   */
  constructor(
    onLine: (line: string) => void,
    maxLength = Number.POSITIVE_INFINITY,
    onTooLong: (beginning: string) => void = () => {},
  ) {
    this.#onLine = onLine;
    this.#maxLength = maxLength;
    this.#onTooLong = onTooLong;
  }

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      start = end + 1;
      this.flush();
    }
    if (start < text.length) this.#add(text.slice(start));
  }

  #add(piece: string): void {
    const wasTooLong = this.#length > this.#maxLength;
    this.#length += piece.length;
    if (wasTooLong) return;
    this.#pieces.push(piece);
    if (this.#length <= this.#maxLength) return;
    this.#onTooLong(beginningOf(this.#pieces));
    this.#pieces = [];
  }

  /** Hands on a last line that has no end. */
  flush(): void {
    if (this.#pieces.length === 0 && this.#length === 0) return;
    const line = this.#pieces.join("");
    const tooLong = this.#length > this.#maxLength;
    this.#pieces = [];
    this.#length = 0;
    if (!tooLong) this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}

/** The line itself may be so long that there is no room for it twice. */
function beginningOf(pieces: readonly string[]): string {
  let beginning = "";
  for (const piece of pieces) {
    beginning += piece.slice(0, BEGINNING - beginning.length);
    if (beginning.length === BEGINNING) break;
  }
  return beginning;
}
