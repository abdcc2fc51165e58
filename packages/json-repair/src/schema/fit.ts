import { ABSENT, type Change, copyWith, define, type KeyPath, valueAt } from "../decode/strict.js";
import { type Alike, inItsStyle, lessSure, like } from "./keys.js";

/** Whether a value fits a schema, if need be after changes where the schema complains: see the README's list. */

/** The part of Standard Schema v1 (https://standardschema.dev) that validation needs: zod, valibot, arktype fit as they are. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The properties that the standard asks for. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Schema<T = unknown> = StandardSchemaV1<unknown, T>;

/** What the schema made of a value that fits, or what it has against it. */
type SchemaResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** What a schema has against a value. */
export interface SchemaIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** The path from the value to what is wrong; missing for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema that answers with a promise cannot choose between candidates. */
export class AsyncSchemaError extends Error {}

export function validate<T>(schema: Schema<T>, value: unknown): SchemaResult<T> {
  try {
    const result = schema["~standard"].validate(value);
    // Of any kind, also one of another realm.
    if (!("then" in result)) return result;
    Promise.resolve(result).catch(() => {});
  } catch (error) {
    // A check of the caller's that throws on an odd value, or a recursive schema on a deep one.
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
  throw new AsyncSchemaError();
}

export function keysOf({ path = [] }: Pick<SchemaIssue, "path">): PropertyKey[] {
  // Not by its own `map`: a path of arktype is a list of another kind.
  return Array.from(path, (segment) => (typeof segment === "object" ? segment.key : segment));
}

/** What is put in the place of a value, because the schema asks for another type. */
export interface Coercion extends Change {
  /** Nothing is lost, and nothing else can be meant. */
  sure: boolean;
}

/** The JSON that a value was parsed from, for what it is parsed but once (`of`), where the value stands in that, and what reads a text as JSON, repaired if need be. */
interface Origin {
  json?: (() => string) | undefined;
  path?: KeyPath;
  of?: object;
  read?: (text: string) => { value: unknown; sure: boolean } | undefined;
  /** Whether a string had no quotes. */
  isBare?: (text: string) => boolean;
}

/** `work`: what the changes cost, in characters read. */
export function fit<T>(schema: Schema<T>, value: unknown, origin: Origin) {
  const { told, result, coerced, work } = changed(schema, value, waysOf(origin), true);
  if (result.issues) return { fits: false as const, issues: told ?? [], work };
  const current = copyWith(value, coerced);
  const wrongIn = (one: unknown) => wrongOf(validate(schema, one).issues ?? []);
  const made = lessSure(coerced, current, wrongIn);
  const styled = inItsStyle(current, result.value, wrongIn);
  const again = styled.length > 0 && changed(schema, copyWith(current, styled), waysOf({}), true);
  if (!again || again.result.issues) return { fits: true as const, value: result.value, coerced: made, work };
  const all = [...made, ...styled, ...again.coerced];
  return { fits: true as const, value: again.result.value, coerced: all, work: work + again.work };
}

/** Of a value that arrives, what is nested deeper is finished with the bracket around it. */
export const MAX_PATH = 32;

/**
 * Changes as the schema asks what has ended of a value, but for what is `open`, if nothing is lost: in place, so each only once.
 * Gives whether at a place nothing is left to be changed, there or within: that is told. Also whether what was told is changed all
 * the same, as where a schema checks in two steps, and what that cost.
 */
export function settle(schema: Schema, value: unknown, open: KeyPath, told: Set<string>) {
  const ways = waysOf({});
  const { coerced, result, work } = changed(schema, value, (whole, wrong) => {
    const at = valueAt(whole, wrong.path);
    // What is named within an object or list keeps its place.
    const isOpen = at === Object(at) || wrong.path.every((key, depth) => key === open[depth]);
    return isOpen ? [] : [...ways(whole, wrong)].filter((way) => way.sure && way.by !== ABSENT && !("from" in way));
  });
  for (const { path, by } of coerced) define(valueAt(value, path.slice(0, -1)) as object, path.at(-1) as string, by);
  const wrong = [...wrongOf(result.issues ?? []).values()];
  const changing = new Set(wrong.flatMap(({ path }) => namesTo(path.slice(0, MAX_PATH))));
  const isAll = result.issues?.some((issue) => isUnread(issue, value));
  const unread = new Set(isAll ? [""] : wrong.map((one) => one.unread && namesTo(one.unread).at(-1)));
  const isVoid = coerced.some(({ path }) => namesTo(path).some((name) => told.has(name)));
  const isSettled = (path: KeyPath) => {
    const names = namesTo(path);
    const [name] = names.slice(-1) as [string];
    return !changing.has(name) && !names.some((one) => unread.has(one)) && told.add(name).has(name);
  };
  return { isSettled, isVoid, work };
}

/** Whether arktype tells of the key of a union alone, and not where that stands. */
const isUnread = ({ code, data, path }: KnownIssue, value: unknown) =>
  code === "predicate" && data !== valueAt(value, keysOf({ path }));

/** A name for each place on the way to a path, from the whole on. */
function namesTo(path: KeyPath): string[] {
  const names = [""];
  for (const key of path) names.push(`${names.at(-1)}${JSON.stringify(String(key))}`);
  return names;
}

/** Those of 200 keys of an object for which a schema asks for something: it refuses a function there. */
export function askedKeys(schema: Schema, value: object): ReadonlySet<PropertyKey> {
  const keys = Object.keys(value).slice(0, 200);
  const { issues = [] } = validate(schema, Object.fromEntries(keys.map((key) => [key, askedKeys])));
  const wrong = new Set([...wrongOf(issues).values()].map(({ path }) => path[0]));
  return new Set(keys.filter((key) => wrong.has(key)));
}

/** Beyond the standard: a union's issues (`issues` in valibot, `errors` in zod and arktype, there with paths from the whole on), and what would be right: `values` or `options` in zod; `expected` in the others, in words with values in quotes. */
type KnownIssue = SchemaIssue & {
  readonly [beyond in "errors" | "issues" | "values" | "options" | "expected"]?: unknown;
} & { readonly [beyond in "code" | "data" | "kind" | "type"]?: unknown };

/** A check of a value whose type is right: none is told by the standard; `kind` in valibot, `code` in the others. */
const CHECK =
  /^(?:validation|custom|predicate|pattern|divisor|m(?:in|ax)(?:Length)?|exactLength|too_|not_|invalid_(?:string|format))/;
const isCheck = ({ code, kind }: KnownIssue) => CHECK.test(String(kind === "validation" ? kind : code));

/** That no option of a union has this value of the key that tells them apart: the others are not checked yet. */
const isTag = ({ code, type, expected, options }: KnownIssue) =>
  type === "variant" ||
  Array.isArray(options) ||
  (code === "predicate" && /^"[^"]*"(?:(?:,| or) "[^"]*")*$/.test(String(expected)));

