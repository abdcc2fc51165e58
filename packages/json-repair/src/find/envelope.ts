import { parseContainer } from "../decode/strict.js";
import { askedKeys } from "../schema/fit.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";
import { type Answer, isListOfOne, isRivalled, opening, parsedOf } from "./answer.js";
import {
  has,
  is,
  isAbout,
  isCall,
  isContainer,
  isEmpty,
  isObject,
  isUsual,
  type JsonObject,
  notTheModel,
  plainKey,
  tellsOfFailure,
  toldBy,
  wordIn,
} from "./key-names.js";
import { joinedTexts } from "./texts.js";

/** Answers that programs and services put into JSON of their own: in a field as a value or a text, or in a list of messages. */

const MAX_NODES = 5_000;
const MAX_DEPTH = 12;

/** Of a text so many values are looked into, from the last one on. */
const MAX_VALUES = 200;

/** A part of the values of a text, and the way to it; without one it is what all of them make together. */
export interface Part {
  value: unknown;
  path: PropertyKey[];
  /** The keys of the objects around it. */
  around: readonly ReadonlySet<string>[];
}

/** The parts of values that may hold the answer: what they make together, and then what stands in each. */
function* partsOf(values: readonly unknown[]): Generator<Part> {
  for (const value of joinedTexts(values)) yield { value, path: [], around: [] };
  const first = Math.max(0, values.length - MAX_VALUES);
  for (let at = values.length - 1; at >= first; at--) yield* partsIn({ value: values[at], path: [at], around: [] });
}

/**
 * Inner objects and lists, and texts with brackets; outer ones first, within a level the last one, since it is the most
 * recent. A member is looked into only if its key is a usual one, or there is no other.
 */
function* partsIn(outer: Part): Generator<Part> {
  let level = [outer];
  let nodes = 0;
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const next: Part[] = [];
    for (const part of level) {
      if (++nodes > MAX_NODES) return;
      const { value: node, path } = part;
      if (depth > 0) yield part;
      if (!isContainer(node)) continue;
      if (Array.isArray(node)) for (const text of joinedTexts(node)) yield { ...part, value: text };
      const inside = isObject(node) ? membersOf(node) : [...node.entries()];
      // What a call is given may have the keys of the call.
      const around = !isObject(node) ? part.around : isCall(node) ? [] : [...part.around, keysOf(node)];
      for (const [key, value] of inside.reverse())
        if (hasParts(value)) next.push({ value, path: [...path, key], around });
    }
    level = next;
  }
}

/** The members of an object that may hold the answer. */
function membersOf(node: JsonObject): [string, unknown][] {
  if (notTheModel(node)) return [];
  const keys = Object.keys(node);
  const only = keys.filter((key) => node[key] !== null).length === 1;
  const failed = tellsOfFailure(node);
  return Object.entries(node).filter(([key, value]) => {
    if (is(key, "asked", "none") || !(only || isUsual(key)) || (failed && isEmpty(value))) return false;
    if (key === "input" && !isCall(node)) return false;
    return !is(key, "call", "input") || !(failed || keys.some((other) => is(other, "result")));
  });
}

