import type { SourceText } from "../source-text.js";
import type { EditLog, EditSpan, RepairKind } from "./edits.js";
import { settleEscapes } from "./escapes.js";

export const OBJECT = 0;
export const LIST = 1;
/** A list in round brackets. */
export const TUPLE = 2;
export type Frame = typeof OBJECT | typeof LIST | typeof TUPLE;

export function frameOf(opener: string): Frame {
  return opener === "{" || opener === "}" ? OBJECT : opener === "[" || opener === "]" ? LIST : TUPLE;
}

/** What JSON closes it with. */
export function closerOf(frame: Frame): string {
  return frame === OBJECT ? "}" : "]";
}

/** What comes next; `stop` when the text ends, or goes on as something else. */
export type Expected = "value" | "key" | "colon" | "after" | "stop";

export interface Rewritten {
  /** JSON, if the reading was right; the caller parses it. */
  json: string;
  /** Where the value ends. */
  end: number;
  edits: EditSpan;
  /** False when the text ended inside the value. */
  complete: boolean;
  /** What the pass and the parsing of `json` cost, in characters: edits cost more than what they stand for. */
  work: number;
  failed?: undefined;
}

export interface Unreadable {
  /**
   * `not-json`: what stands here is something else. `foreign`: a construct of another notation (a function call, a
   * regular expression). `escaped`: every quote has a backslash; `markdown`: brackets have one. `too-deep`: more levels
   * than allowed.
   */
  failed: "not-json" | "foreign" | "escaped" | "markdown" | "too-deep";
  at: number;
  /** What the attempt cost, in characters. */
  work: number;
}

export interface RewriteOptions {
  maxDepth: number;
  /** Where the edits are written down; behind those of earlier readings. */
  log: EditLog;
  /** Where the text ends for this value. Default: at its end. */
  limit?: number;
  /** The opening brace is missing: the value starts with its first key. */
  implied?: boolean;
  /** The value stands in a Markdown fence, whose end closes a string that broke off. */
  fenced?: boolean;
}

/** Short escapes before a letter: where another one shows that backslashes are content, these are content too. */
export interface Suspects {
  /** Where the string begins that they stand in. */
  string: number;
  /** Whether it starts as a path does. */
  path: boolean;
  /** The places of their backslashes. */
  at: number[];
}

/** A line end in a string, as JSON writes it. */
export const LINE_END = "\\n";

/** What an edit costs, in characters read. */
const EDIT_WORK = 12;

/** Where one reading of a text stands, the brackets that are open, and what it has changed. */
export class ParserState {
  readonly source: SourceText;
  readonly text: string;
  readonly start: number;
  readonly limit: number;
  readonly maxDepth: number;
  readonly fenced: boolean;
  /** The next sign to read. */
  pos: number;
  /** End of the last token. */
  last: number;
  /** The comma that awaits its next member, or -1. */
  comma = -1;
  /** The key that awaits its value, or -1. */
  keyAt = -1;
  /** Where the last value began that was read to its end. */
  valueAt = -1;
  /** Unquoted keys have been met. */
  bareKeys = false;
  /** Unquoted keys have blanks or start with digits here. */
  wordyKeys = false;
  /** False once the text has ended inside the value. */
  complete = true;
  readonly edits: EditLog;
  /** The first of this reading's own edits. */
  readonly firstEdit: number;
  readonly suspects: Suspects[] = [];
  /** The strings, by where they begin, with escapes that JSON does not know. */
  readonly foreignEscapes = new Set<number>();
  /** The open brackets. */
  readonly #stack: Frame[] = [];
  /** Members read so far, for each open bracket. */
  readonly #members: number[] = [];
  /** Where each open bracket stands. */
  readonly #places: number[] = [];
  /** For each kind of bracket the levels it is open at: what is asked of a deep stack must not cost its depth. */
  readonly #levels: readonly [number[], number[], number[]] = [[], [], []];

  constructor(source: SourceText, start: number, options: RewriteOptions) {
    this.source = source;
    this.text = source.text;
    this.start = start;
    this.limit = options.limit ?? source.text.length;
    this.edits = options.log;
    this.firstEdit = options.log.length;
    this.maxDepth = options.maxDepth;
    this.fenced = options.fenced ?? false;
    this.pos = start;
    this.last = start;
  }

  get depth(): number {
    return this.#stack.length;
  }

  /** The innermost open bracket. */
  get top(): Frame | undefined {
    return this.#stack[this.#stack.length - 1];
  }