/** A place where something is wrong, what is named as right, and whether what is wrong is not its type, or only for an option of a union. Within `unread` not all is told yet. */
type Wrong = { path: KeyPath; named: unknown[]; isCheck: boolean; isOption: boolean; unread?: KeyPath };
/** What may stand there, the likeliest first. */
type Ways = (whole: unknown, wrong: Wrong) => Iterable<Coercion>;

function wrongOf(issues: readonly SchemaIssue[]): Map<string, Wrong> {
  const found = new Map<string, Wrong>();
  const all = issues.map((issue: KnownIssue) => ({ issue, around: [] as KeyPath, isOption: false }));
  const limit = all.length + 200;
  for (const { issue, around, isOption } of all) {
    const path = [...around, ...keysOf(issue)];
    const name = JSON.stringify(path);
    const place = found.get(name) ?? { path, named: [], isCheck: true, isOption: true };
    found.set(name, place);
    place.isCheck &&= isCheck(issue) && !isTag(issue);
    place.isOption &&= isOption;
    if (isTag(issue)) place.unread = path.slice(0, -1);
    const { values = issue.options, expected } = issue;
    const [words = ""] = typeof expected === "string" ? expected.slice(0, 4_000).split(" (was ") : [];
    const quoted = words.match(/"[^"\\]{1,200}"/g) ?? [];
    const right: unknown[] = Array.isArray(values) ? values : quoted.map((word) => word.slice(1, -1));
    place.named = place.named.length > 0 ? [...place.named, ...right] : right;
    const inner: unknown[] = [issue.issues, issue.errors].find(Array.isArray) ?? [];
    const isFromWhole = inner === issue.errors && !inner.every(Array.isArray);
    // Of an option, arktype may tell the first thing alone.
    const within = inner.flat();
    if (within.length > limit - all.length || issue.code === "union") place.unread ??= path;
    for (const one of within.slice(0, limit - all.length))
      all.push({ issue: one as KnownIssue, around: isFromWhole ? [] : path, isOption: true });
  }
  return found;
}

