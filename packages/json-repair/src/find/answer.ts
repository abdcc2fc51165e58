import type { Derived } from "../decode/encodings.js";
import { ABSENT, copyWith, isContainer, isEmpty, isObject, valueAt } from "../decode/strict.js";
import { type Edit, sortIn } from "../repair/edits.js";
import { type ExtractSuccess, type Repair, repairOf, toldOf } from "../result.js";
import type { Coercion } from "../schema/fit.js";

/** What was found in a text, what the text around it says of it, and what is told of it. */

/** A part of the text that reads as a JSON object or list, or several that were put together. */
export interface Candidate {
  /** The text that the value was parsed from, with its edits; undefined where it was put together or taken out. */
  readonly text?: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** What had to be changed, by position. */
  readonly edits: readonly Edit[];
  readonly complete: boolean;
  /** The language of the Markdown fence around it; empty where that names none. */
  readonly fence: string | undefined;
  /** Inside the model's thoughts. */
  thought: boolean;
  /** Behind the mark of the next turn. */
  readonly nextTurn?: boolean;
  /** It begins inside of what begins as JSON and cannot be read. */
  readonly torn?: boolean;
}

/** What stands between two places of a text, as long as nothing else is known of it. */
export function stretch(start: number, end: number, value?: unknown): Candidate {
  return { start, end, value, edits: [], complete: true, fence: undefined, thought: false };
}

export interface Answer<T> {
  /** Where it stands, and the value as it was read, before the schema made another one of it. */
  candidate: Candidate;
  value: T;
  coerced: Coercion[];
  source: ExtractSuccess<T>["source"];
  /** Repairs beyond the candidate's own edits: also those of a text that stands in this one. */
  extra?: Repair[];
  /** How many values the text holds. */
  count?: number;
  /** Others may have been meant in its place or with it, or the text speaks against it. */
  doubted?: boolean | undefined;
}

/** The schema asked for a list, and the value is its only member. */
export function isListOfOne<T>(answer: Pick<Answer<T>, "coerced" | "value"> | undefined): boolean {
  return answer !== undefined && Array.isArray(answer.value) && answer.coerced.some(({ path }) => path.length === 0);
}

/** Whether what stands at `at` is content of a string of a value that is surely read, but for the ends of its lines. */
export function isContent({ start, end, complete, edits }: Candidate, at: number): boolean {
  if (!complete || at <= start || at >= end) return false;
  const isOdd = (edit: Edit) =>
    edit.kind === "unquoted"
      ? edit.at <= at && at < edit.end
      : edit.sure === false && edit.kind !== "control-character";
  return !edits.some(isOdd);
}

/** Whether one sign before a value is all that stands beside it: the value is the same without it. One that closes may stand for its brace. */
export function hasStray({ text = "", start, end }: Candidate): boolean {
  if (start > NEAR || /\S/.test(text.slice(end))) return false;
  const isImplied = text[start] === '"';
  const isClosed = text.charCodeAt(end - 1) === (isImplied ? 125 : text.charCodeAt(start) + 2);
  return isClosed && (isImplied ? /^[{}[\],:"]$/ : /^[{,:"]$/).test(text.slice(0, start).trim());
}

