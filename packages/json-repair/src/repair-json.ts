import { parseContainer, parseWhole, quoteAfter, tooDeepFor } from "./decode/strict.js";
import { columnsAt, columnsOf, Source, sticky } from "./repair/ahead.js";
import { applyEdits, type Edit, inOrder } from "./repair/edits.js";
import { advance, finish, rewrite } from "./repair/machine.js";
import { AFTER_ITEM, AFTER_MEMBER, DONE, ITEM, KEY, LIST, newFrame, OBJECT, Reading } from "./repair/reading.js";
import type { ExtractOptions, JsonExtractErrorCode, Repair } from "./result.js";
import {
  checkOptions,
  checkText,
  countLines,
  JsonExtractError,
  MAX_DEPTH,
  MAX_LENGTH,
  repairOf,
  toldOf,
} from "./result.js";

/** How a damaged text is repaired. */
export interface RepairOptions extends Pick<ExtractOptions<unknown>, "maxLength" | "maxDepth"> {
  /** Allow only sure repairs; a text that needs another one is an error. Default false. */
  strict?: boolean;
}

/** A damaged text, made JSON. */
export interface Repaired {
  /** Valid JSON, laid out as the text was. */
  text: string;
  /** The value of `text`. */
  value: unknown;
  /** What had to be changed, in the order of the text; empty when it was JSON. */
  repairs: Repair[];
  /** False when the text broke off. */
  complete: boolean;
}

/** Blanks, some of them unseen, and what begins a comment; before the value, and behind it with what may be left over there. */
const HEAD = [/[\s\p{Cc}\p{Cf}]{1,999}/uy, /\/\/|#|\/\*/y] as const;
const TAIL = [/[\s\]},;]{1,999}/y, /\/\/|\/\*/y] as const;

/** Behind blanks and comments at `from`, and where the first comment is. In steps: V8 may keep each sign of a run on a stack. */
function behindAside([blanks, comment]: typeof HEAD | typeof TAIL, text: string, from: number) {
  let [at, first]: [number, number | undefined] = [from, undefined];
  for (;;) {
    const begun = sticky(comment, text, at);
    const isBlock = text[begun - 1] === "*";
    const end = begun < 0 ? sticky(blanks, text, at) : text.indexOf(isBlock ? "*/" : "\n", begun);
    if (end < 0 && (begun < 0 || isBlock)) return { at, comment: first };
    if (begun >= 0) first ??= at;
    at = end < 0 ? text.length : end + (isBlock ? 2 : 0);
  }
}

/** Makes a text JSON that is one damaged object or list from end to end. Throws a `JsonExtractError`. */
export function repairJson(text: string, options: RepairOptions = {}): Repaired {
  checkOptions(options, "repair");
  const { strict = false, maxLength, maxDepth = MAX_DEPTH } = options;
  checkText(text, maxLength);
  const error = (code: JsonExtractErrorCode, message: string, at?: number) =>
    new JsonExtractError(code, message, { text, at });
  const tooDeep = () => error("too-deep", `the JSON is nested deeper than ${maxDepth} levels`);
  const whole = parseWhole(text);
  if (whole === null) throw error("empty", "the text is empty");
  if (whole && tooDeepFor(whole.value, maxDepth)) throw tooDeep();
  if (whole) return { text: text.slice(whole.start, whole.end), value: whole.value, repairs: [], complete: true };

  const { begin, before } = headOf(text);
  const read = rewrite(new Source(text), begin, { maxDepth, implied: text[begin] === '"' });
  if (read.failed === "too-deep") throw tooDeep();
  if (read.failed) throw unreadable(text, read.at);

  const repairs = toldOf(read.edits, [...before, ...behind(text, read.end)]);
  const doubtful = strict ? repairs.find(({ sure }) => !sure) : undefined;
  if (doubtful) throw error("syntax", `a repair is not sure (${doubtful.kind})`, doubtful.at);
  repairs.sort((a, b) => a.at - b.at);
  countLines(text, repairs);
  return { text: read.json, value: read.value, repairs, complete: read.complete };
}

/** `gone`: so many characters have stood before the text. */
export const unreadable = (text: string, at: number, gone = 0) =>
  new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: gone + at });

