import { ABSENT, type Alternative, alternatives, type Digits, type ReadText, sameKey } from "./coercions.js";
import { IssuePaths, type Wrong, weightOf, wrongOf } from "./issues.js";
import { copyWith, putAt, valueAt } from "./parts.js";
import { type OddNumbers, oddNumbersOf } from "./source.js";
import type { SchemaIssue, SchemaResult, StandardSchemaV1 } from "./standard-schema.js";

/** A schema that answers with a promise cannot choose between candidates. */
export class AsyncSchemaError extends Error {}

/** A value that was changed because the schema asked for another type. */
export interface Coercion {
  path: readonly PropertyKey[];
  sure: boolean;
}

export type Fit<T> = { fits: true; value: T; coerced: Coercion[] } | { fits: false; issues: readonly SchemaIssue[] };

/** How a value was read, as far as its coercions need to know. */
export interface Origin {
  /** The JSON that it was parsed from. */
  json?: (() => string | undefined) | undefined;
  /** Where the value stands in what was parsed. */
  path?: readonly PropertyKey[];
  read?: ReadText;
}

/** For each origin once: the numbers that are written in an odd way. */
const ODD_NUMBERS = new WeakMap<Origin, OddNumbers>();

/** A number as it was written; not sure where nobody knows whether `2` was `2.0`. */
function digitsOf(value: number, path: readonly PropertyKey[], origin: Origin): Digits | undefined {
  const json = ODD_NUMBERS.has(origin) ? "" : origin.json?.();
  if (json === undefined) return Number.isSafeInteger(value) ? { digits: String(value), sure: false } : undefined;
  const odd = ODD_NUMBERS.get(origin) ?? oddNumbersOf(json);
  ODD_NUMBERS.set(origin, odd);
  const written = odd.byPath.get(JSON.stringify([...(origin.path ?? []), ...path]));
  // Under a key that was put right, the value stands at another path.
  return { digits: written ?? String(value), sure: written !== undefined || !odd.values.has(value) };
}

/** Values that are tried in place of one that does not fit; more would be guessing. */
const MAX_TRIALS = 64;
/** Where the schema complains more often, all is changed at once: each trial costs a validation of the whole. */
const MAX_SINGLE = 16;

/** A value, what is still wrong with it, and what was changed. */
interface Attempt {
  value: unknown;
  issues: readonly SchemaIssue[];
  coerced: readonly Coercion[];
}

/** Whether the value fits, if need be after changes where the schema complains: see the README's list. */
export function fit<T>(schema: StandardSchemaV1<unknown, T> | undefined, value: unknown, origin: Origin = {}): Fit<T> {
  if (!schema) return { fits: true, value: value as T, coerced: [] };
  const first = validate(schema, value);
  if (!first.issues) return { fits: true, value: first.value, coerced: [] };
  let attempt: Attempt | undefined = { value, issues: first.issues, coerced: [] };
  for (let trials = 0; attempt && attempt.issues.length > MAX_SINGLE && trials < MAX_TRIALS; trials++) {
    const next: Fit<T> | Attempt | undefined = changedTogether(schema, attempt, origin);
    if (next && "fits" in next) return next;
    attempt = next;
  }
  return (attempt && changedSingly(schema, attempt, origin)) ?? { fits: false, issues: first.issues };
}

/** What may stand where something is wrong. */
function* waysAt(value: unknown, { path, named }: Wrong, origin: Origin): Generator<Alternative> {
  const found = valueAt(value, path);
  if (found === ABSENT && path.length > 0) {
    const container = valueAt(value, path.slice(0, -1));
    const from = sameKey(container, path.at(-1));
    if (from !== undefined) yield { by: valueAt(container, [from]), sure: true, from };
    return;
  }
  const source = () => digitsOf(found as number, path, origin);
  yield* alternatives(found, { named, read: origin.read, source });
}

/** One change after the other, since one may settle what is wrong elsewhere. */
function changedSingly<T>(schema: StandardSchemaV1<unknown, T>, from: Attempt, origin: Origin): Fit<T> | undefined {
  let { value, issues } = from;
  const coerced = [...from.coerced];
  for (let trials = 0; trials < MAX_TRIALS; ) {
    let progress = false;
    search: for (const wrong of wrongOf(issues)) {
      const { path } = wrong;
      for (const way of waysAt(value, wrong, origin)) {
        if (++trials > MAX_TRIALS) break search;
        const trial = copyWith(value, [{ path, ...way }]);
        const result = validate(schema, trial);
        const other = way.or === undefined ? undefined : copyWith(value, [{ path, by: way.or }]);
        const coercion = { path, sure: way.sure && !(other && !isWrong(validate(schema, other).issues ?? [], path)) };
        if (!result.issues) return { fits: true, value: result.value, coerced: [...coerced, coercion] };
        if (!helps(way, path, issues, result.issues)) continue;
        value = trial;
        issues = result.issues;
        coerced.push(coercion);
        progress = true;
        break search;
      }
    }
    if (!progress) break;
  }
  return undefined;
}

