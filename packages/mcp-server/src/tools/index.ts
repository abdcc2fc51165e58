import { deepResearch } from "./deep-research.js";
import { deepSearch } from "./deep-search.js";
import { researchCancel } from "./research-cancel.js";
import { researchResult } from "./research-result.js";
import { search } from "./search.js";
import type { Tool } from "./tool.js";

export { failedAnswer } from "./answer.js";
export { readInput } from "./arguments.js";
export { documentsIn } from "./own-files.js";
export { type ToolResult, toResult } from "./result.js";
export { doTask, type FindOffload, TASKS } from "./tasks.js";
export type { Call, Tool } from "./tool.js";

/** In the order in which clients show them. */
export const TOOLS: readonly Tool[] = [search, deepSearch, deepResearch, researchResult, researchCancel];

/** Whether a call of this tool asks for a research. */
export function asksForResearch(name: unknown): boolean {
  return TOOLS.some(({ definition, asksNothing }) => definition.name === name && asksNothing !== true);
}
