import { isEmpty, isObject } from "../decode/strict.js";
import type { ExtractOptions } from "../result.js";
import type { Answer, Candidate } from "./answer.js";
import { before, behind, isInWords, isListOfOne, isProse } from "./answer.js";
import { isCorrection, isSpokenAgainst } from "./around.js";
import { holds, rowsOf, sharesKeys } from "./envelope.js";
import { isTemplate } from "./known-objects.js";

/** Which of the values of a text is meant, or which of them together. */

type Answers = readonly Answer<unknown>[];

/** A mark of a source is no list of the texts that were asked for, and no value if nothing is asked for. */
export function isMark({ candidate, coerced }: Answer<unknown>, text: string, schema: unknown): boolean {
  return (!schema || coerced.length > 0) && isProse(candidate, text);
}

/** Languages of fences that hold data, or say nothing: a value in another one is a part of a program. */
const DATA = /^(?:json\w*|te?xt|output|)$/i;

/** `{x = 1; y = 2}`, `@{x=1}`, `#{x => 1}`: may be a piece of a program. */
function isCode({ start, edits }: Candidate, text: string): boolean {
  const isMarked = edits.length > 0 && "@#".includes(text[start - 1] ?? " ");
  return isMarked || edits.some(({ kind, by, sure }) => kind === "separator" && by === "," && !sure);
}

/** What stands before a value on its line. */
function lineBefore(text: string, one: Candidate): string {
  const left = before(text, one);
  return left.slice(left.lastIndexOf("\n") + 1);
}

/** What stands before the answer that a text begins with: a label without a number, the line that opens its fence. */
const LABEL = /^[^\d{[]{0,20}$/;
/** With the blanks around it. */
const LABEL_LENGTH = 40;

/** Whether a text begins with an answer that stands for itself, and nothing behind it is said to correct that. */
function leads(fitting: readonly { candidate: Candidate }[], text: string): boolean {
  const [first, ...others] = fitting.map(({ candidate }) => candidate);
  if (!first || first.start > LABEL_LENGTH || !LABEL.test(text.slice(0, first.start).trim()) || isInWords(first, text))
    return false;
  return !others.some((one) => isCorrection(one, text));
}

const MAIL =
  /\b(?:wrote|writes|schrieb[^\n:]{0,60}|a écrit|escribió|ha scritto)\s?:|^[ \t]{0,8}>?[ \t]?(?:From|Von|De): |-{3,} ?Original/m;

type Test = (one: Candidate, text: string, plain?: boolean) => boolean;
/** What speaks against a value, the gravest first: each counts for more than all behind it together. */
const TOLD: readonly Test[] = [
  ({ thought }) => thought,
  ({ value }) => isTemplate(value),
  (one, text, plain) => isSpokenAgainst(one, text, { plain }),
  // The mail that is answered.
  (one, text) =>
    /^[ \t]{0,8}>/.test(lineBefore(text, one)) &&
    (/^\s*>/.test(text) || MAIL.test(text.slice(0, one.start).slice(-1_000))),
  ({ nextTurn }) => nextTurn === true,
];
/** That it may stand in a program. */
const OF_CODE: readonly Test[] = [({ fence = "" }) => !DATA.test(fence), isCode];
const TOLD_OR_CODE: readonly Test[] = [...TOLD, ...OF_CODE];
/** Also that it breaks off. */
const AGAINST: readonly Test[] = [...TOLD, ({ complete }) => !complete, ...OF_CODE];

/** Whether a value of a program has names in it where JSON has values. */
export const isOfNames = ({ fence = "", edits }: Candidate, text: string) =>
  !DATA.test(fence) &&
  edits.some(({ kind, end }) => kind === "unquoted" && /^\s?[,}\]]/.test(text.slice(end, end + 2)));

