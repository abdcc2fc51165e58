/** Of a pattern; what fits a longer one is not looked at by a person either. */
const MAX_PATTERN = 200;
/** Above it an upper limit of a repetition is as good as none. */
const MAX_TIMES = 100;

/**
 * Whether a regular expression of somebody else takes no more than quadratic time: nothing is repeated that has a repetition
 * or alternatives in it, nothing refers back, and at most one part has no upper limit (two behind `^`).
 */
export function isCheapPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || !isPattern(pattern)) return false;
  /** For each open group: whether it has a repetition or alternatives in it. */
  const groups: boolean[] = [false];
  let closed: boolean | undefined;
  let endless = 0;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") {
      if (/[1-9k]/.test(pattern[at + 1] ?? "")) return false;
      at++;
      closed = undefined;
    } else if (sign === "[") {
      at = endOfClass(pattern, at);
      closed = undefined;
    } else if (sign === "(") {
      groups.push(false);
      // `(?:`, `(?<name>`: the question mark repeats nothing.
      if (pattern[at + 1] === "?") at++;
      closed = undefined;
    } else if (sign === ")") {
      closed = groups.pop() ?? false;
      if (closed) groups[groups.length - 1] = true;
    } else if (sign === "|") {
      groups[groups.length - 1] = true;
      closed = undefined;
    } else {
      const repeated = repetitionAt(pattern, at);
      if (repeated === undefined) {
        closed = undefined;
        continue;
      }
      if (closed) return false;
      groups[groups.length - 1] = true;
      if (repeated.isEndless) endless++;
      at = repeated.end;
      closed = undefined;
    }
  }
  return endless <= (pattern.startsWith("^") ? 2 : 1);
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return at;
}

function repetitionAt(pattern: string, at: number): { end: number; isEndless: boolean } | undefined {
  const sign = pattern[at];
  if (sign === "*" || sign === "+") return { end: at, isEndless: true };
  if (sign === "?") return { end: at, isEndless: false };
  const [whole, , comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at, at + 20)) ?? [];
  if (whole === undefined) return undefined;
  const times = comma === "" ? Number(/\d+/.exec(whole)?.[0]) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
  return { end: at + whole.length - 1, isEndless: times > MAX_TIMES };
}
