import { jsonrepair } from "jsonrepair";
import type { Edit } from "./rewrite/edits.js";
import { rewrite } from "./rewrite/rewrite.js";
import type { Unreadable } from "./rewrite/state.js";
import { SourceText } from "./source-text.js";
import { strictEnd } from "./strict.js";
import type { WorkBudget } from "./work-budget.js";

/** A part of the text that reads as a JSON object or list. */
export interface Candidate {
  value: unknown;
  start: number;
  end: number;
  /** What had to be changed, by position. */
  edits: Edit[];
  complete: boolean;
  /** Read by jsonrepair, which does not say what it changed. */
  bySyntaxRepair: boolean;
  /** The language after the marks of the Markdown fence around it; undefined outside of fences. */
  fence: string | undefined;
  /** Inside the model's thoughts. */
  thought: boolean;
  /** Inside of something broken that was read as a whole first, or right behind it. */
  nested: boolean;
}

export interface Scan {
  candidates: Candidate[];
  /** The first place that starts as JSON and cannot be read. */
  fault: number | undefined;
  tooDeep: boolean;
  /** Where quotes have backslashes, as in a string. */
  escaped: number | undefined;
}

const MARK = /[[{`~<◁]/g;
const FENCE = /(?:`{3,}|~{3,})[ \t]*[\w+#.-]*/y;
const THOUGHT =
  /\[(\/?)THINK\]|<(\/?)(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b[^<>]{0,60}>|<\|channel\|>\s*(\w+)|◁(\/?)think▷/iy;
const OBJECT_START =
  /\{[\s\u200b-\u200f\u2060]*(?:["'“„‘`«＂}]|\\["nrt]|\/[/*]|#[# \t]|,|:\s*"|\.\.\.|[\p{L}_$][\p{L}\p{N}_$.-]*["'”]?\s{0,40}[:：]|-?\d+\s{0,40}:|$)/uy;
/** Keys of several words without quotes: only where nothing else stands before on the line. */
const WORDY_START = /\{\s*[\p{L}_$][\p{L}\p{N}_$.-]*(?: [\p{L}\p{N}_$.-]+){1,4}["'”]?\s{0,40}[:：]/uy;
const LIST_START =
  /\[[\s\u200b-\u200f\u2060]*(?:\(\s*["'\d(]|[{["'“„‘＂\]]|\\["nrt]|[+-]?\.?\d[\d.eE+-]*\s*[,\]]|[+-]?\.?\d[\d.eE+-]*\s+[-\d]|[+-]?\.?\d[\d.eE+-]*\s*\n|(?:true|false|null|None|True|False|NaN)(?:\s*[,\]\n]|\s+["{[\d-])|\/[/*]|,\s*["{\d]|$)/y;
const IMPLIED_START = /\s*"[^"\n]{1,100}"\s{0,40}:\s{0,40}(?:["[{\d-]|true\b|false\b|null\b)/y;

const NO_EDITS: Edit[] = [];

/** Above these sizes jsonrepair may take quadratic time, or all of the stack. */
const MAX_SYNTAX_REPAIR = 100_000;
const MAX_SYNTAX_REPAIR_DEPTH = 500;
const SYNTAX_REPAIR_TRIES = 4;
/** Tries of the native parser on long rests of the text: it is the fastest, but each try may cost the whole rest. */
const NATIVE_TRIES = 6;
const NATIVE_FROM = 2_048;
const PROSE_AFTER = 2_000;

/**
 * Finds what reads as JSON, in one pass from left to right. What `accept` refuses although it had to be repaired is
 * looked into as well, since its first bracket may have been prose.
 */
export function scan(
  text: string,
  maxDepth: number,
  whole: WorkBudget,
  accept: (candidate: Candidate) => boolean,
): Scan {
  const result: Scan = { candidates: [], fault: undefined, tooDeep: false, escaped: undefined };
  const { candidates } = result;
  const budget = whole.forScan(text.length);
  const source = new SourceText(text);
  let nativeTries = NATIVE_TRIES;
  let syntaxRepairs = SYNTAX_REPAIR_TRIES;
  const lastBracket = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  /** So many candidates are known to be thoughts since a thought ended behind them. */
  let thoughtUpTo = 0;
  const lineBracket = lastBracketOfLine(text, lastBracket);
  const inside: { from: number; to: number; around: Candidate }[] = [];

  const region = (from: number, to: number, around: Candidate | undefined) => {
    let fence = around?.fence;
    let fenceMark = "";
    let thought = around?.thought ?? false;
    let thoughtEnd = to;
    let at = from;

    const add = (candidate: Candidate) => {
      candidates.push(candidate);
      at = candidate.end;
      const clean = candidate.edits.length === 0 && !candidate.bySyntaxRepair;
      if (clean || accept(candidate)) return;
      const { start, end } = candidate;
      const opensWithin = (bracket: string) => {
        const at = source.next(bracket, start + 1);
        return at >= 0 && at < end;
      };
      if (opensWithin("{") || opensWithin("[")) inside.push({ from: start + 1, to: end, around: candidate });
    };
    const found = (
      start: number,
      end: number,
      value: unknown,
      edits: Edit[],
      complete: boolean,
      bySyntaxRepair = false,
    ) =>
      add({
        value,
        start,
        end,
        edits,
        complete,
        bySyntaxRepair,
        fence,
        thought,
        nested: around !== undefined || behindBroken(start),
      });
    const behindBroken = (start: number) => {
      const before = candidates.at(-1);
      return (
        before !== undefined && !before.complete && before.end <= start && text.slice(before.end, start).trim() === ""
      );
    };

    const implied = (start: number) => {
      IMPLIED_START.lastIndex = start;
      if (!IMPLIED_START.test(text)) return;
      const begin =
        start +
        (text.slice(start, IMPLIED_START.lastIndex).length -
          text.slice(start, IMPLIED_START.lastIndex).trimStart().length);
      const read = rewrite(source, begin, { maxDepth, limit: to, implied: true, fenced: fence !== undefined });
      budget.spend(read.work);
      if (read.failed) return;
      const value = parse(read.json);
      if (value === undefined) return;
      found(begin, read.end, value, read.edits, read.complete);
    };

    if (around === undefined) implied(from);
    for (;;) {
      MARK.lastIndex = at;
      if (!MARK.test(text) || MARK.lastIndex > to || budget.spent) break;
      const start = MARK.lastIndex - 1;
      const c = text[start] as string;
      at = start + 1;
      if (c === "`" || c === "~") {
        FENCE.lastIndex = start;
        const sign = FENCE.exec(text)?.[0];
        if (sign === undefined) continue;
        at = start + sign.length;
        const bare = sign.replace(/[^`~]/g, "");
        const lang = sign.slice(bare.length).trim().toLowerCase();
        if (fence !== undefined && (fenceMark === "" || fenceMark[0] === c) && bare.length >= fenceMark.length) {
          fence = undefined;
          fenceMark = "";
          // A closing and an opening mark look alike when a language follows.
          if (lang === "") continue;
        }
        fence = lang;
        fenceMark = bare;
        if (around === undefined) implied(at);
        continue;
      }
      if (c === "<" || c === "◁" || (c === "[" && /[T/]/.test(text[start + 1] ?? ""))) {
        THOUGHT.lastIndex = start;
        const mark = THOUGHT.exec(text);
        if (mark) {
          at = THOUGHT.lastIndex;
          const closing = (mark[1] ?? mark[2] ?? mark[4]) === "/" || mark[3]?.toLowerCase() === "final";
          if (!closing && mark[3] !== undefined && !/analysis|commentary/i.test(mark[3])) continue;
          if (closing) {
            // Without an opening tag, all that came before was thought.
            if (!thought && around === undefined)
              for (; thoughtUpTo < candidates.length; thoughtUpTo++)
                (candidates[thoughtUpTo] as Candidate).thought = true;
            thought = around?.thought ?? false;
            thoughtEnd = to;
          } else if (!thought) {
            thought = true;
            const end = endOfThought(text, at);
            thoughtEnd = end < 0 ? to : Math.min(end, to);
          }
          continue;
        }
        if (c !== "[") continue;
      }

      if (!plausible(text, start, c)) continue;
      const limit = Math.min(thought ? thoughtEnd : to, to);
      const quick = Math.min(limit, lastBracket);
      if (quick - start >= NATIVE_FROM && nativeTries > 0) {
        nativeTries--;
        const native =
          (lineBracket > start && lineBracket < quick ? parseNatively(text, start, lineBracket) : undefined) ??
          parseNatively(text, start, quick);
        if (native && !goesOn(text, native.end)) {
          if (tooDeepFor(text, start, native.end, maxDepth)) {
            result.tooDeep = true;
            at = native.end;
            continue;
          }
          budget.spend(native.end - start);
          found(start, native.end, native.value, NO_EDITS, true);
          continue;
        }
      }
      const strict = strictEnd(text, start, limit, maxDepth);
      budget.spend(Math.abs(strict) - start);
      if (strict > 0 && !goesOn(text, strict)) {
        const value = parse(text.slice(start, strict));
        if (value !== undefined) {
          found(start, strict, value, NO_EDITS, true);
          continue;
        }
      }
      const read = rewrite(source, start, { maxDepth, limit, fenced: fence !== undefined });
      budget.spend(read.work);
      if (!read.failed) {
        const value = parse(read.json);
        if (value !== undefined) {
          found(start, read.end, value, read.edits, read.complete);
          continue;
        }
      }
      if (read.failed === "too-deep") {
        result.tooDeep = true;
        at = read.at + 1;
        // Deeper brackets of the same run would fail in the same way.
        const rest = /[^[{"':\s\w]/g;
        rest.lastIndex = at;
        at = rest.exec(text)?.index ?? to;
        continue;
      }
      if (read.failed === "escaped") {
        result.escaped ??= start;
        continue;
      }
      const repaired = syntaxRepairs-- > 0 ? bySyntaxRepair(text, start, limit, read) : undefined;
      if (repaired) {
        budget.spend(repaired.end - start);
        found(start, repaired.end, repaired.value, NO_EDITS, true, true);
        continue;
      }
      result.fault ??= read.failed ? read.at : start;
    }
  };

  region(0, text.length, undefined);
  // Grows while it is read: what is found inside may be looked into in its turn.
  for (const { from, to, around } of inside) {
    if (budget.spent) break;
    region(from, to, around);
  }
  return result;
}

function endOfThought(text: string, from: number): number {
  const close =
    /<\/(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b|\[\/THINK\]|<\|channel\|>\s*final|◁\/think▷|<\|end\|>/giu;
  close.lastIndex = from;
  return close.exec(text)?.index ?? -1;
}

/** Whether a comma or a closing bracket follows: the value may have closed too early. */
function goesOn(text: string, end: number): boolean {
  let at = end;
  let c = text.charCodeAt(at);
  while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++at);
  return c === 44 || c === 125 || c === 93;
}

/** Whether a bracket starts as JSON does; what comes before it tells code and links apart. */
function plausible(text: string, at: number, c: string): boolean {
  const pattern = c === "{" ? OBJECT_START : LIST_START;
  pattern.lastIndex = at;
  if (!pattern.test(text)) {
    WORDY_START.lastIndex = at;
    return c === "{" && WORDY_START.test(text) && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 40), at));
  }
  const before = text[at - 1];
  if (c === "[" && text.startsWith("<![CDATA", at - 8)) return false;
  if (before !== undefined && /[\w\])$]/.test(before)) {
    const inner = text.slice(at + 1, at + 40).trimStart()[0];
    if (c === "[") return inner === "{" || (inner === '"' && before !== "]");
    if (before === "$") {
      IMPLIED_START.lastIndex = at + 1;
      return IMPLIED_START.test(text);
    }
    return inner === '"' || inner === "'" || inner === "\\";
  }
  return true;
}

function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Behind the last bracket that ends a line, if a paragraph or two follow it: there a value ends, and prose begins. */
function lastBracketOfLine(text: string, lastBracket: number): number {
  for (let at = lastBracket - 1; at > 0 && at > lastBracket - PROSE_AFTER; at--) {
    const c = text.charCodeAt(at);
    if ((c === 125 || c === 93) && /^[ \t]*(?:[\r\n`<]|$)/.test(text.slice(at + 1, at + 40))) return at + 1;
  }
  return lastBracket;
}

/**
 * The value at `start` by the native parser. Where more text follows, the parser's message says where the value
 * ended; the part up to there is parsed again, so a message of another form costs time, never a wrong value.
 */
function parseNatively(text: string, start: number, limit: number): { value: unknown; end: number } | undefined {
  const rest = text.slice(start, limit);
  try {
    return { value: JSON.parse(rest) as unknown, end: limit };
  } catch (error) {
    const position = /after JSON at position (\d+)/.exec((error as Error).message)?.[1];
    if (position === undefined) return undefined;
    const value = parse(rest.slice(0, Number(position)));
    if (value === undefined) return undefined;
    const length = rest.slice(0, Number(position)).trimEnd().length;
    return { value, end: start + length };
  }
}

/** Whether brackets are nested deeper than allowed; looks only where there are enough of them. */
export function tooDeepFor(text: string, from: number, to: number, maxDepth: number): boolean {
  if (to - from <= 2 * maxDepth) return false;
  let openers = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket, from); at >= 0 && at < to; at = text.indexOf(bracket, at + 1)) {
      if (++openers > maxDepth) return deeper(text, from, to, maxDepth);
    }
  }
  return false;
}

function deeper(text: string, from: number, to: number, maxDepth: number): boolean {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      i = quoteAfter(text, i + 1);
      if (i < 0) return false;
    } else if (c === 123 || c === 91) {
      if (++depth > maxDepth) return true;
    } else if (c === 125 || c === 93) depth--;
  }
  return false;
}

/** The quote that ends a string; -1 if there is none. */
function quoteAfter(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** What the own pass cannot read (function calls, regular expressions …), if it certainly starts as JSON. */
function bySyntaxRepair(
  text: string,
  start: number,
  limit: number,
  read: Unreadable | { failed?: undefined; end: number },
): { value: unknown; end: number } | undefined {
  if (read.failed && read.failed !== "foreign") return undefined;
  if (!/^(?:\{\s*["'\w]|\[\s*["'{[\d\w])/.test(text.slice(start, start + 80))) return undefined;
  const end = closingBracket(text, start, Math.min(limit, start + MAX_SYNTAX_REPAIR));
  if (end < 0) return undefined;
  try {
    const value = parse(jsonrepair(text.slice(start, end)));
    return value === undefined ? undefined : { value, end };
  } catch {
    return undefined;
  }
}

/** The end of the bracket at `start`, with strings in mind; -1 if there is none, or if it is too deep. */
function closingBracket(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      for (i++; i < limit && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
    } else if (c === 123 || c === 91) {
      if (++depth > MAX_SYNTAX_REPAIR_DEPTH) return -1;
    } else if (c === 125 || c === 93) {
      if (--depth === 0) return i + 1;
    }
  }
  return -1;
}
