import { resultOf } from "@x/gemini-runner";
import type { ResearchEvent } from "@x/research";
import type { Ask } from "../isolation/ask.js";
import type { JobRecord, Report } from "./job-record.js";

/** Does the research of a record to its end; a deep search goes on after its last finished round. */
export function researchOf(
  ask: Ask,
  { tool, request, researchId }: JobRecord,
  signal: AbortSignal,
  onEvent: (event: ResearchEvent) => void,
): Promise<Report> {
  const resume = tool === "deep_search" && researchId !== undefined ? { resume: researchId } : {};
  return resultOf(ask(tool, { ...request, ...resume, signal }), onEvent);
}
