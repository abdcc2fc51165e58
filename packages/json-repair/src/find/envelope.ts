import { wordsOf } from "./about.js";
import { Course, cameOf, type InCourse } from "./course.js";
import { joinStream } from "./event-stream.js";
import { isNoneByAWord, isThought, NOT_THE_ANSWER, notTheModel } from "./messages.js";
import { askedBeside, isAsked, isCall, outcomeOf, plainKey } from "./outcome.js";

/** What programs and services put around an answer: objects with the value or its text in a field, lists of messages. */

/** What programs and services put an answer under; without `_`, `-` and capitals. */
const WRAPS = new Set([
  ...["response", "responses", "result", "results", "data", "output", "outputs", "answer", "answers", "reply", "final"],
  ...["finalanswer", "completion", "generation", "generations", "candidates", "choices", "content", "contents", "text"],
  ...[
    "message",
    "messages",
    "history",
    "conversations",
    "part",
    "parts",
    "delta",
    "item",
    "items",
    "event",
    "payload",
    "body",
    "stdout",
  ],
  ...["json", "value", "object", "rows", "records", "parsed", "structuredoutput", "structuredcontent", "returnvalue"],
  ...["function", "functioncall", "toolcall", "toolcalls", "arguments", "args", "parameters", "params", "actioninput"],
  ...["toolinput", "toolargs"],
]);
/** Under these a list of texts is what was said, in pieces. */
const IN_PIECES = new Set([
  ...[
    "content",
    "contents",
    "part",
    "parts",
    "message",
    "messages",
    "output",
    "outputs",
    "text",
    "delta",
    "completion",
  ],
  ...["generations", "candidates", "choices"],
]);
/** Types of messages that have the arguments of a call in `input`. */
const TOOL_USE = /^(?:server_)?tool_(?:use|call)$/;

const MAX_NODES = 5_000;
const MAX_DEPTH = 12;

/** A part of a value, and the way to it. */
export interface Part {
  value: unknown;
  path: PropertyKey[];
  /** The keys of the objects around it. */
  around: readonly ReadonlySet<string>[];
  /** What says of what stands around it that this may not be the answer. */
  doubt?: "wrong" | "unsaid" | undefined;
  /** What it stands among: a call may have been answered behind it. */
  place?: InCourse | undefined;
}

/**
 * The parts of a value that may hold the answer: inner objects and lists, and texts with brackets; outer ones first,
 * within a level the last one. A member is looked into only if its key is one that wraps, or there is no other.
 */
export function* partsOf(value: unknown, place?: InCourse): Generator<Part> {
  let level: Part[] = [{ value, path: [], around: [], place }];
  let nodes = 0;
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const next: Part[] = [];
    for (const part of level) {
      if (++nodes > MAX_NODES) return;
      const { value: node, path, place } = part;
      if (typeof node === "string") {
        yield part;
        continue;
      }
      if (typeof node !== "object" || node === null) continue;
      if (depth > 0) yield part;
      const inside: Part[] = [];
      if (Array.isArray(node)) {
        const joined = joinedParts(node) ?? joinStream(node);
        if (joined !== undefined) yield { ...part, value: joined };
        const course = new Course(node);
        for (const [at, value] of node.entries())
          if (hasParts(value))
            inside.push({ ...part, value, path: [...path, at], place: { course, at, around: place } });
      } else if (!notTheModel(node as Record<string, unknown>)) {
        inside.push(...membersOf(node as Record<string, unknown>, part));
      }
      // Within a level the last one is the most recent.
      for (const one of inside.reverse()) next.push(one);
    }
    level = next;
  }
}

/** The members of an object that may hold the answer, in the order of the text. */
function* membersOf(node: Record<string, unknown>, part: Part): Generator<Part> {
  const members = Object.entries(node).filter(([, value]) => value !== null && value !== undefined);
  // What a call is given may have the keys of the call.
  const around = isCall(node) ? part.around : [...part.around, keysOf(node)];
  const outcome = part.doubt === "wrong" ? "wrong" : outcomeOf(node);
  const doubt = outcome === "well" ? part.doubt : outcome;
  for (const [key, value] of members) {
    if (!hasParts(value)) continue;
    const inner = { value, path: [...part.path, key], around, place: part.place };
    if (wraps(key, node, members.length === 1)) {
      if (doubt === "wrong" && isEmpty(value)) continue;
      const asked = isAsked(plainKey(key)) ? besideOthers(key, node) : undefined;
      const came = asked && cameOf(part.place);
      if (came === "answered" || (asked && (doubt === "wrong" || asked.answered))) continue;
      const unknown = (asked && !asked.alone) || !isKnownToWrap(key);
      yield { ...inner, doubt: unknown ? (doubt ?? "unsaid") : (doubt ?? came) };
    }
  }
}

/** With keys that have no value: a result that is null is one too. */
function besideOthers(key: string, node: Record<string, unknown>): ReturnType<typeof askedBeside> {
  const others = Object.keys(node).filter((other) => other !== key);
  return askedBeside(plainKey(key), others.map(plainKey));
}

function wraps(key: string, node: Record<string, unknown>, only: boolean): boolean {
  const { type } = node;
  if (NOT_THE_ANSWER.test(key)) return false;
  // `{"command": "rm", "args": [...]}` is a command, not what it gave.
  if (/^args$/i.test(key) && Object.hasOwn(node, "command")) return false;
  if (key === "input") return typeof type === "string" && TOOL_USE.test(type);
  // The values stand in a copy of the schema.
  if (key === "properties") return only || type === "object";
  return only || WRAPS.has(plainKey(key));
}

/** Whether a key says by its words that an answer stands under it: `final_answer`, `searchResults`. */
export function isKnownToWrap(key: string): boolean {
  if (WRAPS.has(plainKey(key)) || key === "input" || key === "properties") return true;
  const words = wordsOf(key);
  return WRAPS.has(words.at(-1) ?? "") && !isNoneByAWord(words);
}

/** Whether a part is a list of texts that were said: an answer only if nothing else was meant. */
export function areWordsSaid({ value, path }: Part): boolean {
  const key = path.at(-1);
  const isOfTexts = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  return isOfTexts && typeof key === "string" && IN_PIECES.has(plainKey(key));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The keys of an object, whatever the style they are written in. */
export function keysOf(value: unknown): ReadonlySet<string> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return new Set(isObject ? Object.keys(value).map(plainKey) : []);
}

/** Whether an object has a key of one around it: what looks alike is of the same kind, and none wraps the other. */
export function sharesKeys(value: unknown, around: readonly ReadonlySet<string>[]): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value) || around.length === 0) return false;
  for (const key in value) if (around.some((keys) => keys.has(plainKey(key)))) return true;
  return false;
}

export function hasParts(value: unknown): boolean {
  return typeof value === "string" ? /[{[]/.test(value) : typeof value === "object" && value !== null;
}

/** A list of text parts is one text. */
function joinedParts(list: readonly unknown[]): string | undefined {
  if (list.length < 2) return undefined;
  const texts: string[] = [];
  for (const part of list) {
    if (isThought(part)) continue;
    const text = textIn(part);
    // Messages of several are not one text.
    if (text === undefined || (typeof part === "object" && notTheModel(part as Record<string, unknown>)))
      return undefined;
    texts.push(text);
  }
  return texts.join("");
}

function textIn(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null) return undefined;
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("content" in part && typeof part.content === "string") return part.content;
  return undefined;
}
