import { randomUUID } from "node:crypto";
import { ResearchError } from "./errors.js";
import type { Budget, DeepResearchRequest, DeepSearchRequest, ResearchDeps, SearchRequest } from "./events.js";
import { checkFilters } from "./evidence/filters.js";
import type { Prompts } from "./prompts/render.js";

/** What a query may have at most: far below what the CLI takes, far above what a person writes. */
const MAX_QUERY = 1_000_000;

/** It becomes an argument of a program: none that reads like an option. */
const MODEL_NAME = /^(?!-)[^\s\p{Cc}]{1,200}$/u;

/** What any of the three ways to ask may say. */
type AnyRequest = Partial<SearchRequest & Pick<DeepSearchRequest, "maxRounds" | "resume"> & DeepResearchRequest>;

const DEPTHS: readonly unknown[] = ["concise", "detailed"];

/**
 * Throws `INVALID_INPUT` with what was expected, by its name. Every research does so first; this is for whoever wants to
 * know earlier. What is asked stands in `query`, in `topic` (`deepResearch`), or is known by `resume`.
 */
export function checkRequest(request: AnyRequest): void {
  if (typeof request !== "object" || request === null) throw invalid("The request is missing. Expected { query }.");
  const { query, topic, resume, depth, model, fallbackModels = [], filters, budget, maxRounds } = request;
  if (resume !== undefined && typeof resume !== "string") {
    throw invalid(`Not an id: resume is ${shown(resume)}. Expected the text that research-start told.`);
  }
  if (query !== undefined || (topic === undefined && resume === undefined)) checkQuery(query);
  if (topic !== undefined) checkTopic(topic);
  if (depth !== undefined && !DEPTHS.includes(depth)) {
    throw invalid('The depth is unknown. Expected "concise" or "detailed".');
  }
  if (maxRounds !== undefined && !Number.isFinite(maxRounds)) {
    throw invalid(`Not a number of rounds: maxRounds is ${shown(maxRounds)}. Expected a number, at least 2.`);
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
  if (budget !== undefined) checkBudget(budget);
}

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

export function checkTopic(topic: unknown): asserts topic is string {
  if (typeof topic !== "string") throw invalid("The topic is missing. Expected a text.");
}

/** Throws `INVALID_INPUT` that names the dependency without which nothing can be researched. */
export function checkDeps(deps: ResearchDeps): void {
  const { runner, prompts } = (deps ?? {}) as { runner?: unknown; prompts?: unknown };
  if (typeof field(runner, "run") !== "function") {
    throw invalid("The dependency runner is missing. Expected one with a run(), such as createGeminiRunner().");
  }
  for (const name of ["search", "deepSearch", "verify", "correction", "research"] satisfies (keyof Prompts)[]) {
    if (typeof field(prompts, name) === "string") continue;
    const what = prompts === undefined ? "prompts" : `prompts.${name}`;
    throw invalid(`The dependency ${what} is missing. Expected texts, such as builtInPrompts.`);
  }
}

function field(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

function invalid(message: string): ResearchError {
  return new ResearchError("INVALID_INPUT", message);
}

function checkBudget(budget: Budget): void {
  for (const name of ["maxRuns", "maxDurationMs", "maxTokens"] as const) {
    const value = budget[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw invalid(`Not a budget: ${name} is ${shown(value)}. Expected a number above 0.`);
    }
  }
}

export function newId(deps: Pick<ResearchDeps, "newId">): string {
  return (deps.newId ?? randomUUID)();
}
