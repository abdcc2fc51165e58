/** Where one reading of a text stands, and the small steps that all rules are made of. */
import { CLOSE_OBJECT, QUOTE, signOf } from "../decode/signs.js";
import type { EditLog, RepairKind } from "./edits.js";
import type { Source } from "./source.js";

// States: what is awaited.
export const START = 0;
export const FIRST_KEY = 1;
export const KEY = 2;
export const COLON = 3;
export const VALUE = 4;
export const AFTER_MEMBER = 5;
export const FIRST_ITEM = 6;
export const ITEM = 7;
export const AFTER_ITEM = 8;
/** Inside of a string. */
export const STRING = 9;
/** The value has ended. */
export const DONE = 10;
/** The text has ended inside the value, or goes on as something else. */
export const STOPPED = 11;
export const FAILED = 12;
/** Behind a bracket of a kind, which is added to it. */
export const OPEN = 20;

// Kinds of brackets.
export const OBJECT = 0;
export const LIST = 1;
/** A list in round brackets. */
export const TUPLE = 2;
const CLOSERS = ["}", "]", "]"];

/** What one token, or one sign of a string, may be taken for. */
export interface Way {
  readonly act: (r: Reading, way: Way) => void;
  readonly cost: number;
  readonly kind?: RepairKind;
  /** What stands in the place of the token, or before it. */
  readonly by?: string;
  /** How many signs go. */
  readonly takes?: number;
  /** The state behind it. */
  readonly to?: number;
  /** Whether it is sure; by how much it is the cheapest if that is not said. One that is sure stands alone. */
  readonly sure?: boolean;
  /** Where it is not sure, and where alone it can be. */
  readonly doubt?: (r: Reading) => boolean | undefined;
  readonly when?: (r: Reading) => boolean | undefined;
}

/** An open bracket; readings share them. */
export interface Frame {
  readonly kind: number;
  readonly up: Frame | undefined;
  /** Where its bracket stands; -1 if it was put in. */
  readonly at: number;
  readonly depth: number;
  /** The kind whose closing bracket ends it as well: that of the bracket which stands in the text. */
  readonly also: number;
  /** In which column its members stand, if each has a line of its own; -1 if not. */
  column: number;
}

/** The margin of what can be read in one way alone. */
export const NO_OTHER = 99;

/** The string that is being read. */
interface OpenString {
  /** The state that it was met in (`KEY` for every key), and the code of its quote. */
  readonly role: number;
  readonly quote: number;
  readonly begin: number;
  content: number;
  /** How many edits there were before its content. */
  readonly edits: number;
  /** Inner quotes so far, whether the last one opened, and whether one of them lacks its partner. */
  inner: number;
  open: boolean;
  odd: boolean;
  /** One of the inner quotes may be more than content. */
  doubt: boolean;
  /** Whether it has an escape that JSON does not know, and its short ones, which may be a backslash and a letter. */
  foreign: boolean;
  suspects: number[];
}

const NO_STRING: OpenString = {
  ...{ role: START, quote: 34, begin: 0, content: 0, edits: 0 },
  ...{ inner: 0, open: false, odd: false, doubt: false, foreign: false, suspects: [] },
};

/** No reading that goes on costs so much. */
const FAILURE = 99;
/** What it costs to leave the rest of the text unread, and so much of it is looked at. */
const STOP = 8;
const REST = 160;

/** So many brackets may be missing at once. */
const NEAR = 6;

export type Failure = "not-json" | "foreign" | "escaped" | "markdown" | "too-deep";

export class Reading {
  readonly source: Source;
  readonly text: string;
  readonly start: number;
  readonly limit: number;
  readonly maxDepth: number;
  /** Whether the value stands in a Markdown fence, whose end closes a string that broke off. */
  readonly fenced: boolean;
  state = START;
  pos: number;
  top: Frame | undefined;
  /** What all that was changed costs. */
  cost = 0;
  /** End of the last token. */
  last: number;
  /** The comma that awaits its next member, or -1. */
  comma = -1;
  /** The key that awaits its value, or -1. */
  keyAt = -1;
  /** Where the last value began that was read to its end, or -1. */
  valueAt = -1;
  /** Whether a line has ended before the token, and where its own line begins. */
  lineEnds = false;
  lineStart = 0;
  /** How keys have been written so far. */
  bareKeys = false;
  wordyKeys = false;
  quotedKeys = false;
  /** What has been left out before. */
  habit: RepairKind | undefined;
  /** A member here stands in a strange column, and yet belongs to the innermost bracket. */
  stayedAt = -1;
  /** Behind the mark at `pos`. */
  markEnd = -1;
  /** An escape that JSON does not know has been met. */
  foreign = false;
  complete = true;
  failure: Failure | undefined;
  /** By how much the last decision was the cheapest. */
  margin = 0;
  string = NO_STRING;
  /** Characters that were read more than once. */
  again = 0;
  /** Where edits are written down; a trial has none, and ends somewhere. */
  log: EditLog | undefined;
  horizon = Number.MAX_SAFE_INTEGER;

