import { isContainer, isObject, type JsonObject, parseContainer } from "../decode/strict.js";
import { repairOf } from "../result.js";
import { type Answer, isEmpty } from "./answer.js";
import {
  has,
  is,
  isAbout,
  isCall,
  isUsual,
  notTheModel,
  plainKey,
  tellsOfFailure,
  wentWell,
  wordIn,
} from "./key-names.js";

/** Answers that programs and services put into JSON of their own: in a field as a value or a text, or in a list of messages. */

const MAX_NODES = 5_000;
const MAX_DEPTH = 12;
/** Of a text so many values are looked into, from the last one on. */
const MAX_VALUES = 200;

/** A part of the values of a text, and the way to it; without one it is what all of them make together. */
export interface Part {
  value: unknown;
  path: PropertyKey[];
}

/** A value and the parts of it, outer ones first; `membersOf` says which are looked into. */
function* walk(
  root: Part,
  membersOf: (node: object, path: PropertyKey[]) => [PropertyKey, unknown][],
): Generator<Part> {
  let level = [root];
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth++) {
    const next: Part[] = [];
    for (const part of level) {
      yield part;
      const { value: node, path } = part;
      if (isContainer(node))
        for (const [key, value] of membersOf(node, path)) next.push({ value, path: [...path, key] });
    }
    level = next;
  }
}

/** The members of an object or a list. */
function entriesOf(node: object): [PropertyKey, unknown][] {
  return Array.isArray(node) ? [...node.entries()] : Object.entries(node);
}

/** The parts of values that may hold the answer: what they make together, and then what stands in each. */
function* partsOf(values: readonly unknown[]): Generator<Part> {
  for (const value of joinedTexts(values)) yield { value, path: [] };
  const first = Math.max(0, values.length - MAX_VALUES);
  for (let at = values.length - 1; at >= first; at--) {
    let nodes = 0;
    for (const part of walk({ value: values[at], path: [at] }, mayHold)) {
      if (++nodes > MAX_NODES) break;
      if (part.path.length > 1) yield part;
      if (Array.isArray(part.value)) for (const value of joinedTexts(part.value)) yield { ...part, value };
    }
  }
}

/** The members that may hold the answer, the most recent first: under a usual key, or where there is no other. */
function mayHold(node: object): [PropertyKey, unknown][] {
  const inside = entriesOf(node)
    .filter(([, value]) => hasParts(value))
    .reverse();
  if (!isObject(node)) return inside;
  if (notTheModel(node)) return [];
  const isOnly = Object.values(node).filter((value) => value !== null).length === 1;
  const failed = tellsOfFailure(node);
  const isAnswered = failed || Object.keys(node).some((key) => is(key, "result"));
  return inside.filter(([at, value]) => {
    const key = String(at);
    if (is(key, "asked", "none") || (isAnswered && is(key, "call", "input"))) return false;
    return (isOnly || isUsual(key)) && !(failed && isEmpty(value));
  });
}

export function hasParts(value: unknown): boolean {
  return typeof value === "string" ? /[{[]/.test(value) : isContainer(value);
}

/** So many texts of a list are tried, and so many fields of one member looked at. */
const MAX_TEXTS = 4;
const MAX_FIELDS = 40;

/**
 * The texts that the members of a list make together: of those of the same type the pieces that stand at the same place,
 * the longest text first. What was said before another one spoke is no answer.
 */
function joinedTexts(members: readonly unknown[]): string[] {
  const texts = new Map<string, string[]>();
  for (const member of members) {
    if (typeof member !== "string" && !isContainer(member)) continue;
    const [type, event] = isObject(member) ? [member["type"], member["event"]] : [];
    if (isObject(member) && notTheModel(member)) texts.clear();
    let fields = 0;
    for (const { value, path } of walk({ value: member, path: [] }, said)) {
      if (++fields > MAX_FIELDS) break;
      if (typeof value !== "string") continue;
      const place = [wordIn(type), wordIn(event), ...path].join("/");
      const pieces = texts.get(place);
      if (pieces) pieces.push(value);
      else texts.set(place, [value]);
    }
  }
  return [...texts.values()]
    .flatMap((pieces) => (pieces.length > 1 ? pieces.join("") : []))
    .filter(hasParts)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_TEXTS);
}

/** The members that the model says. */
function said(node: object): [PropertyKey, unknown][] {
  if (isObject(node) && notTheModel(node)) return [];
  return entriesOf(node).filter(([key]) => !is(String(key), "asked", "none"));
}

/** The keys of objects, whatever the style they are written in. */
function keysOf(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.filter(isObject).flatMap((value) => Object.keys(value).map(plainKey)));
}

/** Whether an object has a key of one around it: what looks alike is of the same kind, and none wraps the other. */
export function sharesKeys(value: unknown, around: readonly unknown[]): boolean {
  const keys = keysOf(around);
  return isObject(value) && Object.keys(value).some((key) => keys.has(plainKey(key)));
}

/** What the way to a part leads through, from the outermost one on, and where it ends. */
function nodesOn(values: readonly unknown[], path: readonly PropertyKey[]): unknown[] {
  const nodes: unknown[] = [values];
  for (const at of path) nodes.push((nodes.at(-1) as Record<PropertyKey, unknown>)[at]);
  return nodes;
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
    if (!answer || (!alike && looksAlike(answer.candidate.value, nodesOn(values, part.path)))) continue;
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
  sure &&= !areSaid && new Beside(answer.candidate.value, value).isNothingElse(values, path);
  return { ...answer, extra: [repairOf("envelope", answer.candidate.start, sure, path.slice(1)), ...answer.extra] };
}

