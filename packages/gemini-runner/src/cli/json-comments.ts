/** Blanks the comments of a JSON text, as the CLI allows them in its settings. Strings are left as they are. */
export function stripComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    const end = endOfComment(text, at);
    if (end === undefined) {
      at++;
      continue;
    }
    kept.push(text.slice(from, at), " ");
    at = end;
    from = end;
  }
  return kept.join("") + text.slice(from);
}

/** Where the string that begins at `start` is over. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Where the comment that begins at `start` is over. `undefined`: none begins there. One without an end goes to the end. */
function endOfComment(text: string, start: number): number | undefined {
  const lineEnd = /[\r\n]/g;
  if (text.startsWith("//", start)) {
    lineEnd.lastIndex = start;
    return lineEnd.exec(text)?.index ?? text.length;
  }
  if (!text.startsWith("/*", start)) return undefined;
  const end = text.indexOf("*/", start + 2);
  return end === -1 ? text.length : end + 2;
}
