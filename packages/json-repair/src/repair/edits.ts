import { CLOSE_OBJECT, jsonOf, skipBlanks } from "../decode/signs.js";
import { isContainer } from "../decode/strict.js";
import { colonEnd, isLeft, sticky } from "./ahead.js";
import * as s from "./reading.js";

/** What was wrong. The README says what becomes of each. */
export type RepairKind =
  | "trailing-comma"
  | "extra-comma"
  | "missing-comma"
  | "separator"
  | "missing-colon"
  | "extra-colon"
  | "missing-value"
  | "quotes"
  | "missing-quote"
  | "extra-quote"
  | "inner-quote"
  | "unquoted"
  | "concatenation"
  | "call"
  | "control-character"
  | "escape"
  | "literal"
  | "number"
  | "comment"
  | "whitespace"
  | "ellipsis"
  | "wrong-closer"
  | "missing-closer"
  | "extra-closer"
  | "missing-opener"
  | "wrong-opener"
  | "extra-opener"
  | "unclosed"
  /** Brackets, quotes or commas are left over beside the value: it may be a part of what was meant. */
  | "surroundings";

/** Replaces `text.slice(at, end)` by `by`; without a kind it belongs to the repair beside it. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly by: string;
  readonly kind: RepairKind | undefined;
  /** Whether the text allows no other reading. */
  sure: boolean;
}

/** By how much a way must be the cheapest to be sure, if it does more than leave out a sign. */
const MARGIN = 2;

/** The edit of a way. */
export function edit(r: s.Reading, way: s.Way, at: number, end: number, by: string, kind = way.kind): undefined {
  const close = r.margin < MARGIN && /^(?:missing|wrong)-/.test(kind ?? "");
  if (r.log) r.edit(at, end, by, kind, !close && !way.doubt?.(r));
}

/** Puts `by` in where it belongs, before those edits there that it precedes. */
export function putIn(r: s.Reading, way: s.Way, at: number, by: string, precedes: (edit: Edit) => boolean): undefined {
  const { log = [] } = r;
  const later = log.splice(log.findLastIndex((one) => one.at < at || (one.at === at && !precedes(one))) + 1);
  edit(r, way, at, at, by);
  for (const one of later) log.push(one);
}

/** What stands before `end` is no part of the value. */
export function leaveOut(r: s.Reading, end: number, kind: RepairKind): undefined {
  r.edit(r.pos, end, "", kind, false);
  r.pos = end;
}

const WORDS = /[\p{L}_][^"{}[\]:\n]{0,200}(?:\n[ \t]{0,80})?(?="[^"\n]{1,60}"\s{0,8}:)/uy;
const CAPITALS = /[A-Z][A-Z_]{1,40}\s{1,80}(?="[^"\n]{1,60}"\s{0,8}:)/y;

/** Where words end that stand before a key. Behind a text they may be a part of it: only a word in capitals is none there, or a line. */
export function wordsEnd({ text, pos, last, lineEnds }: s.Reading): number {
  const isApart = lineEnds || !/["'”’]/.test(text[last - 1] ?? "");
  return pos > last ? sticky(isApart ? WORDS : CAPITALS, text, pos) : -1;
}

/** Where the key of the member ends, and its colon, if it stands again in the place of the value; else -1. */
export function againEnd({ text, pos, keyAt, last }: s.Reading): number {
  const key = text.slice(keyAt, last);
  return key.length > 2 && text.startsWith(key, pos)
    ? colonEnd(text, skipBlanks(text, pos + key.length, text.length))
    : -1;
}

/** A key and its value in one pair of quotes; no address. */
const PAIR = /^"([\p{L}_](?:[\p{L}\p{N}_ -]{0,40}[\p{L}\p{N}_])?)\s?:\s?(?![[{/])([^"\n]{1,80})"$/u;
const pairIn = ({ text, keyAt, last }: s.Reading) => PAIR.exec(text.slice(keyAt, Math.min(last, keyAt + 200)));

