import { type Derived, decoded } from "../decode/encodings.js";
import { isContainer, isEmpty, isObject, parseWhole, scalarIn, tooDeepFor } from "../decode/strict.js";
import { applyEdits, type Edit } from "../repair/edits.js";
import { readText } from "../repair/machine.js";
import {
  checkOptions,
  checkText,
  type ExtractOptions,
  JsonExtractError,
  MAX_DEPTH,
  pathOf,
  repairOf,
} from "../result.js";
import { askedKeys, fit } from "../schema/fit.js";
import type { Answer, Candidate } from "./answer.js";
import { isContent, isListOfOne, isProse, isWordList, placed, stretch, withoutCut, withoutMarks } from "./answer.js";
import { isSurrounded } from "./around.js";
import { areRecords, choose, hasComments, hasRivals, isMark, isOfNames, membersIn, neighbours } from "./choose.js";
import { onlyKey, opened, type Part, wraps } from "./envelope.js";
import { type Miss, Scan } from "./scan.js";

/** A string in a string in an envelope …: more levels than anything real has; and so many citations may stand before an encoding. */
const [MAX_LEVELS, MARKS] = [5, 20];
/** So many short texts of values that nothing makes fit are kept in mind: the same one is not tried again. */
const VAIN = { most: 2_000, length: 200 };

/** One search of a text for the value that is meant; texts inside of it are searched in their turn. */
export class Search<T> {
  readonly #text: string;
  readonly #options: ExtractOptions<T>;
  readonly #level: number;
  /** How many characters may still be read, in all texts together. */
  readonly budget: { left: number };
  readonly #vain = new Map<string, ReturnType<typeof fit<T>>>();
  /** What was met on the way and came nearest to an answer, without being one. */
  #nearest: Miss = { nearness: 0, code: "not-found", message: "there is no JSON object or list in the text" };

  constructor(text: string, options: ExtractOptions<T>, level = 0, budget?: { left: number }) {
    if (level === 0) checkOptions(options, "extract");
    this.#text = text;
    this.#options = options;
    this.#level = level;
    this.budget = budget ?? { left: 6 * (text?.length ?? 0) + 300_000 };
  }