/** What a place that is wrong costs for each key on the way to it, in characters read; behind so much, three rounds must do. So many places are looked at first, and all of them once the first one left is another one, or nothing more helps these. */
const [PLACE_WORK, MAX_WORK, FIRST] = [8, 2_000_000, 200];

/** The value with the changes that help; in each round what did not help gives way to the next way, at all places at once. `mustFit`: a text, a number or a missing key that nothing helps ends it. `told`: what is wrong, with the right types if there are changes to these: `"120"` is too big. */
function changed<T>(schema: Schema<T>, value: unknown, ways: Ways, mustFit = false) {
  const places = new Map<string, { way?: Coercion | undefined; left: Iterator<Coercion> }>();
  const first = validate(schema, value);
  let [result, current, told] = [first, value, first.issues];
  let [coerced, work, limit]: [Coercion[], number, number] = [[], 0, FIRST];
  for (let round = 0; result.issues && round < 32 && (round < 3 || work < MAX_WORK); round++) {
    const moved = new Set<string>();
    for (const [name, wrong] of wrongOf(result.issues.slice(0, limit))) {
      const { path } = wrong;
      work += PLACE_WORK * (path.length + 1);
      // Another value stands there than the one that was asked about.
      if (moved.size > 0 && path.some((_, depth) => moved.has(JSON.stringify(path.slice(0, depth))))) continue;
      // What comes to stand under a missing key is looked at in its turn.
      const at = valueAt(current, path);
      const key = at === ABSENT ? `${name} absent` : name;
      const place = places.get(key) ?? { left: ways(current, wrong)[Symbol.iterator]() };
      const before = place.way;
      place.way = place.left.next().value ?? undefined;
      const isOpen = place.way || at === Object(at) || wrong.isCheck || wrong.isOption;
      if (mustFit && !isOpen) return { told, result, coerced, work };
      places.set(key, place);
      if (before || place.way) moved.add(name);
    }
    if (moved.size === 0 && result.issues.length <= limit) break;
    if (moved.size > 0) {
      coerced = [...places.values()].flatMap(({ way }) => way ?? []);
      current = copyWith(value, coerced);
      result = validate(schema, current);
      if (result.issues?.every(isCheck)) told = result.issues;
    }
    const isNext = moved.size === 0 || !places.has(JSON.stringify(keysOf(result.issues?.[0] ?? {})));
    if (isNext && limit === FIRST) [limit, round] = [Number.POSITIVE_INFINITY, -1];
  }
  return { told, result, coerced, work };
}

/** `42`, `-1.5e3`, `+42`, `1,234`, `$1,234.50`, with no more digits than a number holds. */
const NUMBER =
  /^[+-]?[$€£¥]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d{1,12}0{0,20})?(?:[eE][+-]?\d{1,2})?$/;
const numberIn = (text: string) => Number(text.replace(/[+$€£¥,]/g, ""));
const NOTHING =
  /^(?:[([]?(?:null|none|nil|n\/a|n\.a\.?|not applicable|unknown|nothing|empty|no \p{L}+|keine?s?|aucune?s?|ningun[oa]s?|nessun[oa]?|нет|无|なし|없음)[)\]]?|[-–—]?)$/iu;
