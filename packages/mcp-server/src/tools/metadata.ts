import { outgoingJson } from "../report/outgoing.js";

type Metadata = Readonly<Record<string, unknown>>;

/** An answer up to this length is short: it may have more beside its text. */
const SHORT = 2_000;
/** Of a sentence a part still tells something; of an address it leads nowhere. */
const SENTENCE = 300;
/** The asker knows the question: of a long one this share of the room, and at least so much of it, reminds them. */
const QUESTION = { share: 1 / 8, atLeast: 40 };
/** Quotes, colon, blank, comma. */
const BESIDE_NAME = 5;
/** For what names the things that are left out. */
const LEFT_OUT = 200;

/** Always there, whatever room there is: who asked what, how it was answered, and what a reader must know of it. */
const FIXED = [
  ...["duration_ms", "query", "topic", "depth", "model", "timestamp", "iterations"],
  ...["note", "partial", "unstructured", "cached", "continued", "documents"],
];
/**
 * Lists in the order in which they go in, each with its share of the room, and the entries that go in whatever room there
 * is. Those of the contract stay when empty.
 */
const LISTS = [
  { name: "warnings", share: 1, atLeast: 1, ofContract: false },
  { name: "missing", share: 1 / 3, atLeast: 0, ofContract: false },
  { name: "sources_visited", share: 2 / 3, atLeast: 0, ofContract: true },
  { name: "search_queries_used", share: 1 / 2, atLeast: 0, ofContract: true },
  { name: "gaps", share: 1 / 2, atLeast: 0, ofContract: false },
];
const APART = new Set([...FIXED, ...LISTS.map(({ name }) => name), "evidence", "rounds", "usage"]);

/** How JSON is written: on one line, or with a line for each member. */
export interface JsonForm {
  isPretty: boolean;
}

/** The blank lines between, and numbers that grow by a digit. */
const BETWEEN = 24;

/** How much may stand beside a text of this length: a quarter of the answer, and more where the answer is short. */
export function roomBeside(resultLength: number): number {
  return Math.max(resultLength / 3 - BETWEEN, SHORT - resultLength);
}

/**
 * What a report says of itself, in about `room` characters of JSON: what matters most goes in first, lists as far as
 * there is room. What it cost and lists without entries are left out; what else was, is named in `left_out`.
 */
export function compactMetadata(metadata: Metadata, room: number, form: JsonForm): Record<string, unknown> {
  const whole = compactIn(metadata, room, form);
  return "left_out" in whole ? compactIn(metadata, room - LEFT_OUT, form) : whole;
}

function compactIn(metadata: Metadata, room: number, form: JsonForm): Record<string, unknown> {
  const compact = new Compact(room, form);
  const question = Math.min(SENTENCE, Math.max(QUESTION.atLeast, Math.floor(room * QUESTION.share)));
  for (const name of FIXED) {
    const isQuestion = name === "query" || name === "topic";
    compact.put(name, shortened(metadata[name], isQuestion ? question : SENTENCE), { always: true });
  }
  const { evidence, rounds } = metadata;
  const { claims, sources, ...known } = isObject(evidence) ? withoutEmpty(evidence) : {};
  compact.put("evidence", withoutEmpty(onlyNumbers(known)), { always: true });
  for (const { name, ofContract } of LISTS) if (ofContract && Array.isArray(metadata[name])) compact.keepRoomFor(name);
  for (const { name, share, atLeast, ofContract } of LISTS) {
    const list = metadata[name];
    if (!Array.isArray(list)) continue;
    const entries = ofContract ? list : list.map((entry) => shortened(entry, SENTENCE));
    compact.putList(name, entries, { share, atLeast });
  }
  if (isObject(evidence)) {
    compact.put("evidence", withoutEmpty({ ...known, claims, sources })) ||
      compact.put("evidence", withoutEmpty({ ...known, claims }), { part: true }) ||
      compact.put("evidence", known, { part: true });
  }
  compact.put("rounds", rounds);
  for (const [name, value] of Object.entries(metadata)) if (!APART.has(name)) compact.put(name, value);
  return compact.result();
}

class Compact {
  readonly #form: JsonForm;
  readonly #kept: Record<string, unknown> = {};
  readonly #leftOut = new Map<string, string>();
  #left: number;

  constructor(room: number, form: JsonForm) {
    this.#left = room;
    this.#form = form;
  }

  /**
   * Puts a value in, in the place of one of the same name; `false`: there was no room.
   *
   * @param always Whatever room there is.
   * @param part More of it was there.
   */
  put(name: string, value: unknown, { always = false, part = false } = {}): boolean {
    if (isEmpty(value)) return true;
    const size = this.#sizeOf(name, value);
    const freed = this.#sizeOfKept(name);
    if (size - freed > Math.max(this.#left, 0) && !always) {
      this.#leftOut.set(name, name in this.#kept ? `part of ${name}` : name);
      return false;
    }
    this.#left -= size - freed;
    this.#kept[name] = value;
    if (!part) this.#leftOut.delete(name);
    return true;
  }

  /** For a list that goes in even without entries. */
  keepRoomFor(name: string): void {
    this.#kept[name] = [];
    this.#left -= this.#sizeOf(name, []);
  }

  /** Puts in the first entries, and those for which there is room in this share of what is left. */
  putList(name: string, list: readonly unknown[], { share, atLeast }: { share: number; atLeast: number }): void {
    const freed = this.#sizeOfKept(name);
    let left = (this.#left + freed) * share - this.#sizeOf(name, []);
    const fitting = list.filter((entry, at) => {
      left -= this.#before(3) + sizeInForm(entry, this.#form, 3) + 1;
      return left >= 0 || at < atLeast;
    });
    if (fitting.length < list.length) {
      const of = fitting.length > 0 ? ` of ${list.length}` : "";
      this.#leftOut.set(name, `${list.length - fitting.length}${of} ${name}`);
    }
    if (fitting.length === 0) return;
    this.#left -= this.#sizeOf(name, fitting) - freed;
    this.#kept[name] = fitting;
  }

  result(): Record<string, unknown> {
    if (this.#leftOut.size === 0) return this.#kept;
    const names = [...this.#leftOut.values()].join(", ");
    return { ...this.#kept, left_out: `${names}: research_result, detail "full"` };
  }

  /** Before a member of this depth. */
  #before(depth: number): number {
    return this.#form.isPretty ? indent(depth) : 0;
  }

  #sizeOfKept(name: string): number {
    return name in this.#kept ? this.#sizeOf(name, this.#kept[name]) : 0;
  }

  #sizeOf(name: string, value: unknown): number {
    return this.#before(2) + name.length + BESIDE_NAME + sizeInForm(value, this.#form, 2);
  }
}

function onlyNumbers(object: Metadata): Metadata {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => typeof value !== "object" || value === null));
}

function withoutEmpty(object: Metadata): Metadata {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Metadata {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shortened(value: unknown, longest: number): unknown {
  if (typeof value !== "string" || value.length <= longest) return value;
  return `${value
    .replace(/\s+/g, " ")
    .slice(0, longest - 1)
    .trimEnd()}…`;
}

/** @param depth Of the line on which the value begins, in an answer with a line for each member. */
function sizeInForm(value: unknown, { isPretty }: JsonForm, depth: number): number {
  const lines = outgoingJson(value, isPretty ? 2 : 0).split("\n");
  return lines.reduce((size, line) => size + line.length + indent(depth), -indent(depth));
}

/** The line feed and the blanks before a member. */
function indent(depth: number): number {
  return 2 * depth + 1;
}