/** Whether a change that does not settle everything is a step towards it. */
function helps(
  { opened, from }: Alternative,
  path: readonly PropertyKey[],
  before: readonly SchemaIssue[],
  after: readonly SchemaIssue[],
): boolean {
  if (opened) return opens(after, path);
  // Under its right key, a value may still be of the wrong type.
  if (from !== undefined) return weightOf(after) <= weightOf(before);
  return weightOf(after) < weightOf(before) && !isWrong(after, path);
}

function isWrong(issues: readonly SchemaIssue[], path: readonly PropertyKey[]): boolean {
  return new IssuePaths(wrongOf(issues)).within(path);
}

/** Whether nothing is wrong but inside of the value. */
function opens(issues: readonly SchemaIssue[], path: readonly PropertyKey[]): boolean {
  return !wrongOf(issues).some(
    (one) => one.path.length === path.length && one.path.every((key, at) => key === path[at]),
  );
}

/** All changes at once: what many rows need costs no more than what one needs. Undefined if that does not help. */
function changedTogether<T>(
  schema: StandardSchemaV1<unknown, T>,
  from: Attempt,
  origin: Origin,
): Fit<T> | Attempt | undefined {
  let open = firstWays(from, origin);
  const coerced: readonly Coercion[] = open;
  for (let { value } = from; open.length > 0; ) {
    value = copyWith(
      value,
      open.map(({ path, way }) => ({ path, ...way })),
    );
    const result = validate(schema, value);
    const told = () => [...from.coerced, ...coerced.map(({ path, sure }) => ({ path, sure }))];
    if (!result.issues) return { fits: true, value: result.value, coerced: told() };
    const wrong = new IssuePaths(wrongOf(result.issues));
    open = open.filter(({ path }) => wrong.within(path));
    if (open.length > 0) {
      if (!open.every(goesOn)) return undefined;
      continue;
    }
    const { issues } = result;
    return issues.length < from.issues.length ? { value, issues, coerced: told() } : undefined;
  }
  return undefined;
}

/** A change that is tried somewhere, and those that may be tried after it. */
interface Trying extends Coercion {
  way: Alternative;
  left: Generator<Alternative>;
}

/** The first change wherever something is wrong. None as soon as there is one place that no change helps. */
function firstWays({ value, issues }: Attempt, origin: Origin): Trying[] {
  const found = new Map<string, Trying>();
  for (const issue of issues) {
    const once = new Map(wrongOf([issue]).map((one) => [JSON.stringify(one.path), one]));
    for (const [name, wrong] of once) {
      if (found.has(name)) continue;
      const left = waysAt(value, wrong, origin);
      const { value: way } = left.next();
      if (!way) return [];
      found.set(name, { path: wrong.path, way, left, sure: isSure(way) });
    }
  }
  return [...found.values()];
}

/** Takes the next change. */
function goesOn(trying: Trying): boolean {
  const { value: way } = trying.left.next();
  if (way) Object.assign(trying, { way, sure: isSure(way) });
  return way !== undefined;
}

function isSure({ sure, or }: Alternative): boolean {
  return sure && or === undefined;
}

/** So many alternatives of a value are tried. */
const MAX_ROUNDS = 4;

/**
 * Changes the parts of a value that have ended as the schema asks, where nothing is lost: in place, so that each is
 * changed once. What has not ended may still be wrong.
 */
export function settle(
  schema: StandardSchemaV1<unknown, unknown>,
  value: unknown,
  hasEnded: (path: PropertyKey[]) => boolean,
): void {
  const tried = new Map<string, { path: PropertyKey[]; left: Generator<Alternative>; was: unknown }>();
  for (let round = 0; ; round++) {
    const found = wrongOf(validate(schema, value).issues ?? []);
    const wrong = new IssuePaths(found);
    for (const [name, { path, was }] of tried) {
      if (wrong.within(path)) putAt(value, path, was);
      else tried.delete(name);
    }
    if (round >= MAX_ROUNDS) return;
    let changed = false;
    for (const one of found) {
      const { path } = one;
      const was = valueAt(value, path);
      if (path.length === 0 || was === ABSENT || !hasEnded(path)) continue;
      const name = JSON.stringify(path);
      const known = tried.get(name) ?? { path, left: waysAt(value, one, {}), was };
      tried.set(name, known);
      const { value: way } = known.left.next() as { value: Alternative | undefined };
      if (!way?.sure || way.or !== undefined || way.by === ABSENT) continue;
      putAt(value, path, way.by);
      changed = true;
    }
    if (!changed) return;
  }
}

export function validate<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): SchemaResult<T> {
  let result: SchemaResult<T> | Promise<SchemaResult<T>>;
  try {
    result = schema["~standard"].validate(value);
  } catch (error) {
    // A check of the caller's that throws on an odd value, or a recursive schema on a deep one.
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
  if (result instanceof Promise) {
    result.catch(() => {});
    throw new AsyncSchemaError();
  }
  return result;
}
