export { deepResearch } from "./deep-research.js";
export { deepSearch } from "./deep-search.js";
export { ResearchError, type ResearchErrorCode, type ResearchErrorOptions } from "./errors.js";
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
export { createFileRunStore, type FileRunStoreOptions } from "./file-run-store.js";
export { builtInPrompts, loadPrompts } from "./load-prompts.js";
export { type MakeFolderOptions, makeFolder } from "./make-folder.js";
export { ownPlace } from "./place.js";
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
  Usage,
} from "./report.js";
export { checkRequest } from "./request.js";
export { createMemoryRunStore, type RunStore } from "./run-store.js";
export { type CleanUp, cleanUpScratch, createScratch, type ScratchOptions } from "./scratch.js";
export { search } from "./search.js";
export { createSearchCache, type SearchCache, type SearchCacheOptions } from "./search-cache.js";
export { createUrlResolver, type UrlResolverOptions } from "./url-resolver.js";
