import { z } from "zod";
import { AnswerSchema, answerExamples } from "./answer.js";
import { ask } from "./ask.js";
import { endsResearch, ResearchError } from "./errors.js";
import type { Budget, DeepSearchRequest, DeepSearchRun, Filters, ResearchDeps, ResearchEvent } from "./events.js";
import { evidenceOf, trailOf } from "./evidence.js";
import { filtersPrompt } from "./filters.js";
import { type Findings, FindingsSchema, isFinished, setAsideReason, summaryOf, trailsOf } from "./findings.js";
import { Links } from "./links.js";
import { fillPrompt } from "./prompts.js";
import type { DeepSearchReport, RoundMetadata } from "./report.js";
import { checkQuery, checkRequest, newId } from "./request.js";
import { BudgetError, noUsage, Session, type Usage } from "./session.js";
import { mergeSources, mergeTexts } from "./sources.js";
import { visitedIn, warningsOf } from "./visited.js";

const DEFAULT_ROUNDS = 5;
const MIN_ROUNDS = 2;
/** A minute's quota is waited for at most this long before the next round. */
const MAX_QUOTA_WAIT_MS = 60_000;

/** What is asked: stays the same when a research goes on after a stop. */
interface Order {
  query: string;
  maxRounds: number;
  model?: string | undefined;
  fallbackModels?: readonly string[] | undefined;
  filters?: Filters | undefined;
  budget?: Budget | undefined;
}

const texts = z.array(z.string());
const StateSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  order: z.object({
    query: z.string(),
    maxRounds: z.number(),
    model: z.string().optional(),
    fallbackModels: texts.optional(),
    filters: z
      .object({
        allowedDomains: texts,
        blockedDomains: texts,
        recency: z.enum(["day", "week", "month", "year"]),
        language: z.string(),
      })
      .partial()
      .optional(),
    budget: z.object({ maxRuns: z.number(), maxDurationMs: z.number(), maxTokens: z.number() }).partial().optional(),
  }),
  findings: FindingsSchema,
  usage: z.object({
    runs: z.number(),
    input_tokens: z.number(),
    output_tokens: z.number(),
    total_tokens: z.number(),
    duration_ms: z.number(),
  }),
  answeredBy: texts,
  report: z.custom<DeepSearchReport>((value) => typeof value === "object" && value !== null).optional(),
});

interface Checkpoint {
  id: string;
  order: Order;
  findings: Findings;
  usage: Usage;
  answeredBy: string[];
  report?: DeepSearchReport | undefined;
}

/**
 * Rounds until one is verified or the last is done: the first researches, each further one verifies and updates what
 * is there. A round that fails is passed over. Throws a `ResearchError`; after every round the state is saved, so
 * that the research can go on by `resume`.
 */
export async function* deepSearch(request: DeepSearchRequest, deps: ResearchDeps): DeepSearchRun {
  checkRequest(request);
  if (request.resume !== undefined) return yield* rounds(await resumed(request, deps), request.signal, deps);
  checkQuery(request.query);
  const { signal, resume: _, ...asked } = request;
  const start = (ended: AbortSignal | undefined) => {
    const order: Order = { ...asked, maxRounds: roundsOf(asked.maxRounds ?? DEFAULT_ROUNDS) };
    const findings: Findings = { rounds: [], verified: false };
    return rounds({ id: newId(deps), order, findings, usage: noUsage, answeredBy: [] }, ended, deps);
  };
  if (deps.cache === undefined) return yield* start(signal);
  const key = JSON.stringify(["deep-search", { model: deps.model, ...asked }]);
  return yield* deps.cache.share(key, start, signal);
}

function roundsOf(wanted: number): number {
  return Number.isFinite(wanted) ? Math.max(MIN_ROUNDS, Math.floor(wanted)) : DEFAULT_ROUNDS;
}

async function resumed(request: DeepSearchRequest & { resume: string }, { store }: ResearchDeps): Promise<Checkpoint> {
  const { resume: id, signal: _, query, maxRounds, ...changes } = request;
  const saved = await store?.load(id);
  if (store === undefined || saved === undefined) {
    throw new ResearchError("INVALID_INPUT", `No research is kept under the id ${JSON.stringify(id)}. Start it again.`);
  }
  const read = StateSchema.safeParse(saved);
  if (!read.success) {
    const where = store.locate?.(id) ?? id;
    const details = z.prettifyError(read.error);
    throw new ResearchError(
      "EXECUTION_ERROR",
      `The saved research is damaged: ${where}. Delete it and start the research again.`,
      { details },
    );
  }
  const { order, findings, ...rest } = read.data as unknown as Checkpoint;
  if (query !== undefined && query !== order.query) {
    throw new ResearchError(
      "INVALID_INPUT",
      `The research ${id} asks ${JSON.stringify(order.query)}, not ${JSON.stringify(query)}.`,
    );
  }
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next: Order = { ...order, ...said, ...(maxRounds !== undefined && { maxRounds: roundsOf(maxRounds) }) };
  // A finished report is given again, unless more rounds are asked for.
  const report = next.maxRounds > findings.rounds.length && !findings.verified ? undefined : rest.report;
  return { ...rest, id, order: next, findings, report };
}

