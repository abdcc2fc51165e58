/** Where one reading of a text stands, and the small steps that all rules are made of. */
import { CLOSE_OBJECT, OPEN_OBJECT, QUOTE, signOf } from "../decode/signs.js";
import type { Source } from "./ahead.js";
import type { Edit, RepairKind } from "./edits.js";

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
/** The value has ended; the text has inside of it, goes on as something else, or is no JSON. */
export const DONE = 10;
export const STOPPED = 11;

// Kinds of brackets.
export const OBJECT = 0;
export const LIST = 1;
/** A list in round brackets. */
export const TUPLE = 2;
export const CLOSERS = ["}", "]", "]"];

export type When = (r: Reading) => boolean;

/** What one token, or one sign of a string, may be taken for. */
export interface Way {
  readonly act: (r: Reading, way: Way) => void;
  readonly cost: number;
  readonly kind?: RepairKind | undefined;
  /** What stands in the place of the token, or before it. */
  readonly by?: string;
  /** How many signs of the text go. */
  readonly takes?: number;
  /** Where alone it can be, and where it is not sure. */
  readonly when?: When | undefined;
  readonly doubt?: When;
}

/**
 * An open bracket, where it stands (-1 if it was put in, less if that is settled), and from where on it is open. `leads`: a list that is
 * the first item of a list. Readings share them.
 */
export interface Frame {
  readonly kind: number;
  readonly up: Frame | undefined;
  readonly at: number;
  readonly from: number;
  readonly depth: number;
  readonly leads: boolean;
  /** The columns of its line and of its first member, once they were asked for; its first key, and the latest one. */
  columns: Columns | undefined;
  first: string | undefined;
  latest: string | undefined;
}

/** The blanks at the start of the line on which a bracket stands, and of that of its first member, if that begins a line. */
export interface Columns {
  readonly line?: string | undefined;
  readonly member?: string | undefined;
}

/** A bracket that has just been opened. Made in one place, so that the engine keeps one shape of them; a spread takes twice the time. */
export function newFrame(kind: number, up: Frame | undefined, at: number, from: number, leads: boolean): Frame {
  const no = undefined;
  return { kind, up, at, from, depth: (up?.depth ?? 0) + 1, leads, columns: no, first: no, latest: no };
}

/** No string is being read. */
const NO_STRING = {
  /** The state that it was met in (`KEY` for every key), and the code of its quote. */
  role: START as number,
  quote: 34,
  begin: 0,
  content: 0,
  /** How many edits there were before its content. */
  edits: 0,
  /** Inner quotes so far, and whether the last one opened. */
  inner: 0,
  open: false,
  /** Backslashes are content, as in Python's `r"…"`. */
  raw: false,
  /** One of the inner quotes may be more than content. */
  doubt: false,
};

/** No reading that goes on costs so much, and no other one is so near. */
export const MOST = 99;
/** What it costs to leave the rest of the text unread, and so much of it is looked at. */
const [STOP, REST] = [7, 160];

/** What an edit costs, in characters read; so many brackets may be missing at once. */
export const EDIT_WORK = 12;
const NEAR = 6;

export type Failure = "not-json" | "too-deep";

export class Reading {
  readonly source: Source;
  readonly text: string;
  readonly start: number;
  readonly limit: number;
  readonly maxDepth: number;
  state = START;
  pos: number;
  top: Frame | undefined;
  /** Where the last token has ended. */
  last: number;
  /** What all that was changed costs. */
  cost = 0;
  /** The comma that awaits its next member, the key that awaits its value, the last value that has ended; -1 without one. */
  comma = -1;
  keyAt = -1;
  valueAt = -1;
  /** Where the line of the token begins. */
  lineStart = 0;
  /** How keys have been written so far. */
  bareKeys = false;
  /** Whether an escape that JSON does not know has been met, and whether an object has its first key again, or one twice in a row. */
  foreign = false;
  twice = false;
  complete = true;
  failure: Failure | undefined;
  /** By how much the last decision was the cheapest; of a trial, by how much another one was dearer that went on like it. */
  margin = MOST;
  /** The way that a trial began with. */
  way = 0;
  string = NO_STRING;
  /** Characters that were read more than once. */
  again = 0;
  /** Where edits are written down; a trial has none, and ends somewhere. */
  log: Edit[] | undefined;
  horizon = Number.MAX_SAFE_INTEGER;

  constructor(source: Source, start: number, limit: number, maxDepth: number) {
    this.source = source;
    this.text = source.text;
    this.start = start;
    this.limit = limit;
    this.maxDepth = maxDepth;
    this.pos = start;
    this.last = start;
  }

  take(way: Way): this {
    this.cost += way.cost;
    way.act(this, way);
    return this;
  }

  /** The same place, read on in the way up to the horizon; `nth` is the number of the first one of its ways. */
  trial(way: Way, nth: number, horizon: number): Reading {
    this.source.credit--;
    const copy = new Reading(this.source, this.start, this.limit, this.maxDepth);
    const string = this.state === STRING ? { ...this.string } : NO_STRING;
    return Object.assign(copy, this, { log: undefined, string, horizon, way: nth }).take(way);
  }

