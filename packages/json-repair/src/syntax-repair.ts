import { jsonrepair } from "jsonrepair";
import { parseContainer } from "./native.js";
import type { Unreadable } from "./rewrite/state.js";

/** Above these sizes jsonrepair may take quadratic time, or all of the stack. */
const MAX_SYNTAX_REPAIR = 100_000;
const MAX_SYNTAX_REPAIR_DEPTH = 500;

/** What the own pass cannot read (function calls, regular expressions …), if it certainly starts as JSON. */
export function bySyntaxRepair(
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
    const value = parseContainer(jsonrepair(text.slice(start, end)));
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