/** Whether the key of a further member holds its value as well: `"age: 3"`. */
export const holdsPair: s.When = (r) => r.hasValue && pairIn(r) !== null;

/** It is the key up to its colon, and the value behind that. */
export function splitPair(r: s.Reading, way: s.Way): undefined {
  const [, name = "", value = ""] = pairIn(r) ?? [];
  const [from, to] = [r.keyAt + 1 + name.length, r.last - 1 - value.length];
  const json = jsonOf(value, false);
  r.edit(from, json ? r.last : to, json ? `":${json}` : '":"', way.kind, false);
  r.ended(r.keyAt);
}

/** Those of the kind from the `from`th on allow no other reading. */
export function assure(edits: readonly Edit[], kind: RepairKind, from: number): undefined {
  for (const edit of edits.slice(from)) if (edit.kind === kind) edit.sure = true;
}

/** Takes back the edits from `at` on, but not the `kept` first ones. */
export function undoFrom(edits: Edit[], at: number, kept = 0): undefined {
  while (edits.length > kept && (edits.at(-1) as Edit).at >= at) edits.pop();
}

/** Kinds of edits, and the kinds that are not sure beside them: two slips may be other two, or one. */
const DOUBTFUL: readonly (readonly [beside: RegExp, doubted: RegExp])[] = [
  [/(?:extra|wrong)-closer|trailing-comma/, /^missing-(?:comma|value)/],
  [/wrong-closer/, /^(?:missing|extra)-/],
  [/wrong-opener/, /^extra-comma/],
  [/trailing-comma/, /^extra-closer/],
  [/extra-colon/, /^missing-colon/],
  [/extra|missing-quote|opener/, /^missing-value/],
  [/concatenation/, /^extra-quote/],
];

/** Sorts in place; what is in order already, as most are, costs no copy. */
export function sortIn<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  const isSorted = list.every((one, nth) => nth === 0 || compare(list[nth - 1] as T, one) <= 0);
  return isSorted ? list : list.sort(compare);
}

/** All in the order of the text, and less sure of those that others cast a doubt on. */
export function inOrder(edits: Edit[]): readonly Edit[] {
  const found = new Set<RepairKind | undefined>();
  for (const { kind } of edits) found.add(kind);
  const kinds = [...found].join(" ");
  for (const [beside, doubted] of DOUBTFUL)
    if (beside.test(kinds)) for (const edit of edits) edit.sure &&= !doubted.test(edit.kind ?? "");
  sortIn(edits, (a, b) => a.at - b.at || a.end - b.end);
  // A string that lost its quote and its comma may hold the next lines, and what seems to be a quote too many end it.
  if (kinds.includes("extra-quote"))
    for (const [nth, { kind }] of edits.entries())
      if (kind === "missing-comma" && edits[nth - 1]?.kind === "missing-quote") (edits[nth] as Edit).sure = false;
  return edits;
}

/** A key with a brace, in quotes, or with more than one. */
const ODD_KEY = /[{}]|^["'`]|["'`]$|, ?"|=>/;
/** All of it in quotes, a bracket or a quote without its partner; one behind a number is that of inches, and in German the other one stands low. */
const ODD_TEXT = /^["'].*["']$|^["'][^"']*["'], ?["']|^[^\][]*\[[^\]]*$|^(?!.*(?:\d"|„))[^"]*"[^"]*(?:"[^"]*"[^"]*)*$/s;
const isOddText = (one: unknown) => typeof one === "string" && /^'|["[]/.test(one) && ODD_TEXT.test(one);
const isOfNumbers = (row: unknown) => Array.isArray(row) && row.every((one) => typeof one === "number");

/**
 * Whether what the edits make has what data seldom has, so that a bracket, comma or quote may belong elsewhere: brackets beside other members of a list, rows
 * of numbers of unlike lengths, odd keys and texts.
 */
