import type { SchemaIssue, SchemaResult, StandardSchemaV1 } from "./standard-schema.js";

/** A schema that answers with a promise cannot choose between candidates. */
export class AsyncSchemaError extends Error {}

export type Fit<T> =
  | { fits: true; value: T; coerced: PropertyKey[][] }
  | { fits: false; issues: readonly SchemaIssue[] };

/** Values that are tried in place of one that does not fit; more would be guessing. */
const MAX_TRIALS = 64;
/** Where the schema complains more often, all is changed at once: each trial costs a validation of the whole. */
const MAX_SINGLE = 16;

/** A value, what is still wrong with it, and what was changed. */
interface Attempt {
  value: unknown;
  issues: readonly SchemaIssue[];
  coerced: readonly PropertyKey[][];
}

/**
 * Whether the value fits, if need be after lossless changes where the schema complains: a string that is a number, a
 * boolean or JSON becomes that, one becomes a list of one, and a null becomes a missing key.
 */
export function fit<T>(schema: StandardSchemaV1<unknown, T> | undefined, value: unknown): Fit<T> {
  if (!schema) return { fits: true, value: value as T, coerced: [] };
  const first = validate(schema, value);
  if (!first.issues) return { fits: true, value: first.value, coerced: [] };
  let attempt: Attempt | undefined = { value, issues: first.issues, coerced: [] };
  for (let trials = 0; attempt && attempt.issues.length > MAX_SINGLE && trials < MAX_TRIALS; trials++) {
    const next: Fit<T> | Attempt | undefined = changedTogether(schema, attempt);
    if (next && "fits" in next) return next;
    attempt = next;
  }
  return (attempt && changedSingly(schema, attempt)) ?? { fits: false, issues: first.issues };
}

/** One change after the other, since one may settle what is wrong elsewhere. */
function changedSingly<T>(schema: StandardSchemaV1<unknown, T>, from: Attempt): Fit<T> | undefined {
  let { value, issues } = from;
  const coerced = [...from.coerced];
  for (let trials = 0; trials < MAX_TRIALS; ) {
    let progress = false;
    search: for (const issue of issues) {
      const path = keysOf(issue);
      for (const by of alternatives(valueAt(value, path))) {
        if (++trials > MAX_TRIALS) break search;
        const trial = withChanges(value, [{ path, by }]);
        const result = validate(schema, trial);
        if (!result.issues) return { fits: true, value: result.value, coerced: [...coerced, path] };
        if (result.issues.length >= issues.length || new IssuePaths(result.issues).within(path)) continue;
        value = trial;
        issues = result.issues;
        coerced.push(path);
        progress = true;
        break search;
      }
    }
    if (!progress) break;
  }
  return undefined;
}

/** All changes at once: what many rows need costs no more than what one needs. Undefined if that does not help. */
function changedTogether<T>(schema: StandardSchemaV1<unknown, T>, from: Attempt): Fit<T> | Attempt | undefined {
  const paths = new IssuePaths(from.issues).innermost();
  const coerced = [...from.coerced, ...paths];
  let open = paths.map((path) => ({ path, left: alternatives(valueAt(from.value, path)) }));
  for (let { value } = from; ; ) {
    const changes: Change[] = [];
    for (const { path, left } of open) {
      const next = left.next();
      if (next.done) return undefined;
      changes.push({ path, by: next.value });
    }
    value = withChanges(value, changes);
    const result = validate(schema, value);
    if (!result.issues) return { fits: true, value: result.value, coerced };
    const { issues } = result;
    const wrong = new IssuePaths(issues);
    open = open.filter(({ path }) => wrong.within(path));
    if (open.length === 0) return issues.length < from.issues.length ? { value, issues, coerced } : undefined;
  }
}

/** A few alternatives of a value are tried. */
const MAX_ROUNDS = 4;

/**
 * Changes the parts of a value that have ended as the schema asks, where nothing is lost: in place, so that each is
 * changed once. What has not ended may still be wrong.
 */
