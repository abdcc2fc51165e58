import { type Candidate, isEmpty, those } from "./candidate.js";
import { isTemplate, shapeOf } from "./choose.js";

/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item. */
const SEPARATOR = /^,?\s*(?:[-*•]|\d{1,6}[.)])?$/;
/** Between two fences, or two elements of the same name, nothing but what ends the one and begins the other. */
const NEXT_FENCE = /^(?:`{3}|~{3})\s{0,40}(?:`{3}|~{3})[\w+#.-]{0,40}$/;
const NEXT_ELEMENT = /^<\/([\w:.-]{1,40})>\s{0,40}<([\w:.-]{1,40})(?:\s[^<>]{0,80})?>$/;
/** A word that joins the last member, and what stands between two server-sent events. */
const NEXT_WORD = /^[,;]?\s{0,8}(?:and|und|et|y|e|&)$/i;
const NEXT_EVENT = /^(?:(?:event|id|retry):[^\n]{0,200}\n\s{0,8}){0,4}data:$/;
/** What says that a list goes on in the next fence. */
const CONTINUED =
  /^(?:`{3}|~{3})\s{0,40}[([*_]{0,3}(?:\.{3} ?|… ?)?(?:cont(?:inued|inuing|inues|inuation|'d|d)|fortsetzung|weiter|suite|continuación)(?![\p{L}\p{N}])[^`~"{}]{0,60}(?:`{3}|~{3})[\w+#.-]{0,40}$/iu;
/** No label has one of these. */
const NO_LABEL = /["`{}[\]]/;
const COUNT = /\d{1,6}|\b(?:one|two|three|four|five|six|first|second|third|fourth|fifth|sixth|next|last)\b/gi;
/** What stands around a label between two values. */
const FENCE_OR_NOTHING = /^(?:(?:`{3}|~{3})[\w+#.-]{0,40})?$/;
/** The record separator of JSON text sequences (RFC 7464). */
const RECORD_SEPARATOR = "\u001e";

const FIRST_RECORD = /(?:^|\n)[ \t]*(?:(?:[-*•]|\d{1,6}[.)])[ \t]*)?$/;
const NEXT_RECORD = /^,?[ \t]*\r?\n[ \t]*(?:(?:[-*•]|\d{1,6}[.)])[ \t]*)?$/;

function isNextElement(gap: string): boolean {
  const [, ended, begun] = NEXT_ELEMENT.exec(gap.slice(0, 200)) ?? [];
  return ended !== undefined && ended === begun && gap.length <= 200;
}

function isNextEvent(gap: string): boolean {
  return gap.length < 1_000 && NEXT_EVENT.test(gap);
}

/** The line before a value, or before the fence around it, which may count it: `### Item 2`. */
function labelOf(one: Candidate, text: string): string | undefined {
  const lines = text.slice(Math.max(0, one.start - 200), one.start).split("\n");
  const label = lines
    .slice(0, -1)
    .map((line) => line.trim())
    .findLast((line) => !FENCE_OR_NOTHING.test(line.slice(0, 80)));
  return lines.at(-1)?.trim() === "" && label !== undefined && !NO_LABEL.test(label) ? label : undefined;
}

/** Whether nothing stands between two values but the label of the second, which is that of the first but for its number. */
function countsOn(before: Candidate, one: Candidate, gap: string, text: string): boolean {
  const label = gap.length > 200 ? undefined : labelOf(one, text);
  if (label === undefined || !gap.split(label, 3).every((rest) => FENCE_OR_NOTHING.test(rest.trim().slice(0, 80))))
    return false;
  const first = labelOf(before, text);
  return first !== undefined && first !== label && first.replace(COUNT, "") === label.replace(COUNT, "");
}

/**
 * Values with nothing between them but what separates the members of a list; two or more each. Those in fences or
 * elements of their own are members only where a list is asked for.
 */
export function neighbours(candidates: readonly Candidate[], text: string, asked = false): Candidate[][] {
  const separates = (gap: string) =>
    SEPARATOR.test(gap) ||
    (asked && (NEXT_FENCE.test(gap) || isNextElement(gap) || NEXT_WORD.test(gap) || isNextEvent(gap)));
  const joins = (before: Candidate, one: Candidate) => {
    const gap = text.slice(before.end, one.start).replace(RECORD_SEPARATOR, "").trim();
    return separates(gap) || (asked && countsOn(before, one, gap, text));
  };
  return runsOf(candidates, joins);
}

/** Lists in fences of their own, of which each says that it goes on with the one before. */
export function continued(candidates: readonly Candidate[], text: string): Candidate[][] {
  const lists = candidates.filter(({ start }) => text[start] === "[");
  if (lists.length < 2) return [];
  return runsOf(lists, (before, one) => CONTINUED.test(text.slice(before.end, one.start).slice(0, 300).trim()));
}

/** Two or more values each, each of which joins the one before it. */
function runsOf(
  candidates: readonly Candidate[],
  joins: (before: Candidate, one: Candidate) => boolean,
): Candidate[][] {
  const runs: Candidate[][] = [];
  let run: Candidate[] = [];
  for (const one of candidates) {
    const before = run.at(-1);
    const goesOn =
      before !== undefined &&
      before.end <= one.start &&
      before.nested === one.nested &&
      !before.thought &&
      !one.thought &&
      joins(before, one);
    if (goesOn) run.push(one);
    else {
      run = [one];
      runs.push(run);
    }
  }
  return runs.filter((members) => members.length > 1);
}

export function listOf(members: readonly Candidate[]): Candidate {
  const first = members[0] as Candidate;
  const last = members.at(-1) as Candidate;
  return first.with({
    value: members.map((one) => one.value),
    end: last.end,
    edits: members.flatMap((one) => one.edits),
    complete: members.every((one) => one.complete),
  });
}

/** One value a line, or values with commas between: the members of a list. Sure if nothing else stands in the text. */
export function asList(candidates: Candidate[], text: string): { list: Candidate; sure: boolean } | undefined {
  const outer = those(candidates, (one) => !one.nested);
  const between = (test: (gap: string) => boolean) =>
    outer.every((one, at) => at === 0 || test(text.slice(outer[at - 1]?.end, one.start)));
  const glued = between((gap) => gap === "");
  if (!glued && !between((gap) => /[,\n]/.test(gap))) return undefined;
  const [members] = neighbours(outer, text);
  if (members === undefined || members.length < outer.length) return undefined;
  const [first] = members as [Candidate, ...Candidate[]];
  // `[]`, `{}` and the answer: each replaces the one before.
  if (members.some((one) => Array.isArray(one.value) !== Array.isArray(first.value))) return undefined;
  const once = text.slice(first.start, first.end);
  // The answer was repeated.
  const repeats = (one: Candidate) => {
    const again = text.slice(one.start, one.end);
    return again === once || (!one.complete && once.startsWith(again.trimEnd()));
  };
  if (members.every(repeats)) return undefined;
  const list = listOf(members);
  const { start, end } = list;
  const alone =
    /^\s*(?:\[\s*)?(?:(?:[-*•]|\d{1,6}[.)])[ \t]*)?$|(?:`{3,}|~{3,})[\w+#.-]*\s*$/.test(
      text.slice(Math.max(0, start - 200), start),
    ) && /^\s*,?\s*(?:\]\s*)?$|^\s*(?:`{3,}|~{3,})/.test(text.slice(end, end + 200));
  if (glued) return alone && areAlike(members) ? { list, sure: false } : undefined;
  const sure = alone && !members.some((one) => isEmpty(one.value)) && (areAlike(members) || areTight(members, text));
  return alone || areRecords(members, text) ? { list, sure } : undefined;
}

/** Whether no line is left free between them. */
function areTight(members: readonly Candidate[], text: string): boolean {
  return members.every((one, at) => at === 0 || text.slice(members[at - 1]?.end, one.start).split("\n", 3).length < 3);
}

/** Whether all are whole objects with the same keys. */
function areAlike(members: readonly Candidate[]): boolean {
  const keys = shapeOf(members[0]?.value ?? {});
  return members.every(({ value, complete }) => !Array.isArray(value) && complete && shapeOf(value) === keys);
}

/**
 * Whether the values, among words, are the records of one list: an object on each of lines that follow each other, all
 * with the same keys. A template is an example of the others.
 */
function areRecords(members: readonly Candidate[], text: string): boolean {
  const [first] = members as [Candidate, ...Candidate[]];
  // The template of an answer stands first.
  if (isTemplate(first.value)) return false;
  if (!areAlike(members)) return false;
  let end: number | undefined;
  for (const one of members) {
    const gap = text.slice(end ?? Math.max(0, one.start - 40), one.start);
    if (!(end === undefined ? FIRST_RECORD : NEXT_RECORD).test(gap)) return false;
    end = one.end;
  }
  return /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, (end ?? 0) + 80));
}

/** The last value, if the text or its fence ends inside of it. */
export function brokenOff(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const last = candidates.findLast((one) => !one.nested && !one.thought);
  if (last === undefined || last.complete) return undefined;
  return /^(?:$|`{3}|~{3})/.test(text.slice(last.end).trimStart()) ? last : undefined;
}
