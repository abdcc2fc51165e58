import {
  ABOUT,
  ASKED_IN_WORDS,
  COUNTS,
  ENDED,
  FLAGS,
  isMessage,
  isNamedFor,
  isPlain,
  MAX_KEY,
  ownHeaders,
  REASON,
  REPEATS,
  SAYS,
  wordsOf,
} from "./about.js";
import { Course, holdsCall } from "./course.js";
import { isSpeaker, isTheModel, isThought, NOT_THE_ANSWER, notTheModel } from "./messages.js";
import { parseContainer } from "./native.js";
import {
  isAsked,
  isCall,
  isCalls,
  isNothing,
  isOutcome,
  isTold,
  outcomeOf,
  plainKey,
  tellsOfFailure,
  WENT_WRONG,
  wentWell,
} from "./outcome.js";

/** What stands beside the way to an answer, and whether that is known to be no more than about it. */

/** So many values are looked at, of a stream, of anything else, and so deep. */
const MAX_IN_STREAM = 200_000;
const MAX_NODES = 2_000;
const MAX_DEPTH = 12;

/** An answer that was found in a value. */
export interface Opened {
  /** Its keys, as they stand in the text; of a list those of its members. */
  readonly keys: ReadonlySet<string>;
  /** The part of the value that it was read from: it may stand there once more. */
  readonly part: unknown;
  /** Whether another value could be the answer as well. */
  readonly fits: (value: unknown) => boolean;
}

/**
 * Whether nothing stands beside the way to an answer but what is known to be about it, and before it in a list what does
 * not bear on it. What is not known here may say that the answer is none, in words that no table can hold.
 */
export function standsAlone(outer: unknown, path: readonly PropertyKey[], answer: Opened): boolean {
  const beside = new Beside(answer);
  let node = outer;
  for (const key of path) {
    if (!isFilled(node)) return false;
    const others = Array.isArray(node) ? beside.inList(node, key as number) : beside.inObject(node, key as string);
    if (!others) return false;
    node = (node as Record<PropertyKey, unknown>)[key];
  }
  return node === answer.part || !Array.isArray(node) || beside.inPieces(node);
}

/** Whether none of the events that an answer was put together from, and none beside them, speaks against it. */
export function piecesStandAlone(events: readonly unknown[], answer: Opened): boolean {
  return new Beside(answer).inPieces(events);
}

/** Whether a value says that something went wrong, or holds what looks like an answer or could be it. */
export function bearsOn(value: unknown, answer: Opened): boolean {
  return new Beside(answer).bears(value);
}

class Beside {
  readonly #answer: Opened;
  /** What the answer was read from, if that is a text. */
  #parsed: { value: unknown } | undefined;
  #nodes = 0;

  constructor(answer: Opened) {
    this.#answer = answer;
  }

