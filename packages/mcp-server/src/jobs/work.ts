import { resultOf } from "@x/gemini-runner";
import type { DeepResearchRequest, DeepSearchRequest, ResearchEvent, SearchRequest } from "@x/research";
import type { Research } from "../research.js";
import type { JobRecord, Report } from "./job-record.js";

/** Does the research of a record to its end; a deep search goes on after its last finished round. */
export function researchOf(
  research: Research,
  record: JobRecord,
  signal: AbortSignal,
  onEvent: (event: ResearchEvent) => void,
): Promise<Report> {
  return resultOf(run(research, record, signal), onEvent);
}

function run(research: Research, record: JobRecord, signal: AbortSignal): AsyncGenerator<ResearchEvent, Report, void> {
  const request = { ...record.request, signal };
  switch (record.tool) {
    case "search":
      return research.search(request as unknown as SearchRequest);
    case "deep_search":
      return research.deepSearch(
        (record.researchId === undefined ? request : { ...request, resume: record.researchId }) as DeepSearchRequest,
      );
    case "deep_research":
      return research.deepResearch(request as unknown as DeepResearchRequest);
  }
}
