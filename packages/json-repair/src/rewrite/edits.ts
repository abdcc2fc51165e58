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

/**
 * Edits after which what was built is made one string: the engine keeps what is put together as a rope, and copies each
 * knot of it with every collection of garbage.
 */
const PART = 1024;
/** Edits of one page of columns: a power of two. */
const PAGE_BITS = 7;
const PAGE = 1 << PAGE_BITS;
/** Numbers of one edit: where it begins, where it ends, and its flags. */
const NUMBERS = 3;
const SURE = 1;
const AROUND = 2;

/** The columns of so many edits. */
class Page {
  readonly numbers = new Int32Array(PAGE * NUMBERS);
  readonly by: string[] = [];
  readonly kinds: (RepairKind | undefined)[] = [];
}

/**
 * Edits as they are found: each replaces a part of the text by another one, and says what was wrong; without a kind it
 * belongs to the repair beside it. Kept in columns, since a text may need an edit every second sign: as objects they
 * would survive one collection of garbage after the other, and cost more than the reading. In pages, since a column
 * that grows is copied.
 */
export class EditLog {
  /** What stands behind it in the columns has been taken back. */
  #length = 0;
  readonly #pages: Page[] = [];

  get length(): number {
    return this.#length;
  }

  /** Replaces `text.slice(at, end)` by `by`; `sure` if the text allows no other reading. */
  add(at: number, end: number, by: string, kind: RepairKind | undefined, sure: boolean): void {
    const nth = this.#length++;
    if (nth === this.#pages.length * PAGE) this.#pages.push(new Page());
    const page = this.#pageOf(nth);
    const row = nth & (PAGE - 1);
    page.numbers[row * NUMBERS] = at;
    page.numbers[row * NUMBERS + 1] = end;
    page.numbers[row * NUMBERS + 2] = sure ? SURE : 0;
    page.by[row] = by;
    page.kinds[row] = kind;
  }

  #pageOf(nth: number): Page {
    return this.#pages[nth >> PAGE_BITS] as Page;
  }

