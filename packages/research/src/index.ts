export { ResearchError, type ResearchErrorCode } from "./errors.js";
export type {
  Budget,
  DeepResearchRequest,
  DeepResearchRun,
  DeepSearchRequest,
  DeepSearchRun,
  Filters,
  ResearchDeps,
  ResearchEvent,
  Scratch,
  SearchRequest,
  SearchRun,
} from "./events.js";
export { type Prompts, renderPrompt } from "./prompts.js";
export type {
  DeepResearchReport,
  DeepSearchMetadata,
  DeepSearchReport,
  Evidence,
  EvidenceClaim,
  EvidenceSource,
  RoundMetadata,
  SearchMetadata,
  SearchReport,
} from "./report.js";
export type { RunStore } from "./run-store.js";
