/** What was wrong. The README says what becomes of each. */
export type RepairKind =
  | "trailing-comma"
  | "extra-comma"
  | "missing-comma"
  | "separator"
  | "missing-colon"
  | "extra-colon"
  | "missing-value"
  | "quotes"
  | "missing-quote"
  | "extra-quote"
  | "inner-quote"
  | "unquoted"
  | "concatenation"
  | "control-character"
  | "escape"
  | "literal"
  | "number"
  | "comment"
  | "whitespace"
  | "ellipsis"
  | "wrong-closer"
  | "missing-closer"
  | "extra-closer"
  | "missing-opener"
  | "wrong-opener"
  | "extra-opener"
  | "unclosed"
  /** Brackets, quotes or commas are left over beside the value: it may be a part of what was meant. */
  | "surroundings";

/** Parts of a text that are joined at once: of long ropes the engine copies every knot, again and again. */
const PARTS = 512;
/** Numbers of one edit: where it begins, where it ends, and its flags. */
const NUMBERS = 3;
const SURE = 1;
const AROUND = 2;

/**
 * Edits as they are found: each replaces a part of the text by another one, and says what was wrong; without a kind it
 * belongs to the repair beside it. Kept in columns, since a text may need an edit every second sign: as objects they
 * would survive collection after collection of garbage, and cost more than the reading.
 */
export class EditLog {
  /** What stands behind it in the columns has been taken back. */
  #length = 0;
  #numbers = new Int32Array(0);
  readonly #by: string[] = [];
  readonly #kinds: (RepairKind | undefined)[] = [];

  get length(): number {
    return this.#length;
  }

  /** Replaces `text.slice(at, end)` by `by`; `sure` if the text allows no other reading. */
  add(at: number, end: number, by: string, kind: RepairKind | undefined, sure: boolean): void {
    const nth = this.#length++;
    const first = nth * NUMBERS;
    if (first === this.#numbers.length) {
      const numbers = new Int32Array(Math.max(16 * NUMBERS, 2 * first));
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[first] = at;
    this.#numbers[first + 1] = end;
    this.#numbers[first + 2] = sure ? SURE : 0;
    this.#by[nth] = by;
    this.#kinds[nth] = kind;
  }

  append(log: EditLog, from: number, to: number): void {
    for (let nth = from; nth < to; nth++) {
      this.add(log.at(nth), log.end(nth), log.by(nth), log.kind(nth), log.sure(nth));
      if (log.around(nth)) this.putAround(this.#length - 1, log.end(nth));
    }
  }

  /** Takes back all but the first ones. */
  truncate(length: number): void {
    this.#length = length;
  }

  at(nth: number): number {
    return this.#numbers[nth * NUMBERS] as number;
  }

  end(nth: number): number {
    return this.#numbers[nth * NUMBERS + 1] as number;
  }

  by(nth: number): string {
    return this.#by[nth] as string;
  }

  kind(nth: number): RepairKind | undefined {
    return this.#kinds[nth];
  }

  sure(nth: number): boolean {
    return ((this.#numbers[nth * NUMBERS + 2] as number) & SURE) !== 0;
  }

  /** Whether it replaces the first and the last sign alone: what stands between them is kept. */
  around(nth: number): boolean {
    return ((this.#numbers[nth * NUMBERS + 2] as number) & AROUND) !== 0;
  }

  setBy(nth: number, by: string): void {
    this.#by[nth] = by;
  }

  extend(nth: number, end: number): void {
    this.#numbers[nth * NUMBERS + 1] = end;
  }

  /** Of the first sign of a string: replaces the sign before `end` as well. */
  putAround(nth: number, end: number): void {
    this.extend(nth, end);
    (this.#numbers[nth * NUMBERS + 2] as number) |= AROUND;
  }

  /** Writes an edit around a string as one that replaces all of it, so that more can be changed. */
  writeOut(nth: number, text: string): void {
    if (!this.around(nth)) return;
    const by = this.by(nth);
    this.setBy(nth, by + text.slice(this.at(nth) + 1, this.end(nth) - 1) + by);
    (this.#numbers[nth * NUMBERS + 2] as number) &= ~AROUND;
  }

  /** The edits from the `from`th on, put in the order of the text. */
  span(from: number): EditSpan {
    const late: number[] = [];
    let last = -1;
    for (let nth = from; nth < this.#length; nth++) {
      if (this.at(nth) < last) late.push(nth);
      else last = this.at(nth);
    }
    if (late.length > 0) this.#merge(from, late);
    return new EditSpan(this, from, this.#length);
  }

  /** Puts those that came late where they belong; the others are in order. */
  #merge(from: number, late: number[]): void {
    const isLate = new Set(late);
    late.sort((a, b) => this.at(a) - this.at(b));
    const order: number[] = [];
    let next = 0;
    for (let nth = from; nth < this.#length; nth++) {
      if (isLate.has(nth)) continue;
      for (; next < late.length; next++) {
        const one = late[next] as number;
        if (this.at(one) > this.at(nth) || (this.at(one) === this.at(nth) && one > nth)) break;
        order.push(one);
      }
      order.push(nth);
    }
    for (; next < late.length; next++) order.push(late[next] as number);
    const sorted = new EditLog();
    for (const nth of order) sorted.append(this, nth, nth + 1);
    this.truncate(from);
    this.append(sorted, 0, sorted.length);
  }
}

/** The edits of one reading, in the order of the text. */
export class EditSpan {
  static readonly none = new EditSpan(new EditLog(), 0, 0);

  readonly #log: EditLog;
  readonly #from: number;
  readonly #to: number;

  constructor(log: EditLog, from: number, to: number) {
    this.#log = log;
    this.#from = from;
    this.#to = to;
  }

  static join(spans: readonly EditSpan[]): EditSpan {
    const all = new EditLog();
    for (const span of spans) all.append(span.#log, span.#from, span.#to);
    return all.span(0);
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** Hears of each that has a kind. */
  tell(hear: (kind: RepairKind, at: number, sure: boolean) => void): void {
    for (let nth = this.#from; nth < this.#to; nth++) {
      const kind = this.#log.kind(nth);
      if (kind !== undefined) hear(kind, this.#log.at(nth), this.#log.sure(nth));
    }
  }

  /** The text from `start` to `end` with the edits made. */
  apply(text: string, start: number, end: number): string {
    if (this.length === 0) return text.slice(start, end);
    const log = this.#log;
    let json = "";
    let parts: string[] = [];
    let at = start;
    for (let nth = this.#from; nth < this.#to; nth++) {
      const [from, to, by] = [log.at(nth), log.end(nth), log.by(nth)];
      if (from > at) parts.push(text.slice(at, from));
      if (by !== "") parts.push(by);
      if (log.around(nth)) parts.push(text.slice(from + 1, to - 1), by);
      at = Math.max(at, to);
      if (parts.length < PARTS) continue;
      json += parts.join("");
      parts = [];
    }
    if (at < end) parts.push(text.slice(at, end));
    return json + parts.join("");
  }
}
