/** Whether a value fits a schema, if need be after changes where the schema complains: see the README's list. */
import * as s from "./standard-schema.js";
import { ABSENT, type KeyPath, nameOf, type SchemaIssue, type StandardSchemaV1, valueAt } from "./standard-schema.js";

/** A value that was changed because the schema asked for another type. */
export interface Coercion {
  path: KeyPath;
  sure: boolean;
}

export type Fit<T> = { fits: true; value: T; coerced: Coercion[] } | { fits: false; issues: readonly SchemaIssue[] };

/** How a value was read, as far as its coercions need to know. */
export interface Origin {
  /** The JSON that it was parsed from. */
  json?: (() => string | undefined) | undefined;
  /** Where the value stands in what was parsed. */
  path?: KeyPath;
  /** Reads a text as JSON, repaired if need be; undefined if it is none. */
  read?: (text: string) => { value: unknown; sure: boolean } | undefined;
}

/** Without an origin the value must fit as it stands. */
export function fit<T>(schema: StandardSchemaV1<unknown, T> | undefined, value: unknown, origin?: Origin): Fit<T> {
  if (!schema) return { fits: true, value: value as T, coerced: [] };
  const first = s.validate(schema, value);
  if (!first.issues) return { fits: true, value: first.value, coerced: [] };
  if (!origin) return { fits: false, issues: first.issues };
  const { result, changes } = changed(schema, value, first.issues, waysOf(origin));
  if (result.issues) return { fits: false, issues: first.issues };
  return { fits: true, value: result.value, coerced: changes.map(({ path, sure }) => ({ path, sure })) };
}

/**
 * Changes the parts of a value that have ended as the schema asks, where nothing is lost: in place, so that each is
 * changed once. What has not ended may still be wrong.
 */
export function settle(
  schema: StandardSchemaV1<unknown, unknown>,
  value: unknown,
  hasEnded: (path: KeyPath) => boolean,
): void {
  const ways = waysOf({});
  const { changes } = changed(schema, value, s.validate(schema, value).issues ?? [], function* (whole, wrong) {
    if (wrong.path.length === 0 || !hasEnded(wrong.path)) return;
    for (const way of ways(whole, wrong)) if (way.sure && way.by !== ABSENT && way.from === undefined) yield way;
  });
  for (const { path, by } of changes)
    s.define(valueAt(value, path.slice(0, -1)) as object, path.at(-1) as PropertyKey, by);
}

/** So many keys are asked about. */
const MAX_KEYS = 200;
/** A value that no JSON has. */
const PROBE = () => undefined;

/** The keys of an object, or of a row of a list, for which a schema asks for something: it refuses what is no JSON there. */
export function askedKeys(
  schema: StandardSchemaV1<unknown, unknown>,
  row: object,
  { isRow }: { isRow: boolean },
): ReadonlySet<PropertyKey> {
  const keys = Object.keys(row).slice(0, MAX_KEYS);
  const probe = Object.fromEntries(keys.map((key) => [key, PROBE]));
  const { issues = [] } = s.validate(schema, isRow ? [probe] : probe);
  const wrong = [...s.wrongOf(issues).values()].map(({ path }) => path[isRow ? 1 : 0]);
  return new Set(wrong.filter((key) => key !== undefined && Object.hasOwn(probe, key)) as PropertyKey[]);
}

/** What may stand in the place of a value. */
interface Way {
  by: unknown;
  /** Nothing is lost, and nothing else can be meant. */
  sure: boolean;
  /** The value stands under this key of the same object, which is written in another style. */
  from?: string;
  /** What was inside of a string: what is wrong with it is looked at in its turn. */
  opened?: boolean;
}

/** What may stand where something is wrong. */
type Ways = (whole: unknown, wrong: s.Wrong) => Generator<Way>;

/** What is tried at a place, and what may be tried after it. */
interface Place {
  path: KeyPath;
  way: Way | undefined;
  left: Generator<Way>;
}

/** So often a value is asked about; more would be guessing. */
const MAX_ROUNDS = 32;

/**
 * The value with the changes that help. In each round, what did not help at a place gives way to what may be tried next,
 * at all places at once: what many rows need costs no more than what one needs.
 */
function changed<T>(schema: StandardSchemaV1<unknown, T>, value: unknown, first: readonly SchemaIssue[], ways: Ways) {
  const places = new Map<string, Place>();
  const changes = () => [...places.values()].flatMap(({ path, way }) => (way ? [{ path, ...way }] : []));
  let current = value;
  let result: s.SchemaResult<T> = { issues: first };
  for (let round = 0; result.issues && goesOn(places, current, result.issues, ways); round++) {
    if (round === MAX_ROUNDS) return { result, changes: [] };
    current = s.copyWith(value, changes());
    result = s.validate(schema, current);
  }
  return { result, changes: changes() };
}

/** Whether anything is left to be tried. */
function goesOn(places: Map<string, Place>, value: unknown, issues: readonly SchemaIssue[], ways: Ways): boolean {
  const wrong = s.wrongOf(issues);
  const around = new Set<string>();
  for (const { path } of wrong.values()) for (const name of namesAround(path)) around.add(name);
  /** Where another value stands than the one that was asked about: what is wrong inside of it is not looked at. */
  const moved = new Set<string>();
  for (const place of places.values()) {
    const { way, left } = place;
    const name = nameOf(place.path);
    // What was inside of a string, or under another key, is looked at in its turn.
    const isWrong = way?.from === undefined && (wrong.has(name) || (around.has(name) && !way?.opened));
    if (!way || !isWrong) continue;
    place.way = left.next().value ?? undefined;
    moved.add(name);
  }
  for (const [name, one] of wrong) {
    const { path } = one;
    const key = valueAt(value, path) === ABSENT ? `${name} absent` : name;
    const isMoved = moved.size > 0 && [name, ...namesAround(path)].some((outer) => moved.has(outer));
    if (places.has(key) || isMoved) continue;
    const left = ways(value, one);
    const way = left.next().value ?? undefined;
    places.set(key, { path, way, left });
    if (way) moved.add(name);
  }
  return moved.size > 0;
}

