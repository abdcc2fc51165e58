import { isEmpty, isObject } from "../decode/strict.js";
import type { ExtractOptions } from "../result.js";
import type { Answer, Candidate } from "./answer.js";
import {
  AGAINST,
  before,
  CORRECTS,
  isInWords,
  isListOfOne,
  isProse,
  isSpokenAgainst,
  leads,
  lineBefore,
} from "./answer.js";
import { holds, rowsOf, sharesKeys } from "./envelope.js";
import { definesTool, is, isCall, isTemplate } from "./known-objects.js";

/** Which of the values of a text is meant, or which of them together. */

type Answers = readonly Answer<unknown>[];

/** A mark of a source is no list of the texts that were asked for, and no value if nothing is asked for. */
export function isMark({ candidate, coerced }: Answer<unknown>, text: string, schema: unknown): boolean {
  return (!schema || coerced.length > 0) && isProse(candidate, text);
}

/** The value that is meant: of those that least speaks against, the one that is preferred. */
export function choose<T>(fitting: readonly Answer<T>[], text: string, { schema, prefer }: ExtractOptions<T>) {
  const asked = prefer ?? (schema && "last");
  const recommended = prefer ? undefined : recommendedOf(fitting, text);
  if (recommended) return { ...recommended, doubted: true };
  // Where any value will do, what stands within a sentence is an example beside one that has its lines for itself.
  // So is what stands within one behind an answer that the text begins with.
  const tests = asked && (prefer || !leads(fitting.slice(0, LAST), text)) ? AGAINST : [...AGAINST, isInWords];
  const corrects = ({ candidate }: Answer<T>) =>
    !isEmpty(candidate.value) &&
    !AGAINST.some((isAgainst) => isAgainst(candidate, text)) &&
    isCorrection(candidate, text);
  const { candidate: correction } = (!asked && fitting.slice(-LAST).findLast(corrects)) || {};
  const isFinal = correction && FINAL.test(before(text, correction).slice(-120));
  const isBefore = (one: Candidate) => correction !== undefined && one.end <= correction.start;
  const isLike = (one: Candidate) => sharesKeys(correction?.value, rowsOf(one.value));
  const isCorrected = (one: Candidate) => isBefore(one) && (isFinal || isLike(one));
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
  const last = pool.find((one) => shapeOf(one.value) === shape && faults(one) === least);
  // What has other keys may be an answer to something else.
  const isDoubtful =
    fitting.some(({ value }) => definesTool(value)) ||
    (isFinal &&
      fitting.some(
        ({ candidate: one }) =>
          isBefore(one) && !isLike(one) && !isStep(one) && !AGAINST.some((isAgainst) => isAgainst(one, text)),
      ));
  return last && isDoubtful ? { ...last, doubted: true } : last;
}