  /** The bracket around the innermost one. */
  get parent(): Frame | undefined {
    return this.#stack[this.#stack.length - 2];
  }

  frameAt(level: number): Frame | undefined {
    return this.#stack[level];
  }

  isOpen(frame: Frame): boolean {
    return this.#levels[frame].length > 0;
  }

  /** The level of the innermost bracket of the kind, -1 if none is open. */
  levelOf(frame: Frame): number {
    const levels = this.#levels[frame];
    return levels[levels.length - 1] ?? -1;
  }

  /** Whether the last token is this bracket, as it stands in the text. */
  closedBy(bracket: string): boolean {
    const { edits, last } = this;
    if (this.text[last - 1] !== bracket) return false;
    return edits.length === this.firstEdit || edits.end(edits.length - 1) < last;
  }

  /** How many members the innermost bracket has so far. */
  get members(): number {
    return this.#members[this.#members.length - 1] ?? 0;
  }

  /** False when that would be too deep. */
  push(frame: Frame, members = 0): boolean {
    if (this.#stack.length >= this.maxDepth) return false;
    this.#levels[frame].push(this.#stack.length);
    this.#stack.push(frame);
    this.#members.push(members);
    this.#places.push(this.pos);
    this.comma = -1;
    return true;
  }

  /** The innermost bracket ends; it is a member of the one around it. */
  leave(): void {
    const frame = this.#stack.pop();
    if (frame !== undefined) this.#levels[frame].pop();
    this.#members.pop();
    this.valueAt = this.#places.pop() ?? -1;
    this.#countMember();
  }

  /** The innermost bracket was meant as one of another kind. */
  retype(frame: Frame): void {
    const level = this.#stack.length - 1;
    this.#levels[this.#stack[level] as Frame].pop();
    this.#levels[frame].push(level);
    this.#stack[level] = frame;
  }

  /** A member was read up to `pos`. */
  endMember(): void {
    this.#countMember();
    this.endToken();
  }

  /** What stands before `pos` needs nothing more; it is no member if the text says nothing of its value. */
  endToken(): void {
    this.keyAt = -1;
    this.comma = -1;
    this.last = this.pos;
  }

  #countMember(): void {
    const level = this.#members.length - 1;
    if (level >= 0) this.#members[level] = (this.#members[level] as number) + 1;
  }

  edit(at: number, end: number, by: string, kind?: RepairKind, sure = true): void {
    const { edits } = this;
    const before = edits.length - 1;
    const removes = by === "" && before >= this.firstEdit && edits.by(before) === "";
    // A run of the same is one repair.
    if (removes && edits.kind(before) === kind && edits.end(before) === at) edits.extend(before, end);
    else edits.add(at, end, by, kind, sure);
  }

  /** Takes back the edits from `at` on, but not the `kept` first ones. */
  undoFrom(at: number, kept = this.firstEdit): void {
    const { edits } = this;
    let { length } = edits;
    while (length > kept && edits.at(length - 1) >= at) length--;
    edits.truncate(length);
    const last = length - 1;
    if (last < kept || edits.kind(last) !== "control-character" || edits.end(last) <= at) return;
    // A run of line ends that begins before it.
    edits.setBy(last, LINE_END.repeat(at - edits.at(last)));
    edits.extend(last, at);
  }

  /** The comma that awaits a member was one too many. */
  dropComma(): void {
    if (this.comma < 0) return;
    this.edit(this.comma, this.comma + 1, "", "trailing-comma");
    this.comma = -1;
  }

  get #work(): number {
    return this.pos - this.start + EDIT_WORK * (this.edits.length - this.firstEdit);
  }

  fail(failed: Unreadable["failed"], at = this.pos): Unreadable {
    const work = this.#work;
    this.edits.truncate(this.firstEdit);
    return { failed, at, work };
  }

  /** What was read so far as a whole: closes what is open. */
  finish(): Rewritten {
    if (this.#stack.length > 0) {
      this.complete = false;
      this.dropComma();
      let closers = "";
      for (let level = this.#stack.length - 1; level >= 0; level--) closers += closerOf(this.#stack[level] as Frame);
      this.pos = Math.max(this.pos, this.last);
      this.edit(this.pos, this.pos, closers, "unclosed", false);
    }
    settleEscapes(this);
    const { complete, pos: end } = this;
    const edits = this.edits.span(this.firstEdit);
    const json = edits.apply(this.text, this.start, end);
    return { json, end, edits, complete, work: this.#work + json.length };
  }
}