/** The value that is meant: of those that least speaks against, the one that is preferred. */
export function choose<T>(fitting: readonly Answer<T>[], text: string, { schema, prefer }: ExtractOptions<T>) {
  const asked = prefer ?? (schema && "last");
  // Where any value will do, what stands within a sentence is an example beside one that has its lines for itself.
  // So is what stands within one behind an answer that the text begins with.
  const tests = asked && (prefer || !leads(fitting.slice(0, LAST), text)) ? AGAINST : [...AGAINST, isInWords];
  const corrects = ({ candidate }: Answer<T>) =>
    !isEmpty(candidate.value) &&
    !AGAINST.some((isAgainst) => isAgainst(candidate, text)) &&
    isCorrection(candidate, text);
  const { candidate: correction } = (!prefer && fitting.slice(-LAST).findLast(corrects)) || {};
  const replacesAll = correction && isCorrection(correction, text, { plain: true, final: true });
  const isBefore = (one: Candidate) => correction !== undefined && one.end <= correction.start;
  const isLike = (one: Candidate) => sharesKeys(correction?.value, rowsOf(one.value));
  const isCorrected = (one: Candidate) => isBefore(one) && (replacesAll || isLike(one));
  const faults = (one: Answer<T>) => {
    const { candidate } = one;
    if (isMark(one, text, schema)) return Number.POSITIVE_INFINITY;
    const gravest = Number(isCorrected(candidate) || (schema !== undefined && isProse(candidate, text)));
    return tests.reduce((sum, isAgainst) => 2 * sum + Number(isAgainst(candidate, text)), gravest);
  };
  const size = ({ candidate }: Answer<T>) => (asked && asked !== "largest" ? 0 : candidate.end - candidate.start);
  const pool = asked === "first" ? fitting : [...fitting].reverse();
  let [best, least, length]: [Answer<T> | undefined, number, number] = [undefined, Number.MAX_VALUE, -1];
  for (const one of pool) {
    if (least === 0 && size(one) <= length) continue;
    const found = faults(one);
    if (found < least || (found === least && size(one) > length)) [best, least, length] = [one, found, size(one)];
  }
  if (asked || !best) return best;
  // Of several with the same keys, the last one corrects the others.
  const shape = shapeOf(best.value);
  return pool.find((one) => shapeOf(one.value) === shape && faults(one) === least);
}