/** Not several, with `/` between them (an address is one), nor quotes, marks, steps or addresses beside each other. */
const ONE =
  /^(?:\w{2,10}:\/\/[^\s,;|]*|(?!.{0,200} (?:and|und|or|oder|et|ou|&|–|·) |.{0,200}(?:#\w+\s#\w|\s\d\) |<br|" "))[^/,;|\r\n、，،•\t]*)$/;
const SEVERAL = /^["'*]| y |[と和]|@[^@]*@|\s\d[.)] /;
/** Short parts with commas between them, all of them filled. */
const PARTS = /^[^,;]{1,60}(?:[,;](?!\s*(?:[,;]|$))[^,;]{1,60})+(?<!\.)$/;

/** What a text, a number or a boolean may be written for, in the order in which it is tried, and whether that is sure. */
const WRITTEN: readonly [is: RegExp, by: (text: string) => unknown, sure: boolean][] = [
  [/^(?:true|false)$/i, (text) => /^t/i.test(text), true],
  // The comma may be that of a fraction, and a point none.
  [/^[+-]?(?:€[1-9]\d{0,2}[.,]|[$£¥][1-9]\d{0,2}\.|[1-9]\d{0,2},|[1-9]\d{0,2}\.(?=\d00))\d{3}$/, numberIn, false],
  [NUMBER, numberIn, true],
  [/^-?\d{1,15}\.$/, Number, false],
  [/^(?:yes|no|1|0)$/i, (text) => /^[y1]/i.test(text), false],
  [NOTHING, () => null, false],
  [PARTS, (text) => text.split(/[,;]/).map((part) => part.trim()), false],
];

/** What begins as an object or a list, or as a tuple of Python. */
const IS_CONTAINER = /^(?:"?[[{]|\(\s?(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|-?\d[\d.]{0,20}),\s)/;
/** What a tool that takes nothing is called with an empty text for. */
const CALLED_WITH = /^(?:arg(?:ument)?s|input|param(?:eter)?s)$/i;
const asString = (token: string) => (token[0] === '"' ? token : `"${token}"`);
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[^\s,\]}]*/g;
/** What stands between a word and its description: `done – all of it`. */
const DESCRIPTION = /[:,.(]|\s[-–—]/;
const SOURCES = new WeakMap<object, unknown>();

function waysOf({ json, of = {}, path: outer = [], read, isBare }: Origin): Ways {
  const known: Alike = new WeakMap();
  return function* (whole, { path, named, isCheck }) {
    if (isCheck) return;
    const to = (by: unknown, sure: boolean): Coercion => ({ path, by, sure });
    const value = valueAt(whole, path);
    const container = Object(valueAt(whole, path.slice(0, -1)));
    for (const from of value === ABSENT
      ? like(String(path.at(-1)), known, container, () => Object.keys(container))
      : [])
      yield { ...to(container[from], true), from };
    if (value === ABSENT || value === undefined || Array.isArray(value)) return;
    if (value === null) return yield* Array.isArray(container) ? [] : [to(ABSENT, true)];
    if (typeof value === "object") {
      const keys = Object.keys(value);
      const first = Number(keys[0]);
      // `{"1": …, "2": …}`
      if (first <= 1 && keys.every((key, nth) => key === String(first + nth))) yield to(Object.values(value), false);
      return yield to([value], true);
    }
    const written = String(value).trim();
    const text = /^[０-９]+$/.test(written) ? written.normalize("NFKC") : written;
    if (typeof value === "string") {
      const same = (word = "") => like(word, known, named, () => named);
      for (const word of same(text.replace(/^(["'])(.*)\1$/, "$2"))) yield to(word, !/^[a-z][A-Z]$/.test(text)); // mW is no MW
      for (const word of same(text.split(DESCRIPTION, 1)[0])) yield to(word, false);
      // `007`, which JSON does not know.
      if (/^-?0\d{1,14}(?:\.\d{1,12})?$/.test(text) && isBare?.(text)) yield to(Number(text), false);
      const inner = IS_CONTAINER.test(text) ? read?.(text) : undefined;
      if (inner) yield to(inner.value, inner.sure);
    } else if (typeof value === "number") {
      // Parsed, `1.10` and a long id lose digits.
      if (!SOURCES.has(of)) SOURCES.set(of, JSON.parse(json?.().replace(STRING_OR_NUMBER, asString) ?? "null"));
      const digits = valueAt(SOURCES.get(of), [...outer, ...path]);
      const isWritten = typeof digits === "string" && Number(digits) === value;
      // Nobody knows whether a whole number was `2.0`.
      if (isWritten || Number.isSafeInteger(value)) yield to(isWritten ? digits : text, isWritten);
    }
    for (const [is, by, sure] of WRITTEN) if (is.test(text) && by(text) !== value) yield to(by(text), sure);
    if (text === "" && path.length > 0 && !Array.isArray(container))
      yield* [to({}, CALLED_WITH.test(String(path.at(-1)))), to([], false)];
    if (typeof value === "boolean") yield to(text, true);
    // What stands in a list may be a part of the one that was asked for.
    const isAlone = typeof value !== "boolean" && !Array.isArray(container);
    yield to([value], isAlone && ONE.test(text) && !SEVERAL.test(text.slice(0, 300)) && !NOTHING.test(text));
  };
}
