import { ResearchError } from "./errors.js";
import { checkOneQuery, checkPlan } from "./plan/check-plan.js";
import type { Budget, DeepResearchRequest, DeepSearchRequest, Filters, PlanRequest, SearchRequest } from "./request.js";

/** The longest query in characters: far more than a person writes, far less than the CLI takes. */
const MAX_QUERY = 1_000_000;

/** The name of a model becomes an argument of a program, so it must not read like an option. */
const MODEL_NAME = /^(?!-)[^\s\p{Cc}]{1,200}$/u;

/** The fields of all kinds of requests. */
export type AnyRequest = Partial<
  SearchRequest & Pick<DeepSearchRequest, "maxRounds" | "resume"> & DeepResearchRequest & Pick<PlanRequest, "kind">
>;

/** Files, folders and globs of one research. */
const MAX_SOURCES = 100;

const KINDS: readonly unknown[] = ["search", "deep-search"] satisfies PlanRequest["kind"][];
const DEPTHS: readonly unknown[] = ["concise", "detailed"];
const RECENCIES: readonly unknown[] = ["day", "week", "month", "year"] satisfies Filters["recency"][];

/** A domain and a language stand in the prompt, so they must be plain. */
const DOMAIN = /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const LANGUAGE = /^\p{L}[\p{L}\p{M}\p{N} ()-]{0,63}$/u;

/** As `checkRequest`, but without a look at `outputSchema`, which takes ten times the code. */
export function checkFields(request: AnyRequest): void {
  if (typeof request !== "object" || request === null) throw invalid("The request is missing. Expected { query }.");
  const {
    query,
    topic,
    resume,
    depth,
    model,
    fallbackModels = [],
    filters,
    budget,
    maxRounds,
    requireEvidence,
    files,
    web,
    followUpOf,
    refreshOf,
    plan,
    kind,
  } = request;
  if (resume !== undefined && typeof resume !== "string") {
    throw invalid(`Not an id: resume is ${shown(resume)}. Expected the text that research-start told.`);
  }
  for (const [name, id] of Object.entries({ followUpOf, refreshOf })) {
    if (id === undefined || typeof id === "string") continue;
    throw invalid(`Not an id: ${name} is ${shown(id)}. Expected the text that research-start of that research told.`);
  }
  if (query !== undefined || (topic === undefined && resume === undefined)) checkQuery(query);
  if (topic !== undefined) checkTopic(topic);
  if (depth !== undefined && !DEPTHS.includes(depth)) {
    throw invalid('The depth is unknown. Expected "concise" or "detailed".');
  }
  if (maxRounds !== undefined && !Number.isFinite(maxRounds)) {
    throw invalid(`Not a number of rounds: maxRounds is ${shown(maxRounds)}. Expected a number, at least 2.`);
  }
  if (requireEvidence !== undefined && !(Number(requireEvidence) >= 0 && Number(requireEvidence) <= 100)) {
    throw invalid(`Not a share: requireEvidence is ${shown(requireEvidence)}. Expected per cent, from 0 to 100.`);
  }
  if (!Array.isArray(fallbackModels)) {
    throw invalid(`Not a list: fallbackModels is ${shown(fallbackModels)}. Expected a list of names of models.`);
  }
  for (const name of [...(model === undefined ? [] : [model]), ...fallbackModels]) {
    if (typeof name !== "string" || !MODEL_NAME.test(name)) {
      throw invalid(`Not a model: ${shown(name)}. Expected a name such as "flash".`);
    }
  }
  if (filters !== undefined) checkFilters(filters);
  checkFiles(files, web);
  if (budget !== undefined) checkBudget(budget);
  if (kind !== undefined && !KINDS.includes(kind)) {
    throw invalid(`Not a kind of research: kind is ${shown(kind)}. Expected "search" or "deep-search".`);
  }
  if (plan !== undefined) checkPlan(plan, { web });
  if (plan !== undefined && kind === "search") checkOneQuery(plan);
}

/** Throws `INVALID_INPUT` unless this is a question in words. */
export function checkQuery(query: unknown): asserts query is string {
  if (query === undefined) throw invalid("The query is missing. Expected a question in words.");
  if (typeof query !== "string") {
    throw invalid(`The query is no text: query is ${shown(query)}. Expected a question in words.`);
  }
  if (query.trim() === "") throw invalid("The query is empty. Expected a question in words.");
  if (query.length > MAX_QUERY) {
    throw invalid(`The query has ${query.length} characters. Expected at most ${MAX_QUERY}.`);
  }
}

/** Throws `INVALID_INPUT` unless this is a text. */
export function checkTopic(topic: unknown): asserts topic is string {
  if (typeof topic !== "string") throw invalid("The topic is missing. Expected a text.");
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

export function invalid(message: string): ResearchError {
  return new ResearchError("INVALID_INPUT", message);
}

function checkFiles(files: unknown, web: unknown): void {
  if (web !== undefined && typeof web !== "boolean") throw invalid(`web is ${shown(web)}. Expected true or false.`);
  if (web === false && files === undefined) {
    throw invalid("Without the web there is nothing to research in. Expected files beside web: false.");
  }
  if (files === undefined) return;
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_SOURCES || !files.every(isSource)) {
    throw invalid(
      `Not documents: files is ${shown(files)?.slice(0, 200)}. Expected 1 to ${MAX_SOURCES} of { root, glob? }.`,
    );
  }
}

function isSource(value: unknown): boolean {
  const { root, glob } = (value ?? {}) as { root?: unknown; glob?: unknown };
  return typeof root === "string" && root !== "" && (glob === undefined || typeof glob === "string");
}

function checkBudget(budget: Budget): void {
  for (const name of ["maxRuns", "maxDurationMs", "maxTokens"] as const) {
    const value = budget[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw invalid(`Not a budget: ${name} is ${shown(value)}. Expected a number above 0.`);
    }
  }
}

function checkFilters({ allowedDomains = [], blockedDomains = [], recency, language }: Filters): void {
  for (const domain of [...allowedDomains, ...blockedDomains]) {
    if (!DOMAIN.test(domain)) throw invalid(`Not a domain: ${shown(domain)}. Expected one like "iana.org".`);
  }
  if (recency !== undefined && !RECENCIES.includes(recency)) {
    throw invalid(`Not a time span: ${shown(recency)}. Expected day, week, month or year.`);
  }
  if (language !== undefined && !LANGUAGE.test(language)) {
    throw invalid(`Not a language: ${shown(language)}. Expected one like "de" or "German".`);
  }
}
