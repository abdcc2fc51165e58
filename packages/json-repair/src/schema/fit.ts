/** Whether a value fits a schema, if need be after changes where the schema complains: see the README's list. */
import { type Alternative, alternatives, type ReadText, sameKey } from "./coercions.js";
import { ABSENT, copyWith, define, type KeyPath, namedBy, nameOf, valueAt, withDigits, wrongOf } from "./parts.js";
import { type SchemaIssue, type SchemaResult, type StandardSchemaV1, validate } from "./standard-schema.js";

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
  read?: ReadText;
}

/** Without an origin the value must fit as it stands. */
export function fit<T>(schema: StandardSchemaV1<unknown, T> | undefined, value: unknown, origin?: Origin): Fit<T> {
  if (!schema) return { fits: true, value: value as T, coerced: [] };
  const first = validate(schema, value);
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
  const { issues } = validate(schema, value);
  const ways = waysOf({});
  const { changes } = changed(schema, value, issues ?? [], function* (whole, path, named) {
    if (path.length === 0 || !hasEnded(path)) return;
    for (const way of ways(whole, path, named)) if (way.sure && way.by !== ABSENT && way.from === undefined) yield way;
  });
  for (const { path, by } of changes)
    define(valueAt(value, path.slice(0, -1)) as object, path.at(-1) as PropertyKey, by);
}

type Ways = (value: unknown, path: KeyPath, named: readonly unknown[]) => Generator<Alternative>;

/** What may stand where something is wrong. */
function waysOf({ json, path: before = [], read }: Origin): Ways {
  let source: unknown;
  const written = (value: number, path: KeyPath): Alternative | undefined => {
    const text = source === undefined ? json?.() : undefined;
    if (text !== undefined) source = withDigits(text);
    const digits = valueAt(source, [...before, ...path]);
    if (typeof digits === "string" && Number(digits) === value) return { by: digits, sure: true };
    // Nobody knows whether it was `2.0`.
    return Number.isSafeInteger(value) ? { by: String(value), sure: false } : undefined;
  };
  return function* (value, path, named) {
    const found = valueAt(value, path);
    const container = valueAt(value, path.slice(0, -1));
    const from = found === ABSENT ? sameKey(container, path.at(-1)) : undefined;
    if (from !== undefined) yield { by: valueAt(container, [from]), sure: true, from };
    yield* alternatives(found, { named, read, written: () => written(found as number, path) });
  };
}

/** A place where something is wrong, what is tried there, and what may be tried after it. */
interface Place {
  path: KeyPath;
  way: Alternative | undefined;
  left: Generator<Alternative>;
}

/** So often a value is asked about; more would be guessing. */
const MAX_ROUNDS = 32;

/**
 * The value with the changes that help. In each round, what did not help at a place gives way to what may be tried next,
 * at all places at once: what many rows need costs no more than what one needs.
 */
function changed<T>(schema: StandardSchemaV1<unknown, T>, value: unknown, first: readonly SchemaIssue[], ways: Ways) {
  const whole = changedAsWhole(schema, value, first, ways);
  if (whole) return whole;
  const places = new Map<string, Place>();
  let current = value;
  let result: SchemaResult<T> = { issues: first };
  for (let round = 0; result.issues; round++) {
    if (round >= MAX_ROUNDS) return { result, changes: [] };
    if (!goesOn(places, current, result.issues, ways)) break;
    current = copyWith(value, changesOf(places));
    result = validate(schema, current);
  }
  return { result, changes: changesOf(places) };
}

/** The same where nothing is known to be wrong inside of the value, as of most of a text: one place needs no account. */
function changedAsWhole<T>(
  schema: StandardSchemaV1<unknown, T>,
  value: unknown,
  first: readonly SchemaIssue[],
  ways: Ways,
) {
  if (first.some(isInside)) return undefined;
  for (const way of ways(value, [], first.flatMap(namedBy))) {
    const result = validate(schema, way.by);
    if (!result.issues) return { result, changes: [{ path: [], ...way }] };
    if (result.issues.some(isInside)) return undefined;
  }
  return { result: { issues: first }, changes: [] };
}

/** Whether something is wrong inside of the value, or in a member of a union. */
function isInside(issue: SchemaIssue): boolean {
  return (issue.path?.length ?? 0) > 0 || "errors" in issue || "issues" in issue;
}

function changesOf(places: ReadonlyMap<string, Place>) {
  return [...places.values()].flatMap(({ path, way }) => (way ? [{ path, ...way }] : []));
}

/** Whether anything is left to be tried. */
function goesOn(places: Map<string, Place>, value: unknown, issues: readonly SchemaIssue[], ways: Ways): boolean {
  const wrong = wrongOf(issues);
  const around = new Set<string>();
  for (const { path } of wrong.values())
    for (let depth = 0; depth < path.length; depth++) around.add(nameOf(path.slice(0, depth)));
  /** Where another value stands than the one that was asked about: what is wrong inside of it is not looked at. */
  const moved = new Set<string>();
  for (const place of places.values()) {
    const { path, way, left } = place;
    const name = nameOf(path);
    // What was inside of a string, or under another key, is looked at in its turn.
    const isWrong = way?.from === undefined && (wrong.has(name) || (around.has(name) && !way?.opened));
    if (!way || !isWrong) continue;
    place.way = left.next().value ?? undefined;
    moved.add(name);
  }
  for (const [name, { path, named }] of wrong) {
    const isAbsent = valueAt(value, path) === ABSENT;
    const key = isAbsent ? `${name} absent` : name;
    if (places.has(key) || (moved.size > 0 && isWithin(path, moved))) continue;
    const left = ways(value, path, named);
    const way = left.next().value ?? undefined;
    places.set(key, { path, way, left });
    if (way) moved.add(name);
  }
  return moved.size > 0;
}

function isWithin(path: KeyPath, moved: ReadonlySet<string>): boolean {
  return moved.has(nameOf(path)) || path.some((_, depth) => moved.has(nameOf(path.slice(0, depth))));
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
  const probe = Object.fromEntries(
    Object.keys(row)
      .map((key) => [key, PROBE])
      .slice(0, MAX_KEYS),
  );
  const { issues = [] } = validate(schema, isRow ? [probe] : probe);
  const keys = [...wrongOf(issues).values()].map(({ path }) => path[isRow ? 1 : 0]);
  return new Set(keys.filter((key) => key !== undefined && Object.hasOwn(probe, key)) as PropertyKey[]);
}
