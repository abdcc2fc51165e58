import { isBlank } from "../decode/signs.js";

/** By `JSON.parse`, wherever it can do it. */

const PROSE_AFTER = 2_000;

/** Undefined for what is no object or list. */
export function parseContainer(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Behind the last bracket that ends a line, if a paragraph or two follow it: there a value ends, and prose begins. */
export function lastBracketOfLine(text: string, lastBracket: number): number {
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
export function parseNatively(text: string, start: number, limit: number): { value: unknown; end: number } | undefined {
  const rest = text.slice(start, limit);
  try {
    return { value: JSON.parse(rest) as unknown, end: limit };
  } catch (error) {
    const position = /after JSON at position (\d+)/.exec((error as Error).message)?.[1];
    if (position === undefined) return undefined;
    const value = parseContainer(rest.slice(0, Number(position)));
    if (value === undefined) return undefined;
    const length = rest.slice(0, Number(position)).trimEnd().length;
    return { value, end: start + length };
  }
}

/** A text that is JSON as it stands but for what is blank; null when there is nothing else in it. */
export function parseWhole(text: string): { value: unknown; start: number; end: number } | null | undefined {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  const first = text[start];
  if (first === undefined) return null;
  // A whole object or list ends in its bracket: without one, the native parser need not be asked.
  if ((first === "{" && text[end - 1] !== "}") || (first === "[" && text[end - 1] !== "]")) return undefined;
  try {
    const value: unknown = JSON.parse(start === 0 && end === text.length ? text : text.slice(start, end));
    return { value, start, end };
  } catch {
    return undefined;
  }
}

/** Whether a comma or a closing bracket follows: the value may have closed too early. */
export function goesOn(text: string, end: number): boolean {
  let at = end;
  let c = text.charCodeAt(at);
  while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++at);
  return c === 44 || c === 125 || c === 93;
}
