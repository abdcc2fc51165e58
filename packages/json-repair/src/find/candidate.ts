import { type Edit, NO_EDITS } from "../repair/edits.js";

/** How a part of the text was read. */
export interface Reading {
  /** What had to be changed, by position. */
  readonly edits: readonly Edit[];
  readonly complete: boolean;
}

/** What a part of the text stands in. */
export interface Place {
  /** The language after the marks of the Markdown fence around it; undefined outside of fences. */
  readonly fence: string | undefined;
  /** Inside the model's thoughts. */
  readonly thought: boolean;
  /** Inside of something broken that was read as a whole first, or right behind it. */
  readonly nested: boolean;
}

/** What is JSON as it stands. */
export const UNCHANGED: Reading = { edits: NO_EDITS, complete: true };
export const NOWHERE: Place = { fence: undefined, thought: false, nested: false };

/**
 * A part of the text that reads as a JSON object or list. There may be one every few signs: what many have in common
 * is one object, and what is JSON as it stands is parsed when its value is first asked for.
 */
export class Candidate {
  readonly start: number;
  readonly end: number;
  readonly reading: Reading;
  #place: Place;
  #value: unknown;
  /** The text to parse, until it has been. */
  #text: string | undefined;
  readonly #json: (() => string) | undefined;

  constructor(
    start: number,
    end: number,
    value?: unknown,
    reading = UNCHANGED,
    place = NOWHERE,
    text?: string,
    json?: () => string,
  ) {
    this.start = start;
    this.end = end;
    this.reading = reading;
    this.#place = place;
    this.#value = value;
    this.#text = text;
    this.#json = json;
  }

  /** Of text that is known to be JSON from `start` to `end`. */
  static ofJson(text: string, start: number, end: number, place: Place): Candidate {
    return new Candidate(start, end, undefined, UNCHANGED, place, text, () => text.slice(start, end));
  }

  /** The same, parsed already. */
  static parsed(text: string, start: number, end: number, value: unknown, place = NOWHERE): Candidate {
    return new Candidate(start, end, value, UNCHANGED, place, undefined, () => text.slice(start, end));
  }

  get value(): unknown {
    if (this.#text !== undefined) {
      this.#value = JSON.parse(this.#text.slice(this.start, this.end));
      this.#text = undefined;
    }
    return this.#value;
  }

  /** The JSON that the value is parsed from; undefined where several were put together. */
  get json(): string | undefined {
    return this.#json?.();
  }

  get edits(): readonly Edit[] {
    return this.reading.edits;
  }

  get complete(): boolean {
    return this.reading.complete;
  }

  get fence(): string | undefined {
    return this.#place.fence;
  }

  get thought(): boolean {
    return this.#place.thought;
  }

  get nested(): boolean {
    return this.#place.nested;
  }

  /** A thought has ended behind it that no mark began. */
  becomeThought(): void {
    const { fence, nested } = this.#place;
    this.#place = { fence, thought: true, nested };
  }

  /** At the same place, something else. */
  with({
    value = this.value,
    end = this.end,
    ...reading
  }: { value?: unknown; end?: number } & Partial<Reading>): Candidate {
    return new Candidate(this.start, end, value, { ...this.reading, ...reading }, this.#place);
  }
}

/** Whether an object or list has nothing in it. */
export function isEmpty(value: unknown): boolean {
  for (const _ in value as object) return false;
  return true;
}

/** Most tests hold for all, and need no list of their own. */
export function those<C>(all: C[], test: (one: C) => boolean): C[] {
  return all.every(test) ? all : all.filter(test);
}