/** What calls a value within a sentence an answer, or a part of what is printed. */
const IS_NAMED = /\b(?:answer|result|output|response|body)\b[^.\n{}[\]]{0,20}`?$|\w=['"]?$/i;
/** So many values are looked at for what introduces them. */
const LAST = 20;
const isBeside = (one: Candidate, { start, end }: Candidate) => one.end <= start || one.start >= end;

/**
 * Whether another value than the one that was chosen may have been meant: one that stands for itself, and is not corrected, nor a part
 * of the one that was chosen. With a schema it fits, or could be a row of the one that was chosen.
 */
export function hasRivals(
  { candidate: chosen, value }: Answer<unknown>,
  all: readonly Candidate[],
  text: string,
  fitting?: Answers,
): boolean {
  const values = new Map(fitting?.map((one) => [one.candidate, one.value]));
  const shape = shapeOf(rowsOf(chosen.value)[0]);
  const isRow = (one: Candidate) => shape !== "" && shapeOf(rowsOf(one.value)[0]) === shape;
  const [row] = rowsOf(chosen.value);
  const keys = isObject(row) ? Object.keys(row).slice(0, 50) : [];
  // It has members of the one that is taken, but lacks some: it may be the answer, and fail to fit.
  const isOther = (one: Candidate) => {
    const had = keys.filter((key) => isObject(one.value) && Object.hasOwn(one.value, key)).length;
    if (had === 0 || had === keys.length || TOLD_OR_CODE.some((isAgainst) => isAgainst(one, text))) return false;
    return 2 * had >= keys.length || (one.start > chosen.start && isCorrection(one, text));
  };
  const mayFit = (one: Candidate) => !fitting || !one.complete || values.has(one) || isRow(one) || isOther(one);
  // What has the same keys is another answer, wherever it stands; where nothing was asked for, what stands behind, or is sound.
  const isAlike = (one: Candidate) =>
    (shapeOf(one.value) === shapeOf(chosen.value) || (fitting !== undefined && isRow(one))) &&
    (fitting !== undefined ||
      (shape !== "" && (one.start > chosen.start || (chosen.edits.length > 0 && one.edits.length === 0))));
  const isWithin = (one: Candidate) => isInWords(one, text) || /\w\($/.test(before(text, one));
  const isApart = !isWithin(chosen);
  // `Train: {"a": 1} Test: {"a": 2}`: on one line, each with its name.
  const isPeer = (one: Candidate) =>
    IS_NAMED.test(before(text, one)) ||
    (/^\s*(?:[^\d{[]{0,20}: ?)?$/.test(lineBefore(text, one)) && /^[^\n]+$/.test(text.slice(one.end, chosen.start)));
  const isCorrected = isCorrection(chosen, text, { plain: true });
  const isFinal = isCorrection(chosen, text, { plain: true, final: true });
  // What breaks off, and is sent again behind that; its last member may have been another one.
  const isBegun = ({ complete, start, value: part }: Candidate) =>
    !complete &&
    start < chosen.start &&
    Object.entries(Object(part)).every(
      ([key, own], nth, { length }) =>
        Object.hasOwn(Object(chosen.value), key) && (nth === length - 1 || holds(Object(chosen.value)[key], own)),
    );
  // `Corrected: {"a": 1}`, behind three members: it may be the only one that is another.
  const isPiece = ({ value: former }: Candidate) => {
    const keys = isObject(chosen.value) ? Object.keys(chosen.value) : [];
    const isPart = isObject(former) && keys.every((key) => Object.hasOwn(former, key));
    return isPart && 2 * keys.length < Object.keys(former).length;
  };
  const isDismissed = (one: Candidate) =>
    isBegun(one) ||
    (isCorrected && one.end <= chosen.start && (isFinal || !isCorrection(one, text)) && !isPiece(one)) ||
    (!fitting && isEmpty(one.value)) ||
    (isApart && one.complete && !isAlike(one) && isWithin(one) && !isPeer(one)) ||
    // Behind it, what has fewer of its members may have lost them on purpose.
    ((one.start < chosen.start || (fitting && !values.has(one)) || isWithin(one) || holds(one.value, value)) &&
      holds(value, values.get(one) ?? one.value)) ||
    (isProse(one, text) && !(values.has(one) && rowsOf(one.value).length > 1)) ||
    (fitting ? TOLD : TOLD_OR_CODE).some((isAgainst) => isAgainst(one, text, true) && !isAgainst(chosen, text));
  // `Result: {"a": 1}⏎Errors:⏎[]`: it ends its line.
  const isLost = (one: Candidate) =>
    isEmpty(value) && !isEmpty(one.value) && !one.thought && /^[ \t]*(?:\r?\n|$)/.test(behind(text, one));
  // What corrects it may stand behind the next turn.
  const corrects = (one: Candidate) => one.start > chosen.start && isCorrection(one, text);
  return all.some((one) => isBeside(one, chosen) && mayFit(one) && (corrects(one) || isLost(one) || !isDismissed(one)));
}

/** All that has no keys is alike. */
function shapeOf(value: unknown): string {
  const keys = isObject(value) ? Object.keys(value).slice(0, 50) : [];
  return keys.length > 0 ? JSON.stringify(keys.sort()) : "";
}

const ITEM = "(?:[-*•]|\\d{1,6}[.)])";
/** What stands between two members of a list whose brackets are missing: a comma, a line end, the mark of an item, tags. */
const TAGS = "<\\/([a-zA-Z:._-]{1,40})\\d{0,9}>\\s{0,40}<\\1\\d{0,9}(?:\\s[^<>]{0,80})?>";
const BETWEEN = new RegExp(`^[,\\u001e]?\\s{0,400}(?:${ITEM}|${TAGS})?$`);
const FENCE_BEFORE = new RegExp(`(?:^|(?:\`{3}|~{3})[\\w+#.-]{0,40})\\s{0,40}${ITEM}?\\s{0,40}$`);
const FENCE_BEHIND = /^,?\s*(?:$|`{3}|~{3})/;

/** Of one of several containers, where it does not tell versions apart. */
const NAME_BEFORE_BAR =
  /^(?!(?:before|after|old|new|expected|actual|input|output|request|response|wrong|right|user|assistant|draft|final)\b)[\w.-]+ +\|$/i;

/** A label without its numbers, which count, or are a time; nor the name before a bar, of one of several containers. */
const numberless = (label: string) => label.trim().replace(/\d+/g, "0").replace(NAME_BEFORE_BAR, "0 |");

/** Values with nothing between them but what separates the members of a list, or a label before each; two or more each. */
export function neighbours(candidates: readonly Candidate[], text: string, label = ""): Candidate[][] {
  const runs: Candidate[][] = [];
  for (const one of candidates) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const gap = text.slice(last?.end, one.start);
    // Without a comment behind the comma.
    const plain = gap.includes("//") ? gap.replace(/^(\s{0,40},)[ \t]{0,40}\/\/[^\n]{0,200}(?=\n)/, "$1") : gap;
    // `-{"a": 1}`: a line that a patch takes out.
    const isNext =
      (BETWEEN.test(plain.trim()) && !plain.endsWith("\n-")) || (label !== "" && numberless(gap) === label);
    if (run && last?.thought === one.thought && isNext) run.push(one);
    else runs.push([one]);
  }
  return runs.filter(({ length }) => length > 1);
}

/** Whether a comment stands between them: it may say what one of them is. */
export const hasComments = (members: readonly Candidate[], text: string) =>
  members.slice(1).some((one, nth) => text.slice(members[nth]?.end, one.start).includes("//"));

/** What a log puts before each of its lines: a time, a name and a bar or brackets; its numbers are 0. */
const LOGGED = /0:0|^data:$|^[\w.]{1,40}[-_.]0:?$|\w {0,9}\|$|\[[^[\]]{1,60}\]$/;

/** Whether all values, on own lines or with commas between them, are a list that nobody asked for: sure if nothing else stands there. */
export function areRecords(
  candidates: readonly Candidate[],
  text: string,
  fitting: Answers | undefined,
): "sure" | "unsure" | undefined {
  if (fitting && neighbours(candidates, text)[0]?.length === candidates.length) return undefined;
  // What fits as it stands is an answer of its own.
  if (fitting?.length === candidates.length && fitting.every(({ coerced }) => coerced.length === 0)) return undefined;
  const [first, last] = [candidates[0], candidates.at(-1)];
  const label = numberless(first ? lineBefore(text, first) : "");
  const [run] = neighbours(candidates, text, LOGGED.test(label) ? label : "");
  if (!first || !last || run?.length !== candidates.length) return undefined;
  const gaps = candidates.slice(1).map((one, at) => text.slice(candidates[at]?.end, one.start));
  const glued = gaps.some((gap) => !/[,\n]/.test(gap));
  const alone = FENCE_BEFORE.test(before(text, first)) && FENCE_BEHIND.test(text.slice(last.end));
  if (glued && !(alone && gaps.every((gap) => gap.trim() === ""))) return undefined;
  // `[]`, `{}` and the answer: each replaces the one before.
  const isList = Array.isArray(first.value);
  const isShort = ({ edits }: Candidate) => edits.some(({ kind }) => kind === "ellipsis");
  // A line of a log may break off; one that the next one begins as was sent anew.
  const mayBreak = (one: Candidate, nth: number) => {
    const [line, next] = [text.slice(one.start, one.end).trimEnd(), candidates[nth + 1]];
    return !next || (nth > 0 && !text.startsWith(line, next.start));
  };
  const isOther = (one: Candidate, nth: number) =>
    Array.isArray(one.value) !== isList || !(one.complete || mayBreak(one, nth)) || isShort(one);
  const once = text.slice(first.start, first.end);
  const isSame = (one: Candidate) => once.startsWith(text.slice(one.start, one.end).trimEnd());
  const isOne = candidates.filter(({ value }) => !isEmpty(value)).length === 1;
  // Each has what the one before has: the text was sent anew.
  const grows = glued && candidates.slice(1).every((one, nth) => holds(one.value, candidates[nth]?.value));
  if (candidates.some(isOther) || candidates.every(isSame) || isOne || grows) return undefined;
  const keys = shapeOf(first.value);
  const cut = new Set(isObject(first.value) ? Object.keys(first.value) : []);
  const isAlike = ({ complete, value }: Candidate) =>
    complete ? shapeOf(value) === keys : isObject(value) && Object.keys(value).every((key) => cut.has(key));
  const alike = !isList && candidates.every(isAlike);
  // Among words they must be alike. A template is an example of the others.
  const isExample = isTemplate(first.value) && !candidates.every(({ value }) => isTemplate(value));
  if ((!alone && !alike) || isExample) return undefined;
  const onLines = alike || !candidates.some((one) => text.slice(one.start, one.end).includes("\n"));
  // What lacks its first bracket may be the end of a longer line.
  const isTorn = candidates.some(({ edits }) => edits.some(({ kind }) => kind === "missing-opener"));
  const tight = alike || gaps.every((gap) => gap.split("\n", 3).length < 3 && (isList || !gap.includes(",")));
  return alone &&
    !glued &&
    !isTorn &&
    !hasComments(candidates, text) &&
    onLines &&
    tight &&
    !candidates.some((one) => isEmpty(one.value))
    ? "sure"
    : "unsure";
}

const isMember = (one: Candidate, text: string) =>
  !one.thought && !one.nextTurn && !isTemplate(one.value) && !isSpokenAgainst(one, text);

/** What stands before the next part of a list. */
const CONTINUES = /\b(?:part|page|continu(?:es|ed|ing|ation)|batch|chunk|rest|remaining|more)\b/i;
/** Several of which each fits as a list of one, with words between them: members of it, as far as anybody knows. Or lists in parts. */
export function membersIn(fitting: Answers, text: string): Candidate[] {
  const areOne = fitting.some(isListOfOne);
  // Not what stands in a value before it.
  const introduces = (words: RegExp, one: Candidate) => words.test(before(text, one).replace(/^.*[{}[\]"]/s, ""));
  const areParts = fitting.every(
    (one, nth) =>
      Array.isArray(one.value) &&
      (nth === 0 || introduces(CONTINUES, one.candidate) || fitting[nth - 1]?.candidate.end === one.candidate.start),
  );
  const answers = areOne || areParts ? fitting.filter(({ candidate }) => isMember(candidate, text)) : [];
  const members = answers.map(({ candidate }) => candidate);
  const isCorrected = members.some((one) => isCorrection(one, text));
  return members.length > 1 && answers.every(isListOfOne) === areOne && !isCorrected ? members : [];
}
