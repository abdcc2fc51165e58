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
export { createUrlResolver, type UrlResolverOptions } from "./evidence/url-resolver.js";
export { createFileRunStore, type FileRunStoreOptions } from "./node/file-run-store.js";
export { type MakeFolderOptions, makeFolder } from "./node/make-folder.js";
export { ownPlace } from "./node/place.js";
export { type CleanUp, cleanUpScratch, createScratch, type ScratchOptions } from "./node/temp-files.js";
export { builtInPrompts, loadPrompts } from "./prompts/load.js";
export { type Prompts, renderPrompt } from "./prompts/render.js";
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
export { createMemoryRunStore, type RunStore } from "./rounds/run-store.js";
export { search } from "./search.js";
export { createSearchCache, type SearchCache, type SearchCacheOptions } from "./search-cache.js";
