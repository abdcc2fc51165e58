/** The values that another one may be written as, where a schema asks for another type. */
import { ABSENT } from "./parts.js";

/** What may stand in the place of a value. */
export interface Alternative {
  by: unknown;
  /** Nothing is lost, and nothing else can be meant. */
  sure: boolean;
  /** The value stands under this key of the same object, which is written in another style. */
  from?: string;
  /** What was inside of a string: what is wrong with it is looked at in its turn. */
  opened?: boolean;
}

/** What is known of a value at which something is wrong. */
interface Known {
  /** The values that the schema names as right. */
  named: readonly unknown[];
  /** Reads a text as JSON, repaired if need be; undefined if it is none. */
  read: ReadText | undefined;
  /** A number as it was written. */
  written(): Alternative | undefined;
}
export type ReadText = (text: string) => { value: unknown; sure: boolean } | undefined;

/** `42`, `-1.5e3`, `+42`, `1,234`, `$1,234.50`, with no more digits than a number holds. */
const NUMBER = /^[+-]?[$€£¥]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,2})?$/;
/** `1,234`: the comma may be that of a fraction. */
const ONE_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const NOTHING = /^(?:null|none|nil|n\/a|-|)$/i;
/** What stands between a word and its description: `done – all of it`. */
const DESCRIPTION = /[:,.(]|\s[-–—]/;
/** Short parts, all of them filled. */
const LISTED = /^[^,;]{1,60}(?:[,;](?!\s*(?:[,;]|$))[^,;]{1,60})+$/;
/** Not several, with `/` between them; an address is one. */
const ONE = /^(?:\w{2,10}:\/\/[^,;|\r\n]*|[^/,;|\r\n]*)$/;

/** What a text may be written for, in the order in which it is tried. */
const TEXTS: readonly { is: RegExp; by(text: string): unknown; sure: boolean }[] = [
  { is: /^(?:true|false)$/i, by: (text) => text.toLowerCase() === "true", sure: true },
  { is: NUMBER, by: (text) => Number(text.replace(/[+$€£¥,]/g, "")), sure: true },
  { is: /^(?:yes|1)$/i, by: () => true, sure: false },
  { is: /^(?:no|0)$/i, by: () => false, sure: false },
  { is: NOTHING, by: () => null, sure: false },
  { is: LISTED, by: (text) => text.split(/[,;]/).map((part) => part.trim()), sure: false },
];

/** For a value at which something is wrong. */
export function* alternatives(value: unknown, known: Known): Generator<Alternative> {
  if (value === ABSENT || value === undefined || Array.isArray(value)) return;
  if (value === null) {
    yield { by: ABSENT, sure: true };
    return;
  }
  const text = typeof value === "string" ? value.trim() : undefined;
  if (text !== undefined) yield* ofText(text, known);
  else if (typeof value === "number") {
    const written = known.written();
    if (written) yield written;
    if (value === 0 || value === 1) yield { by: value === 1, sure: false };
  } else if (typeof value === "boolean") yield { by: String(value), sure: true };
  else yield* ofNumberedKeys(value as Record<string, unknown>);
  yield { by: [value], sure: text === undefined || (ONE.test(text) && !NOTHING.test(text)) };
}

function* ofText(text: string, { named, read }: Known): Generator<Alternative> {
  const words = [...new Set(named)].filter((one) => typeof one === "string" && one !== "") as string[];
  for (const [by, sure] of [
    [text, true],
    [text.split(DESCRIPTION)[0] ?? text, false],
  ] as const) {
    const same = words.filter((word) => plain(word) === plain(by));
    if (same.length === 1) yield { by: same[0], sure };
  }
  const inner = /^[[{]/.test(text) ? read?.(text) : undefined;
  if (inner) yield { by: inner.value, sure: inner.sure, opened: true };
  for (const { is, by, sure } of TEXTS) if (is.test(text)) yield { by: by(text), sure: sure && !ONE_GROUP.test(text) };
}

/** `{"1": …, "2": …}` as a list. */
function* ofNumberedKeys(value: Record<string, unknown>): Generator<Alternative> {
  const keys = Object.keys(value);
  const first = Number(keys[0]);
  if (first <= 1 && keys.every((key, nth) => key === String(first + nth)))
    yield { by: Object.values(value), sure: false };
}

/** The one key of an object that is the missing one in another style: `user_name`, `User name`. */
export function sameKey(container: unknown, missing: PropertyKey | undefined): string | undefined {
  if (typeof container !== "object" || container === null || Array.isArray(container)) return undefined;
  if (typeof missing !== "string" || plain(missing) === "") return undefined;
  const alike = Object.keys(container).filter((key) => key !== missing && plain(key) === plain(missing));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Blanks and strokes; but one before a number, between two, or at the end is a sign. */
const STROKES = /(?!(?<=(?:^|\d)\s{0,9})[_-](?=\s{0,9}\d)|-\s{0,9}$)[\s_-]/g;

/** `In progress` and `in_progress` are the same word; `A` and `A-`, `1` and `-1`, `12` and `1-2` are not. */
function plain(text: string): string {
  return text.toLowerCase().replace(STROKES, "");
}
