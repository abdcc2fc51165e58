import type { PlanFacts } from "../report.js";
import type { ResearchPlan } from "../request.js";
import { folded } from "./check-plan.js";

/** What runs have searched, by their own record; `recorded` is false where there is none. */
interface Searched {
  recorded: boolean;
  queries: readonly string[];
}

/** Queries of a plan that no search has. Without a record none is known to be left out. */
export function notSearched({ queries }: ResearchPlan, searched: readonly Searched[]): string[] {
  if (!searched.every(({ recorded }) => recorded)) return [];
  const done = new Set(searched.flatMap((each) => each.queries.map(folded)));
  return queries.filter((query) => !done.has(folded(query)));
}

/**
 * What a report says of its plan, and what a reader must know of it.
 *
 * @param byPlan The runs that were to search the plan and nothing else.
 * @param all Those, and the runs after them.
 */
export function planFacts(
  plan: ResearchPlan | undefined,
  { byPlan, all }: { byPlan: readonly Searched[]; all: readonly Searched[] },
): { metadata: { plan?: PlanFacts }; warnings: string[] } {
  if (plan === undefined) return { metadata: {}, warnings: [] };
  const { aspects = [], queries } = plan;
  const left = notSearched(plan, all);
  const planned = new Set(queries.map(folded));
  const beside = byPlan.flatMap((each) => each.queries).filter((query) => !planned.has(folded(query)));
  const warnings = [
    ...(left.length > 0 ? [`The plan was not kept: these queries were not searched: ${left.join(" | ")}`] : []),
    ...(beside.length > 0 ? [`The plan was not kept: these were searched, too: ${beside.join(" | ")}`] : []),
  ];
  const facts = {
    ...{ aspects, queries },
    ...(left.length > 0 && { not_searched: left }),
    ...(beside.length > 0 && { beside }),
  };
  return { metadata: { plan: facts }, warnings };
}