export function makesOdd(edits: readonly Edit[], value: object): boolean {
  if (!edits.some(({ kind = "", sure }) => sure && /^(?:missing|extra|wrong)-/.test(kind))) return false;
  const left = [value];
  for (let one = left.pop(); one; one = left.pop()) {
    const members: unknown[] = Array.isArray(one) ? one : Object.values(one);
    const from = left.length;
    for (const member of members)
      if (isContainer(member)) left.push(member);
      else if (isOddText(member)) return true;
    const inner = left.length - from;
    if (!Array.isArray(one)) {
      for (const key in one) if (ODD_KEY.test(key)) return true;
    } else if (
      inner > 0 &&
      (inner < one.length || (one.every(isOfNumbers) && one.some((row) => row.length !== one[0]?.length)))
    )
      return true;
  }
  return false;
}

/** The text from `start` to `end` with the edits made; of two that begin at the same sign, the longer or later one. To add strings up takes half the time of joining them. */
export function applyEdits(edits: readonly Edit[], text: string, start: number, end: number): string {
  let [made, block, at] = ["", "", start];
  let nth = 0;
  for (const edit of edits) {
    const next = edits[++nth];
    if (edit.at < at ? edit.end <= at : edit.end > edit.at && next?.at === edit.at) continue;
    if (edit.at > at) block += text.slice(at, edit.at);
    block += edit.by;
    at = Math.max(at, edit.end);
    // Asked for a character, it is made one string: its pieces take ten times as much memory.
    if (block.length > 16_384 && block.charCodeAt(0) > 0) [made, block] = [made + block, ""];
  }
  return made + block + text.slice(at, Math.max(at, end));
}

// Where an edit may be another one: what stands beside it has a second reading.

