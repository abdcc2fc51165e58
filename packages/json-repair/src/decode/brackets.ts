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

/** The quote that ends a string whose content begins at `from`; -1 if there is none. */
function quoteAfter(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