export function settle(
  schema: StandardSchemaV1<unknown, unknown>,
  value: unknown,
  hasEnded: (path: (string | number)[]) => boolean,
): void {
  const tried = new Map<string, { path: PropertyKey[]; left: Generator<unknown>; was: unknown }>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { issues = [] } = validate(schema, value);
    const wrong = new IssuePaths(issues);
    for (const [name, { path, was }] of tried) {
      if (wrong.within(path)) putAt(value, path, was);
      else tried.delete(name);
    }
    let changed = false;
    for (const path of wrong.innermost()) {
      const was = valueAt(value, path);
      if (path.length === 0 || was === ABSENT || !hasEnded(path as (string | number)[])) continue;
      const name = JSON.stringify(path);
      const one = tried.get(name) ?? { path, left: alternatives(was), was };
      tried.set(name, one);
      const next = one.left.next();
      if (next.done || next.value === ABSENT) continue;
      putAt(value, path, next.value);
      changed = true;
    }
    if (!changed) break;
  }
  const { issues = [] } = validate(schema, value);
  const wrong = new IssuePaths(issues);
  for (const { path, was } of tried.values()) if (wrong.within(path)) putAt(value, path, was);
}

function putAt(value: unknown, path: readonly PropertyKey[], by: unknown): void {
  const container = valueAt(value, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof container === "object" && container !== null && key !== undefined) define(container, key, by);
}

function validate<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): SchemaResult<T> {
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

const ABSENT = Symbol("absent");

function* alternatives(value: unknown): Generator<unknown> {
  if (value === ABSENT || value === undefined) return;
  if (value === null) {
    yield ABSENT;
    return;
  }
  if (typeof value === "string") {
    const text = value.trim();
    if (/^true$/i.test(text)) yield true;
    else if (/^false$/i.test(text)) yield false;
    else if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,2})?$/.test(text)) yield Number(text);
    else if (/^[[{]/.test(text)) {
      try {
        yield JSON.parse(text);
      } catch {
        // Not JSON: a text that starts with a bracket.
      }
    }
  }
  if (!Array.isArray(value)) yield [value];
}

function keysOf(issue: SchemaIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return ABSENT;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

interface Change {
  path: readonly PropertyKey[];
  by: unknown;
}

/** A copy of what the changes touch; an own `__proto__` stays an own key. */
function withChanges(value: unknown, changes: readonly Change[]): unknown {
  let copies: Set<unknown> | undefined;
  const copyOf = (part: unknown): object => {
    if (copies?.has(part)) return part as object;
    const copy = Array.isArray(part) ? [...(part as unknown[])] : { ...(part as object) };
    copies ??= new Set();
    copies.add(copy);
    return copy;
  };
  let root = value;
  for (const { path, by } of changes) {
    const last = path.at(-1);
    if (last === undefined) {
      root = by;
      continue;
    }
    root = copyOf(root);
    let at = root as Record<PropertyKey, unknown>;
    for (const key of path.slice(0, -1)) {
      const part = copyOf(at[key]);
      define(at, key, part);
      at = part as Record<PropertyKey, unknown>;
    }
    if (by === ABSENT && !Array.isArray(at)) Reflect.deleteProperty(at, last);
    else define(at, last, by);
  }
  return root;
}

function define(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

type PathTree = Map<PropertyKey, PathTree>;

/** The paths of issues, as a tree. */
class IssuePaths {
  readonly #root: PathTree = new Map();

  constructor(issues: readonly SchemaIssue[]) {
    for (const issue of issues) {
      let at = this.#root;
      for (const key of keysOf(issue)) {
        let next = at.get(key);
        if (!next) {
          next = new Map();
          at.set(key, next);
        }
        at = next;
      }
    }
  }

  /** Whether one of them starts with the path. */
  within(path: readonly PropertyKey[]): boolean {
    let at: PathTree | undefined = this.#root;
    for (const key of path) at = at?.get(key);
    return at !== undefined;
  }

  /** Each that is not the start of another one, once. */
  innermost(): PropertyKey[][] {
    const found: PropertyKey[][] = [];
    const open: { tree: PathTree; path: PropertyKey[] }[] = [{ tree: this.#root, path: [] }];
    for (let one = open.pop(); one; one = open.pop()) {
      if (one.tree.size === 0) found.push(one.path);
      for (const [key, tree] of one.tree) open.push({ tree, path: [...one.path, key] });
    }
    return found.reverse();
  }
}
