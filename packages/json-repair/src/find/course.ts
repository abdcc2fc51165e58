import { tellsBehind } from "./announced.js";
import { answersTheModel, isThought } from "./messages.js";
import { isAsked, isNothing, isResult, isTold, outcomeOf, plainKey } from "./outcome.js";

/** What stands behind a call: `answered`, what came of it; `unsaid`, words that may tell so. */
export type CameOf = "answered" | "unsaid" | undefined;

/** Types of messages that tell what came of a call. */
const ANSWERS = /(?:tool|call|function)\w{0,20}[_-](?:result|output|response|error)|^(?:observation|error)$/;
/** They name the call that a message is the answer to. */
const NAMES_A_CALL = new Set(["toolcallid", "tooluseid", "callid"]);
/** Messages stand in these, beside those in which words stand. */
const CARRIES = new Set(["item", "items", "event", "delta", "part", "parts", "choices", "candidates", "generations"]);
/** What a program gives, whatever it is: even a number, or nothing. */
const VALUES = new Set(["value", "values", "object", "json", "parsed", "found", "count"]);
/** So deep, and so many members of each, a message is looked into. */
const MAX_DEPTH = 5;
const MAX_MEMBERS = 50;

/** The members of a list or the values of a text, one after the other: a call among them, and what came of it. */
export class Course {
  readonly #members: readonly unknown[];
  #behind: CameOf[] | undefined;

  constructor(members: readonly unknown[]) {
    this.#members = members;
  }

  /** What the members behind this one tell, if it is a call. */
  behind(at: number): CameOf {
    this.#behind ??= this.#fromTheEnd();
    return this.#behind[at];
  }

  #fromTheEnd(): CameOf[] {
    const behind = new Array<CameOf>(this.#members.length);
    let came: CameOf;
    for (let at = this.#members.length - 1; at >= 0; at--) {
      behind[at] = came;
      if (came !== "answered") came = told(this.#members[at]) ?? came;
    }
    return behind;
  }
}

/** Where a value stands in a course, and where that stands in another one. */
export interface InCourse {
  readonly course: Course;
  readonly at: number;
  readonly around?: InCourse | undefined;
}

/** The places of the values of a text: behind each stand the others, and what the text tells between them. */
export function placesIn(
  values: readonly { readonly value: unknown; readonly end: number; readonly thought: boolean }[],
  { text, thoughts, around }: { text: string | undefined; thoughts: boolean; around: InCourse | undefined },
): (at: number) => InCourse {
  const members = values.flatMap(({ value, end, thought }) => [
    thought && !thoughts ? undefined : value,
    text === undefined ? undefined : tellsBehind(text, end),
  ]);
  const course = new Course(members);
  return (at) => ({ course, at: 2 * at, around });
}

/** What the courses tell in which a call stands. */
export function cameOf(place: InCourse | undefined): CameOf {
  let came: CameOf;
  for (let one = place; one && came !== "answered"; one = one.around) came = one.course.behind(one.at) ?? came;
  return came;
}

/** What a message tells of the call before it. */
export function told(message: unknown): CameOf {
  if (message === null || message === false || isEmpty(message)) return "unsaid";
  if (typeof message === "string") return message.trim() === "" ? undefined : "unsaid";
  const tells = toldIn(message, 0);
  return tells === "call" ? undefined : tells;
}

/** Whether a message is a call, or holds one. */
export function holdsCall(message: unknown): boolean {
  return toldIn(message, 0) === "call";
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** `call`: the message is another call, or holds one; what that is given and what came of it is its own. */
type Tells = CameOf | "call";

function toldIn(value: unknown, depth: number): Tells {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH || isThought(value)) return undefined;
  if (Array.isArray(value)) {
    const all = value.slice(0, MAX_MEMBERS).map((member) => toldIn(member, depth + 1));
    return strongest(all, ["answered", "call", "unsaid"]);
  }
  const node = value as Record<string, unknown>;
  const { type } = node;
  if (answersTheModel(node) || (typeof type === "string" && ANSWERS.test(type.slice(0, 100)))) return "answered";
  const members = Object.entries(node)
    .slice(0, MAX_MEMBERS)
    .map(([key, member]) => ({ key: plainKey(key), member }));
  if (members.some(({ key, member }) => isAsked(key) && !isNothing(member))) return "call";
  if (outcomeOf(node) === "wrong" || members.some(({ key }) => NAMES_A_CALL.has(key))) return "answered";
  const all = members.map(({ key, member }) => {
    if (VALUES.has(key)) return member === undefined ? undefined : "unsaid";
    if (typeof member === "string" && isTold(key)) return told(member);
    const tells = isResult(key) || isTold(key) || CARRIES.has(key) ? toldIn(member, depth + 1) : undefined;
    return isResult(key) && tells !== "call" ? "answered" : tells;
  });
  return strongest(all, ["call", "answered", "unsaid"]);
}

function strongest(all: readonly Tells[], order: readonly Tells[]): Tells {
  return order.find((one) => all.includes(one));
}
