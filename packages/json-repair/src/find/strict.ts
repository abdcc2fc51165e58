/** A run of string content without backslashes, control characters and the given signs. */
export function runWithout(signs: string): RegExp {
  return new RegExp(`[^${signs}\\\\\\u0000-\\u001f]*`, "y");
}

const PLAIN = runWithout('"');
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What may stand next: within the innermost bracket, behind a value, or at the start. */
type Expected = "value" | "first-value" | "key" | "first-key" | "after";

/**
 * Where the strict JSON object or list that starts at `start` ends; otherwise the bitwise complement of where it
 * breaks the grammar or goes deeper than `maxDepth`. Knows nothing of what the text may mean.
 */
export function strictEnd(text: string, start: number, limit: number, maxDepth: number): number {
  /** Whether each open bracket is an object. */
  const stack: boolean[] = [];
  let i = start;
  let expect: Expected = "value";
  for (;;) {
    i = behindBlanks(text, i);
    if (i >= limit) return ~limit;
    const c = text.charCodeAt(i);
    if (c === 44 && expect === "after") {
      i++;
      expect = stack[stack.length - 1] ? "key" : "value";
      continue;
    }
    if (c === 125 || c === 93) {
      const isObject = c === 125;
      const closes = expect === "after" || expect === (isObject ? "first-key" : "first-value");
      if (!closes || stack[stack.length - 1] !== isObject) return ~i;
      i++;
      stack.pop();
      if (stack.length === 0) return i;
      expect = "after";
      continue;
    }
    if (expect === "after") return ~i;
    const isKey = expect === "key" || expect === "first-key";
    if (c === 34) {
      i = stringEnd(text, i, limit);
      if (i < 0) return i;
      expect = "after";
      if (!isKey) continue;
      i = behindBlanks(text, i);
      if (text.charCodeAt(i) !== 58 || i >= limit) return ~i;
      i++;
      expect = "value";
      continue;
    }
    if (isKey) return ~i;
    if (c === 123 || c === 91) {
      if (stack.length >= maxDepth) return ~i;
      stack.push(c === 123);
      i++;
      expect = c === 123 ? "first-key" : "first-value";
      continue;
    }
    i = scalarEnd(text, i);
    if (i < 0) return i;
    expect = "after";
  }
}

function behindBlanks(text: string, from: number): number {
  let i = from;
  let c = text.charCodeAt(i);
  while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++i);
  return i;
}

/** Where a literal or a number ends; the bitwise complement of `i` where there is none. */
function scalarEnd(text: string, i: number): number {
  const c = text.charCodeAt(i);
  if (c === 116 && text.startsWith("true", i)) return i + 4;
  if (c === 102 && text.startsWith("false", i)) return i + 5;
  if (c === 110 && text.startsWith("null", i)) return i + 4;
  NUMBER.lastIndex = i;
  return NUMBER.test(text) ? NUMBER.lastIndex : ~i;
}

function stringEnd(text: string, start: number, limit: number): number {
  let i = start + 1;
  for (;;) {
    PLAIN.lastIndex = i;
    PLAIN.test(text);
    i = PLAIN.lastIndex;
    if (i >= limit) return ~limit;
    const c = text.charCodeAt(i);
    if (c === 34) return i + 1;
    if (c !== 92) return ~i;
    const next = text.charCodeAt(i + 1);
    if (next === 117) {
      if (!/^[\da-fA-F]{4}$/.test(text.slice(i + 2, i + 6))) return ~i;
      i += 6;
    } else {
      // " \ / b f n r t
      if (
        !(
          next === 34 ||
          next === 92 ||
          next === 47 ||
          next === 98 ||
          next === 102 ||
          next === 110 ||
          next === 114 ||
          next === 116
        )
      )
        return ~i;
      i += 2;
    }
  }
}
