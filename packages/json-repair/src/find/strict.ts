/** A run of string content without backslashes, control characters and the given signs. */
export function runWithout(signs: string): RegExp {
  return new RegExp(`[^${signs}\\\\\\u0000-\\u001f]*`, "y");
}

const PLAIN = runWithout('"');
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Where the strict JSON object or list that starts at `start` ends; otherwise the bitwise complement of where it
 * breaks the grammar or goes deeper than `maxDepth`. Knows nothing of what the text may mean.
 */
export function strictEnd(text: string, start: number, limit: number, maxDepth: number): number {
  /** Whether each open bracket is an object. */
  const stack: boolean[] = [];
  let i = start;
  let expect: "value" | "first-value" | "key" | "first-key" | "after" = "value";
  for (;;) {
    let c = text.charCodeAt(i);
    while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++i);
    if (i >= limit) return ~Math.min(i, limit);
    if (expect === "after") {
      if (c === 44) {
        i++;
        expect = stack[stack.length - 1] ? "key" : "value";
        continue;
      }
      if (c !== (stack[stack.length - 1] ? 125 : 93)) return ~i;
      i++;
      stack.pop();
      if (stack.length === 0) return i;
      continue;
    }
    if (c === 34) {
      const end = stringEnd(text, i, limit);
      if (end < 0) return end;
      i = end;
      if (expect === "key" || expect === "first-key") {
        c = text.charCodeAt(i);
        while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++i);
        if (c !== 58 || i >= limit) return ~i;
        i++;
        expect = "value";
      } else expect = "after";
      continue;
    }
    if (expect === "key") return ~i;
    if (expect === "first-key") {
      if (c !== 125) return ~i;
      i++;
      stack.pop();
      if (stack.length === 0) return i;
      expect = "after";
      continue;
    }
    if (c === 123 || c === 91) {
      if (stack.length >= maxDepth) return ~i;
      stack.push(c === 123);
      i++;
      expect = c === 123 ? "first-key" : "first-value";
      continue;
    }
    if (c === 93 && expect === "first-value") {
      i++;
      stack.pop();
      if (stack.length === 0) return i;
      expect = "after";
      continue;
    }
    if (c === 116 && text.startsWith("true", i)) i += 4;
    else if (c === 102 && text.startsWith("false", i)) i += 5;
    else if (c === 110 && text.startsWith("null", i)) i += 4;
    else {
      NUMBER.lastIndex = i;
      if (!NUMBER.test(text)) return ~i;
      i = NUMBER.lastIndex;
    }
    expect = "after";
  }
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
