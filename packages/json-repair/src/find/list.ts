import type { Repair } from "../result.js";
import { type Candidate, isEmpty } from "./answer.js";
import { isTemplate, shapeOf } from "./choose.js";

/** Several values that stand for one list. */

/** What stands before an item, and the mark of a fence with what it says of its content. */
const ITEM = "(?:[-*•]|\\d{1,6}[.)])";
const FENCE = "(?:`{3,9}|~{3,9})";
const OPENED = `${FENCE}[\\w+#.-]{0,40}`;
/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item. */
const BETWEEN = new RegExp(`^,?\\s*${ITEM}?$`);
/** Also, where a list is asked for: ends of fences, of elements of one name, of events, or a word before the last member. */
const BETWEEN_ASKED = new RegExp(
  [
    `^${FENCE}\\s{0,40}${OPENED}$`,
    "^<\\/([\\w:.-]{1,40})>\\s{0,40}<\\1(?:\\s[^<>]{0,80})?>$",
    "^[,;]?\\s{0,8}(?:and|und|et|y|e|&)$",
    "^(?:(?:event|id|retry):[^\\n]{0,200}\\n\\s{0,8}){0,4}data:$",
  ].join("|"),
  "i",
);
/** The record separator of JSON text sequences (RFC 7464). */
const RECORD_SEPARATOR = "\u001e";
const MAX_BETWEEN = 1_000;

/** Values with nothing between them but what separates the members of a list; two or more each. */
export function neighbours(candidates: readonly Candidate[], text: string, asked = false): Candidate[][] {
  const runs: Candidate[][] = [];
  let before: Candidate | undefined;
  for (const one of candidates) {
    if (before && joins(before, one, text, asked)) runs.at(-1)?.push(one);
    else runs.push([one]);
    before = one;
  }
  return runs.filter((members) => members.length > 1);
}

function joins(before: Candidate, one: Candidate, text: string, asked: boolean): boolean {
  if (before.thought || one.thought || before.end > one.start) return false;
  const between = text.slice(before.end, one.start).replace(RECORD_SEPARATOR, "").trim();
  return BETWEEN.test(between) || (asked && between.length < MAX_BETWEEN && BETWEEN_ASKED.test(between));
}

export function listOf(members: readonly Candidate[]): Candidate {
  const [first, last] = [members[0], members.at(-1)] as [Candidate, Candidate];
  return {
    ...first,
    end: last.end,
    value: members.map((one) => one.value),
    edits: members.flatMap((one) => one.edits),
    complete: members.every((one) => one.complete),
    text: undefined,
  };
}

const ALONE_BEFORE = new RegExp(`^\\[?\\s{0,40}${ITEM}?$|(?:\`{3}|~{3})[\\w+#.-]{0,40}$`);
const ALONE_BEHIND = new RegExp(`^\\s*,?\\s*(?:\\]\\s*)?$|^\\s*${FENCE}`);
const LINE_START = new RegExp(`(?:^|\\n)[ \\t]*(?:${ITEM}[ \\t]*)?$`);

/** One value a line, or values with commas between: the members of a list. Sure if nothing else stands in the text. */
export function asList(candidates: Candidate[], text: string): { list: Candidate; extra: Repair[] } | undefined {
  const gaps = candidates.slice(1).map((one, at) => text.slice(candidates[at]?.end, one.start));
  const glued = gaps.every((gap) => gap === "");
  if (!glued && !gaps.every((gap) => /[,\n]/.test(gap))) return undefined;
  const [members] = neighbours(candidates, text);
  const first = members?.[0];
  if (members === undefined || first === undefined || members.length < candidates.length) return undefined;
  // `[]`, `{}` and the answer: each replaces the one before.
  if (members.some((one) => Array.isArray(one.value) !== Array.isArray(first.value))) return undefined;
  const once = text.slice(first.start, first.end);
  // The answer was repeated.
  if (members.every((one) => once.startsWith(text.slice(one.start, one.end).trimEnd()))) return undefined;
  const list = listOf(members);
  const { start, end } = list;
  const keys = shapeOf(first.value);
  const alike = members.every(({ value, complete }) => !Array.isArray(value) && complete && shapeOf(value) === keys);
  const tight = gaps.every((gap) => gap.split("\n", 3).length < 3);
  const alone =
    ALONE_BEFORE.test(text.slice(Math.max(0, start - 200), start).trim()) &&
    ALONE_BEHIND.test(text.slice(end, end + 200));
  // Among words: an object on each of lines that follow each other. A template is an example of the others.
  const areRecords = () =>
    alike &&
    tight &&
    !glued &&
    !isTemplate(first.value) &&
    LINE_START.test(text.slice(Math.max(0, start - 200), start)) &&
    /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200));
  if (alone ? glued && !alike : !areRecords()) return undefined;
  const sure = alone && !glued && (alike || tight) && !members.some((one) => isEmpty(one.value));
  return { list, extra: [{ kind: "list", at: start, line: 0, sure }] };
}

/** The last value, if the text or its fence ends inside of it. */
export function brokenOff(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const last = candidates.findLast((one) => !one.thought);
  if (last === undefined || last.complete) return undefined;
  return /^(?:$|`{3}|~{3})/.test(text.slice(last.end).trimStart()) ? last : undefined;
}