async function* rounds(checkpoint: Checkpoint, signal: AbortSignal | undefined, deps: ResearchDeps): DeepSearchRun {
  const { id, order, findings } = checkpoint;
  yield { type: "research-start", id };
  if (checkpoint.report !== undefined) return checkpoint.report;
  const { maxRounds, filters = {} } = order;
  const session = new Session(deps, { ...order, signal, usage: checkpoint.usage });
  for (const name of checkpoint.answeredBy) session.answeredBy.add(name);
  const links = new Links(deps.resolveUrl);
  for (const { sources } of trailsOf(findings)) links.start(sources.map(({ url }) => url));
  const unused = new AbortController();
  let lastError: ResearchError | undefined;
  let partial: string | undefined;

  async function* save(report?: DeepSearchReport): AsyncGenerator<ResearchEvent, void, void> {
    if (deps.store === undefined) return;
    const state = {
      version: 1,
      id,
      order,
      findings,
      usage: session.spent(),
      answeredBy: [...session.answeredBy],
      report,
    };
    try {
      await deps.store.save(id, state);
    } catch (error) {
      yield {
        type: "log",
        level: "warn",
        message: `Cannot save the state of the research: ${(error as Error).message}`,
      };
    }
  }

  try {
    for (let round = findings.rounds.length + 1; round <= maxRounds && !findings.verified; round++) {
      try {
        session.check();
      } catch (error) {
        if (!(error instanceof BudgetError)) throw error;
        partial = error.message;
        lastError ??= session.errorOf(error);
        break;
      }
      yield { type: "round-start", round, of: maxRounds };
      yield { type: "log", level: "info", message: `Deep search round ${round}/${maxRounds}...` };
      const now = session.now();
      const { best } = findings;
      const values = {
        query: order.query,
        filters: filtersPrompt(filters, now),
        round: String(round),
        max_rounds: String(maxRounds),
        ...(best !== undefined && {
          current_result: best.answer.report,
          claims: listOf(
            best.answer.claims.map((claim) => `${claim.text} (${[claim.status, ...claim.sources].join(", ")})`),
          ),
          gaps: listOf(best.answer.gaps),
        }),
      };
      const template = best === undefined ? deps.prompts.deepSearch : deps.prompts.verify;
      const prompt = fillPrompt(template, values, { now, boundary: newId(deps) });
      const onStart = () => {
        if (round < maxRounds)
          deps.runner.prewarm?.({
            ...(session.model !== undefined && { model: session.model }),
            signal: unused.signal,
          });
      };
      try {
        const question = { prompt, schema: AnswerSchema, example: answerExamples.deepSearch, round, onStart };
        const { value: answer, runs, cutOff, corrected } = yield* ask(session, question);
        if (!answer.success) {
          const details = answer.report.trim() || "It gave no reason.";
          throw new ResearchError("EXECUTION_ERROR", "The model reported that the research failed.", { details });
        }
        const trail = trailOf(runs);
        links.start(trail.sources.map(({ url }) => url));
        const next = { round, answer, cutOff };
        const setAside = best && setAsideReason(best, next, [...trailsOf(findings), trail], links);
        if (setAside === undefined) findings.best = next;
        findings.verified = answer.verified;
        findings.rounds.push({
          round,
          verified: answer.verified,
          summary: summaryOf(answer),
          listed: answer.metadata,
          trail,
          corrected,
          ...(setAside !== undefined && { setAside }),
        });
        if (setAside !== undefined) {
          const message = `The report of round ${best?.round} is kept instead of that of round ${round}: ${setAside}.`;
          yield { type: "log", level: "warn", message };
        }
        yield* save();
        yield {
          type: "round-end",
          round,
          verified: answer.verified,
          result: findings.best?.answer.report ?? answer.report,
        };
        yield { type: "log", level: "info", message: `Round ${round} completed, verified: ${answer.verified}` };
      } catch (thrown) {
        const error = session.errorOf(thrown);
        if (error.code === "CANCELLED") throw error;
        lastError = error;
        // A round that the budget broke off has not failed: with a new budget it runs again.
        if (thrown instanceof BudgetError) partial = thrown.message;
        else findings.rounds.push({ round, failed: { code: error.code, message: error.message } });
        yield* save();
        yield { type: "round-failed", round, code: error.code, reason: error.message };
        yield { type: "log", level: "error", message: `Round ${round} failed: ${error.code}: ${error.message}` };
        if (partial !== undefined || endsResearch(error)) break;
        if (error.retryAfterMs !== undefined && round < maxRounds) {
          const ms = Math.min(error.retryAfterMs, MAX_QUOTA_WAIT_MS);
          yield { type: "wait", round, ms };
          await (deps.sleep ?? wait)(ms, session.signal).catch(() => {}); // the next round's check says why it ended
        }
      }
    }
    if (findings.best === undefined) throw lastError ?? new ResearchError("EXECUTION_ERROR", "No round gave a result.");
    await links.settle();
    const report = reportOf({ order, findings, session, links, partial, lastError });
    // What ended before its last round can go on later.
    if (findings.verified || findings.rounds.length >= maxRounds) yield* save(report);
    const { iterations } = report.metadata;
    yield {
      type: "log",
      level: "info",
      message: `Deep search completed: ${iterations} rounds, verified: ${report.verified}`,
    };
    return report;
  } catch (error) {
    throw session.errorOf(error);
  } finally {
    unused.abort();
    links.close();
    session.close();
  }
}

