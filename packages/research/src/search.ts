import { type Answer, answerExamples } from "./answer.js";
import { checkQuery } from "./check-fields.js";
import { checkOutputSchema, checkRequest } from "./check-request.js";
import type { ResearchDeps } from "./deps.js";
import { checkDeps, newId } from "./deps.js";
import { modelFailed } from "./errors.js";
import type { SearchRun } from "./events.js";
import { filtersPrompt } from "./evidence/filters.js";
import { PageTexts } from "./evidence/page-texts.js";
import { visitedIn, warningsOf } from "./evidence/presented.js";
import { Redirects } from "./evidence/redirects.js";
import { type Trail, trailOf } from "./evidence/trail.js";
import { planFacts } from "./plan/plan-facts.js";
import type { SearchReport } from "./report.js";
import type { Evidence } from "./report-evidence.js";
import type { SearchRequest } from "./request.js";
import { type Answered, ask, listedIn } from "./rounds/ask.js";
import { saveCheckpoint } from "./rounds/checkpoint.js";
import { dataFacts, dataSection, formOf } from "./rounds/data.js";
import { documentFacts } from "./rounds/documents.js";
import { earlierFacts, earlierSection, loadEarlier } from "./rounds/earlier.js";
import { type Best, type Findings, isFinished, summaryOf, trailsOf } from "./rounds/findings.js";
import { evidenceOfFindings } from "./rounds/findings-evidence.js";
import { keepTexts } from "./rounds/proof.js";
import { Session } from "./rounds/session.js";

/**
 * Asks once: one search, the pages it leads to, one answer. Throws a `ResearchError`.
 *
 * @example
 * const report = await resultOf(search({ query: "How many moons has Mars?" }, { runner, prompts: builtInPrompts }));
 */
export async function* search(request: SearchRequest, deps: ResearchDeps): SearchRun {
  checkRequest(request);
  if (request.plan !== undefined) checkRequest({ ...request, kind: "search" });
  checkQuery(request.query);
  checkDeps(deps);
  // Documents may have changed since.
  if (deps.cache === undefined || request.files !== undefined) return yield* searchAlone(request, deps);
  const { signal, ...asked } = request;
  const key = JSON.stringify(["search", { model: deps.model, ...asked }]);
  return yield* deps.cache.share(key, (shared) => searchAlone({ ...asked, signal: shared }, deps), signal);
}

async function* searchAlone(request: SearchRequest, deps: ResearchDeps): SearchRun {
  const { query, filters = {} } = request;
  const session = new Session(deps, request);
  const links = new Redirects(deps.resolveUrl);
  try {
    const { earlier, before } = await loadEarlier(request, deps);
    const id = newId(deps);
    yield { type: "research-start", id };
    yield* session.tools.open(before?.pages);
    const told = earlierSection({ earlier, before }, session, () => newId(deps));
    const shape = request.outputSchema && checkOutputSchema(request.outputSchema);
    const data = dataSection(shape, session, () => newId(deps));
    const plan = session.planSection(request.plan);
    const values = { query, earlier: told, filters: filtersPrompt(filters, session.now()), plan, data };
    const prompt = session.prompt("search", values);
    const answered = yield* ask(session, { prompt, ...formOf(shape, answerExamples.search), round: 1 });
    if (!answered.value.success) throw modelFailed("search", answered.value.report);
    const texts = new PageTexts(deps.pageStore);
    await texts.load(before?.pages ?? []);
    yield* keepTexts(texts, answered.runs);
    const trail = trailOf(answered.runs);
    links.start(trail.sources.map((source) => source.url));
    await links.settle(session.signal);
    const { best, findings } = findingsOf(answered, trail, before);
    const evidence = evidenceOfFindings({ order: request, findings, best, links, texts });
    const { signal: _, ...order } = request;
    const answeredBy = [...session.answeredBy];
    const savedAt = new Date(session.now()).toISOString();
    const state = { findings, usage: session.spent(), answeredBy, links: links.known(), earlier, savedAt };
    yield* saveCheckpoint(deps.store, { id, order: { ...order, maxRounds: 1 }, ...state });
    return reportOf({ request, session, links, findings, best, evidence, earlier, shape });
  } catch (error) {
    throw session.errorOf(error);
  } finally {
    links.close();
    session.close();
  }
}

/** One round, which gave the answer. */
function findingsOf(answered: Answered<Answer>, trail: Trail, before: Findings["before"]) {
  const { value: answer, cutOff, unstructured } = answered;
  const best: Best = { round: 1, answer, cutOff, unstructured };
  const round = { round: 1, verified: false, summary: summaryOf(answer), listed: listedIn(answered), trail };
  const findings: Findings = { rounds: [round], best, verified: false, before };
  return { best, findings };
}

interface Ended {
  request: SearchRequest;
  session: Session;
  links: Redirects;
  findings: Findings;
  best: Best;
  evidence: Evidence;
  /** Earlier researches that it goes on with. */
  earlier: Parameters<typeof earlierFacts>[0];
  /** The form of data that is wanted. */
  shape: Parameters<typeof dataFacts>[0];
}

function reportOf({ request, session, links, findings, best, evidence, earlier, shape }: Ended): SearchReport {
  const { query, filters = {} } = request;
  const { answer, cutOff, unstructured } = best;
  const trails = trailsOf(findings);
  const rounds = findings.rounds.filter(isFinished);
  const [used] = rounds.map((round) => visitedIn(round, { trails, links, filters }));
  const { sources = [], queries = [] } = used ?? {};
  const since = earlierFacts(earlier, answer.claims);
  const shaped = dataFacts(shape, answer, evidence);
  const searched = rounds.map(({ trail }) => trail);
  const planned = planFacts(request.plan, { byPlan: searched, all: searched });
  const documents = documentFacts(session.tools.documentCount, searched);
  const presented = { report: answer.report, queries, cutOff, unstructured };
  const known = { evidence, trails, filters, links, now: session.now() };
  const facts = [planned, documents, since, shaped];
  const warnings = [...facts.flatMap((each) => each.warnings), ...warningsOf(presented, known)];
  return {
    success: true,
    result: links.inText(answer.report),
    ...shaped.report,
    metadata: {
      duration_ms: session.durationMs(),
      query,
      model: session.modelName(),
      timestamp: new Date(session.now()).toISOString(),
      sources_visited: sources,
      search_queries_used: queries,
      ...(unstructured && { unstructured }),
      ...(warnings.length > 0 && { warnings }),
      ...session.models(),
      ...(answer.gaps.length > 0 && { gaps: answer.gaps }),
      ...planned.metadata,
      ...documents.metadata,
      ...since.metadata,
      ...shaped.metadata,
      usage: session.spent(),
      evidence,
    },
  };
}