/** How programs say that they have left out a part: `… [truncated 18342 chars] …`. There may be halves of two strings. */
const ELISION = /(?:…|\.{3})\s?[[(<][\w ,:+]{0,60}(?:truncated|omitted|elided)/;

/** What is told of an answer; the lines of its repairs are still to be counted. */
export function report<T>({ candidate, ...answer }: Answer<T>): ExtractSuccess<T> {
  const { value, coerced, source, extra = [], count = 1, doubted } = answer;
  const { text, start, end, edits, complete, thought } = candidate;
  const repairs = toldOf(edits, extra);
  if (doubted || thought || hasStray(candidate)) repairs.push(repairOf("surroundings", start, !doubted && !thought));
  for (const { path, sure } of coerced) repairs.push(repairOf("coercion", start, sure, path));
  const elided = text?.slice(start, end).search(ELISION) ?? -1;
  if (elided >= 0) repairs.push(repairOf("ellipsis", start + elided));
  sortIn(repairs, (a, b) => a.at - b.at);
  return { ok: true, value, source, range: [start, end], repairs, complete, candidates: count };
}

/** An answer from another text: where that stands, or was made from, in this one. */
export function placed<T>(
  answer: Answer<T>,
  around: Candidate,
  source: Answer<T>["source"],
  derived?: Derived,
): Answer<T> {
  const told = report(answer);
  const [from, to] = told.range;
  const origin = (at: number) => derived?.places[at] ?? around.start;
  const [start, end] = derived ? [origin(from), origin(to)] : [around.start, around.end];
  const repairs = told.repairs.map((repair) => ({ ...repair, at: origin(repair.at) }));
  const extra = repairs.filter(({ kind }) => kind !== "surroundings");
  const doubted = extra.length < repairs.length;
  if (derived && derived.original.slice(start, end) !== derived.text.slice(from, to))
    extra.unshift(repairOf("encoding", start, derived.sure));
  const { thought, value } = answer.candidate;
  const complete = told.complete && around.complete;
  return {
    candidate: { ...around, start, end, value, complete, thought: around.thought || thought, text: undefined },
    value: told.value,
    coerced: [],
    extra,
    count: told.candidates,
    doubted,
    source: derived && told.source !== "whole" ? told.source : source,
  };
}

/** So many brackets that the text breaks off in are looked at. */
const MAX_CUT = 8;

/** A value that breaks off, and that without the member in which it does: that of the innermost bracket first. */
export function* withoutCut({ edits, value }: Candidate): Generator<unknown> {
  yield value;
  const closers = edits.findLast(({ kind }) => kind === "unclosed")?.by.replace('"', "");
  const open = Math.min(MAX_CUT, closers?.length ?? 0);
  const path: PropertyKey[] = [];
  for (let at = value; path.length < open && isContainer(at) && !isEmpty(at); at = valueAt(at, path.slice(-1)))
    path.push(Array.isArray(at) ? at.length - 1 : (Object.keys(at).at(-1) as string));
  for (; path.length > 0; path.pop()) {
    const rest = copyWith(value, [{ path, by: ABSENT }]);
    if (!isEmpty(rest)) yield rest;
  }
}

/** So much of the text before and behind a value tells of it, and so much of its line. */
export const NEAR = 200;
const IN_LINE = 80;
export const before = (text: string, { start }: Candidate) => text.slice(Math.max(0, start - NEAR), start);
export const behind = (text: string, { end }: Candidate) => text.slice(end, end + NEAR);

/** `[Music, applause]`, `[Smith, 2020]`: words without quotes, numbers and literals behind a first word. */
export function isWordList({ text = "", start, value, edits }: Candidate): boolean {
  const isFirst = Array.isArray(value) && typeof value[0] === "string" && !value.some(isContainer);
  const isList = isFirst && /^\[\s{0,30}\p{L}/u.test(text.slice(start, start + 40));
  return isList && edits[0]?.kind === "unquoted" && edits.every(({ kind = "" }) => /^[ul]|^number/.test(kind));
}

/** Whether a list of several words in small letters, as names are, is all of a text: `[gender, age_group]`, but `[Music, applause]`. */
const isAll = ({ start, end, value }: Candidate, text: string) =>
  text.trim().length === end - start &&
  Array.isArray(value) &&
  value.length > 1 &&
  value.every((one) => /^[a-z\d_][\w.-]*$/.test(String(one)));

/** What introduces a value at the end of a line: a colon or the like, and what opens a quotation or code behind it. */
const INTRODUCED = /(?:[:=→]|\w\()\s*[`"'(*]*$/;

/** `<answer>{}</answer>`: all of an element that holds answers. */
export const ANSWER_TAG =
  /<(?:answer|final|json|output|result|response|data|arguments|parameters)\b[^<>]{0,80}>\s{0,80}$/i;

const GOES_ON_IN_CODE =
  /^\s{0,80}\n[ \t]+(?:#|(?:for|while|if|else|elif|with|return|try|yield|assert|raise|del)\b|\w+(?:\.\w+)*[([]|\w+(?:, \w+)* [-+*]?= )/;

/** `for (;;) {};`, `    rows = []` of a program. */
const isStatement = (one: Candidate, text: string) =>
  isEmpty(one.value) &&
  (/^[ \t]*;/.test(behind(text, one)) ||
    (/\n[ \t]+\w+ = $/.test(before(text, one)) && GOES_ON_IN_CODE.test(behind(text, one))));

/** `[1]`, `[ ]`, `{}` within a sentence: a citation, a box to tick, a pair of brackets; `[this](…)` is a link, `[0, 1)` an interval. */
export function isProse(candidate: Candidate, text: string): boolean {
  const { start, end, value, edits } = candidate;
  if (isWordList(candidate)) return !isAll(candidate, text);
  if (isStatement(candidate, text)) return true;
  if (ANSWER_TAG.test(before(text, candidate)) && /^\s*<\//.test(behind(text, candidate))) return false;
  const list: unknown[] = Array.isArray(value) ? value : [];
  const marks: unknown[] = list.length === 1 ? list.flat() : list;
  const words = marks.filter((one) => typeof one === "string").length;
  const isBare =
    2 * words >= marks.length &&
    edits.some(({ kind }) => kind === "unquoted") &&
    !/["'“”‘’]/.test(text.slice(start, end));
  const areNumbers =
    marks.length > 0 && marks.every((one) => typeof one === "number" || (isBare && typeof one === "string"));
  if (!areNumbers && !isEmpty(value)) return list.length === 1 && text[end] === "(";
  if (marks.length === 2 && text[end - 1] === ")") return true;
  if (isBare) return isInWords(candidate, text);
  // Nobody cites `[3, 1, 4]`, `[0.5, 2, 7]` or `[1, 2, ...]`: citations are whole numbers that rise.
  const rise = marks.every((one, i) => Number.isInteger(one) && Number(one) > Number(marks[i - 1] ?? 0));
  if (marks.length > 2 && (!rise || edits.some(({ kind }) => kind === "ellipsis"))) return false;
  // Behind a piece of code the sentence goes on.
  const isList = Array.isArray(value) && marks.length < 2 && text[end] === ",";
  return isList || isInWords(candidate, text[end] === "`" ? text.slice(0, end) : text);
}

/** The tag of an element that begins a line. */
const LINE_TAG = /(?:^|\n)[ \t]{0,40}<\w[\w:-]{0,40}>\s{0,80}$/;

/** Where none is near, `\p{L}` takes ten times as long to say so. */
const LETTER = /[\w\u00aa-\u1fff\u2c00-\u2dff\u3040-\uffdc]/;

/** Whether the value stands within a sentence, not on lines of its own. */
export function isInWords(one: Candidate, text: string): boolean {
  const [left, right] = [before(text, one), behind(text, one)];
  if (LINE_TAG.test(left) && ANSWER_TAG.test(left) && /^\s*<\/[\w:-]{1,40}>[ \t]*(?:\r?\n|$)/.test(right)) return false;
  if (!LETTER.test(left.slice(-IN_LINE)) && !LETTER.test(right)) return false;
  const follows = /[\p{L}\p{N}][^\n]*$/u.test(left.slice(-IN_LINE)) && !INTRODUCED.test(left.slice(-IN_LINE));
  return follows || /^(?!;?\s*<[/|])[^\n\p{L}\p{N}]*[\p{L}\p{N}]/u.test(right.slice(0, IN_LINE));
}

/** What changes something, behind its name. */
const CHANGES = /^(?:[.[][^=\n]{1,60} ?[-+*]?= ?[^=]|\.(?:add|append|delete|extend|insert|pop|push|remove|update)\b)/;

/** `p = {"age": 30}⏎p.age = 31`: what a program does with the name of a value behind it. */
export function isChanged(left: string, right: string): boolean {
  const name = /(?:^|[\s>])([a-zA-Z_]\w{0,40}) ?= ?$/.exec(left.slice(-60))?.[1];
  const lines = right.split("\n").map((line) => line.replace(/^[>. \t]{1,8}/, ""));
  return lines.some((line) => name !== undefined && line.startsWith(name) && CHANGES.test(line.slice(name.length)));
}

/** The objects, if all else is marks as `[0]` in the words of a log: these are no rows. */
export function withoutMarks(candidates: Candidate[], text: string): Candidate[] {
  const objects = candidates.filter(({ value }) => isObject(value));
  const areMarks = candidates.every((one) => isObject(one.value) || isProse(one, text));
  return areMarks && objects.length > 0 ? objects : candidates;
}