/** `"a"": 1"`: of two quotes beside each other one may be too many. */
const isOdd = ({ text, pos }: s.Reading) => /^["']{2}[\s:,}\]]/.test(text.slice(pos - 1, pos + 2));
/** The last of what has been read. */
const endOf = ({ text, last }: s.Reading, length = 3) => text.slice(Math.max(0, last - length), last);

/** `a = {`: what stands in the brackets may be a list of Lua. */
const behindEquals = ({ text, top }: Pick<s.Reading, "text" | "top">) =>
  top !== undefined && /= ?$/.test(text.slice(Math.max(0, top.at - 2), Math.max(0, top.at)));

/** Of a missing colon: the quote before it may stand in a wrong place, or the bracket behind it in that of the colon. */
export const mayBeIn: s.When = (r) =>
  isOdd(r) ||
  behindEquals(r) ||
  /(?:[,:[{]\s?| )["']$/.test(endOf(r)) ||
  /^"[[{]\s?"[^"\n]{1,80}[\]}]/.test(r.text.slice(r.pos - 1, r.pos + 90));

/** `12 345` may be one number, `12 or so: 3` a text. */
const UNCLEAR = /^.\s*(?:\d{3}(?![\d.eE])|0\d)|^\d[ \t]+\p{L}/u;

/** Of a missing comma: both may be one value, as in `""a`, or the quote of `"a," "b"` stand in a wrong place. */
export const mayBeOne: s.When = (r) =>
  /[[\]{}(, ]"$/.test(endOf(r)) ||
  /^""\w/.test(r.text.slice(r.last - 2, r.pos + 1)) ||
  UNCLEAR.test(r.text.slice(r.last - 1, r.pos + 4)) ||
  // `[1 2⏎ 3 4]`: rows.
  (r.lineEnds && /\d \d{1,6}$/.test(endOf(r, 9))) ||
  isOdd(r) ||
  isLeft(r) ||
  // `4"43:443"`
  (r.state === s.AFTER_ITEM && r.last === r.pos && /^\d["']/.test(r.text.slice(r.last - 1, r.pos + 1))) ||
  // `12.⏎5`, `12⏎.5`
  /^(?:\.\s+\d|\d\s+\.)/.test(r.text.slice(r.last - 1, r.pos + 1));

/**
 * `1937",`, `null"`: a quote behind a number or a literal may be the one that is left of two. `" "",`: behind a blank, the one before it may
 * be too many; `["a,1,""]`: behind a comma, one may be missing before that.
 */
export const mayBeLeft: s.When = (r) => /(?:\d|true|false|null|"\s+"|,"|[a-z] \d{1,3}(?:\.\d\d?)?")$/.test(endOf(r, 9));

/** Of a colon too many: behind a string or a list in a list, that may be a key. */
export const mayBeKey: s.When = (r) =>
  /^::[\da-f]/i.test(r.text.slice(r.pos, r.pos + 3)) ||
  (r.state === s.AFTER_ITEM && /["'”\]]/.test(r.text[r.last - 1] ?? ""));

const EARLIER = /[}\]]\s*,\s*["{[\d-]/;

/**
 * Of a closing bracket too many: if it is not doubled, an opening one may be missing before the value as well, as in `[}, 1]`; or
 * one in the 400 characters before is too many.
 */
export const lacksOpener: s.When = ({ state, text, pos, last, top }) =>
  (state === s.AFTER_MEMBER && ![last - 1, pos - 1, pos + 1].some((at) => text[at] === text[pos])) ||
  // `[x)]`
  (text[pos] === ")" && /[a-z]/i.test(text[last - 1] as string)) ||
  (state === s.FIRST_ITEM && /^.\s?,/.test(text.slice(pos, pos + 3))) ||
  (text[pos] === s.CLOSERS[top?.kind ?? 0] && EARLIER.test(text.slice(Math.max(top?.at ?? 0, pos - 400), last)));

/** Of a comma too many: `[{, {}]` may lack the closing bracket of an empty object, `[[1,,3]]` a value. */
export const mayBeEmpty: s.When = ({ state, text, pos, top }) =>
  state === s.FIRST_KEY
    ? /^,\s{0,80}[[{]/.test(text.slice(pos, pos + 82))
    : state === s.ITEM && top?.up?.kind === s.LIST && /^,\s?[^\s,\]]/.test(text.slice(pos, pos + 3));

/** `{]`: either may be wrong. `[0, 1)` may be no list. In `[[1, 2}]` and `{"a": [1}}`, the opening one and this may be too many. */
export const opensWrongly: s.When = ({ text, pos, limit, top, valueAt, hasValue }) => {
  if (!hasValue || text[pos] === ")") return !hasValue || !top?.up;
  return top?.kind === s.LIST && (top.up?.kind === s.LIST || skipBlanks(text, top.at + 1, limit) === valueAt);
};

/** Of an opening bracket for a closing one: before one that closes it may be too many. */
export const mayBeNothing: s.When = ({ text, pos }) => /^.\s{0,8}[}\]]/.test(text.slice(pos, pos + 10));

/** `[{"a", "b"]`: of a brace too many, a key and its value. */
export const mayBePair: s.When = ({ text, pos }) => /^,\s{0,8}"[^"\n]{0,80}"\s{0,8}\]/.test(text.slice(pos, pos + 99));

/** `{⏎[⏎`: what is behind the brace may begin all of it once more. */
export const mayBeginAnew: s.When = ({ text, pos, lineEnds }) => lineEnds && /^.\r?\n/.test(text.slice(pos, pos + 3));

/** Of a bracket that closes what was taken for an object: it may be the list that stands there. */
export const closesList: s.When = (r) => r.top?.kind === s.OBJECT && r.sign() === CLOSE_OBJECT + s.LIST;

/** Python breaks a long text behind a blank or a line end in it; other texts line by line lack a comma. */
export const isBroken: s.When = ({ text, last }) => /(?: |\\n)'$/.test(text.slice(last - 3, last));

/** The mark of a patch, or of what is struck out. */
export const mayBeMark: s.When = ({ text, pos }) => /^(?:[-+][^-]|~~)/.test(text.slice(pos, pos + 2));

/** Of an object in an object: its first member is none, and it may be a list behind an equals sign. */
export const isSet: s.When = ({ text, pos, top }) =>
  top?.up?.kind === s.OBJECT &&
  (behindEquals({ text, top }) || /^[\w.+-]{1,30}\s{0,8},/.test(text.slice(pos, pos + 40)));