/** Where the value begins, and what is told of the text before it. */
function headOf(text: string): { begin: number; before: Repair[] } {
  const { at: begin, comment } = behindAside(HEAD, text, 0);
  if (!/["{[]/.test(text.charAt(begin)))
    throw new JsonExtractError(
      "not-found",
      "the text does not start with a bracket; extractJson finds JSON among words",
      { text, at: begin },
    );
  return { begin, before: comment === undefined ? [] : [repairOf("comment", comment, true)] };
}

/** What is told of the text behind the value. */
function behind(text: string, end: number, gone = 0): Repair[] {
  const { at } = behindAside(TAIL, text, end);
  if (at < text.length)
    throw new JsonExtractError("syntax", "something else follows the JSON; extractJson finds JSON among words", {
      text,
      at: gone + at,
    });
  return text.slice(end).trim() === "" ? [] : [repairOf("surroundings", end)];
}

/** A part of what `repairJson` gives for the whole text. */
export type Piece = Pick<Repaired, "text" | "repairs" | "complete">;

/** So much is read at once. How it is read may depend on so much behind it and before it; so far apart are places to part it. */
export const SIZES = { atOnce: 1_000_000, ahead: 65_536, before: 1_024, apart: 4_096 };

/**
 * Repairs an object or list of any length while it arrives. It is parted where a member begins: what stands before that is
 * settled, and goes. Throws a `JsonExtractError`, also for a member that is too long.
 */
export class PieceRepair {
  /** What is left of the text, and from where on it is not settled. */
  #text = "";
  #from = 0;
  #wanted: number;
  readonly #sizes: typeof SIZES;
  /** The characters and the lines that have gone. */
  #gone = { at: 0, line: 0 };
  /** Where the reading goes on, the edits that it brings, and what opens what is open there. */
  #mark: Reading | undefined;
  #edits: Edit[] = [];
  #open = "";
  #told: Repair[] = [];

  constructor(sizes = SIZES) {
    this.#sizes = sizes;
    this.#wanted = sizes.atOnce;
  }

  /** Adds what has arrived; gives what is settled by it. */
  push(chunk: string): Piece | undefined {
    this.#text += chunk;
    if (this.#text.length < this.#wanted) return undefined;
    const piece = this.#begins() ? (this.#sound() ?? this.#repaired()) : undefined;
    this.#wanted = piece ? this.#sizes.atOnce : Math.min(2 * this.#text.length, MAX_LENGTH + 1);
    if (!piece) checkText(this.#text);
    return piece;
  }

  /** No more will arrive. */
  end(): Piece {
    const text = this.#text;
    // Throws, since it says why not.
    if (!this.#begins()) headOf(text);
    const { length } = text.trimEnd();
    if (this.#edits.length === 0 && this.#isJson(text.slice(this.#from, length), "")) return this.#take([], length, "");
    const [r, log] = this.#begin();
    finish(r, log);
    if (r.failure) throw unreadable(text, r.pos, this.#gone.at);
    this.#told.push(...behind(text, r.pos, this.#gone.at));
    return { ...this.#take(log, r.pos, ""), complete: r.complete };
  }

  /** Whether the value has begun; the comment before it may be long. */
  #begins(): boolean {
    if (this.#mark) return true;
    try {
      const { begin, before } = headOf(this.#text);
      [this.#from, this.#told] = [begin, before];
      return true;
    } catch {
      return false;
    }
  }

  /** What is JSON as it stands, up to a comma. */
  #sound(): Piece | undefined {
    const [text, from] = [this.#text, this.#from];
    if (this.#edits.length > 0) return undefined;
    let top = this.#mark?.top;
    const opened: number[] = [];
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 44 && at > text.length - this.#sizes.ahead) break;
      if (code === 34) {
        at = quoteAfter(text, at + 1);
        if (at < 0) return undefined;
      } else if (code === 123 || code === 91) opened.push(at);
      else if ((code === 125 || code === 93) && opened.pop() === undefined) top = top?.up;
    }
    if (at === text.length || (top?.depth ?? 0) + opened.length > MAX_DEPTH) return undefined;
    for (const place of opened) {
      const depth = (top?.depth ?? 0) + 1;
      const kind = text[place] === "{" ? OBJECT : LIST;
      // Settled, in the order of the text.
      const at = depth - MAX_DEPTH - 9;
      const leads =
        kind === LIST && top?.kind === LIST && /\[\s{0,80}$/.test(text.slice(Math.max(0, place - 81), place));
      top = newFrame(kind, top, at, at, leads);
      top.columns = columnsAt(text, place);
    }
    if (!top) return undefined;
    const r = new Reading(new Source(text, true), Number.NEGATIVE_INFINITY, text.length, MAX_DEPTH);
    Object.assign(r, { top, pos: at, last: at, valueAt: -2, lineStart: text.lastIndexOf("\n", at) + 1 });
    r.state = top.kind === OBJECT ? AFTER_MEMBER : AFTER_ITEM;
    if (!this.#isJson(text.slice(from, at), r.closers())) return undefined;
    const piece = this.#take([], at, r.closers());
    this.#goOn(moved(r, at - this.#sizes.before, at), at - this.#sizes.before, "0");
    return piece;
  }

  /** What is settled by the machine, up to the last value that has ended. */
  #repaired(): Piece | undefined {
    const { ahead, before, apart } = this.#sizes;
    const text = this.#text;
    const [r, log] = this.#begin();
    let [next, end, count]: [Reading | undefined, number, number] = [undefined, this.#from, 0];
    while (r.state < DONE && !r.failure && r.pos < text.length - ahead) {
      advance(r);
      if (r.valueAt < end + apart || !isBetween(r, log)) continue;
      [end, count] = [r.valueAt, log.length];
      next = moved(r, end - before, end);
    }
    if (r.failure) throw unreadable(text, r.pos, this.#gone.at);
    // A comment behind the value may go on.
    if (r.state >= DONE && !text.includes("/", r.pos)) behind(text, r.pos, this.#gone.at);
    if (next === undefined) return undefined;
    const [cut, edits] = [end - before, log.slice(0, count)];
    const settled = edits.filter(({ at }) => at < end);
    const piece = this.#take(settled, end, `0${next.closers()}`);
    const left = edits.filter(({ at }) => at >= end);
    this.#edits = left.map((edit) => ({ ...edit, at: edit.at - cut, end: edit.end - cut }));
    this.#goOn(next, cut, "");
    return piece;
  }

  /** Leaves the first `cut` characters behind; `value`: what the innermost bracket has there. */
  #goOn(mark: Reading, cut: number, value: string): void {
    this.#gone = { at: this.#gone.at + cut, line: this.#gone.line + this.#text.slice(0, cut).split("\n").length - 1 };
    this.#text = this.#text.slice(cut);
    [this.#mark, this.#from, this.#open] = [mark, this.#sizes.before, openers(mark.top) + value];
  }

  #begin(): [Reading, Edit[]] {
    const log = [...this.#edits];
    const r = this.#mark
      ? moved(this.#mark, 0, 0, this.#text)
      : new Reading(new Source(this.#text, true), this.#from, this.#text.length, MAX_DEPTH);
    r.log = log;
    return [r, log];
  }

  #isJson(part: string, closers: string): boolean {
    return parseContainer(this.#open + part + closers) !== undefined;
  }

  #take(edits: Edit[], end: number, closers: string): Piece {
    const text = applyEdits(inOrder(edits), this.#text, this.#from, end);
    if (!this.#isJson(text, closers)) throw unreadable(this.#text, this.#from, this.#gone.at);
    const repairs = toldOf(edits, this.#told).sort((a, b) => a.at - b.at);
    countLines(this.#text, repairs);
    for (const one of repairs) Object.assign(one, { at: one.at + this.#gone.at, line: one.line + this.#gone.line });
    this.#told = [];
    return { text, repairs, complete: true };
  }
}

/**
 * The same place where the first `cut` characters of the text are gone, and others may have come behind it. What stands before
 * `settled`, where the last value begins, is not changed any more.
 */
function moved(r: Reading, cut: number, settled: number, text = r.text): Reading {
  // What is settled has a place below -1: in the order of the text, and none that can be changed.
  const placed = (at: number) => (at < 0 ? at : at < settled ? at - settled - 2 : at - cut);
  const framesOf = (frame: Reading["top"]): Reading["top"] =>
    frame && {
      ...frame,
      up: framesOf(frame.up),
      at: placed(frame.at),
      from: placed(frame.from),
      columns: columnsOf(r.text, frame),
    };
  const source = text === r.text ? r.source : new Source(text, true);
  const copy = new Reading(source, Number.NEGATIVE_INFINITY, text.length, r.maxDepth);
  const { start, limit } = copy;
  Object.assign(copy, r, { source, text, start, limit, top: framesOf(r.top), log: undefined });
  for (const place of ["pos", "last", "comma", "valueAt", "lineStart"] as const) copy[place] = placed(r[place]);
  return copy;
}

/** Whether the next member is awaited, and nothing was put in right before the last one, which may belong to it. */
function isBetween({ state, valueAt, top }: Reading, log: readonly Edit[]): boolean {
  if ((state !== KEY && state !== ITEM) || valueAt <= (top?.at ?? 0)) return false;
  return log.slice(log.findLastIndex(({ at }) => at < valueAt) + 1).every(({ at, end }) => at > valueAt || end > at);
}

/** What JSON may begin with up to the value of a member there. */
function openers(frame: Reading["top"]): string {
  return frame ? openers(frame.up) + (frame.kind === OBJECT ? '{"":' : "[") : "";
}