  #number(nth: number, column: number): number {
    return this.#pageOf(nth).numbers[(nth & (PAGE - 1)) * NUMBERS + column] as number;
  }

  #setNumber(nth: number, column: number, value: number): void {
    this.#pageOf(nth).numbers[(nth & (PAGE - 1)) * NUMBERS + column] = value;
  }

  /** Takes back all but the first ones. */
  truncate(length: number): void {
    this.#length = length;
  }

  at(nth: number): number {
    return this.#number(nth, 0);
  }

  end(nth: number): number {
    return this.#number(nth, 1);
  }

  by(nth: number): string {
    return this.#pageOf(nth).by[nth & (PAGE - 1)] as string;
  }

  kind(nth: number): RepairKind | undefined {
    return this.#pageOf(nth).kinds[nth & (PAGE - 1)];
  }

  sure(nth: number): boolean {
    return (this.#number(nth, 2) & SURE) !== 0;
  }

  /** Whether it replaces the first and the last sign alone: what stands between them is kept. */
  around(nth: number): boolean {
    return (this.#number(nth, 2) & AROUND) !== 0;
  }

  setBy(nth: number, by: string): void {
    this.#pageOf(nth).by[nth & (PAGE - 1)] = by;
  }

  extend(nth: number, end: number): void {
    this.#setNumber(nth, 1, end);
  }

  /** Of the first sign of a string: replaces the sign before `end` as well. */
  putAround(nth: number, end: number): void {
    this.extend(nth, end);
    this.#setNumber(nth, 2, this.#number(nth, 2) | AROUND);
  }

  /** Writes an edit around a string as one that replaces all of it, so that more can be changed. */
  writeOut(nth: number, text: string): void {
    if (!this.around(nth)) return;
    const by = this.by(nth);
    this.setBy(nth, by + text.slice(this.at(nth) + 1, this.end(nth) - 1) + by);
    this.#setNumber(nth, 2, this.#number(nth, 2) & ~AROUND);
  }

  /** The edits from the `from`th on, put in the order of the text. */
  span(from: number): EditSpan {
    const late: number[] = [];
    let last = -1;
    for (let nth = from; nth < this.#length; nth++) {
      const at = this.at(nth);
      if (at < last) late.push(nth);
      else last = at;
    }
    return new EditSpan(this, from, this.#length, late.length > 0 ? this.#merged(from, late) : undefined);
  }

  /** With those that came late where they belong; the others are in order. */
  #merged(from: number, late: readonly number[]): Int32Array {
    const sorted = late.toSorted((a, b) => this.at(a) - this.at(b));
    const order = new Int32Array(this.#length - from);
    let next = 0;
    let skipped = 0;
    for (let nth = from; nth < this.#length; nth++) {
      if (nth === late[skipped]) {
        skipped++;
        continue;
      }
      for (; next < sorted.length; next++) {
        const one = sorted[next] as number;
        if (this.at(one) > this.at(nth) || (this.at(one) === this.at(nth) && one > nth)) break;
        order[nth - from - skipped + next] = one;
      }
      order[nth - from - skipped + next] = nth;
    }
    order.set(sorted.slice(next), order.length - sorted.length + next);
    return order;
  }

  /** Takes over an edit of another log. */
  copy(log: EditLog, nth: number): void {
    const own = this.#length;
    this.add(log.at(nth), log.end(nth), log.by(nth), log.kind(nth), false);
    this.#setNumber(own, 2, log.#number(nth, 2));
  }
}

/** What is told of an edit; the line is found out for all at once. */
interface EditRepair {
  kind: RepairKind;
  at: number;
  line: number;
  sure: boolean;
}

/** The edits of one reading, in the order of the text. */
export class EditSpan {
  static readonly none = new EditSpan(new EditLog(), 0, 0);

  readonly #log: EditLog;
  readonly #from: number;
  readonly #to: number;
  /** Which one comes when, if not as they were found. */
  readonly #order: Int32Array | undefined;

  constructor(log: EditLog, from: number, to: number, order?: Int32Array) {
    this.#log = log;
    this.#from = from;
    this.#to = to;
    this.#order = order;
  }

  #nth(place: number): number {
    return this.#order === undefined ? place : (this.#order[place - this.#from] as number);
  }

  static join(spans: readonly EditSpan[]): EditSpan {
    const all = new EditLog();
    for (const span of spans) {
      for (let place = span.#from; place < span.#to; place++) all.copy(span.#log, span.#nth(place));
    }
    return all.span(0);
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** What is told of them, behind others. */
  repairsBehind<R>(first: readonly R[]): (R | EditRepair)[] {
    if (this.length === 0) return [...first];
    // There may be as many as signs: a list that is let grow would cost twice as much.
    const repairs = new Array<R | EditRepair>(first.length + this.length);
    let told = 0;
    for (const repair of first) repairs[told++] = repair;
    for (let place = this.#from; place < this.#to; place++) {
      const nth = this.#nth(place);
      const kind = this.#log.kind(nth);
      if (kind !== undefined) repairs[told++] = { kind, at: this.#log.at(nth), line: 0, sure: this.#log.sure(nth) };
    }
    repairs.length = told;
    return repairs;
  }

  /** The text from `start` to `end` with the edits made. */
  apply(text: string, start: number, end: number): string {
    if (this.length === 0) return text.slice(start, end);
    const log = this.#log;
    let json = "";
    let part = "";
    let at = start;
    for (let place = this.#from; place < this.#to; place++) {
      const nth = this.#nth(place);
      const from = log.at(nth);
      const to = log.end(nth);
      const by = log.by(nth);
      if (from > at) part += text.slice(at, from);
      part += by;
      if (log.around(nth)) part += text.slice(from + 1, to - 1) + by;
      at = Math.max(at, to);
      // To ask for a sign makes one string of the rope.
      if (place % PART === PART - 1 && !Number.isNaN(part.charCodeAt(0))) {
        json += part;
        part = "";
      }
    }
    json += part;
    return at < end ? json + text.slice(at, end) : json;
  }
}