  get depth(): number {
    return this.top?.depth ?? 0;
  }

  /** Whether nothing has been read yet. */
  get untouched(): boolean {
    return this.depth === 1 && this.valueAt < this.start;
  }

  /** Whether a member of the innermost bracket has been read. */
  get hasValue(): boolean {
    return this.valueAt > (this.top?.at ?? -1);
  }

  /** Whether a line has ended since the last token. */
  get lineEnds(): boolean {
    return this.lineStart > this.last;
  }

  sign(at = this.pos): number {
    return signOf(this.text.charCodeAt(at));
  }

  isQuote(at: number): boolean {
    return at < this.limit && this.sign(at) === QUOTE;
  }

  /** Replaces a part of the text; a run of the same removals is one edit. */
  edit(at: number, end: number, by: string, kind?: RepairKind, sure = true): undefined {
    const { log } = this;
    if (log === undefined) return;
    const before = by === "" ? log[log.length - 1] : undefined;
    const goesOn = before?.by === "" && before.end === at && before.kind === kind;
    if (goesOn && log.pop()) this.again += EDIT_WORK;
    log.push({ at: goesOn ? before.at : at, end, by, kind, sure: sure && (!goesOn || before.sure) });
  }

  push(kind: number, at = -1): undefined {
    if (this.depth >= this.maxDepth) return this.fail("too-deep");
    const { top: up, state } = this;
    const leads = kind === LIST && up?.kind === LIST && state === FIRST_ITEM;
    this.top = newFrame(kind, up, at, at < 0 ? this.pos : at, leads);
    this.comma = -1;
    this.keyAt = -1;
    this.state = kind === OBJECT ? FIRST_KEY : FIRST_ITEM;
  }

  /** A string begins, behind a quote of this kind at `begin` if it has not been lost, and a prefix of Python. */
  enter(role: number, quote: number, begin: number, content: number, prefix = ""): undefined {
    this.string = { ...NO_STRING, role, quote, begin, content, raw: /r/i.test(prefix), edits: this.log?.length ?? 0 };
    this.pos = content;
    this.state = STRING;
  }

  /** The innermost bracket ends at `pos`, and is a member of the one around it. */
  pop(): undefined {
    const frame = this.top as Frame;
    this.top = frame.up;
    this.ended(frame.from);
  }

  /** A value that began at `from` has ended before `pos`. */
  ended(from: number): undefined {
    this.valueAt = from;
    this.keyAt = -1;
    this.comma = -1;
    this.last = this.pos;
    this.state = this.top === undefined ? DONE : this.top.kind === OBJECT ? AFTER_MEMBER : AFTER_ITEM;
  }

  /** A key has ended before `end`; the same one may be that of another object, whose brackets are missing. */
  keyEnded(from: number, end: number): undefined {
    this.last = end;
    this.state = COLON;
    const { top, text } = this;
    if (!this.log || !top) return;
    const key = text.slice(from, end);
    this.twice ||= key === top.first || key === top.latest;
    top.latest = key;
    top.first ??= key;
  }

  /** The comma at `comma` has been read; without one, -1. */
  goOn(comma: number): undefined {
    this.comma = comma;
    this.keyAt = -1;
    this.state = this.top?.kind === OBJECT ? KEY : ITEM;
  }

  /** A value or the next item is awaited. */
  awaitValue(): undefined {
    this.state = this.top?.kind === OBJECT ? VALUE : ITEM;
  }

  /** What JSON closes the innermost bracket with, and those around it. */
  closers(levels = this.depth): string {
    let closers = "";
    for (let frame = this.top; frame !== undefined && closers.length < levels; frame = frame.up)
      closers += CLOSERS[frame.kind];
    return closers;
  }

  /** How many brackets are open inside of the nearest one that the token closes, as it is meant or written; -1 without one. */
  get inner(): number {
    const kind = this.sign() - CLOSE_OBJECT;
    let frame = this.top;
    for (let levels = 0; frame !== undefined && levels <= NEAR; levels++, frame = frame.up)
      if (frame.kind === kind || (frame.at >= 0 && this.sign(frame.at) - OPEN_OBJECT === kind)) return levels;
    return -1;
  }

  dropComma(): undefined {
    if (this.comma < 0) return;
    const { comma, log = [] } = this;
    this.comma = -1;
    if (this.text[comma] === ",") {
      this.cost += 1;
      return this.edit(comma, comma + 1, "", "trailing-comma");
    }
    // Another sign was made one: it goes.
    const nth = log.findLastIndex(({ at }) => at <= comma);
    const edit = log[nth];
    if (edit?.at === comma) log[nth] = { ...edit, by: "" };
  }

  fail(failure: Failure, cost = MOST): undefined {
    this.cost += cost;
    this.failure ??= failure;
    this.state = STOPPED;
  }

  /** The text goes on as something else: what it costs to leave it tell the signs of JSON that follow. */
  stop(): undefined {
    this.cost += STOP + this.text.slice(this.pos, Math.min(this.limit, this.pos + REST)).split(/["}\]]/).length;
    this.state = STOPPED;
  }
}