  /** The value that is meant; what came nearest to one is thrown as an error. */
  best(): Answer<T> {
    const [answer] = this.search(false);
    if (answer) return answer;
    const { code, message, ...details } = this.#nearest;
    const [issue] = details.issues ?? [];
    const words = [message, issue && pathOf(issue), issue?.message].filter(Boolean);
    throw new JsonExtractError(code, words.join(": "), { text: this.#text, ...details });
  }

  #miss(miss: Miss): undefined {
    if (miss.nearness >= this.#nearest.nearness) this.#nearest = miss;
  }

  /** The value that is meant, or every one that fits, in the order of the text. */
  search(all: boolean): Answer<T>[] {
    const [text, { maxLength, maxDepth = MAX_DEPTH, schema }] = [this.#text, this.#options];
    checkText(text, maxLength);
    const whole = this.#whole();
    if (whole) return whole;
    const scan = new Scan(text, maxDepth, this.budget, (miss) => this.#miss(miss));
    const others = scan.candidates.filter((one) => !isWordList(one));
    // Words in brackets count if there is nothing else.
    const candidates = others.length > 0 ? others : scan.candidates;
    const first = others.find((one, nth) => !one.thought && (nth >= MARKS || !isProse(one, text)));
    const written = this.#written(candidates, first?.start ?? text.length, all);
    if (written) return written;
    const isCut = candidates.findLast((one) => !one.thought)?.complete === false;
    const answers = all ? this.#all(candidates) : [this.#chosen(candidates) ?? []].flat();
    const count = candidates.length;
    const told = answers.map((answer, nth) => {
      const complete = answer.candidate.complete && !((isCut || scan.isCut) && nth === answers.length - 1);
      const candidate = { ...answer.candidate, complete };
      // What stands beside one of several that make an envelope has been looked at.
      const isOneOf = answer.source === "envelope" && count > 1;
      // Where each is given, the others are not left over beside it.
      const from = answers[nth - 1]?.candidate.end ?? 0;
      const [{ start, end }, part] = [candidate, text.slice(from, answers[nth + 1]?.candidate.start)];
      const alone = answers.length > 1 ? { ...candidate, start: start - from, end: end - from, text: part } : candidate;
      return { ...answer, candidate, count, doubted: answer.doubted || (!isOneOf && isSurrounded(part, alone)) };
    });
    return told.filter((one) => this.#isUsable(one.candidate) && !(all && isMark(one, text, schema)));
  }

  /** The answers in what the text may be written as, unless what stands in it as it is goes before them: sound JSON before what is damaged. */
  #written(candidates: readonly Candidate[], from: number, all: boolean): Answer<T>[] | undefined {
    const [text, { schema }] = [this.#text, this.#options];
    for (const derived of decoded(text, from, schema !== undefined)) {
      if (candidates.some((one) => isContent(one, derived.sign))) continue;
      const isMeant = ({ start, end }: Candidate) => derived.inside <= end && (derived.asked || start < derived.inside);
      const answers = this.#inside(stretch(0, text.length), derived.text, "text", all, derived);
      const made = answers.find(({ candidate }) => isMeant(candidate));
      const isMade = made?.extra?.some(({ kind }) => kind === "encoding");
      // What is written so may have been meant as well.
      if (!isMade && derived.asked && answers.some((one) => one.doubted)) return answers;
      if (!made || !isMade) continue;
      const { complete, start, end, value } = made.candidate;
      const isDamaged = !complete || made.extra?.some(({ kind }) => kind !== "encoding" && kind !== "coercion");
      // What is written into a file, say, may be of the same kind.
      const isCall = !isDamaged && schema && askedKeys(schema, Object(value)).size > 0;
      const goesBefore = (one: Candidate) => {
        if (!one.complete || (one.edits.length > 0 && !(derived.asked && isDamaged))) return false;
        if (!derived.asked) return isDamaged && isMeant(one);
        return (isDamaged || (!isCall && start < one.start && one.end < end)) && !one.thought && this.#answer(one);
      };
      if (!candidates.some(goesBefore)) return answers;
    }
    return undefined;
  }

  /** What the text is as it stands; undefined if it is not JSON. */
  #whole(): Answer<T>[] | undefined {
    const whole = parseWhole(this.#text);
    if (whole === null) this.#miss({ nearness: 0, code: "empty", message: "the text is empty" });
    const found = this.#options.schema && !whole ? scalarIn(this.#text) : undefined;
    if (found) {
      const { scalar, at, isFence } = found;
      const json = scalar.replace(/^None$/, "null").replace(/^[TF]/, (letter) => letter.toLowerCase());
      const doubted = isFence && !/^\s*(?:```|~~~).*(?:```|~~~)\s*$/s.test(this.#text.slice(0, 4_000));
      const answers = this.#inside(stretch(0, this.#text.length), json, isFence ? "fence" : "whole");
      const extra = json === scalar ? [] : [repairOf("literal", at, true)];
      return answers
        .filter((one) => json === scalar || one.extra?.length === 0)
        .map((one) => ({ ...one, doubted, extra: [...(one.extra ?? []), ...extra] }));
    }
    // The scan tells of what is too deep.
    if (!whole || tooDeepFor(whole.value, this.#options.maxDepth ?? MAX_DEPTH)) return whole === null ? [] : undefined;
    const { value, start, end } = whole;
    const candidate = { ...stretch(start, end, value), text: this.#text };
    const inner = typeof value === "string" ? this.#inside(candidate, value, "string").slice(0, 1) : [];
    if (inner.length > 0) return inner;
    const answer = (isContainer(value) || this.#options.schema) && this.#answer(candidate, { source: "whole" });
    return [(answer ? this.#weighed(answer) : (this.#open([candidate]) ?? this.#wrapped([candidate]))) ?? []].flat();
  }

  #chosen(candidates: Candidate[]): Answer<T> | undefined {
    const [{ schema, prefer }, text] = [this.#options, this.#text];
    const fitting = this.#all(candidates);
    const [nearest, rows] = [this.#nearest, withoutMarks(candidates, text)];
    const records = prefer ? undefined : areRecords(rows, text, schema && fitting);
    const listed = records && this.#list(rows, records === "sure");
    if (listed) return listed;
    // Nobody wrote that list.
    this.#nearest = nearest;
    const members = prefer ? [] : membersIn(fitting, text);
    const parts = fitting.some(isListOfOne) ? undefined : members.flatMap((one) => one.value);
    const chosen = (members.length > 0 && this.#list(members, false, parts)) || choose(fitting, text, this.#options);
    if (!chosen) return this.#open(candidates) ?? this.#wrapped(candidates);
    const { candidate } = chosen;
    const rivals = !prefer && hasRivals(chosen, candidates, text, schema && fitting);
    // One that was repaired on the same line may go on in it.
    const last = candidates[candidates.indexOf(candidate) - 1];
    const isBeside = last?.thought === false && !text.slice(last.end, candidate.start).includes("\n");
    const isBroken = isBeside && last.edits.length > 0 && isSurrounded(text, last);
    const isAside =
      isBroken || isWordList(candidate) || isOfNames(candidate, text) || (schema && isProse(candidate, text));
    const doubted = chosen.doubted || rivals || isAside;
    return this.#weighed({ ...chosen, doubted });
  }

  /** Those of the candidates that fit, and neighbours that fit as a list. */
  #all(candidates: readonly Candidate[]): Answer<T>[] {
    const fitting = candidates.flatMap((one) => (this.#isUsable(one) && this.#answer(one)) || []);
    if (!this.#options.schema) return fitting;
    const answers = new Map(fitting.map((one) => [one.candidate, one]));
    for (const members of neighbours(candidates, this.#text)) {
      // What fits as it stands is an answer of its own, and the last one corrects the others.
      if (members.every((one) => answers.get(one)?.coerced.length === 0)) continue;
      const list = this.#list(members, !hasComments(members, this.#text));
      // A list of one of them would lose the others.
      const lonely = members.filter((one) => isListOfOne(answers.get(one)));
      if (list || lonely.length > 1) for (const one of list ? members : lonely) answers.delete(one);
      if (list) answers.set(members[0] as Candidate, list);
    }
    return [...answers.values()].sort((a, b) => a.candidate.start - b.candidate.start);
  }

  #isUsable({ complete, end }: Candidate): boolean {
    const isUsable = complete || this.#options.partial !== false;
    if (!isUsable) this.#miss({ nearness: 3, code: "syntax", message: "the JSON breaks off before its end", at: end });
    return isUsable;
  }

  #list(members: readonly Candidate[], sure: boolean, joined?: unknown): Answer<T> | undefined {
    const [first, last] = [members[0], members.at(-1)] as [Candidate, Candidate];
    const complete = members.every((one) => one.complete);
    const [value, edits] = [joined ?? members.map((one) => one.value), members.flatMap((one) => one.edits)];
    const list = { ...first, end: last.end, value, edits, complete, text: undefined };
    return this.#isUsable(list) ? this.#answer(list, { extra: [repairOf("list", list.start, sure)] }) : undefined;
  }

  #fit(candidate: Candidate, value: unknown, path: PropertyKey[] = []) {
    const { schema, maxDepth = MAX_DEPTH } = this.#options;
    if (!schema) return { fits: true as const, value: value as T, coerced: [], work: 0 };
    const { text, start, end, edits, complete } = candidate;
    const json = text === undefined ? undefined : () => applyEdits(edits, text, start, end);
    const same = value === candidate.value && end - start <= VAIN.length ? json?.() : undefined;
    const known = same && this.#vain.get(same);
    const read = (one: string) => readText(one, { maxDepth, whole: complete });
    let bare: Set<string> | undefined;
    const isBare = (one: string) => {
      bare ??= new Set(edits.flatMap(({ kind, by }) => (kind === "unquoted" ? by : [])));
      return bare.has(JSON.stringify(one));
    };
    const fitted = known || fit(schema, value, { json, of: candidate, path, read, isBare });
    this.budget.left -= known ? 0 : fitted.work;
    if (same && !fitted.fits && this.#vain.size < VAIN.most) this.#vain.set(same, fitted);
    return fitted;
  }

  #answer(candidate: Candidate, told: Partial<Answer<T>> = {}): Answer<T> | undefined {
    const source = candidate.fence === undefined ? "text" : "fence";
    for (const value of candidate.complete ? [candidate.value] : withoutCut(candidate)) {
      const fitted = this.#fit(candidate, value);
      if (fitted.fits) {
        // What was `1,234.5` or `True` is another text than the number or the literal.
        const isMade = ({ kind }: Edit) => kind === "number" || kind === "literal";
        const made = new Set<unknown>(
          fitted.coerced.length > 0 ? candidate.edits.filter(isMade).map(({ by }) => by) : [],
        );
        const coerced = fitted.coerced.map((one) => (made.has(one.by) ? { ...one, sure: false } : one));
        return { candidate, value: fitted.value, coerced, source, ...told };
      }
      if (value !== candidate.value) continue;
      const [{ issues }, message] = [fitted, "the JSON has another shape"];
      // The fewer issues, the nearer.
      this.#miss({ nearness: 5 + 1 / (1 + issues.length), code: "schema", message, issues, closest: value });
    }
    return undefined;
  }

  /** The answer that a part of a candidate's value is. One row of a list is not the list that was asked for. */
  #part(candidate: Candidate, value: unknown, path: PropertyKey[]): Answer<T> | undefined {
    const fitted = this.budget.left > 0 ? this.#fit(candidate, value, path) : undefined;
    const doubted = fitted?.fits && isListOfOne(fitted);
    if (!fitted?.fits || (doubted && typeof path.at(-1) === "number")) return undefined;
    return { candidate: { ...candidate, value, text: undefined }, ...fitted, source: "envelope", doubted };
  }

  /** What asks for little fits what is around an answer, too: what has more of the asked keys is taken, and is not sure. */
  #weighed(answer: Answer<T>): Answer<T> {
    const [{ schema }, { value }] = [this.#options, answer.candidate];
    if (!schema || !isObject(value) || isEmpty(value)) return answer;
    const asked = askedKeys(schema, value);
    const lost = Object.keys(value).filter((key) => !isObject(answer.value) || !Object.hasOwn(answer.value, key));
    const isUnused = asked.size === 0 && lost.length === Object.keys(value).length;
    const inner = wraps(value, asked) ? this.#open([answer.candidate], true) : undefined;
    const found = inner?.candidate.value;
    const count = isObject(found) ? askedKeys(schema, found).size : 0;
    if (inner && (count > asked.size || isUnused)) return { ...inner, doubted: true };
    const isDoubtful = (count > 0 && lost.length > 0) || (isUnused && answer.coerced.length === 0);
    return isDoubtful ? { ...answer, doubted: true } : answer;
  }

  /** Looks into what was found, as an envelope; `alike`: also for what looks like what is around it. */
  #open(outer: Candidate[], alike = false): Answer<T> | undefined {
    const [first, last] = [outer[0], outer.at(-1)];
    if (!first || !last || !this.#options.schema || this.#level >= MAX_LEVELS) return undefined;
    const all = { ...stretch(first.start, last.end), complete: outer.every((one) => one.complete) };
    const answerIn = ({ value, path: [at, ...path] }: Part) => {
      const candidate = outer[at as number] ?? all;
      if (typeof value === "string") return this.#inside(candidate, value, "envelope")[0];
      const answer = this.#part(candidate, value, path);
      return answer && !alike ? this.#weighed(answer) : answer;
    };
    const values = outer.map(({ value }) => value);
    return opened(values, answerIn, alike);
  }

  /** The only list of the text, if an object is asked for that needs a list alone. */
  #wrapped(candidates: Candidate[]): Answer<T> | undefined {
    const lists = candidates.filter((list) => Array.isArray(list.value) && this.#isUsable(list));
    const key = this.#options.schema && lists.length > 0 ? onlyKey(this.#options.schema) : undefined;
    if (key === undefined) return undefined;
    const [one, ...others] = lists.filter((list) => !isProse(list, this.#text));
    if (!one?.complete || others.length > 0) return undefined;
    const by = { [key]: one.value };
    const answer = this.#answer({ ...one, value: by, text: undefined });
    return answer && { ...answer, coerced: [{ path: [], by, sure: false }, ...answer.coerced] };
  }

  /** The answers in another text, which is searched in the place of this one or of a part of it. */
  #inside(around: Candidate, text: string, source: Answer<T>["source"], all = false, derived?: Derived): Answer<T>[] {
    const budget = this.budget;
    if (this.#level >= MAX_LEVELS || budget.left <= 0) return [];
    budget.left -= text.length;
    const search = new Search(text, this.#options, this.#level + 1, budget);
    const answers = search.search(all);
    const miss = search.#nearest;
    const at = miss.at === undefined ? undefined : around.end;
    if (answers.length === 0 && miss.nearness > 0) this.#miss({ ...miss, at });
    return answers.map((answer) => placed(answer, around, source, derived));
  }
}