  constructor(source: Source, start: number, limit: number, maxDepth: number, fenced: boolean) {
    this.source = source;
    this.text = source.text;
    this.start = start;
    this.limit = limit;
    this.maxDepth = maxDepth;
    this.fenced = fenced;
    this.pos = start;
    this.last = start;
  }

  /** The same place, to be read on in another way up to the horizon. */
  trial(horizon: number): Reading {
    const copy = new Reading(this.source, this.start, this.limit, this.maxDepth, this.fenced);
    const string = this.state === STRING ? { ...this.string } : NO_STRING;
    return Object.assign(copy, this, { log: undefined, string, horizon });
  }

  get depth(): number {
    return this.top?.depth ?? 0;
  }

  /** Whether nothing has been read yet. */
  get untouched(): boolean {
    return this.depth === 1 && this.valueAt < this.start;
  }

  sign(at = this.pos): number {
    return signOf(this.text.charCodeAt(at));
  }

  isQuote(at: number): boolean {
    return at < this.limit && this.sign(at) === QUOTE;
  }

  /** Replaces a part of the text. */
  edit(at: number, end: number, by: string, kind?: RepairKind, sure = true): undefined {
    this.log?.add(at, end, by, kind, sure);
  }

  push(kind: number, at: number, also = kind): undefined {
    const up = this.top;
    const depth = this.depth + 1;
    if (depth > this.maxDepth) return this.fail("too-deep");
    this.top = { kind, up, at, depth, also, column: -1 };
    this.comma = -1;
    this.keyAt = -1;
    this.state = kind === OBJECT ? FIRST_KEY : FIRST_ITEM;
  }

  /** A string begins, behind a quote of this kind at `begin` if it has not been lost. */
  enter(role: number, quote: number, begin: number, content: number): undefined {
    this.string = { ...NO_STRING, role, quote, begin, content, edits: this.log?.length ?? 0, suspects: [] };
    this.pos = content;
    this.state = STRING;
  }

  /** The innermost bracket ends at `pos`, and is a member of the one around it. */
  pop(): undefined {
    const frame = this.top as Frame;
    this.top = frame.up;
    this.ended(frame.at);
  }

  /** A value that began at `from` has ended before `pos`. */
  ended(from: number): undefined {
    this.valueAt = from;
    this.keyAt = -1;
    this.comma = -1;
    this.last = this.pos;
    this.state = this.top === undefined ? DONE : this.top.kind === OBJECT ? AFTER_MEMBER : AFTER_ITEM;
  }

  /** What JSON closes the innermost bracket with, and those around it. */
  closers(levels = this.depth): string {
    let closers = "";
    for (let frame = this.top; frame !== undefined && closers.length < levels; frame = frame.up)
      closers += CLOSERS[frame.kind];
    return closers;
  }

  /** The nearest bracket of the kind; looks at some of those around. */
  outer(kind: number): Frame | undefined {
    let frame = this.top;
    for (let levels = 0; frame !== undefined && frame.kind !== kind && levels < NEAR; levels++) frame = frame.up;
    return frame?.kind === kind ? frame : undefined;
  }

  dropComma(): undefined {
    if (this.comma < 0) return;
    this.edit(this.comma, this.comma + 1, "", "trailing-comma");
    this.cost += 1;
    this.comma = -1;
  }

  fail(failure: Failure): undefined {
    this.cost += FAILURE;
    this.failure = failure;
    this.state = FAILED;
  }

  /** The text goes on as something else: what it costs to leave it tell the signs of JSON that follow. */
  stop(): undefined {
    this.state = STOPPED;
    this.cost += STOP;
    const [rest = ""] = this.text.slice(this.pos, Math.min(this.limit, this.pos + REST)).split("```", 1);
    for (const c of rest) this.cost += c === '"' ? 1.5 : c === "}" || c === "]" ? 1 : 0;
  }

  /** Whether a member of the innermost bracket has been read. */
  get hasValue(): boolean {
    return this.valueAt > (this.top?.at ?? -1);
  }

  /** Whether the last token is this closing bracket, as it stands in the text. */
  closedBy(code: number): boolean {
    return this.valueAt >= 0 && this.text.charCodeAt(this.last - 1) === code;
  }

  /** The kind that the closing bracket at `pos` belongs to. */
  get closerKind(): number {
    return this.sign() - CLOSE_OBJECT;
  }
}
