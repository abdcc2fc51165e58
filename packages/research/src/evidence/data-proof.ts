import type { Answer } from "../answer.js";
import { missingParts } from "../claims/missing-parts.js";
import type { EvidenceClaim } from "../report-evidence.js";
import { pointer } from "../shape/sub-schemas.js";
import { isProven } from "./evidence.js";

/** Data as it may be given out, and what carries it. */
export interface ProvenData {
  /** Without the leaves that nothing proves, where the shape allows null in their place. */
  data: unknown;
  /** For each leaf that is proven, by its JSON Pointer: pointers into the answer. */
  proof: Record<string, { claim: string; quote?: string }>;
  /** JSON Pointers of the leaves that nothing proves. */
  missing: string[];
}

/** More leaves than a person reads. */
const MAX_LEAVES = 5_000;
/** Leaves that are taken away one by one, when all at once does not fit: each costs a look at the whole. */
const MAX_SINGLE = 200;
/** Where the claims stand in an answer. */
const CLAIMS = "/metadata/evidence/claims";
/** Of a longer text half of the words must stand in the quotation, of a shorter one all. */
const SHORT = 3;

/** Keeps of data what a proven claim carries, by the claims that the model names for each leaf. */
export function provenData(
  { data, dataClaims }: Pick<Answer, "data" | "dataClaims">,
  claims: readonly EvidenceClaim[],
  fits: (data: unknown) => boolean,
): ProvenData {
  const named = new Map(dataClaims.map(({ leaf, claim }) => [leaf, claim]));
  const proof: ProvenData["proof"] = Object.create(null);
  const unproven: Leaf[] = [];
  const leaves = leavesOf(data);
  for (const [at, leaf] of leaves.entries()) {
    const carried = at < MAX_LEAVES && leaf.value !== null ? carrierOf(leaf, named, claims) : undefined;
    if (carried === undefined) unproven.push(leaf);
    else proof[pointer(leaf.path)] = carried;
  }
  return {
    data: withoutLeaves(
      data,
      unproven.filter(({ value }) => value !== null),
      fits,
    ),
    proof: { ...proof },
    missing: unproven.map(({ path }) => pointer(path)),
  };
}

interface Leaf {
  path: readonly (string | number)[];
  value: string | number | boolean | null;
}

function leavesOf(data: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const open: { path: readonly (string | number)[]; value: unknown }[] = [{ path: [], value: data }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { path, value } = at;
    if (typeof value !== "object" || value === null) leaves.push({ path, value: value as Leaf["value"] });
    else {
      const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
      open.push(...entries.map(([key, inner]) => ({ path: [...path, key], value: inner })).reverse());
    }
  }
  return leaves;
}

/** The claim that the model names for a leaf, or for what it stands in, if it is proven and holds the value. */
function carrierOf(
  { path, value }: Leaf,
  named: ReadonlyMap<string, number>,
  claims: readonly EvidenceClaim[],
): { claim: string; quote?: string } | undefined {
  for (let length = path.length; length >= 0; length--) {
    const at = named.get(pointer(path.slice(0, length)));
    if (at === undefined) continue;
    const claim = claims[at];
    if (claim === undefined || !isProven(claim)) return undefined;
    const quotes = claim.quotes.flatMap(({ found, passage = "" }, place) =>
      found === "altered" || found === "not-found" ? [] : [{ text: passage, place }],
    );
    const texts = claim.proof === "quoted" ? quotes : [{ text: claim.text }];
    if (!holds(texts, value, claim)) return undefined;
    const quote =
      claim.proof === "quoted" ? (quotes.find((one) => holds([one], value, claim)) ?? quotes[0]) : undefined;
    return {
      claim: `${CLAIMS}/${at}`,
      ...(quote !== undefined && { quote: `${CLAIMS}/${at}/quotes/${quote.place}` }),
    };
  }
  return undefined;
}

/** Whether texts hold a value: its numbers, dates and names, and of a text its words. A yes or no stands in no text, nor an address. */
function holds(
  texts: readonly { text: string }[],
  value: Leaf["value"],
  { text: said, sources }: EvidenceClaim,
): boolean {
  if (typeof value === "boolean" || sources.includes(String(value))) return true;
  const text = String(value);
  if (missingParts(text, texts).length > 0) return false;
  const there = [...texts.map((one) => one.text), said].join("\n");
  const words = wordsOf(text);
  // Of a number, a grade or a sign there are no words: what is no number stands there as it is.
  if (words.length === 0) return /\d/.test(text) || standsIn(text.trim(), there);
  const known = new Set(wordsOf(there));
  if (words.some((word) => NEGATIONS.has(word) && !known.has(word))) return false;
  const found = words.filter((word) => known.has(word)).length;
  return found >= (words.length <= SHORT ? words.length : words.length / 2);
}

/** Each turns a sentence of many words into its opposite. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none neither nor without nicht kein keine keinen keiner nie ohne pas jamais sans nunca sin não nem mai senza niet geen nooit inte aldrig nie bez не нет без".split(
    " ",
  ),
);

const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const WORD = new RegExp(`[${UNSPACED}]{2,}|(?:(?![${UNSPACED}])[\\p{L}\\p{M}]){2,}`, "gu");
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");

/** Words of two letters and more; of scripts without blanks between words, each two letters. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => {
    if (!IS_UNSPACED.test(word)) return [word];
    const letters = [...word];
    return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  });
}

/** Whether a text holds what is no word in itself, such as `A+`, and not as a part of one. */
function standsIn(value: string, text: string): boolean {
  const isPart = (sign = "") => /[\p{L}\p{N}]/u.test(sign) && !IS_UNSPACED.test(sign);
  for (let at = text.indexOf(value); at !== -1 && value !== ""; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const before = isPart(value[0]) && isPart(text[at - 1]);
    if (!before && !(isPart(value.at(-1)) && isPart(text[end]))) return true;
  }
  return false;
}

/** The data with null in the place of leaves, as far as it then still fits. */
function withoutLeaves(data: unknown, leaves: readonly Leaf[], fits: (data: unknown) => boolean): unknown {
  const all = leaves.reduce((changed, leaf) => withNull(changed, leaf.path), data);
  if (leaves.length === 0 || fits(all)) return all;
  return leaves.slice(0, MAX_SINGLE).reduce((changed, leaf) => {
    const next = withNull(changed, leaf.path);
    return fits(next) ? next : changed;
  }, data);
}

function withNull(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return null;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? withNull(item, rest) : item));
  const entries = Object.entries(value as object).map(([name, item]) => [
    name,
    name === key ? withNull(item, rest) : item,
  ]);
  return Object.fromEntries(entries);
}