const namesAround = (path: KeyPath) => path.map((_, depth) => nameOf(path.slice(0, depth)));

/** `42`, `-1.5e3`, `+42`, `1,234`, `$1,234.50`, with no more digits than a number holds. */
const NUMBER = /^[+-]?[$€£¥]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,2})?$/;
const numberIn = (text: string) => Number(text.replace(/[+$€£¥,]/g, ""));
const NOTHING = /^(?:null|none|nil|n\/a|-|)$/i;
/** Not several, with `/` between them; an address is one. */
const ONE = /^(?:\w{2,10}:\/\/[^,;|\r\n]*|[^/,;|\r\n]*)$/;

/** What a text, a number or a boolean may be written for, in the order in which it is tried, and whether that is sure. */
const WRITTEN: readonly [is: RegExp, by: (text: string) => unknown, sure: boolean][] = [
  [/^(?:true|false)$/i, (text) => text.toLowerCase() === "true", true],
  // The comma may be that of a fraction.
  [/^[+-]?[1-9]\d{0,2},\d{3}$/, numberIn, false],
  [NUMBER, numberIn, true],
  [/^(?:yes|1)$/i, () => true, false],
  [/^(?:no|0)$/i, () => false, false],
  [NOTHING, () => null, false],
  // Short parts, all of them filled.
  [
    /^[^,;]{1,60}(?:[,;](?!\s*(?:[,;]|$))[^,;]{1,60})+$/,
    (text) => text.split(/[,;]/).map((part) => part.trim()),
    false,
  ],
];

function waysOf(origin: Origin): Ways {
  let source: unknown;
  const digitsAt = (path: KeyPath) => {
    source ??= withDigits(origin.json?.() ?? "null");
    return valueAt(source, [...(origin.path ?? []), ...path]);
  };
  return function* (whole, { path, named }) {
    const value = valueAt(whole, path);
    if (value === ABSENT) yield* ofOtherKey(valueAt(whole, path.slice(0, -1)), path.at(-1));
    if (value === ABSENT || value === undefined || Array.isArray(value)) return;
    if (value === null) return yield { by: ABSENT, sure: true };
    const text = typeof value === "object" ? undefined : String(value).trim();
    if (text === undefined) yield* ofNumberedKeys(value);
    else if (typeof value === "string") yield* ofWords(text, named, origin.read);
    else if (typeof value === "number") {
      const digits = digitsAt(path);
      const isWritten = typeof digits === "string" && Number(digits) === value;
      // Nobody knows whether a whole number was `2.0`.
      if (isWritten || Number.isSafeInteger(value)) yield { by: isWritten ? digits : text, sure: isWritten };
    }
    for (const [is, by, sure] of WRITTEN)
      if (text !== undefined && is.test(text) && by(text) !== value) yield { by: by(text), sure };
    if (typeof value === "boolean") yield { by: text, sure: true };
    yield { by: [value], sure: text === undefined || (ONE.test(text) && !NOTHING.test(text)) };
  };
}

/** The value of the one key that is the missing one in another style: `user_name`, `User name`. */
function* ofOtherKey(container: unknown, missing: PropertyKey | undefined): Generator<Way> {
  const alike = Object.keys(Object(container)).filter((key) => plain(key) === plain(String(missing)));
  const [from] = alike;
  if (from !== undefined && alike.length === 1) yield { by: valueAt(container, [from]), sure: true, from };
}

/** `{"1": …, "2": …}` as a list. */
function* ofNumberedKeys(value: object): Generator<Way> {
  const keys = Object.keys(value);
  const first = Number(keys[0]);
  if (first <= 1 && keys.every((key, nth) => key === String(first + nth)))
    yield { by: Object.values(value), sure: false };
}

/** What stands between a word and its description: `done – all of it`. */
const DESCRIPTION = /[:,.(]|\s[-–—]/;

/** The one of the named words that a text is, or begins with; JSON in a text. */
function* ofWords(text: string, named: readonly unknown[], read: Origin["read"]): Generator<Way> {
  for (const [by, sure] of [[text, true] as const, [text.split(DESCRIPTION, 1)[0] ?? text, false] as const]) {
    const same = new Set(named.filter((word) => typeof word === "string" && plain(word) === plain(by)));
    if (same.size === 1) yield { by: [...same][0], sure };
  }
  const inner = /^[[{]/.test(text) ? read?.(text) : undefined;
  if (inner) yield { by: inner.value, sure: inner.sure, opened: true };
}

/** Blanks and strokes; but one before a number, between two, or at the end is a sign. */
const STROKES = /(?!(?<=(?:^|\d)\s{0,9})[_-](?=\s{0,9}\d)|-\s{0,9}$)[\s_-]/g;

/** `In progress` and `in_progress` are the same word; `A` and `A-`, `1` and `-1`, `12` and `1-2` are not. */
function plain(text: string): string {
  return text.toLowerCase().replace(STROKES, "");
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[^\s,\]}]*/g;

/** The value of a JSON text with its numbers as they are written: parsed, `1.10` and a long id lose digits. */
function withDigits(json: string): unknown {
  return JSON.parse(json.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? token : `"${token}"`)));
}