function hasParts(value: unknown): boolean {
  return typeof value === "string" ? /[{[]/.test(value) : isContainer(value);
}

/** The keys of an object, whatever the style they are written in. */
function keysOf(value: unknown): ReadonlySet<string> {
  return new Set(isObject(value) ? Object.keys(value).map(plainKey) : []);
}

/** Whether an object has a key of one around it: what looks alike is of the same kind, and none wraps the other. */
function sharesKeys(value: unknown, around: readonly ReadonlySet<string>[]): boolean {
  return isObject(value) && Object.keys(value).some((key) => around.some((keys) => keys.has(plainKey(key))));
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
    if (!answer || (!alike && sharesKeys(parsedOf(answer), part.around))) continue;
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
  sure &&= !areSaid && !isRivalled(answer) && new Beside(parsedOf(answer), value).isNothingElse(values, path);
  return { ...answer, extra: [...answer.extra, opening(answer.candidate, path.slice(1), sure)] };
}

/** Rows that are looked at for their keys. */
const MAX_ROWS = 50;
/** The type of what a tool gave the model. */
const OF_A_TOOL = /^(?:tool|function)[\w-]{0,20}[_-](?:result|output|response)$/;

/** What stands beside the way to an answer, and whether that is known to be no more than about it. */
class Beside {
  readonly #keys: ReadonlySet<string>;
  readonly #part: unknown;
  readonly #isList: boolean;
  #json: string | undefined;

  /** The answer as it stands in the text, and the part of a value that it was read from: it may stand there once more. */
  constructor(found: unknown, part: unknown) {
    const rows: unknown[] = [found].flat().slice(0, MAX_ROWS);
    this.#keys = new Set(rows.flatMap((row) => [...keysOf(row)]));
    this.#part = part;
    this.#isList = Array.isArray(found);
  }

  /** Whether nothing else stands there: what is not known here may say in any words that the answer is none. */
  isNothingElse(outer: unknown, path: readonly PropertyKey[]): boolean {
    let node = outer;
    for (const at of path) {
      if (!(isObject(node) ? this.#inObject(node, at as string) : this.#inList(node as unknown[], at as number)))
        return false;
      node = (node as Record<PropertyKey, unknown>)[at];
    }
    if (node === this.#part || !Array.isArray(node)) return true;
    // A text that the members of a list make together.
    return !node.some((one) => this.#bears(one, 0, true));
  }

  #inObject(node: JsonObject, at: string): boolean {
    const ofACall = isCall(node);
    const isBeside = ([key, value]: [string, unknown]) => {
      // What the model says before it calls.
      if (key === at || (is(at, "call") && is(key, "said") && typeof value === "string")) return true;
      return (ofACall || !this.#isOwn(key, value)) && this.#isAbout(key, value, 0);
    };
    return isUsual(at) && Object.entries(node).every(isBeside);
  }

  #inList(list: readonly unknown[], at: number): boolean {
    return list.every((one, i) => {
      if (i === at || one === undefined || this.#repeats(one)) return true;
      if (isEmpty(one) || !isObject(one)) return i < at && isEmpty(one);
      // Behind a call may stand what came of it.
      const isMessage = Object.keys(one).some((key) => is(key, "kind", "speaker", "asked"));
      return (i < at && isMessage && !this.#bears(one, 0)) || this.#areAbout(one, 0);
    });
  }

  /** Whether a value tells of a failure, has a key of the answer, or words that may have; those of pieces are its own. */
  #bears(outer: unknown, depth: number, pieces = false): boolean {
    const value = (typeof outer === "string" && !pieces && parseContainer(outer)) || outer;
    if (typeof value === "string") return !pieces && (this.#keys.size > 0 ? /\{/ : /[{[]/).test(value);
    if (!isContainer(value) || this.#repeats(value)) return false;
    if (isObject(value) && (notTheModel(value) || OF_A_TOOL.test(wordIn(value["type"])))) return false;
    if (depth > MAX_DEPTH || (isObject(value) && tellsOfFailure(value))) return true;
    // A list looks like a list, as long as its rows do not tell it from one.
    if (Array.isArray(value) && this.#isList && this.#keys.size === 0) return value.length > 0;
    const ofACall = isObject(value) && isCall(value);
    return Object.entries(value).some(([key, one]) => {
      if (is(key, "asked") && typeof one === "string") return false;
      return (!ofACall && this.#isOwn(key, one)) || this.#bears(one, depth + 1, pieces);
    });
  }

  /** Whether a member of what stands beside is about the answer; where things are counted, each has a key of its own. */
  #isAbout(key: string, value: unknown, depth: number, counted = false): boolean {
    const told = counted ? undefined : toldBy(key, value);
    if (told !== undefined || key === "logprobs" || this.#repeats(value)) return told === undefined || told === "well";
    if (!isContainer(value) || isEmpty(value)) return isAbout(key, value, counted);
    if (depth > MAX_DEPTH || is(key, "result")) return false;
    if (is(key, "asked", "none", "input")) return !this.#bears(value, depth);
    if (isObject(value)) return this.#areAbout(value, depth + 1, counted || has(key, "counted"));
    return value.every((one) => typeof one !== "string" && this.#isAbout(key, one, depth + 1, counted));
  }

  #areAbout(value: JsonObject, depth: number, counted = false): boolean {
    const isOne = ([key, one]: [string, unknown]) => !this.#isOwn(key, one) && this.#isAbout(key, one, depth, counted);
    return !notTheModel(value) && Object.entries(value).every(isOne);
  }

  #isOwn(key: string, value: unknown): boolean {
    return !isEmpty(value) && this.#keys.has(plainKey(key));
  }

  /** Whether a value is what the answer was read from, once more; as a text it may be one of the two. */
  #repeats(value: unknown): boolean {
    if (!hasParts(value)) return value === this.#part;
    if (isContainer(value) && Array.isArray(value) !== this.#isList) return false;
    if (isObject(value) && !Object.keys(value).every((key) => this.#keys.has(plainKey(key)))) return false;
    this.#json ??= jsonOf(this.#part);
    return jsonOf(value) === this.#json;
  }
}

function jsonOf(value: unknown): string | undefined {
  return JSON.stringify((typeof value === "string" && parseContainer(value)) || value);
}

/** JSON in a text, which is all of it. */
const JSON_TEXT = /^\s{0,20}[[{]/;

/**
 * A schema that asks for little fits what stands around an answer as well. Of what fits and what it wraps, the one with
 * more of the keys that the schema asks for is taken, and neither is sure.
 */
export function weighed<T>(
  answer: Answer<T>,
  schema: StandardSchemaV1<unknown, T>,
  open: () => Answer<T> | undefined,
): Answer<T> {
  const { value } = answer.candidate;
  if (answer.inner || !isObject(value) || isEmpty(value)) return answer;
  const kept = (key: string) => isObject(answer.value) && Object.hasOwn(answer.value, key);
  const isInvented = answer.coerced.length === 0 && isObject(answer.value) && !Object.keys(value).some(kept);
  const wrapping = Object.entries(value).filter(([key, part]) => isUsual(key) && hasParts(part));
  if (wrapping.length === 0 && !isInvented) return answer;
  const asked = askedKeys(schema, value, { isRow: isListOfOne(answer) });
  const isAsked = ([key, part]: [string, unknown]) => asked.has(key) && !JSON_TEXT.test(wordIn(part));
  const isUseless = isInvented && asked.size === 0;
  const doubted = { ...answer, rivalled: true };
  const inner = wrapping.every(isAsked) ? undefined : open();
  if (!inner) return isUseless ? doubted : answer;
  const found = parsedOf(inner);
  const row: unknown = Array.isArray(found) ? found[0] : found;
  const count = isObject(row) ? askedKeys(schema, row, { isRow: Array.isArray(found) }).size : 0;
  const isDropped = wrapping.some(([key, part]) => typeof part === "string" || !kept(key));
  const isBetter = count > asked.size || (isDropped && asked.size === 0);
  if (isBetter && (isCall(value) || !sharesKeys(found, [keysOf(value)])))
    return { ...inner, extra: [...answer.extra, ...inner.extra], rivalled: true };
  return isUseless || (isDropped && count > 0) ? doubted : answer;
}