interface Ended {
  order: Order;
  findings: Findings;
  session: Session;
  links: Links;
  partial: string | undefined;
  lastError: ResearchError | undefined;
}

function reportOf({ order, findings, session, links, partial, lastError }: Ended): DeepSearchReport {
  const { filters = {} } = order;
  const { best, rounds, verified } = findings as Findings & { best: NonNullable<Findings["best"]> };
  const trails = trailsOf(findings);
  const finished = rounds.filter(isFinished);
  const evidence = evidenceOf({
    answer: best.answer,
    trails,
    links,
    verifications: finished.filter((round) => round.verified),
  });
  const perRound = rounds.map((round): RoundMetadata => {
    if (!isFinished(round)) {
      const nothing = { sources_visited: [], search_queries: [], intermediate_result_summary: "" };
      return { round_number: round.round, ...nothing, error: round.failed };
    }
    const { sources, queries } = visitedIn(round, { trails, links, filters });
    return {
      round_number: round.round,
      sources_visited: sources,
      search_queries: queries,
      intermediate_result_summary: links.inText(round.summary),
      verified: round.verified,
      ...(round.setAside !== undefined && { set_aside: round.setAside }),
    };
  });
  const queries = mergeTexts(...perRound.map((round) => round.search_queries));
  const now = session.now();
  const warnings = warningsOf(
    { report: best.answer.report, queries, cutOff: best.cutOff },
    { evidence, filters, links, now },
  );
  for (const { round, setAside } of finished) {
    if (setAside !== undefined) warnings.push(`The report of round ${round} was set aside: ${setAside}.`);
  }
  return {
    success: true,
    result: links.inText(best.answer.report),
    verified,
    metadata: {
      duration_ms: session.durationMs(),
      query: order.query,
      model: session.modelName(),
      timestamp: new Date(now).toISOString(),
      iterations: rounds.length,
      sources_visited: mergeSources(...perRound.map((round) => round.sources_visited)),
      search_queries_used: queries,
      rounds: perRound,
      ...(!verified && { note: noteOf(rounds.length, best.round, partial, lastError) }),
      ...(partial !== undefined && { partial: true }),
      ...(warnings.length > 0 && { warnings }),
      ...session.models(),
      ...(best.answer.gaps.length > 0 && { gaps: best.answer.gaps }),
      usage: session.spent(),
      evidence,
    },
  };
}

function noteOf(
  count: number,
  best: number,
  partial: string | undefined,
  lastError: ResearchError | undefined,
): string {
  const which = `This is the best result of ${count} ${count === 1 ? "round" : "rounds"} (round ${best}).`;
  if (partial !== undefined) return `Verification was not completed: ${partial}, so the answer is partial. ${which}`;
  const why = lastError !== undefined && endsResearch(lastError) ? `: ${lastError.message}` : ".";
  return `Verification was not completed${why.endsWith(".") ? why : `${why}.`} ${which}`;
}

function listOf(items: readonly string[]): string {
  return items.length === 0
    ? "- (nothing is listed)"
    : items.map((item) => `- ${item.replaceAll("\n", " ")}`).join("\n");
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