  inObject(node: Record<string, unknown>, at: string): boolean {
    if (outcomeOf(node) !== "well" || WENT_WRONG.test(at.slice(0, MAX_KEY))) return false;
    const ofACall = isCall(node);
    const calls = isCalls(plainKey(at));
    return Object.entries(node).every(([key, value]) => {
      if (key === at) return true;
      if (!ofACall && this.#answer.keys.has(plainKey(key))) return isEmpty(value);
      // What the model says before it calls.
      if (calls && isTold(plainKey(key)) && typeof value === "string") return true;
      return this.#isAbout(key, value);
    });
  }

  inList(list: readonly unknown[], at: number): boolean {
    const course = new Course(list);
    return list.every((one, i) => {
      if (i === at || isEmpty(one) || isThought(one) || this.#repeats(one)) return true;
      if (!isFilled(one)) return false;
      if (i > at) return !holdsCall(one) && this.#isOnlyAbout(one);
      const answered = course.behind(i) === "answered" && holdsCall(one);
      if (answered || notTheModel(one)) return true;
      return isMessage(one) ? !this.bears(one) : this.#isOnlyAbout(one);
    });
  }

  /** The words of several members together: those that hold none of them are beside it. */
  inPieces(list: readonly unknown[]): boolean {
    const last = list.findLastIndex((one) => this.#holdsEnd(one));
    return list.every((one, i) => {
      if (isEmpty(one) || isThought(one) || this.#repeats(one)) return true;
      if (!isFilled(one)) return i <= last && !this.bears(one, { pieces: true });
      if (i > last) return this.#isOnlyAbout(one, true);
      return notTheModel(one) || !this.bears(one, { pieces: true });
    });
  }

  /** Whether a text that stands somewhere in a value is the last piece. */
  #holdsEnd(value: unknown, depth = 0): boolean {
    const { part } = this.#answer;
    if (typeof value === "string") return value !== "" && typeof part === "string" && part.endsWith(value);
    if (!isFilled(value) || this.#isTooMuch(depth, true)) return false;
    return Object.values(value).some((one) => this.#holdsEnd(one, depth + 1));
  }

  #isTooMuch(depth: number, pieces: boolean): boolean {
    return ++this.#nodes > (pieces ? MAX_IN_STREAM : MAX_NODES) || depth > MAX_DEPTH;
  }

  /**
   * Whether a value says that something went wrong, or holds what looks like the answer or could be it. Of pieces no text
   * is whole.
   */
  bears(value: unknown, { depth = 0, pieces = false } = {}): boolean {
    const { fits, keys, part } = this.#answer;
    if (this.#repeats(value)) return false;
    if (typeof value === "string") return !pieces && (value.includes("{") || (keys.size === 0 && value.includes("[")));
    if (!isFilled(value) || isThought(value)) return false;
    // What fits has keys of the answer, in most schemas: the many frames of a stream are not asked one by one.
    if (this.#isTooMuch(depth, pieces) || (!pieces && fits(value))) return true;
    const inside = (one: unknown) => this.bears(one, { depth: depth + 1, pieces });
    // A list looks like a list, as long as its rows do not tell it from one.
    if (Array.isArray(value)) return (keys.size === 0 && Array.isArray(part) && value.length > 0) || value.some(inside);
    if (pieces ? tellsOfFailure(value) : outcomeOf(value) === "wrong") return true;
    const ofACall = isCall(value);
    return Object.entries(value).some(([key, member]) => {
      if (REPEATS.has(key)) return false;
      if (!ofACall && !isEmpty(member) && keys.has(plainKey(key))) return true;
      return !(typeof member === "string" && ASKED_IN_WORDS.test(key)) && inside(member);
    });
  }

  #isAbout(key: string, value: unknown): boolean {
    if (isEmpty(value)) return true;
    const words = wordsOf(key);
    const word = words.at(-1) ?? "";
    const name = plainKey(key);
    if (words.some(isSpeaker)) return isTheModel(value) && !this.bears(value);
    if (REPEATS.has(word)) return true;
    // There is more than was given.
    if (words.includes("next")) return isNothing(value);
    if (WENT_WRONG.test(key.slice(0, MAX_KEY))) return isNothing(value);
    if (ASKED_IN_WORDS.test(key) && typeof value === "string") return true;
    // A flag under such a key says it of the answer.
    if (NOT_THE_ANSWER.test(key))
      return (
        isNothing(value) || ((isFilled(value) || typeof value === "string") && !wentWell(value) && !this.bears(value))
      );
    if (isAsked(name)) return !this.bears(value);
    // Whether it went well has been asked of the object, but for what stands deeper.
    if (isOutcome(name)) return !isFilled(value) || this.#isAboutAll(value);
    if (REASON.test(name)) return typeof value === "string" && ENDED.test(value);
    if (typeof value === "boolean") return FLAGS.has(word) && !(value && word === "more");
    if (typeof value === "string" && (this.#repeats(value) || (SAYS.test(name) && wentWell(value)))) return true;
    if (word === "headers" && isFilled(value)) return this.#isAboutAll(ownHeaders(value));
    if (isFilled(value) && words.some((one) => COUNTS.has(one))) return this.#isCounted(value) && !this.bears(value);
    const plain = Array.isArray(value) ? value.every(isPlain) : isPlain(value);
    if (ABOUT.has(word) && plain) return isNamedFor(word, name, value) && !this.bears(value);
    return this.#repeats(value) || (isFilled(value) && this.#isAboutAll(value));
  }

  #isAboutAll(value: Record<string, unknown>): boolean {
    return this.#isOnlyAbout(value) && !this.bears(value);
  }

  /** Whether an object or list holds nothing but numbers, whatever they count, and what is about an answer. */
  #isCounted(value: Record<string, unknown>): boolean {
    return Object.entries(value).every(([key, one]) => {
      if (isFilled(one)) return !this.#isTooMuch(0, false) && this.#isCounted(one);
      if (one === false && !isOutcome(plainKey(key))) return true;
      if (wordsOf(key).includes("next")) return isNothing(one);
      return typeof one === "boolean" ? this.#isAbout(key, one) : isPlain(one);
    });
  }

  /** Whether an object or list holds nothing but what is about an answer. */
  #isOnlyAbout(value: Record<string, unknown>, pieces = false): boolean {
    if (this.#isTooMuch(0, pieces)) return false;
    if (Array.isArray(value)) return value.every((one) => isFilled(one) && this.#isOnlyAbout(one));
    if (notTheModel(value) || (pieces ? tellsOfFailure(value) : outcomeOf(value) !== "well")) return false;
    return Object.entries(value).every(([key, member]) => {
      return isEmpty(member) || (!this.#answer.keys.has(plainKey(key)) && this.#isAbout(key, member));
    });
  }

  /** Whether a value is what the answer was read from, once more; as a text it may be one of the two. */
  #repeats(value: unknown): boolean {
    const { part } = this.#answer;
    if (typeof value === typeof part) return this.#isSame(value, part);
    if (typeof value === "string") return isFilled(part) && this.#isSame(parseContainer(value), part);
    if (typeof part !== "string" || !isFilled(value)) return false;
    this.#parsed ??= { value: parseContainer(part) };
    return this.#isSame(this.#parsed.value, value);
  }

  #isSame(a: unknown, b: unknown): boolean {
    if (a === b) return true;
    if (!isFilled(a) || !isFilled(b) || this.#isTooMuch(0, true)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && this.#isSame(a[key], b[key]))
    );
  }
}

function isFilled(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (isFilled(value) && Object.keys(value).length === 0);
}
