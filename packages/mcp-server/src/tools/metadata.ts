import { sizeInJson } from "../report/document.js";

type Metadata = Readonly<Record<string, unknown>>;

/** An answer up to this length is short: it may have more beside its text. */
const SHORT = 3_000;
/** Of a sentence a part still tells something; of an address it leads nowhere. */
const SENTENCE = 300;
/** Quotes, colon, comma. */
const BESIDE_NAME = 4;

/** Always there, whatever room there is: who asked what, how it was answered, and what a reader must know of it. */
const FIXED = [
  ...["duration_ms", "query", "topic", "depth", "model", "timestamp", "iterations"],
  ...["note", "partial", "unstructured", "cached", "continued"],
];
/** Lists in the order in which they go in, with the room that each has at least. Those of the contract stay when empty. */
const LISTS = [
  { name: "warnings", atLeast: 400, ofContract: false },
  { name: "sources_visited", atLeast: 1_000, ofContract: true },
  { name: "search_queries_used", atLeast: 500, ofContract: true },
  { name: "gaps", atLeast: 0, ofContract: false },
];
const APART = new Set([...FIXED, ...LISTS.map(({ name }) => name), "evidence", "rounds", "usage"]);

/** How much may stand beside a text of this length: a quarter of the answer, and more where the answer is short. */
export function roomBeside(resultLength: number): number {
  return Math.max(resultLength / 3, SHORT - resultLength);
}

/**
 * What a report says of itself, in about `room` characters of JSON: what matters most goes in first, lists as far as
 * there is room. What it cost and lists without entries are left out; what else was, is named in `left_out`.
 */
export function compactMetadata(metadata: Metadata, room: number): Record<string, unknown> {
  const compact = new Compact(room);
  for (const name of FIXED) compact.put(name, shortened(metadata[name]), { always: true });
  const { evidence, rounds } = metadata;
  const { claims, sources, ...known } = isObject(evidence) ? withoutEmpty(evidence) : {};
  compact.put("evidence", withoutEmpty(onlyNumbers(known)), { always: true });
  for (const { name, atLeast, ofContract } of LISTS) {
    const list = metadata[name];
    if (!Array.isArray(list)) continue;
    compact.putList(name, ofContract ? list : list.map(shortened), { atLeast, always: ofContract });
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
  readonly #kept: Record<string, unknown> = {};
  readonly #leftOut = new Map<string, string>();
  #left: number;

  constructor(room: number) {
    this.#left = room;
  }

  /**
   * Puts a value in, in the place of one of the same name; `false`: there was no room.
   *
   * @param always Whatever room there is.
   * @param part More of it was there.
   */
  put(name: string, value: unknown, { always = false, part = false } = {}): boolean {
    if (isEmpty(value)) return true;
    const size = sizeOf(name, value);
    const freed = name in this.#kept ? sizeOf(name, this.#kept[name]) : 0;
    if (size - freed > Math.max(this.#left, 0) && !always) {
      this.#leftOut.set(name, name);
      return false;
    }
    this.#left -= size - freed;
    this.#kept[name] = value;
    if (!part) this.#leftOut.delete(name);
    return true;
  }

  /** Puts in those of the entries for which there is room: half of what is left, or `atLeast` if that is more. */
  putList(name: string, list: readonly unknown[], { atLeast, always }: { atLeast: number; always: boolean }): void {
    let left = Math.max(this.#left / 2, atLeast) - sizeOf(name, []);
    const fitting = list.filter((entry) => {
      left -= jsonSize(entry) + 1;
      return left >= 0;
    });
    if (fitting.length < list.length) this.#leftOut.set(name, `${list.length - fitting.length} of ${name}`);
    this.#left -= sizeOf(name, fitting);
    if (fitting.length > 0 || always) this.#kept[name] = fitting;
  }

  result(): Record<string, unknown> {
    if (this.#leftOut.size === 0) return this.#kept;
    const names = [...this.#leftOut.values()].join(", ");
    return { ...this.#kept, left_out: `${names}: research_result with detail "full" gives all` };
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

function shortened(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= SENTENCE) return value;
  return `${value
    .replace(/\s+/g, " ")
    .slice(0, SENTENCE - 1)
    .trimEnd()}…`;
}

function sizeOf(name: string, value: unknown): number {
  return name.length + BESIDE_NAME + jsonSize(value);
}

function jsonSize(value: unknown): number {
  return typeof value === "string" ? sizeInJson(value) + 2 : (JSON.stringify(value)?.length ?? 0);
}
