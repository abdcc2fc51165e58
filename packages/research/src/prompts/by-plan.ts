import type { ResearchPlan } from "../request.js";
import { builtInPrompts } from "./built-in.js";
import { listOf } from "./earlier.js";
import { type Prompts, renderPrompt } from "./render.js";

/** The section of a prompt that says what is searched; empty where nothing was decided. */
export function byPlanPrompt(
  { byPlan = builtInPrompts.byPlan }: Pick<Prompts, "byPlan">,
  plan: ResearchPlan | undefined,
  { boundary, searchTool }: { boundary: () => string; searchTool: string },
): string {
  if (plan === undefined) return "";
  return renderPrompt(byPlan, {
    boundary: boundary(),
    search_tool: searchTool,
    plan_aspects: listOf(plan.aspects ?? []),
    plan_queries: listOf(plan.queries),
  }).trim();
}
