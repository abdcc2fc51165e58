import { resultOf } from "@x/gemini-runner";
import type { ResearchEvent, RunStore } from "@x/research";
import type { Ask } from "../isolation/ask.js";
import type { JobRecord, Report } from "./job-record.js";

/**
 * Does the research of a record to its end; a deep search goes on after its last finished round.
 *
 * @param store Where its rounds are. Default: where all are.
 */
export function researchOf(
  ask: Ask,
  { tool, request, researchId }: JobRecord,
  signal: AbortSignal,
  onEvent: (event: ResearchEvent) => void,
  store?: RunStore,
): Promise<Report> {
  const resume = tool === "deep_search" && researchId !== undefined ? { resume: researchId } : {};
  return resultOf(ask(tool, { ...request, ...resume, ...(store && { store }), signal }), onEvent);
}
