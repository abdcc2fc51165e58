import { isBlank } from "../decode/signs.js";

/** A text, and the part of it that is looked at. */
export interface Surroundings {
  text: string;
  from: number;
  to: number;
}

/**
 * Whether the text around the value has quotes or brackets without a partner, or holds the value in a string: then
 * they may have been meant for the value, or for what it is a part of.
 */
function unpaired({ text, from, to }: Surroundings, start: number, end: number): boolean {
  let quoted = false;
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (i === start) {
      if (quoted) return true;
      i = end - 1;
      continue;
    }
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) quoted = !quoted;
    else if (quoted) continue;
    else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) depth--;
  }
  return quoted || depth !== 0;
}

/** A comma and words, which are neither a literal nor a key. */
const SENTENCE_GOES_ON = /^,\s+(?!true\b|false\b|null\b|[\p{L}_$][\p{L}\p{N}_$-]{0,40}\s*(?::|=>))\p{L}/u;
const MEMBER_AHEAD = /(?:true|false|null|-?\d[\d.eE+-]*)\s{0,40}[,\]}:]/y;
const SIGN_BEFORE = /(?:^|["{}[\],:\d]|true|false|null)\s*$|\n[ \t]*$/;

/** Whether JSON's signs stand beside the value, as if it were a part of something. */
export function leftovers(around: Surroundings, start: number, end: number): boolean {
  const { text } = around;
  let before = start - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  let after = end;
  while (after < text.length && isBlank(text.charCodeAt(after))) after++;
  const right = text[after];
  if (right !== undefined) {
    if ('{}[]":'.includes(right)) return true;
    // A sentence goes on after a comma and a blank; so does a list of literals.
    if (right === "," && !SENTENCE_GOES_ON.test(text.slice(after, after + 60))) return true;
    // A bracket within a number or a word, or before one that was a member.
    if (after === end && /^(?:[\w+-]|\.\d)/.test(text.slice(end, end + 2))) return true;
    MEMBER_AHEAD.lastIndex = after;
    if (MEMBER_AHEAD.test(text)) return true;
  }
  const left = text[before];
  if (left !== undefined && '{}[]"'.includes(left)) return true;
  if (left !== undefined && before === start - 1 && /[\w.+-]/.test(left)) return true;
  if ((left === "," || left === ":") && SIGN_BEFORE.test(text.slice(Math.max(0, before - 40), before))) return true;
  return unpaired(around, start, end);
}
