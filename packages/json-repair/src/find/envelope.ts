import { isContainer, isEmpty, isObject, type JsonObject, parseContainer } from "../decode/strict.js";
import { repairOf } from "../result.js";
import { keysOf as pathOf, type StandardSchemaV1, validate } from "../schema/fit.js";
import type { Answer } from "./answer.js";
import { has, is, isAbout, isCall, isUsual, notTheModel, plainKey, tellsOfFailure, wordIn } from "./known-objects.js";

/** Answers that programs and services put into JSON of their own: in a field as a value or a text, or in a list of messages. */

const [MAX_NODES, MAX_DEPTH] = [5_000, 12];
/** So many fields of one member of a list are looked at for texts that its members make together. */
const MAX_FIELDS = 40;

/** A part of the values of a text, and the way to it; without one it is what all of them make together. */
export interface Part {
  value: unknown;
  path: readonly PropertyKey[];
  /** What the way leads through, from the outermost on; the list at the end of it, too, whose members make the part together. */
  nodes: readonly object[];
}

/** A value and the parts of it, outer ones first, so many at most; `membersOf` says which are looked into. */
function* walk(root: Part, membersOf: (node: object) => [PropertyKey, unknown][], most: number): Generator<Part> {
  let level = [root];
  let left = most - 1;
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth++) {
    const inside: Part[] = [];
    for (const part of level) {
      yield part;
      const { value: node, path } = part;
      if (!isContainer(node) || left <= 0) continue;
      const nodes = [...part.nodes, node];
      for (const [key, value] of membersOf(node)) if (left-- > 0) inside.push({ value, path: [...path, key], nodes });
    }
    level = inside;
  }
}

const entriesOf = (node: object): [PropertyKey, unknown][] =>
  Array.isArray(node) ? [...node.entries()] : Object.entries(node);

/** The parts of values that may hold the answer, outer ones first, and what the members of a list make together. */
function* partsOf(values: readonly unknown[]): Generator<Part> {
  for (const part of walk({ value: values, path: [], nodes: [] }, mayHold, MAX_NODES)) {
    const { value: list, path, nodes } = part;
    if (path.length > 1) yield part;
    if (!Array.isArray(list)) continue;
    for (const value of joinedTexts(list)) yield { value, path, nodes: [...nodes, list] };
  }
}

/** The members that may hold the answer, the most recent first: under a usual key, or where there is no other. */
function mayHold(node: object): [PropertyKey, unknown][] {
  const inside = entriesOf(node)
    .filter(([, value]) => hasParts(value))
    .reverse();
  if (!isObject(node)) return inside;
  if (notTheModel(node)) return [];
  const filled = inside.filter(([key, value]) => !(isEmpty(value) && is(String(key), "call")));
  const [only, ...others] = filled.length > 0 ? filled : inside;
  const failed = Object.entries(node).some(tellsOfFailure);
  const isAnswered = failed || Object.keys(node).some((key) => is(key, "result"));
  return inside.filter(([at, value]) => {
    const key = String(at);
    const isAll = Object.keys(node).length === 1 && is(key, "asked");
    if ((is(key, "asked", "none") && !isAll) || (isAnswered && is(key, "call", "input"))) return false;
    const isOnly = others.length === 0 && only?.[0] === at;
    return (isOnly || isAll || isUsual(key)) && !(failed && isEmpty(value));
  });
}

const hasParts = (value: unknown) => (typeof value === "string" ? /[{[]/.test(value) : isContainer(value));

/** Whether a text may be in it, or what tells of one. */
const mayTell = (value: unknown) => value !== null && typeof value !== "number";

/** The texts that members of a list make together, the longest first; what was said before another one spoke is none. */
function joinedTexts(members: readonly unknown[]): string[] {
  const texts = new Map<string, string[]>();
  const add = (text: string, path: string) => texts.get(path)?.push(text) ?? texts.set(path, [text]);
  const said = (node: object) => (isObject(node) && notTheModel(node) ? [] : entriesOf(node));
  for (const member of members) {
    if (typeof member === "string") add(member, "");
    if (!isContainer(member) || !Object.values(member).some(mayTell)) continue;
    if (isObject(member) && notTheModel(member)) texts.clear();
    for (const { value, path } of walk({ value: member, path: [], nodes: [] }, said, MAX_FIELDS))
      if (typeof value === "string") add(value, path.join("/"));
  }
  const several = [...texts.values()].filter((pieces) => pieces.length > 1).map((pieces) => pieces.join(""));
  return several.filter(hasParts).sort((a, b) => b.length - a.length);
}

export const wraps = (node: object, asked: ReadonlySet<PropertyKey>) =>
  Object.entries(node).some(([key, part]) => !asked.has(key) && isUsual(key) && hasParts(part));

/** The rows of a list that are compared; of what is none, itself. */
export const rowsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 50) : [value]);

const keysOf = (values: readonly unknown[]) =>
  new Set(values.filter(isObject).flatMap((value) => Object.keys(value).map(plainKey)));

/** Whether an object has a key of one around it: what looks alike is of the same kind, and none wraps the other. */
export function sharesKeys(value: unknown, around: readonly unknown[]): boolean {
  const keys = keysOf(around);
  return [...keysOf([value])].some((key) => keys.has(key));
}

/** Whether each member of an object is one of another one, too, and lists are the same. */
export function holds(whole: unknown, part: unknown, depth = 0): boolean {
  if (depth > 100) return false;
  if (Array.isArray(part) && part.length !== Object(whole).length) return false;
  if (!isContainer(part) || !isContainer(whole)) return whole === part;
  return Object.entries(part).every(
    ([key, one]) => Object.hasOwn(whole, key) && holds(Object(whole)[key], one, depth + 1),
  );
}

