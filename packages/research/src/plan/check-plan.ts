import { ResearchError } from "../errors.js";
import type { ResearchPlan } from "../request.js";

/** Of aspects, and of queries. */
const MAX_LINES = 20;
/** Characters of one. */
const MAX_LINE = 500;

const EXPECTED = `Expected { aspects?, queries }, each a list of at most ${MAX_LINES} texts`;

/** Throws `INVALID_INPUT` that names what is wrong with a plan, and where. */
export function checkPlan(plan: unknown, { web }: { web?: boolean | undefined } = {}): asserts plan is ResearchPlan {
  if (web === false) throw invalid("A plan says what is searched in the web, and here the web is not used");
  if (typeof plan !== "object" || plan === null || Array.isArray(plan)) {
    throw invalid(`Not a plan: plan is ${shown(plan)}. ${EXPECTED}`);
  }
  const { aspects = [], queries, ...more } = plan as Record<string, unknown>;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw invalid(`Not a plan: it has ${shown(unknown)}. ${EXPECTED}`);
  checkLines("aspects", aspects);
  checkLines("queries", queries);
  if (queries.length === 0) throw invalid("The plan has no query, so nothing would be searched. Expected at least one");
}

/** The one query of a plan for a search. Throws `INVALID_INPUT` when there are more. */
export function checkOneQuery({ queries }: ResearchPlan): void {
  if (queries.length === 1) return;
  throw invalid(
    `A search makes one search, and its plan has ${queries.length} queries. Leave one, or ask a deep search`,
  );
}

function checkLines(name: string, lines: unknown): asserts lines is string[] {
  if (lines === undefined) throw invalid(`Not a plan: it has no ${name}. ${EXPECTED}`);
  if (!Array.isArray(lines) || lines.length > MAX_LINES) {
    const what = Array.isArray(lines) ? `a list of ${lines.length}` : shown(lines);
    throw invalid(`Not a plan: plan.${name} is ${what}. Expected a list of at most ${MAX_LINES} texts`);
  }
  const seen = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    if (typeof line !== "string" || line.trim() === "" || line.length > MAX_LINE || /\p{Cc}/u.test(line.trim())) {
      const expected = `Expected one line of 1 to ${MAX_LINE} characters`;
      throw invalid(`Not a plan: plan.${name}[${at}] is ${shown(line)}. ${expected}`);
    }
    const before = seen.get(folded(line));
    if (before !== undefined) throw invalid(`Not a plan: plan.${name}[${at}] says the same as plan.${name}[${before}]`);
    seen.set(folded(line), at);
  }
}

/** The lines without those that say the same as one before. */
export function distinct(lines: readonly string[]): string[] {
  const byText = new Map(lines.toReversed().map((line) => [folded(line), line]));
  return lines.filter((line) => byText.get(folded(line)) === line);
}

/** What is the same for a search, however it is written. */
export function folded(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function invalid(message: string): ResearchError {
  return new ResearchError("INVALID_INPUT", `${message}.`);
}
