import { type Candidate, scan, tooDeepFor } from "./candidates.js";
import { chooseAny, chooseFitting, type Preference } from "./choose.js";
import {
  type Derived,
  entityStart,
  withoutBackslashes,
  withoutEntities,
  withoutLineNumbers,
  withoutQuoteMarks,
  withoutTerminalCodes,
} from "./derive.js";
import { joinStream, partsOf } from "./envelope.js";
import { JsonExtractError, pathOf } from "./errors.js";
import type { RepairKind as RewriteKind } from "./rewrite/edits.js";
import { AsyncSchemaError, type Fit, fit } from "./schema.js";
import type { SchemaIssue, StandardSchemaV1 } from "./standard-schema.js";
import { WorkBudget } from "./work-budget.js";

export interface ExtractOptions<T> {
  /** Any Standard Schema (zod, valibot, arktype …) that validates synchronously. Default: any object or list. */
  schema?: StandardSchemaV1<unknown, T>;
  /**
   * Which one to take when several fit. Default: the last; without a schema the largest, and of several with the same
   * keys the last.
   */
  prefer?: Preference;
  /** Whether a value may be taken that the text breaks off in (`complete: false`). Default true. */
  partial?: boolean;
  /** Characters; a longer text is an error. Default 16,000,000. */
  maxLength?: number;
  /** Levels of brackets; a deeper value is an error. Default 3,000, which `JSON.stringify` can still write. */
  maxDepth?: number;
}

export type RepairKind =
  | RewriteKind
  /** Several values became one list. */
  | "list"
  /** The text was written as a string, as HTML, as a quotation or for a terminal. */
  | "encoding"
  /** The schema asked for another type, and the value can be written as one without loss. */
  | "coercion"
  /** By jsonrepair, which does not say what it changes. */
  | "syntax";

export interface Repair {
  kind: RepairKind;
  /** Index in the text. Inside of a string or an envelope: where that begins. */
  at: number;
  /** From 1. */
  line: number;
  /** False when the text allows another reading. */
  sure: boolean;
  /** Of a coercion: which value. */
  path?: string;
}

export interface ExtractSuccess<T> {
  ok: true;
  value: T;
  /** The whole text, a Markdown fence, somewhere in the text, a JSON string, or the field of an envelope. */
  source: "whole" | "fence" | "text" | "string" | "envelope";
  /** Where in the text the value stands: start and end index. */
  range: [number, number];
  /** What had to be changed, in the order of the text; empty when it was JSON. */
  repairs: Repair[];
  /** False when the text breaks off inside the value: it may fit and still lack its end. */
  complete: boolean;
  /** How many values the text holds. */
  candidates: number;
}

export type ExtractResult<T> = ExtractSuccess<T> | { ok: false; error: JsonExtractError };

export const MAX_LENGTH = 16_000_000;
export const MAX_DEPTH = 3_000;
/** A string in a string in an envelope …: more levels than anything real has. */
const MAX_LEVELS = 5;
/** Values that are looked into when none fits. */
const MAX_ENVELOPES = 200;

/**
 * The JSON value that a text means: strictly read if it is JSON, else found in it, repaired and checked.
 *
 * Never throws. Prose is never turned into a value: only what starts with a bracket counts, or a whole text that is
 * a JSON string, number, boolean or null and that the schema asks for.
 */
export function extractJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  const found = new Search(text, options);
  try {
    const answer = found.best();
    if (answer) return { ok: true, ...found.report(answer) };
    return { ok: false, error: found.error() };
  } catch (error) {
    if (error instanceof JsonExtractError) return { ok: false, error };
    const code = error instanceof AsyncSchemaError ? "async-schema" : "syntax";
    const message =
      error instanceof AsyncSchemaError ? "the schema validates asynchronously; give one that does not" : String(error);
    return { ok: false, error: new JsonExtractError(code, message, { text, cause: error }) };
  }
}

/** As {@link extractJson}, but gives the value, or throws the `JsonExtractError`. */
export function parseJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): T {
  const result = extractJson(text, options);
  if (result.ok) return result.value;
  throw result.error;
}

/** Every value of the text that fits, in the order of the text. Empty when there is none; never throws. */
export function extractAll<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractSuccess<T>[] {
  const found = new Search(text, options);
  try {
    return found.all().map((answer) => ({ ok: true, ...found.report(answer) }));
  } catch {
    return [];
  }
}

