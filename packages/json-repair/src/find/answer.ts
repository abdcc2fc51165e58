import { isContainer } from "../decode/strict.js";
import { type Edit, NO_EDITS, toldOf } from "../repair/edits.js";
import { type ExtractSuccess, type Repair, repairOf } from "../result.js";
import type { Coercion } from "../schema/fit.js";

/** What was found in a text, and what is told of it. */

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
}

/** What stands between two places of a text, as long as nothing else is known of it. */
export function stretch(start: number, end: number, value?: unknown): Candidate {
  return { start, end, value, edits: NO_EDITS, complete: true, fence: undefined, thought: false };
}

/** Whether an object or list has nothing in it, or nothing stands there. */
export function isEmpty(value: unknown): boolean {
  if (!isContainer(value)) return value === null || value === undefined || value === "";
  for (const _ in value) return false;
  return true;
}

/** A text, and the part of it that is looked at. */
interface Surroundings {
  text: string;
  from: number;
  to: number;
}

/** What a search has come to. */
export interface Answer<T> {
  /** Where it stands, and the value as it was read, before the schema made another one of it. */
  candidate: Candidate;
  value: T;
  coerced: Coercion[];
  source: ExtractSuccess<T>["source"];
  /** Repairs beyond the candidate's own edits: also those of a text that stands in this one. */
  extra: Repair[];
  /** How many values the text holds. */
  count: number;
  /** The part of the text that is looked at, if the candidate's neighbours matter. */
  around?: Surroundings | undefined;
  /** Others may have been meant in its place or with it, or the text speaks against it. */
  doubted?: boolean;
  /** It was thought in the text that stands in this one. */
  isThought?: boolean;
}

export function answerOf<T>(
  candidate: Candidate,
  { value, coerced }: Pick<Answer<T>, "value" | "coerced">,
  told: Pick<Answer<T>, "source"> & Partial<Answer<T>>,
): Answer<T> {
  return { candidate, value, coerced, extra: [], count: 1, ...told };
}

/** The schema asked for a list, and the value is its only member. */
export function isListOfOne<T>(answer: Pick<Answer<T>, "coerced" | "value"> | undefined): boolean {
  return answer !== undefined && Array.isArray(answer.value) && answer.coerced.some(({ path }) => path.length === 0);
}

/** The text breaks off in the value, or in one behind it. */
export function cut<T>(answer: Answer<T>): Answer<T> {
  return { ...answer, candidate: { ...answer.candidate, complete: false } };
}

/** How programs say that they have left out a part: `… [truncated 18342 chars] …`. There may be halves of two strings. */
const ELISION =
  /(?:…|\.\.\.)\s?[[(<](?=[^\])>]{0,60}\d)(?=[^\])>]{0,60}(?:truncated|omitted|elided))[\w ,:+]{1,70}[\])>]\s?(?:…|\.\.\.)/;

/** What is told of an answer; the lines of its repairs are still to be counted. */
export function report<T>(answer: Answer<T>): ExtractSuccess<T> {
  const { candidate, value, coerced, source, extra, around, doubted, count } = answer;
  const { text, start, end, edits, complete, thought } = candidate;
  const repairs: Repair[] = toldOf(edits, extra);
  if (doubted || thought || (around && leftovers(around, start, end))) repairs.push(repairOf("surroundings", start));
  for (const { path, sure } of coerced) repairs.push(repairOf("coercion", start, sure, path));
  const elided = text?.slice(start, end).search(ELISION) ?? -1;
  if (elided >= 0) repairs.push(repairOf("ellipsis", start + elided));
  repairs.sort((a, b) => a.at - b.at);
  return { ok: true, value, source, range: [start, end], repairs, complete, candidates: Math.max(1, count) };
}

/** So much of the text before and behind a value tells of it. */
const NEAR = 100;
export const before = (text: string, start: number) => text.slice(Math.max(0, start - NEAR), start);
export const behind = (text: string, end: number) => text.slice(end, end + NEAR);

const BLANKS = "[\\s\\p{Cc}\\p{Cf}]{0,40}";
/** JSON's signs before a value, as if it were a part of something. */
const SIGN_BEFORE = new RegExp(
  `(?:[{}[\\]"]${BLANKS}|[\\w.+-]|(?:(?:^|["{}[\\],:\\d]|true|false|null)\\s{0,40}|\\n[ \\t]{0,40})[,:]${BLANKS})$`,
  "u",
);
/** And behind it. A sentence goes on after a comma and a blank; so does a list of literals. */
const SIGN_BEHIND = new RegExp(
  `^(?:[\\w+-]|\\.\\d|${BLANKS}(?:[{}[\\]":]|(?:true|false|null|-?\\d[\\d.eE+-]*)\\s{0,40}[,\\]}:]` +
    "|,(?!\\s+(?!(?:true|false|null)\\b|[\\p{L}_$][\\p{L}\\p{N}_$-]{0,40}\\s*(?::|=>))\\p{L})))",
  "u",
);
/** Words in square brackets: `[TOOL_CALLS]`, `[INFO]`, `[2026-05-04 10:22]`, `[*]`. */
const TAG = '\\[\\/?(?:\\p{L}|\\d{4}-|\\*)[^[\\]{}"\\n]{0,40}\\]';
const TAG_BEHIND = new RegExp(`^\\s{0,20}${TAG}`, "u");
/** What may stand before a value without meaning anything: a tag, a word right before the bracket, a fence with its line. */
const INTRODUCTION = new RegExp(
  `${TAG}\\s{0,20}$|(?<![\\w.+-])(?!(?:true|false|null)$)[a-zA-Z]{4,20}$|^\\s{0,20}\\.$|(?:^|\\n)\\s*(?:\`\`\`|~~~)[^{[\\n]*\\s*$`,
  "u",
);

/** Whether JSON's signs stand beside the value, or others around it have no partner: they may have been meant for it. */
function leftovers(around: Surroundings, start: number, end: number): boolean {
  const { text } = around;
  if (SIGN_BEHIND.test(behind(text, end).replace(TAG_BEHIND, " "))) return true;
  const isIntroduced = INTRODUCTION.test(text.slice(Math.max(0, start - NEAR), start));
  if (!isIntroduced && SIGN_BEFORE.test(text.slice(Math.max(0, start - NEAR), start))) return true;
  return unpaired(around, start, end);
}

/** Whether the text around the value has quotes or brackets without a partner, or holds the value in some. */
function unpaired({ text, from, to }: Surroundings, start: number, end: number): boolean {
  let quoted = false;
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (i === start) {
      if (quoted || depth > 0) return true;
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
