import {
  type Budget,
  type DeepResearchReport,
  type DeepResearchRequest,
  type DeepSearchReport,
  type DeepSearchRequest,
  deepResearch,
  deepSearch,
  type PlanReport,
  type PlanRequest,
  planResearch,
  type ResearchDeps,
  type ResearchEvent,
  type RunStore,
  type SearchReport,
  type SearchRequest,
  search,
} from "@x/research";
import type { JobTool } from "./kinds.js";

export type Report = SearchReport | DeepSearchReport | DeepResearchReport | PlanReport;

/**
 * What is asked, as the research takes it; `resume` goes on with an earlier one, `planOnly` asks for its plan alone. `store`:
 * where its rounds are kept, instead of where all are.
 */
export type AskRequest = Record<string, unknown> & {
  signal?: AbortSignal;
  resume?: string;
  planOnly?: boolean;
  store?: RunStore;
};

/** Does a research of a kind to its end. */
export type Ask = (tool: JobTool, request: AskRequest) => AsyncGenerator<ResearchEvent, Report, void>;

/** What one research may cost: far more than one of twenty rounds needs, so that none goes on without end. */
const BUDGET: Budget = { maxRuns: 200, maxDurationMs: 6 * 3_600_000 };

type AskOne = (request: AskRequest, deps: ResearchDeps, maxRounds: number) => ReturnType<Ask>;

/** How each kind is done. A request is checked there. */
const ASK: Record<JobTool, AskOne> = {
  search: (request, deps) => search({ budget: BUDGET, ...(request as unknown as SearchRequest) }, deps),
  deep_search(request, deps, maxRounds) {
    const asked = { budget: BUDGET, ...(request as unknown as DeepSearchRequest) };
    return deepSearch(asked.resume === undefined ? { maxRounds, ...asked } : asked, deps);
  },
  deep_research: (request, deps) => deepResearch(request as unknown as DeepResearchRequest, deps),
};

/** @param maxRounds Of a deep search that does not say. */
export function askWith(given: ResearchDeps, maxRounds: number): Ask {
  return (tool, { store, planOnly, ...request }) => {
    const deps = store === undefined ? given : { ...given, store };
    if (planOnly === true) {
      const kind = tool === "search" ? "search" : "deep-search";
      return planResearch({ budget: BUDGET, maxRounds, ...(request as unknown as PlanRequest), kind }, deps);
    }
    return ASK[tool](request, deps, maxRounds);
  };
}