interface Answer<T> {
  candidate: Candidate;
  value: T;
  coerced: PropertyKey[][];
  source: ExtractSuccess<T>["source"];
  /** Repairs beyond the candidate's own edits. */
  extra: Repair[];
  /** The text that the candidate's place refers to, if its neighbours matter, and which part of it. */
  around?: { text: string; from: number; to: number } | undefined;
  /** Of a text inside the text: its repairs stand at the place of that text. */
  inner?: ExtractSuccess<T>;
}

class Search<T> {
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  readonly #level: number;
  readonly #budget: WorkBudget;
  readonly #maxDepth: number;
  #issues: readonly SchemaIssue[] = [];
  #closest: unknown;
  #fault: number | undefined;
  #tooDeep = false;
  #incomplete: number | undefined;
  #count = 0;
  #fits = new Map<Candidate, Fit<T>>();
  readonly #derived = new Map<Answer<T>, Derived>();

  constructor(text: string, options: ExtractOptions<T>, level = 0, budget = WorkBudget.forText(text?.length ?? 0)) {
    this.#text = text;
    this.#options = options;
    this.#level = level;
    this.#budget = budget;
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH;
  }

  best(): Answer<T> | undefined {
    this.#check();
    const whole = this.#whole();
    if (whole !== undefined) return whole ?? undefined;
    return this.#marked() ?? this.#search(this.#text);
  }

  all(): Answer<T>[] {
    this.#check();
    const whole = this.#whole();
    if (whole) return [whole];
    const plain = withoutTerminalCodes(this.#text);
    const { candidates } = this.#scan(plain?.text ?? this.#text);
    const answers = this.#fitting(
      candidates.filter((one) => !one.nested),
      plain?.text ?? this.#text,
    );
    // What stands between two answers is looked at once.
    for (const [i, { around }] of answers.entries()) {
      if (!around) continue;
      around.from = answers[i - 1]?.candidate.end ?? 0;
      around.to = answers[i + 1]?.candidate.start ?? around.to;
    }
    if (plain) for (const answer of answers) this.#derived.set(answer, plain);
    return answers;
  }

  #check() {
    const { maxLength = MAX_LENGTH } = this.#options;
    if (typeof this.#text !== "string") {
      throw new JsonExtractError("not-found", `expected a string to look into, got ${typeof this.#text}`);
    }
    if (this.#text.length <= maxLength) return;
    const message = `the text has ${this.#text.length} characters, more than the ${maxLength} allowed`;
    throw new JsonExtractError("too-large", message, { text: this.#text });
  }

  /** The text as it is; null when it is JSON and nothing of it fits. */
  #whole(): Answer<T> | null | undefined {
    const text = this.#text;
    let start = 0;
    let end = text.length;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    const first = text[start];
    if (first === undefined) return null;
    // A whole object or list ends in its bracket: without one, the native parser need not be asked.
    if ((first === "{" && text[end - 1] !== "}") || (first === "[" && text[end - 1] !== "]")) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(start === 0 && end === text.length ? text : text.slice(start, end));
    } catch {
      return undefined;
    }
    if (tooDeepFor(text, start, end, this.#maxDepth)) {
      this.#tooDeep = true;
      return null;
    }
    this.#count = 1;
    const candidate = { ...NOTHING, value, start, end };
    const { schema } = this.#options;
    if (typeof value === "object" && value !== null) {
      const answer = this.#answer(candidate, "whole");
      return answer ?? this.#open([candidate]) ?? null;
    }
    if (typeof value === "string") {
      const inner = this.#inner(candidate, value, "string");
      if (inner) return inner;
    }
    return schema ? (this.#answer(candidate, "whole") ?? null) : null;
  }

  /** A text with a mark before every line is read without the marks. */
  #marked(): Answer<T> | undefined {
    for (const unmark of [withoutQuoteMarks, withoutLineNumbers]) {
      const plain = unmark(this.#text);
      if (!plain) continue;
      const answer = this.#inner({ ...NOTHING, end: this.#text.length }, plain.text, "text", "encoding");
      if (answer) return answer;
    }
    return undefined;
  }

  #search(text: string): Answer<T> | undefined {
    const plain = withoutTerminalCodes(text);
    if (plain) {
      const answer = this.#in(plain.text);
      if (answer && !answer.inner) this.#derived.set(answer, plain);
      return answer;
    }
    return this.#in(text);
  }

  #in(text: string): Answer<T> | undefined {
    const { schema, prefer } = this.#options;
    const { candidates, escaped } = this.#scan(text);
    if (escaped !== undefined && candidates.every((one) => one.start > escaped)) {
      const decoded = withoutBackslashes(text.slice(escaped));
      const around = { ...NOTHING, start: escaped, end: text.length };
      const answer = decoded && this.#inner(around, decoded.text, "text", "encoding");
      if (answer) return answer;
    }
    const entity = entityStart(text);
    const encoded = entity >= 0 && candidates.every((one) => one.start > entity);
    if (encoded) {
      const answer = this.#decoded(text);
      if (answer) return answer;
    }
    if (!schema) {
      const list = asList(candidates, text);
      const usable = candidates.filter((one) => this.#usable(one));
      const chosen = list && prefer === undefined ? list : chooseAny(usable, text, prefer);
      if (chosen) return this.#answer(chosen, sourceOf(chosen), list === chosen ? "list" : undefined, text);
    } else {
      const fitting = this.#fitting(candidates, text);
      const best = chooseFitting(fitting, prefer ?? "last");
      if (best) return best;
      const list = asList(candidates, text);
      const answer = (list && this.#answer(list, sourceOf(list), "list", text)) ?? this.#open(candidates, text);
      if (answer) return answer;
    }
    return encoded ? undefined : this.#decoded(text);
  }

  #decoded(text: string): Answer<T> | undefined {
    const decoded = withoutEntities(text);
    return decoded && this.#inner({ ...NOTHING, end: text.length }, decoded.text, "text", "encoding");
  }

  #scan(text: string) {
    const result = scan(
      text,
      this.#maxDepth,
      this.#budget,
      (candidate) => this.#usable(candidate) && this.#fit(candidate).fits,
    );
    this.#count = result.candidates.length;
    this.#fault ??= result.fault;
    this.#tooDeep ||= result.tooDeep;
    return result;
  }