/** What says behind several options which one is meant; so far before the end of the text. */
const RECOMMENDS =
  /(?<!\b(?:not|never|cannot|t) (?:\w{1,12} )?)\b(?:recommend(?:ation is)?|suggest|prefer|choose|pick|go with|answer is|use)\b[^.\n"']{0,30}\b(?:option|variant|version) ([a-z\d])\b(?! (?:never|not))/i;
const RECOMMENDED_WITHIN = 2_000;
const OPTION = /\b(?:option|variant|version) ([a-z\d])\b[^\n{[]{0,20}\s{0,4}(?:```\w{0,10}\s{1,4})?$/i;
function recommendedOf<T>(fitting: readonly Answer<T>[], text: string): Answer<T> | undefined {
  const [, named] = RECOMMENDS.exec(text.slice(-RECOMMENDED_WITHIN)) ?? [];
  const optionOf = ({ candidate }: Answer<T>) => {
    const isAgainst = AGAINST.some((is) => is(candidate, text)) || isProse(candidate, text);
    return isAgainst ? undefined : OPTION.exec(before(text, candidate).slice(-80))?.[1]?.toUpperCase();
  };
  const options = named === undefined ? [] : fitting.slice(-LAST).filter((one) => optionOf(one) !== undefined);
  // What is not sure without those words: a stream reads on behind it.
  const areOptions = options.length > 1 && options.every((one) => isOption(one, fitting, text));
  return areOptions ? options.find((one) => optionOf(one) === named?.toUpperCase()) : undefined;
}

/** So many values are looked at for what introduces them. */
const LAST = 20;
/** What introduces, at the start of a line or sentence, a value that takes the place of those before it. */
const CORRECTION =
  /(?:^|\n|(?<!e\.g)[.!?] )(?:[#>*_-]{1,4} ?)?(?:(?:here(?:'s| is)|this is) )?(?:(?:the|my|your|an?) )?(?:(?:corrected|revised|updated)(?: [a-z]{1,20}){1,3} ?:[*_]{0,3}|(?:correct(?:ed|ion)?|fixed|revised|updated|final)(?: (?:json|version|answer|output|result|response|decision|choice|object|data|one|is)){0,3}(?: ?:[*_]{0,3}|(?<=(?:^|\n)[*_]{2,3}[^\n*_]{1,60})[*_]{2,3}:?|(?<=(?:^|\n)#{1,6} [^\n]{1,60})(?=\n)))\s{0,4}(?:(?:`{3}|~{3})\w{0,10}\s{1,4})?$/i;

/** Behind what was before. */
const AFTER = /(?:^|\n)[#*_ ]{0,6}after[^\w\n]{0,6}\s{0,4}(?:(?:`{3}|~{3})\w{0,10}\s{1,4})?$/i;

const isCorrection = (one: Candidate, text: string) =>
  CORRECTION.test(before(text, one).slice(-120)) ||
  (AFTER.test(before(text, one).slice(-40)) && /\bbefore\b/i.test(text.slice(0, one.start).slice(-1_000)));

/** A call, or a thought on the way to an answer. */
const isStep = ({ value }: Candidate) =>
  isObject(value) && (isCall(value) || Object.keys(value).some((key) => is(key, "asked", "call")));

/** It takes the place of all values before it, whatever their keys. */
const FINAL = /\bfinal (?:answer|result)\b[^\p{L}]*\w{0,10}\s*$/iu;

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
  const mayFit = (one: Candidate) =>
    !fitting || values.has(one) || (shape !== "" && shapeOf(rowsOf(one.value)[0]) === shape);
  const isWithin = (one: Candidate) => isInWords(one, text) || /\w\($/.test(before(text, one));
  const isApart = !isWithin(chosen);
  const isCorrected = isCorrection(chosen, text);
  const isFinal = FINAL.test(before(text, chosen).slice(-120));
  const isDismissed = (one: Candidate) =>
    (isCorrected && one.end <= chosen.start && (isFinal || !isCorrection(one, text))) ||
    (!fitting && isEmpty(one.value)) ||
    // What has the same keys is another answer, wherever it stands.
    (isApart && (!fitting || shapeOf(one.value) !== shapeOf(chosen.value)) && isWithin(one)) ||
    holds(value, values.get(one) ?? one.value) ||
    isProse(one, text) ||
    AGAINST.some((isAgainst) => isAgainst(one, text));
  // What corrects it may stand behind the next turn.
  const corrects = (one: Candidate) => one.start > chosen.start && isCorrection(one, text);
  return all.some((one) => isBeside(one, chosen) && mayFit(one) && (corrects(one) || !isDismissed(one)));
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

const MAX_GAP = 200;
/** One sign that is too many at the end or at the start of a line. */
const STRAY = /^(?:[\]}][ \t]{0,8}\r?\n|[ \t]{0,8}\r?\n\s{0,80}[\]}{[:"]?)\s{0,80}$/;

/** Of one of several containers, where it does not tell versions apart. */
const NAME_BEFORE_BAR =
  /^(?!(?:before|after|old|new|expected|actual|input|output|request|response|wrong|right|user|assistant|draft|final)\b)[\w.-]+ +\|$/i;

/** A label without its numbers, which count, or are a time; nor the name before a bar, of one of several containers. */
const numberless = (label: string) => label.trim().replace(/\d+/g, "0").replace(NAME_BEFORE_BAR, "0 |");

/** Values with nothing between them but what separates the members of a list, or a label before each, and whether that is so but for a sign; two or more each. */
export function neighbours(candidates: readonly Candidate[], text: string, label = "") {
  const runs: { members: Candidate[]; sure: boolean }[] = [];
  for (const one of candidates) {
    const run = runs.at(-1);
    const last = run?.members.at(-1);
    const gap = text.slice(last?.end, one.start);
    const sure = BETWEEN.test(gap.trim()) || (label !== "" && numberless(gap) === label);
    if (run && last?.thought === one.thought && (sure || (gap.length < MAX_GAP && STRAY.test(gap.slice(0, MAX_GAP))))) {
      run.members.push(one);
      run.sure &&= sure;
    } else runs.push({ members: [one], sure: true });
  }
  return runs.filter(({ members }) => members.length > 1);
}

/** What a log puts before each of its lines: a time, a name and a bar or brackets; its numbers are 0. */
const LOGGED = /0:0|^data:$|^[\w.]{1,40}[-_.]0:?$|\w {0,9}\|$|\[[^[\]]{1,60}\]$/;

/** Before a record: nothing, or a key, a mark or a number, without blanks in it. */
const IN_LOG = /^[ \t]*(?:(?:[^\s"'{}[\]]{1,40}\t){0,4}[^\s"'{}[\]]{1,40}[ \t]{1,8})?$/;

/** A question, behind an example of how one is answered. */
const ASKED = /(?:^|\n)\W{0,4}(?:input|question|q|user|human|prompt|query)\s?:/i;

/** Whether values that are alike end their lines, each behind a mark of the same form or two of them without a line between, whatever the others have. */
function areLogged(candidates: readonly Candidate[], text: string): boolean {
  const [first] = candidates;
  const keys = first && shapeOf(first.value);
  if (!keys || candidates.length < 3 || !candidates.every((one) => isMember(one, text))) return false;
  const label = numberless(lineBefore(text, first));
  const isRecord = (one: Candidate) => {
    const line = lineBefore(text, one);
    return shapeOf(one.value) === keys && numberless(line) === label && IN_LOG.test(line);
  };
  const gaps = candidates.slice(1).map((one, nth) => text.slice(candidates[nth]?.end, one.start));
  return (
    candidates.every(isRecord) &&
    gaps.every(
      (gap) =>
        /^[ \t\r]*\n/.test(gap) &&
        !ASKED.test(gap) &&
        !CORRECTS.test(gap) &&
        !/```|:\s*$/.test(gap.slice(0, gap.lastIndexOf("\n"))),
    ) &&
    (label !== "" ||
      (gaps.some((gap) => gap.trim() === "") &&
        gaps.every((gap) => /^\s*$|\d|\w[(/=]|^\s*(?:warn|info|error|debug|notice)/i.test(gap))))
  );
}

/** Whether all values are records of one list: neighbours that nobody asked for as a list, or what is logged among other lines. */
export function areRecords(candidates: readonly Candidate[], text: string, fitting: Answers | undefined) {
  if (fitting && neighbours(candidates, text)[0]?.members.length === candidates.length) return undefined;
  // What fits as it stands is an answer of its own.
  if (fitting?.length === candidates.length && fitting.every(({ coerced }) => coerced.length === 0)) return undefined;
  return areListed(candidates, text) ?? (areLogged(candidates, text) ? "unsure" : undefined);
}

/** Whether values on own lines or with commas between are a list: sure if nothing else stands there. */
function areListed(candidates: readonly Candidate[], text: string): "sure" | "unsure" | undefined {
  const [first, last] = [candidates[0], candidates.at(-1)];
  const label = numberless(first ? lineBefore(text, first) : "");
  const [run] = neighbours(candidates, text, LOGGED.test(label) ? label : "");
  if (!first || !last || run?.members.length !== candidates.length) return undefined;
  const gaps = candidates.slice(1).map((one, at) => text.slice(candidates[at]?.end, one.start));
  const glued = gaps.some((gap) => !/[,\n]/.test(gap));
  const alone = FENCE_BEFORE.test(before(text, first)) && FENCE_BEHIND.test(text.slice(last.end));
  if (glued && !(alone && gaps.every((gap) => gap.trim() === ""))) return undefined;
  // `[]`, `{}` and the answer: each replaces the one before.
  const isList = Array.isArray(first.value);
  const isShort = ({ edits }: Candidate) => edits.some(({ kind }) => kind === "ellipsis");
  const isOther = (one: Candidate) =>
    Array.isArray(one.value) !== isList || !(one.complete || one === last) || isShort(one);
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
  return run.sure && alone && !glued && !isTorn && onLines && tight && !candidates.some((one) => isEmpty(one.value))
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
    (one, nth) => Array.isArray(one.value) && (nth === 0 || introduces(CONTINUES, one.candidate)),
  );
  const answers = areOne || areParts ? fitting.filter(({ candidate }) => isMember(candidate, text)) : [];
  const members = answers.map(({ candidate }) => candidate);
  const isCorrected = members.some((one) => introduces(CORRECTS, one));
  return members.length > 1 && answers.every(isListOfOne) === areOne && !isCorrected ? members : [];
}

/** The keys of a value, and what introduces it without its number: `Option A:`. */
function introduced({ candidate, value }: Answer<unknown>, text: string): string | undefined {
  const label = before(text, candidate)
    .split(/[\n}\]]/)
    .findLast((line) => /^[^`~]*\p{L}{3}|^\s*\(?[A-Z][).:]\s*$/u.test(line));
  return label && shapeOf(value) + label.replace(/\b\w\b/, "");
}

/** Whether another value of the same keys is introduced in the same way. */
export function isOption(answer: Answer<unknown>, fitting: Answers, text: string): boolean {
  const own = introduced(answer, text);
  return own !== undefined && fitting.slice(-LAST).some((one) => one !== answer && introduced(one, text) === own);
}
