import { answerExamples, PlanAnswerSchema } from "./answer.js";
import { checkQuery } from "./check-fields.js";
import { checkRequest } from "./check-request.js";
import { checkDeps, newId, type ResearchDeps } from "./deps.js";
import { modelFailed } from "./errors.js";
import type { PlanRun } from "./events.js";
import { filtersPrompt } from "./evidence/filters.js";
import { distinct } from "./plan/check-plan.js";
import { estimateOf } from "./plan/estimate.js";
import { planInWords } from "./plan/plan-in-words.js";
import { builtInPrompts } from "./prompts/built-in.js";
import { fillPrompt } from "./prompts/render.js";
import type { PlanReport } from "./report.js";
import type { PlanRequest } from "./request.js";
import { ask } from "./rounds/ask.js";
import { earlierSection, loadEarlier } from "./rounds/earlier.js";
import { DEFAULT_ROUNDS, roundsOf } from "./rounds/rounds.js";
import { Session } from "./rounds/session.js";

/** Queries that are proposed for the first round of a deep search. */
const MAX_QUERIES = 8;

const HOW_MANY = {
  search: "exactly one, the one that covers the aspects best",
  "deep-search": `3 to ${MAX_QUERIES}, from different perspectives, such as definition, primary source, practice, criticism, and what changed lately`,
};

/**
 * Plans a search or a deep search in one run of the CLI without any tool: the aspects of the question, what would be
 * searched, and an estimate of the cost. `search` and `deepSearch` take the plan, changed or not. Throws a `ResearchError`.
 *
 * @example
 * const { plan } = await resultOf(planResearch({ query: "Which heat pump is the quietest?", kind: "deep-search" }, deps));
 * const report = await resultOf(deepSearch({ query: "Which heat pump is the quietest?", plan }, deps));
 */
export async function* planResearch(request: PlanRequest, deps: ResearchDeps): PlanRun {
  const { query, kind, filters = {}, budget, maxRounds = DEFAULT_ROUNDS, past = [] } = request;
  checkRequest(request);
  checkQuery(query);
  checkDeps(deps);
  const session = new Session(deps, request);
  try {
    const { earlier } = await loadEarlier(request, deps);
    const values = {
      query,
      earlier: earlierSection({ earlier }, session, () => newId(deps)),
      filters: filtersPrompt(filters, session.now()),
      how_many: HOW_MANY[kind],
    };
    const ground = { now: session.now(), boundary: newId(deps), searchTool: "", reading: { own: false } };
    const prompt = fillPrompt(deps.prompts.plan ?? builtInPrompts.plan, values, ground);
    const asked = { prompt, schema: PlanAnswerSchema, example: answerExamples.plan, tools: [], round: 1 };
    const { value: answer } = yield* ask(session, asked);
    if (!answer.success) throw modelFailed("research", answer.report);
    const aspects = distinct(answer.aspects);
    const queries = distinct(answer.queries).slice(0, kind === "search" ? 1 : MAX_QUERIES);
    const [fewest, most] = kind === "search" ? [1, 1] : [2, roundsOf(maxRounds)];
    const estimate = estimateOf(past, { fewest, most, budget });
    return {
      success: true,
      result: planInWords({ aspects, queries }, estimate, kind),
      plan: { aspects, queries },
      metadata: {
        duration_ms: session.durationMs(),
        query,
        model: session.modelName(),
        timestamp: new Date(session.now()).toISOString(),
        ...session.models(),
        usage: session.spent(),
        estimate,
      },
    } satisfies PlanReport;
  } catch (error) {
    throw session.errorOf(error);
  } finally {
    session.close();
  }
}