  #usable(candidate: Candidate): boolean {
    if (candidate.complete || this.#options.partial !== false) return true;
    this.#incomplete ??= candidate.end;
    return false;
  }

  #fit(candidate: Candidate): Fit<T> {
    if (!this.#options.schema) return fit<T>(undefined, candidate.value);
    let result = this.#fits.get(candidate);
    if (!result) {
      result = fit(this.#options.schema, candidate.value);
      if (!result.fits) {
        if (this.#closest === undefined || result.issues.length <= this.#issues.length) {
          this.#issues = result.issues;
          this.#closest = candidate.value;
        }
        // The issues of the others would fill the memory.
        result = UNFIT;
      }
      this.#fits.set(candidate, result);
    }
    return result;
  }

  #fitting(candidates: Candidate[], text: string): Answer<T>[] {
    return candidates
      .filter((one) => this.#usable(one))
      .map((one) => this.#answer(one, sourceOf(one), undefined, text))
      .filter((answer) => answer !== undefined);
  }

  #answer(candidate: Candidate, source: Answer<T>["source"], made?: "list", text?: string): Answer<T> | undefined {
    const result = this.#fit(candidate);
    if (!result.fits) return undefined;
    const extra: Repair[] = [];
    if (made) extra.push({ kind: made, at: candidate.start, line: 0, sure: true });
    if (candidate.bySyntaxRepair) extra.push({ kind: "syntax", at: candidate.start, line: 0, sure: false });
    return {
      candidate,
      value: result.value,
      coerced: result.coerced,
      source,
      extra,
      around: made || text === undefined ? undefined : { text, from: 0, to: text.length },
    };
  }

  /** Nothing fits: look into what was found, as an envelope. */
  #open(candidates: Candidate[], text?: string): Answer<T> | undefined {
    if (!this.#options.schema || this.#level >= MAX_LEVELS) return undefined;
    const around = text === undefined ? undefined : { text, from: 0, to: text.length };
    const outer = candidates.filter((one) => !one.nested);
    const stream = joinStream(outer.map((one) => one.value));
    const first = outer[0];
    const last = outer.at(-1);
    if (stream !== undefined && first && last) {
      const complete = outer.every((one) => one.complete);
      const whole = { ...NOTHING, start: first.start, end: last.end, complete };
      const answer = this.#inner(whole, stream, "envelope");
      if (answer) return { ...answer, around };
    }
    for (const candidate of outer.slice(-MAX_ENVELOPES).reverse()) {
      if (candidate.thought && outer.some((one) => !one.thought)) continue;
      for (const part of partsOf(candidate.value)) {
        if ("text" in part) {
          const answer = this.#inner(candidate, part.text, "envelope");
          if (answer) return { ...answer, around };
        } else {
          const result = fit(this.#options.schema, part.value);
          if (!result.fits) continue;
          const { value, coerced } = result;
          const extra: Repair[] = [];
          if (candidate.bySyntaxRepair) extra.push({ kind: "syntax", at: candidate.start, line: 0, sure: false });
          const inside = { ...candidate, value: part.value };
          return { candidate: inside, value, coerced, source: "envelope", extra, around };
        }
      }
    }
    return undefined;
  }

  /** The answer in a text that stands inside of this one. */
  #inner(around: Candidate, text: string, source: Answer<T>["source"], made?: "encoding"): Answer<T> | undefined {
    if (this.#level >= MAX_LEVELS || text.length > this.#text.length * 2 || this.#budget.spent) return undefined;
    this.#budget.spend(text.length);
    const search = new Search(text, this.#options, this.#level + 1, this.#budget);
    const answer = search.best();
    if (!answer) {
      if (this.#closest === undefined && search.#closest !== undefined) {
        this.#closest = search.#closest;
        this.#issues = search.#issues;
      }
      this.#tooDeep ||= search.#tooDeep;
      this.#incomplete ??= search.#incomplete === undefined ? undefined : around.end;
      return undefined;
    }
    const inner: ExtractSuccess<T> = { ok: true, ...search.report(answer) };
    const extra: Repair[] = made ? [{ kind: made, at: around.start, line: 0, sure: true }] : [];
    return { candidate: around, value: inner.value, coerced: [], source, extra, inner };
  }

  report(answer: Answer<T>): Omit<ExtractSuccess<T>, "ok"> {
    const { candidate, inner } = answer;
    const derived = this.#derived.get(answer);
    const origin = (index: number) => (derived ? derived.origin(index) : index);
    const repairs: Repair[] = [...answer.extra];
    const { around } = answer;
    if (candidate.nested || (around !== undefined && leftovers(around, candidate.start, candidate.end))) {
      repairs.push({ kind: "surroundings", at: candidate.start, line: 0, sure: false });
    }
    for (const { kind, at, sure } of candidate.edits) if (kind) repairs.push({ kind, at, line: 0, sure });
    for (const path of answer.coerced) {
      repairs.push({ kind: "coercion", at: candidate.start, line: 0, sure: true, path: pathOf({ message: "", path }) });
    }
    if (inner) for (const repair of inner.repairs) repairs.push({ ...repair, at: candidate.start });
    if (derived?.touched(candidate.start, candidate.end)) {
      repairs.push({ kind: "encoding", at: candidate.start, line: 0, sure: true });
    }
    for (const repair of repairs) repair.at = Math.min(origin(repair.at), this.#text.length);
    return {
      value: answer.value,
      source: answer.source,
      range: [origin(candidate.start), origin(candidate.end)],
      repairs: lined(this.#text, repairs),
      complete: candidate.complete && (inner?.complete ?? true),
      candidates: Math.max(1, this.#count),
    };
  }

  error(): JsonExtractError {
    const text = this.#text;
    if (text.trim() === "") return new JsonExtractError("empty", "the text is empty", { text });
    if (this.#closest !== undefined) {
      const [first] = this.#issues;
      const path = first && pathOf(first);
      const message = `the JSON has another shape${first ? `: ${path ? `${path}: ` : ""}${first.message}` : ""}`;
      return new JsonExtractError("schema", message, { text, issues: this.#issues, closest: this.#closest });
    }
    if (this.#tooDeep) {
      const message = `the JSON is nested deeper than ${this.#maxDepth} levels`;
      return new JsonExtractError("too-deep", message, { text });
    }
    if (this.#incomplete !== undefined) {
      const at = this.#incomplete;
      return new JsonExtractError("syntax", "the JSON breaks off before its end", { text, at });
    }
    if (this.#fault !== undefined) {
      return new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: this.#fault });
    }
    return new JsonExtractError("not-found", "there is no JSON object or list in the text", { text });
  }
}

const UNFIT = { fits: false, issues: [] } as const;

const NOTHING: Candidate = {
  value: undefined,
  start: 0,
  end: 0,
  edits: [],
  complete: true,
  bySyntaxRepair: false,
  fence: undefined,
  thought: false,
  nested: false,
};

function sourceOf(candidate: Candidate): "fence" | "text" {
  return candidate.fence === undefined ? "text" : "fence";
}

/** One value a line, or values with commas between, and nothing else: the members of a list. */
function asList(candidates: Candidate[], text: string): Candidate | undefined {
  const members = candidates.filter((one) => !one.nested);
  const [first] = members;
  const last = members.at(-1);
  if (!first || !last || members.length < 2 || members.some((one) => one.thought)) return undefined;
  for (let i = 1; i < members.length; i++) {
    const between = text.slice((members[i - 1] as Candidate).end, (members[i] as Candidate).start);
    if (!/^\s*(?:,\s*|\n\s*)$/.test(between)) return undefined;
  }
  if (!/^\s*(?:\[\s*)?$|(?:`{3,}|~{3,})[\w+#.-]*\s*$/.test(text.slice(0, first.start).slice(-200))) return undefined;
  if (!/^\s*,?\s*(?:\]\s*)?$|^\s*(?:`{3,}|~{3,})/.test(text.slice(last.end, last.end + 200))) return undefined;
  const value = members.map((one) => one.value);
  const edits = members.flatMap((one) => one.edits);
  return { ...first, value, end: last.end, edits, complete: last.complete };
}

/**
 * Whether the text around the value has quotes or brackets without a partner, or holds the value in a string: then
 * they may have been meant for the value, or for what it is a part of.
 */
function unpaired({ text, from, to }: { text: string; from: number; to: number }, start: number, end: number): boolean {
  let quoted = false;
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (i === start) {
      if (quoted) return true;
      i = end - 1;
      continue;
    }
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) quoted = !quoted;
    else if (quoted) continue;
    else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) depth--;
  }
  return quoted || depth !== 0;
}

const MEMBER_AHEAD = /(?:true|false|null|-?\d[\d.eE+-]*)\s{0,40}[,\]}:]/y;
const SIGN_BEFORE = /(?:^|["{}[\],:\d]|true|false|null)\s*$|\n[ \t]*$/;

/** Whether JSON's signs stand beside the value, as if it were a part of something. */
function leftovers(around: NonNullable<Answer<unknown>["around"]>, start: number, end: number): boolean {
  const { text } = around;
  let before = start - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  let after = end;
  while (after < text.length && isBlank(text.charCodeAt(after))) after++;
  const right = text[after];
  if (right !== undefined) {
    if ('{}[]":'.includes(right)) return true;
    // A sentence goes on after a comma and a blank; so does a list of literals.
    if (right === "," && !/^,\s+(?!true\b|false\b|null\b)\p{L}/u.test(text.slice(after, after + 60))) return true;
    // A bracket within a number or a word, or before one that was a member.
    if (after === end && /^(?:[\w+-]|\.\d)/.test(text.slice(end, end + 2))) return true;
    MEMBER_AHEAD.lastIndex = after;
    if (MEMBER_AHEAD.test(text)) return true;
  }
  const left = text[before];
  if (left !== undefined && '{}[]"'.includes(left)) return true;
  if (left !== undefined && before === start - 1 && /[\w.+-]/.test(left)) return true;
  if ((left === "," || left === ":") && SIGN_BEFORE.test(text.slice(Math.max(0, before - 40), before))) return true;
  return unpaired(around, start, end);
}

/** The repairs in the order of the text, with their lines. */
export function lined(text: string, repairs: Repair[]): Repair[] {
  if (repairs.some((repair, i) => i > 0 && repair.at < (repairs[i - 1] as Repair).at))
    repairs.sort((a, b) => a.at - b.at);
  let line = 1;
  let lineEnd = repairs.length > 0 ? text.indexOf("\n") : -1;
  for (const repair of repairs) {
    for (; lineEnd >= 0 && lineEnd < repair.at; lineEnd = text.indexOf("\n", lineEnd + 1)) line++;
    repair.line = line;
  }
  return repairs;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff || code === 0xa0 || code === 0x200b;
}
