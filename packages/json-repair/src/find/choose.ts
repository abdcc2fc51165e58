import type { Preference } from "../result.js";
import { isProse, isSpokenAgainst } from "./against.js";
import { type Candidate, isEmpty, those } from "./candidate.js";

const PLACEHOLDER =
  /^(?:\.{3,}|…|string|text|boolean|number|integer|str|bool|(?:true|false)\s*\|\s*(?:true|false)|<[^<>]*>|\[[^\]]*\]|\{\{?[^{}]*\}?\}|(?:your|the|a|an|full|final|detailed|markdown)\b.{0,60}\b(?:here|goes here|text|report|answer)|(?:your|insert)\b.{0,80}|lorem ipsum.*|https?:\/\/\.\.\.|(?:url|source|query)[ _]?\d?|x{3,}|TODO)$/is;

/** An echoed example: its strings stand for what is to be filled in. */
export function isTemplate(value: unknown): boolean {
  const strings: string[] = [];
  const collect = (part: unknown, depth: number) => {
    if (typeof part === "string") strings.push(part.trim());
    else if (typeof part === "object" && part !== null && depth < 4 && strings.length < 20) {
      for (const key of Object.keys(part).slice(0, 20)) collect((part as Record<string, unknown>)[key], depth + 1);
    }
  };
  collect(value, 0);
  if (strings.length === 0) return false;
  if (strings.every((text) => text === "")) return true;
  return strings.filter((text) => PLACEHOLDER.test(text)).length * 2 >= strings.length;
}

/** Languages whose blocks hold data; others hold code. */
const DATA_FENCE = /^(?:json[\w.+-]*|jsonl|ndjson|javascript_object|output|response|result|text|txt|plaintext|data|)$/;

function isCode(candidate: Candidate): boolean {
  return candidate.fence !== undefined && !DATA_FENCE.test(candidate.fence);
}

/** A colon or the like before the value, with what opens a quotation or code behind it. */
const INTRODUCED = /[:=→]\s*[`"'(*]*$/;

/** Whether the value stands in a sentence, or has its lines for itself. */
function placeInText({ start, end }: Candidate, text: string): "alone" | "in words" | "beside words" {
  const before = text
    .slice(Math.max(0, start - 80), start)
    .split("\n")
    .at(-1) as string;
  const behind = text.slice(end, end + 80).split("\n", 1)[0] as string;
  const [left, right] = [before, behind].map((words) => /[\p{L}\p{N}]/u.test(words));
  if (left && (right || !INTRODUCED.test(before))) return "in words";
  return left || right ? "beside words" : "alone";
}

/** Of values that fit the schema: neither thoughts nor templates nor cut values, as far as there are others; then by preference. */
export function chooseFitting<
  C extends { candidate: Candidate; value: unknown; coerced: readonly { sure: boolean }[] },
>(fitting: C[], text: string, prefer: Preference, isAnswered: (one: Candidate) => boolean): C | undefined {
  // A mark of a source is no list of the texts that were asked for.
  let pool = those(fitting, (one) => one.coerced.length === 0 || !isProse(one.candidate, text));
  const keep = (test: (one: C) => boolean) => {
    const kept = those(pool, test);
    if (kept.length > 0) pool = kept;
  };
  if (pool.length > 1) {
    keep((one) => !one.candidate.thought);
    keep((one) => !isTemplate(one.value));
    keep((one) => !isProse(one.candidate, text));
    keep((one) => !isAnswered(one.candidate));
    keep((one) => !isSpokenAgainst(one.candidate, text));
    keep((one) => one.candidate.complete);
    keep((one) => one.coerced.every(({ sure }) => sure));
    keep((one) => !isCode(one.candidate));
    keep((one) => !one.candidate.nested);
  }
  return pick(pool, prefer, (one) => one.candidate);
}

/** Whether a value may be what is meant: no thought, no template, no part of something broken. */
export function isMeant({ thought, nested, value }: Candidate): boolean {
  return !thought && !nested && !isTemplate(value);
}

/**
 * Without a schema: what is meant is most likely the largest value outside of thoughts; of several with the same keys
 * the last one, since it corrects the others.
 */
export function chooseAny(
  candidates: Candidate[],
  text: string,
  prefer: Preference | undefined,
  isAnswered: (one: Candidate) => boolean,
): Candidate | undefined {
  let pool = those(candidates, (one) => !isProse(one, text));
  const keep = (test: (one: Candidate) => boolean) => {
    const kept = those(pool, test);
    if (kept.length > 0) pool = kept;
  };
  if (pool.length > 1) {
    keep((one) => !one.thought);
    keep((one) => !one.nested);
    keep((one) => !isTemplate(one.value));
    keep((one) => !isAnswered(one));
    keep((one) => !isCode(one));
    keep((one) => !isSpokenAgainst(one, text));
    if (prefer !== undefined) return pick(pool, prefer, (one) => one);
    // What stands within a sentence is an example beside one that has its lines for itself.
    const places = new Map(pool.map((one) => [one, placeInText(one, text)]));
    if (pool.some((one) => places.get(one) === "alone")) keep((one) => places.get(one) !== "in words");
    keep((one) => !isEmpty(one.value));
    const fenced = those(pool, (one) => one.fence !== undefined);
    const size = (one: Candidate) => one.end - one.start;
    const largestOf = (some: Candidate[]) => some.reduce((most, one) => Math.max(most, size(one)), 0);
    if (fenced.length > 0 && largestOf(fenced) * 4 >= largestOf(pool)) pool = fenced;
    const clean = those(pool, (one) => one.edits.length === 0);
    if (clean.length > 0 && largestOf(clean) * 4 >= largestOf(pool)) pool = clean;
  }
  const largest = pick(pool, "largest", (one) => one);
  if (!largest) return undefined;
  const shape = shapeOf(largest.value);
  return pool.findLast((one) => shapeOf(one.value) === shape) ?? largest;
}

function pick<C>(pool: C[], prefer: Preference, candidateOf: (one: C) => Candidate): C | undefined {
  if (prefer === "first") return pool[0];
  if (prefer === "last") return pool.at(-1);
  let best: C | undefined;
  let size = -1;
  for (const one of pool) {
    const { start, end } = candidateOf(one);
    if (end - start >= size) {
      best = one;
      size = end - start;
    }
  }
  return best;
}

export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return "[]";
  return JSON.stringify(
    Object.keys(value as object)
      .slice(0, 50)
      .sort(),
  );
}
