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

/** Words in square brackets: `[TOOL_CALLS]`, `[INFO]`, `[2026-05-04 10:22]`, `[*]`. */
const TAG = '\\[\\/?(?:\\p{L}|\\d{4}-|\\*)[^[\\]{}"\\n]{0,40}\\]';
const TAG_BEFORE = new RegExp(`${TAG}\\s{0,20}$`, "u");
const TAG_BEHIND = new RegExp(`^\\s{0,20}${TAG}`, "u");
/** A word, right before the bracket: `json{"a": 1}`. */
const LABEL_BEFORE = /(?<![\w.+-])(?!(?:true|false|null)$)[a-z]{4,20}$/i;
const INTRODUCTIONS = [TAG_BEFORE, LABEL_BEFORE, /^\s{0,20}\.$/];
/** A fence, with what it says of its content. */
const FENCE = /^\s*(?:```|~~~)[^{[]*$/;

/** Whether JSON's signs stand beside the value, as if it were a part of something. */
export function leftovers(around: Surroundings, start: number, end: number): boolean {
  const { text } = around;
  const behind = TAG_BEHIND.exec(text.slice(end, end + 80))?.[0].length ?? 0;
  return signBehind(text, end + behind, end) || signBefore(text, start) || unpaired(around, start, end);
}

function signBefore(text: string, start: number): boolean {
  const head = text.slice(Math.max(0, start - 100), start);
  if (INTRODUCTIONS.some((one) => one.test(head)) || FENCE.test(head.trimEnd().split("\n").at(-1) as string))
    return false;
  let before = start - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  const left = text[before];
  if (left === undefined) return false;
  if ('{}[]"'.includes(left)) return true;
  if (before === start - 1 && /[\w.+-]/.test(left)) return true;
  return (left === "," || left === ":") && SIGN_BEFORE.test(text.slice(Math.max(0, before - 40), before));
}

function signBehind(text: string, from: number, end: number): boolean {
  let after = from;
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
  return false;
}

/** How programs say that they have left out a part: `… [truncated 18342 chars] …`. */
const LEFT_OUT = ["truncated", "omitted", "elided"];
const BEFORE_IT = /(?:…|\.\.\.)\s?[[(<]([\w ,+]{0,30})$/;
const BEHIND_IT = /^([\w ,:+]{0,30})[\])>]\s?(?:…|\.\.\.)/;

/** Where a program has left out the middle of the value, -1 if it has not: what is there may be halves of two strings. */
export function elisionIn(text: string, start: number, end: number): number {
  const value = text.slice(start, end);
  for (const word of LEFT_OUT) {
    for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + word.length)) {
      const before = BEFORE_IT.exec(value.slice(Math.max(0, at - 40), at));
      const behind = before && BEHIND_IT.exec(text.slice(start + at + word.length, start + at + 60));
      if (behind && /\d/.test(`${before[1]}${behind[1]}`)) return start + at;
    }
  }
  return -1;
}