/** Whether an answer has a key of the objects around it. What a call is given may have the keys of the call. */
function looksAlike(found: unknown, nodes: readonly unknown[]): boolean {
  const call = nodes.findLastIndex((node, nth) => nth < nodes.length - 1 && isObject(node) && isCall(node));
  return sharesKeys(found, nodes.slice(call + 1, -1));
}

/** Rows that are looked at for their keys. */
const MAX_ROWS = 50;

/** What stands beside the way to an answer, and whether that is known to be no more than about it. */
class Beside {
  readonly #keys: ReadonlySet<string>;
  readonly #part: unknown;
  #json: string | undefined;

  /** The answer as it stands in the text, and the part of a value that it was read from: it may stand there once more. */
  constructor(found: unknown, part: unknown) {
    this.#keys = keysOf([found].flat().slice(0, MAX_ROWS));
    this.#part = part;
  }

  /** Whether nothing else stands there: what is not known here may say in any words that the answer is none. */
  isNothingElse(values: readonly unknown[], path: readonly PropertyKey[]): boolean {
    const nodes = nodesOn(values, path);
    const areQuiet = path.every((at, nth) => {
      const node = nodes[nth];
      return isObject(node) ? this.#inObject(node, at as string) : this.#inList(node as unknown[], at as number);
    });
    const end = nodes.at(-1);
    // The members of a list that make a text together.
    return areQuiet && (end === this.#part || (end as unknown[]).every((one) => this.#isQuiet(one, [], "pieces")));
  }

  #inObject(node: JsonObject, at: string): boolean {
    const ofACall = isCall(node);
    const isBeside = ([key, value]: [string, unknown]) => {
      // What the model says before it calls.
      if (key === at || (is(at, "call") && is(key, "said") && typeof value === "string")) return true;
      return (ofACall || isEmpty(value) || !this.#isOwn(key)) && this.#isQuiet(value, [key]);
    };
    return isUsual(at) && Object.entries(node).every(isBeside);
  }

  #inList(list: readonly unknown[], at: number): boolean {
    return list.every((one, i) => {
      if (i === at || one === undefined || (i < at && isEmpty(one)) || this.#repeats(one)) return true;
      if (isEmpty(one) || !isObject(one)) return false;
      // Behind a call may stand what came of it.
      const isMessage = i < at && Object.keys(one).some((key) => is(key, "kind", "speaker", "asked"));
      return (isMessage && this.#isQuiet(one, [], "words")) || this.#isQuiet(one, []);
    });
  }

  /** Whether all in a value is known to be about the answer, or, of what may have any words, to hold no other one. */
  #isQuiet(root: unknown, path: PropertyKey[], as?: Free): boolean {
    const isPassed = (node: unknown) => this.#repeats(node) || (isObject(node) && notTheModel(node));
    const inside = (node: object, way: PropertyKey[]) => {
      if (isPassed(node)) return [];
      const isGiven = isObject(node) && isCall(node) && (as || isFree(way));
      return entriesOf(node).filter(([key]) => !isGiven || is(String(key), "call", "input"));
    };
    for (const { value, path: way } of walk({ value: root, path }, inside)) {
      if (this.#repeats(value)) continue;
      if (way.length > path.length && !isEmpty(value) && this.#isOwn(way.at(-1))) return false;
      const within = isContainer(value) ? way : way.slice(0, -1);
      if (!isKnown(value, way, as ?? (isFree(within) ? "words" : undefined))) return false;
    }
    return true;
  }

  #isOwn(key: PropertyKey | undefined): boolean {
    return typeof key === "string" && this.#keys.has(plainKey(key));
  }

  /** Whether a value is what the answer was read from, once more; as a text it may be one of the two. */
  #repeats(value: unknown): boolean {
    if (!hasParts(value) || (isObject(value) && !Object.keys(value).every((key) => this.#isOwn(key)))) return false;
    this.#json ??= jsonOf(this.#part);
    return jsonOf(value) === this.#json;
  }
}

/** What may have any words, as long as it holds no other answer; the pieces of a text are parts of that. */
type Free = "words" | "pieces";

/** Whether what stands there may have any words: what was asked, and what holds no answer. */
function isFree(path: readonly PropertyKey[]): boolean {
  return path.some((key) => is(String(key), "asked", "none", "input"));
}

/** Whether a part of what stands beside an answer is no more than its key promises; `free`: no other answer, and no failure. */
function isKnown(value: unknown, path: readonly PropertyKey[], free: Free | undefined): boolean {
  const key = String(path.findLast((one) => typeof one === "string") ?? "");
  const counted = path.slice(0, -1).some((one) => has(String(one), "counted"));
  const told = counted ? undefined : wentWell(key, value);
  if (told !== undefined) return free ? told !== false : told === true;
  if (isEmpty(value)) return true;
  if (path.length > MAX_DEPTH) return false;
  if (isObject(value) && notTheModel(value)) return free !== undefined;
  if (free) return isContainer(value) || free === "pieces" || is(key, "asked") || !isJson(value);
  if (isContainer(value)) return !is(key, "result");
  return (typeof path.at(-1) === "string" || typeof value !== "string") && isAbout(key, value, counted);
}

/** Whether a text holds a pair of brackets. */
function isJson(value: unknown): boolean {
  const text = wordIn(value);
  const open = text.search(/[{[]/);
  return open >= 0 && Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) > open;
}

function jsonOf(value: unknown): string | undefined {
  return JSON.stringify((typeof value === "string" && parseContainer(value)) || value);
}
