/** A message of MCP nests no deeper than a few objects. */
const DEEPEST = 100;
/** Far more than any call needs; each costs the server a hundred times what it costs its sender. */
const MOST_VALUES = 50_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Why a text is not read as JSON, found out in one look at each character; `undefined`: it may be. */
export function jsonProblem(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (depth > DEEPEST) return `nested deeper than ${DEEPEST} levels`;
    if (values > MOST_VALUES) return `more than ${MOST_VALUES} values`;
  }
  return undefined;
}
