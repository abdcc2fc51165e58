/// <reference types="node" preserve="true" />
export { checkFields } from "./check-fields.js";
export { checkRequest } from "./check-request.js";
export { deepResearch } from "./deep-research.js";
export { deepSearch } from "./deep-search.js";
export type { ResearchDeps, TempFiles } from "./deps.js";
export { ResearchError, type ResearchErrorCode, type ResearchErrorOptions } from "./errors.js";
export type { DeepResearchRun, DeepSearchRun, PlanRun, ResearchEvent, SearchRun } from "./events.js";
export type {
  DocumentList,
  FailedRead,
  KeptPages,
  PageAccess,
  PageRead,
  PageRecord,
  PageSession,
  Pages,
  ReadingScope,
  RunReads,
} from "./page-reading.js";
export { createMemoryPageStore, type PageStore } from "./page-store.js";
export { planResearch } from "./plan-research.js";
export { builtInPrompts } from "./prompts/built-in.js";
export { type Prompts, renderPrompt } from "./prompts/render.js";
export type {
  Changes,
  DeepResearchReport,
  DeepSearchMetadata,
  DeepSearchReport,
  Estimate,
  EstimatedRange,
  FollowUp,
  PlanFacts,
  PlanReport,
  RoundMetadata,
  SearchMetadata,
  SearchReport,
  Usage,
} from "./report.js";
export type {
  ClaimProof,
  Evidence,
  EvidenceClaim,
  EvidencePage,
  EvidenceQuote,
  EvidenceSource,
} from "./report-evidence.js";
export type {
  Budget,
  DeepResearchRequest,
  DeepSearchRequest,
  DocumentSource,
  Filters,
  PastResearch,
  PlanRequest,
  ResearchOptions,
  ResearchPlan,
  SearchRequest,
} from "./request.js";
export { createMemoryRunStore, type RunStore } from "./run-store.js";
export {
  defaultCapabilities,
  type McpEndpoint,
  type ModelUse,
  type PrewarmRequest,
  type RunEvent,
  type Runner,
  type RunnerCapabilities,
  type RunRequest,
  type RunResult,
  type ToolCapability,
} from "./runner.js";
export { search } from "./search.js";
export { createSearchCache, type SearchCache, type SearchCacheOptions } from "./search-cache.js";
