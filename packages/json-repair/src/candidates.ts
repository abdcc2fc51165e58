import { tooDeepFor } from "./depth.js";
import { lastBracketOfLine, parseContainer, parseNatively } from "./native.js";
import type { Edit } from "./rewrite/edits.js";
import { rewrite } from "./rewrite/rewrite.js";
import { SourceText } from "./source-text.js";
import { IMPLIED_START, plausible } from "./starts.js";
import { strictEnd } from "./strict.js";
import { bySyntaxRepair } from "./syntax-repair.js";
import { endOfThought, THOUGHT } from "./thoughts.js";
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
const NO_EDITS: Edit[] = [];

const SYNTAX_REPAIR_TRIES = 4;
/** Tries of the native parser on long rests of the text: it is the fastest, but each try may cost the whole rest. */
const NATIVE_TRIES = 6;
const NATIVE_FROM = 2_048;

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
      const value = parseContainer(read.json);
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
        const value = parseContainer(text.slice(start, strict));
        if (value !== undefined) {
          found(start, strict, value, NO_EDITS, true);
          continue;
        }
      }
      const read = rewrite(source, start, { maxDepth, limit, fenced: fence !== undefined });
      budget.spend(read.work);
      if (!read.failed) {
        const value = parseContainer(read.json);
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

/** Whether a comma or a closing bracket follows: the value may have closed too early. */
function goesOn(text: string, end: number): boolean {
  let at = end;
  let c = text.charCodeAt(at);
  while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++at);
  return c === 44 || c === 125 || c === 93;
}
