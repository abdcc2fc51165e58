import { randomUUID } from "node:crypto";
import { ResearchError } from "./errors.js";
import type { Budget, ResearchDeps, SearchRequest } from "./events.js";
import { checkFilters } from "./filters.js";

/** What a query may have at most: far below what the CLI takes, far above what a person writes. */
const MAX_QUERY = 1_000_000;

/** It becomes an argument of a program: none that reads like an option. */
const MODEL_NAME = /^(?!-)[^\s\p{Cc}]{1,200}$/u;

/** Throws `INVALID_INPUT` with what was expected. Every research does so first; this is for whoever wants to know earlier. */
export function checkRequest(request: Partial<SearchRequest>): void {
  const { query, model, fallbackModels = [], filters, budget } = request;
  if (query !== undefined) checkQuery(query);
  for (const name of [...(model === undefined ? [] : [model]), ...fallbackModels]) {
    if (typeof name !== "string" || !MODEL_NAME.test(name)) {
      throw new ResearchError(
        "INVALID_INPUT",
        `Not a model: ${JSON.stringify(name)}. Expected a name such as "flash".`,
      );
    }
  }
  if (filters !== undefined) checkFilters(filters);
  if (budget !== undefined) checkBudget(budget);
}

export function checkQuery(query: unknown): asserts query is string {
  if (typeof query !== "string" || query.trim() === "") {
    throw new ResearchError("INVALID_INPUT", "The query is empty. Expected a question in words.");
  }
  if (query.length > MAX_QUERY) {
    throw new ResearchError(
      "INVALID_INPUT",
      `The query has ${query.length} characters. Expected at most ${MAX_QUERY}.`,
    );
  }
}

function checkBudget(budget: Budget): void {
  for (const name of ["maxRuns", "maxDurationMs", "maxTokens"] as const) {
    const value = budget[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw new ResearchError("INVALID_INPUT", `Not a budget: ${name} is ${value}. Expected a number above 0.`);
    }
  }
}

export function newId(deps: Pick<ResearchDeps, "newId">): string {
  return (deps.newId ?? randomUUID)();
}