/** Whether a part may have the keys of what is around it: it was stored (Elasticsearch, JSON:API, logs of containers), or nothing else is there. */
function isOwn({ path, nodes }: Part): boolean {
  const isStored = /^(?:_source|attributes|log)$/.test(String(path.at(-1)));
  return isStored || nodes.every((node) => (Array.isArray(node) ? node.length === 1 : Object.keys(node).length === 1));
}

/** What fits of the parts of values: the first one, if no other one may have been meant. */
export function opened<T>(
  values: readonly unknown[],
  answerIn: (part: Part) => Answer<T> | undefined,
  /** Also what has a key of the objects around it. */
  alike: boolean,
): Answer<T> | undefined {
  let found: { answer: Answer<T>; part: Part } | undefined;
  let sure = true;
  for (const part of partsOf(values)) {
    const [at] = part.path;
    if (found && (at !== found.part.path[0] || part.path.length > found.part.path.length)) break;
    const answer = answerIn(part);
    // What a call is given may have the keys of the call.
    const call = part.nodes.findLastIndex((node) => isObject(node) && isCall(node));
    if (!answer || (!alike && !isOwn(part) && sharesKeys(answer.candidate.value, part.nodes.slice(call + 1)))) continue;
    found ??= { answer, part };
    if (JSON.stringify(answer.value) === JSON.stringify(found.answer.value)) continue;
    // Texts are told one after the other, as are answers in one list, and the last one counts.
    if (typeof part.value !== "string" && !Array.isArray(values[at as number])) return undefined;
    sure = false;
    break;
  }
  if (!found) return undefined;
  const { answer, part } = found;
  const { value, path } = part;
  // Texts that were said are an answer only if nothing else was meant.
  const areSaid = Array.isArray(value) && typeof value[0] === "string" && is(String(path.at(-1)), "said");
  const isPartial = /partial/i.test(String(path.at(-1)));
  sure &&= !areSaid && !isPartial && isAlone(part, answer.candidate.value);
  const envelope = repairOf("envelope", answer.candidate.start, sure, path.slice(1));
  return { ...answer, extra: [envelope, ...(answer.extra ?? [])] };
}

/** How many there are in all, of which a list may have some. */
const IS_COUNT = /^(?:total|count|total_?(?:count|items|results|rows))$/i;
/** What may have any words, as long as it holds no other answer; the pieces of a text are parts of that. */
type Free = "words" | "pieces";

/** Whether all beside the way to an answer is known to be about it: what is not known may say in any words that it is none. */
function isAlone({ path, nodes, value: part }: Part, found: unknown): boolean {
  const keys = keysOf(rowsOf(found));
  /** The answer may stand there once more; as a text it may be one of the two. */
  const json = jsonOf(part);
  const rows = Array.isArray(found) ? found.length : Number.POSITIVE_INFINITY;
  const isQuiet = (key: string, value: unknown, free?: Free, counted = false, depth = 0): boolean => {
    if (hasParts(value) && jsonOf(value) === json) return true;
    if (!counted && (tellsOfFailure([key, value]) || (IS_COUNT.test(key) && Number(value) > rows))) return false;
    if (!isContainer(value) || isEmpty(value)) {
      if (free) return free === "pieces" || is(key, "asked") || !hasParts(value) || !/[}\]]/.test(wordIn(value));
      return isAbout(key, value, counted);
    }
    const inside = free ?? (is(key, "asked", "none", "input") ? "words" : undefined);
    if (depth > MAX_DEPTH || (!inside && is(key, "result"))) return false;
    const nameOf = (one: unknown) => (typeof one === "string" ? "" : key);
    if (!isObject(value))
      return Object.values(value).every((one) => isQuiet(nameOf(one), one, inside, counted, depth + 1));
    if (notTheModel(value)) return inside !== undefined;
    return areQuiet(value, undefined, inside, counted || has(key, "counted"), depth + 1);
  };
  const areQuiet = (node: JsonObject, at?: string, ...within: [free?: Free, counted?: boolean, depth?: number]) =>
    Object.entries(node).every(([key, value]) => {
      // What the model says before it calls.
      if (key === at || (at && is(at, "call") && is(key, "said") && typeof value === "string")) return true;
      const isOwn = !isEmpty(value) && keys.has(plainKey(key)) && !isCall(node);
      return !isOwn && isQuiet(key, value, ...within);
    });
  return nodes.every((node, nth) => {
    const at = path[nth];
    if (isObject(node)) return isUsual(String(at)) && areQuiet(node, String(at));
    return (node as unknown[]).every((one, i) => {
      if (i === at || one === undefined) return true;
      if (at === undefined) return isQuiet("", one, "pieces");
      if (isEmpty(one) || !isObject(one)) return false;
      // What was said before may have any words; behind a call may stand what came of it.
      const isMessage = i < Number(at) && Object.keys(one).some((key) => is(key, "kind", "speaker", "asked"));
      return isQuiet("", one, isMessage ? "words" : undefined);
    });
  });
}

const jsonOf = (value: unknown) => JSON.stringify((typeof value === "string" && parseContainer(value)) || value);

/** The key that a schema asks an object for, if it is the only one. */
export function onlyKey(schema: StandardSchemaV1<unknown, unknown>): string | undefined {
  const places = (validate(schema, {}).issues ?? []).map((issue) => pathOf(issue).map(String));
  const [key, ...others] = new Set(places.map(([first = ""]) => first));
  return others.length === 0 && places.every(({ length }) => length === 1) ? key : undefined;
}
