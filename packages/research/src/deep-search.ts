import { answerExamples } from "./answer.js";
import { checkQuery } from "./check-fields.js";
import { checkOutputSchema, checkRequest } from "./check-request.js";
import type { ResearchDeps } from "./deps.js";
import { checkDeps, newId } from "./deps.js";
import { endsResearch, modelFailed, ResearchError, type ResearchErrorCode } from "./errors.js";
import type { DeepSearchRun, ResearchEvent } from "./events.js";
import { filtersPrompt } from "./evidence/filters.js";
import { PageTexts } from "./evidence/page-texts.js";
import { Redirects } from "./evidence/redirects.js";
import { trailOf } from "./evidence/trail.js";
import { notSearched, planFacts } from "./plan/plan-facts.js";
import { listOf } from "./prompts/earlier.js";
import type { DeepSearchReport } from "./report.js";
import type { Evidence } from "./report-evidence.js";
import type { DeepSearchRequest } from "./request.js";
import { ask, listedIn } from "./rounds/ask.js";
import { type Checkpoint, loadCheckpoint, type Order, saveCheckpoint } from "./rounds/checkpoint.js";
import { dataFacts, dataSection, formOf } from "./rounds/data.js";
import { deepReportOf } from "./rounds/deep-report.js";
import { earlierFacts, earlierSection, loadEarlier } from "./rounds/earlier.js";
import { type Best, type Findings, isFinished, setAsideReason, summaryOf, trailsOf } from "./rounds/findings.js";
import { evidenceOfFindings } from "./rounds/findings-evidence.js";
import { Prewarm } from "./rounds/prewarm.js";
import { claimLine, isEnough, keepTexts, plainClaimLine, shareOf } from "./rounds/proof.js";
import { DEFAULT_ROUNDS, roundsOf } from "./rounds/rounds.js";
import { BudgetError, noUsage, Session } from "./rounds/session.js";
import type { RunEvent } from "./runner.js";
import type { Shape } from "./shape/shape.js";

/** After this many rounds in a row without an answer in the asked form, the research ends. */
const MAX_UNREADABLE = 2;
/** The longest wait before a round when the quota of a minute is used up. */
const MAX_QUOTA_WAIT_MS = 60_000;

/**
 * Asks in rounds until one is verified or the last is done: the first researches, each further one verifies and updates
 * what is there. A round that fails is passed over. After every round the state is saved, so that the research can go on
 * by `resume`. Throws a `ResearchError`.
 *
 * @example
 * const deps = { runner, prompts: builtInPrompts };
 * const report = await resultOf(deepSearch({ query: "How many moons has Mars?", maxRounds: 3 }, deps));
 */
export async function* deepSearch(request: DeepSearchRequest, deps: ResearchDeps): DeepSearchRun {
  checkRequest(request);
  checkDeps(deps);
  const { signal, resume, ...asked } = request;
  if (resume !== undefined) {
    return yield* new DeepSearch(await resumed(resume, asked, deps), signal, deps).run();
  }
  checkQuery(asked.query);
  const order: Order = { ...asked, query: asked.query, maxRounds: roundsOf(asked.maxRounds ?? DEFAULT_ROUNDS) };
  async function* start(ended: AbortSignal | undefined): DeepSearchRun {
    const { earlier, before } = await loadEarlier(order, deps);
    const findings: Findings = { rounds: [], verified: false, before };
    const checkpoint = { id: newId(deps), order, findings, earlier, usage: noUsage, answeredBy: [], links: [] };
    return yield* new DeepSearch(checkpoint, ended, deps).run();
  }
  // Documents may have changed since.
  if (deps.cache === undefined || order.files !== undefined) return yield* start(signal);
  return yield* deps.cache.share(JSON.stringify(["deep-search", { model: deps.model, ...order }]), start, signal);
}

async function resumed(id: string, asked: Partial<Order>, { store }: ResearchDeps): Promise<Checkpoint> {
  const checkpoint = await loadCheckpoint(store, id);
  const { query, maxRounds } = checkpoint.order;
  if (asked.query !== undefined && asked.query !== query) {
    const [was, is] = [query, asked.query].map((text) => JSON.stringify(text));
    throw new ResearchError(
      "INVALID_INPUT",
      `The research ${id} asks ${was}, not ${is}. Leave the question out to go on with it, or start a new research.`,
    );
  }
  const findings = checkpoint.report === undefined ? untilLastFinished(checkpoint.findings) : checkpoint.findings;
  const said = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const order = { ...checkpoint.order, ...said, maxRounds: roundsOf(asked.maxRounds ?? maxRounds) };
  // A finished report is given again, unless more rounds are asked for.
  const { evidence } = checkpoint.report?.metadata ?? {};
  const required = shareOf(order.requireEvidence);
  const isProven = required === undefined || isEnough({ proven: evidence?.proven ?? null, required });
  const goesOn = order.maxRounds > findings.rounds.length && !(findings.verified && isProven);
  return { ...checkpoint, order, findings, report: goesOn ? undefined : checkpoint.report };
}

/** The rounds without the failed ones at the end: what made those fail may be gone. */
function untilLastFinished(findings: Findings): Findings {
  const end = findings.rounds.findLastIndex(isFinished) + 1;
  return { ...findings, rounds: findings.rounds.slice(0, end) };
}

/** One deep search, from its checkpoint to its report. */
class DeepSearch {
  readonly #checkpoint: Checkpoint;
  readonly #deps: ResearchDeps;
  readonly #session: Session;
  readonly #links: Redirects;
  readonly #texts: PageTexts;
  readonly #prewarm: Prewarm;
  /** Of the data that is wanted. */
  readonly #shape: Shape | undefined;
  #lastError: ResearchError | undefined;
  /** Which budget is used up. */
  #usedUp: string | undefined;
  /** Rounds in a row whose answer did not have the asked form. */
  #unreadable = 0;

  constructor(checkpoint: Checkpoint, signal: AbortSignal | undefined, deps: ResearchDeps) {
    this.#checkpoint = checkpoint;
    this.#deps = deps;
    const { order, usage, answeredBy, links, findings } = checkpoint;
    this.#session = new Session(deps, { ...order, signal, usage, answeredBy });
    this.#links = new Redirects(deps.resolveUrl, links);
    for (const { sources } of trailsOf(findings)) this.#links.start(sources.map(({ url }) => url));
    this.#texts = new PageTexts(deps.pageStore);
    this.#shape = order.outputSchema && checkOutputSchema(order.outputSchema);
    this.#prewarm = new Prewarm(deps.runner, () => this.#session.now());
  }

  async *run(): DeepSearchRun {
    const { id, order, findings, earlier, report: kept } = this.#checkpoint;
    try {
      // The caller knows the id from now on, so it must be possible to resume the research, even if the first round never ends.
      if (findings.rounds.length === 0) yield* this.#save();
      yield { type: "research-start", id };
      if (kept !== undefined) return kept;
      yield* this.#session.tools.open(findings.before?.pages);
      await this.#texts.load(trailsOf(findings).flatMap(({ pages }) => pages));
      let goesOn = true;
      for (let round = findings.rounds.length + 1; goesOn && round <= order.maxRounds && !this.#isDone(); round++) {
        goesOn = yield* this.#round(round);
      }
      const { best } = findings;
      if (best === undefined) throw this.#lastError ?? failureOf(findings);
      await this.#links.settle(this.#session.signal);
      const [session, links, usedUp, lastError] = [this.#session, this.#links, this.#usedUp, this.#lastError];
      const unreadable = this.#unreadable >= MAX_UNREADABLE;
      const evidence = this.#evidenceOf(best);
      const since = earlierFacts(earlier, best.answer.claims);
      const shaped = dataFacts(this.#shape, best.answer, evidence);
      const planned = planFacts(order.plan, searchedIn(findings));
      const known = { order, findings, best, session, links, evidence, planned, since, shaped };
      const report = deepReportOf({ ...known, usedUp, lastError, unreadable });
      // What ended before its last round can go on later.
      if (this.#isDone() || findings.rounds.length >= order.maxRounds) yield* this.#save(report);
      const message = `Deep search completed: ${report.metadata.iterations} rounds, verified: ${report.verified}`;
      yield { type: "log", level: "info", message };
      return report;
    } catch (error) {
      throw this.#session.errorOf(error);
    } finally {
      this.#prewarm.end();
      this.#links.close();
      this.#session.close();
    }
  }

  /** Whether the model says that it verified the best result, and so many of its claims are proven as was asked for. */
  #isDone(): boolean {
    const { order, findings } = this.#checkpoint;
    if (!findings.verified || findings.best === undefined) return false;
    return order.requireEvidence === undefined || isEnough(this.#evidenceOf(findings.best));
  }

  #evidenceOf(best: Best): Evidence {
    const { order, findings } = this.#checkpoint;
    return evidenceOfFindings({ order, findings, best, links: this.#links, texts: this.#texts });
  }

  /** One round; `false` when no other may follow. */
  async *#round(round: number): AsyncGenerator<ResearchEvent, boolean, void> {
    const { order, findings } = this.#checkpoint;
    try {
      this.#session.check();
      yield { type: "round-start", round, of: order.maxRounds };
      yield { type: "log", level: "info", message: `Deep search round ${round}/${order.maxRounds}...` };
      yield* this.#ask(round);
    } catch (thrown) {
      const error = this.#session.errorOf(thrown);
      if (error.code === "CANCELLED") throw error;
      this.#lastError = error;
      if (thrown instanceof BudgetError) {
        // The round has not failed: with a new budget it runs again.
        this.#usedUp = thrown.message;
        yield* this.#save();
        return false;
      }
      findings.rounds.push({ round, failed: { code: error.code, message: error.message } });
      yield* this.#save();
      yield { type: "round-failed", round, code: error.code, reason: error.message };
      yield { type: "log", level: "error", message: `Round ${round} failed: ${error.code}: ${error.message}` };
      if (endsResearch(error)) return false;
      if (error.reason === "unreadable") this.#unreadable++;
      if (error.retryAfterMs !== undefined && round < order.maxRounds) {
        const ms = Math.min(error.retryAfterMs, MAX_QUOTA_WAIT_MS);
        yield { type: "wait", round, ms };
        await this.#session.sleep(ms);
      }
    }
    if (this.#unreadable < MAX_UNREADABLE) return true;
    const message = `${MAX_UNREADABLE} rounds in a row gave no answer of the asked form: no further round is asked.`;
    yield { type: "log", level: "warn", message };
    return false;
  }

  async *#ask(round: number): AsyncGenerator<ResearchEvent, void, void> {
    const { order, findings } = this.#checkpoint;
    const { best } = findings;
    const onStep = (step: RunEvent) => {
      if (round < order.maxRounds && this.#session.mayRunAgain)
        this.#prewarm.keep(step, this.#session.prewarmRequest());
    };
    const prompt = this.#promptOf(round);
    const form = formOf(this.#shape, answerExamples.deepSearch);
    const answered = yield* ask(this.#session, { prompt, ...form, round, onStep });
    const { value: answer, runs, cutOff, unstructured } = answered;
    if (!answer.success) throw modelFailed("research", answer.report);
    if (unstructured && best?.unstructured === false) throw unreadableRound();
    this.#unreadable = unstructured ? this.#unreadable + 1 : 0;
    const trail = trailOf(runs);
    yield* keepTexts(this.#texts, runs);
    this.#links.start(trail.sources.map(({ url }) => url));
    const next = { round, answer, cutOff, unstructured };
    const setAside = best && setAsideReason(best, next, [...trailsOf(findings), trail], this.#links);
    if (setAside === undefined) findings.best = next;
    findings.verified = answer.verified;
    const { verified } = answer;
    const listed = listedIn(answered);
    const summary = summaryOf(answer);
    findings.rounds.push({ round, verified, summary, listed, trail, ...(setAside !== undefined && { setAside }) });
    if (setAside !== undefined) {
      const message = `The report of round ${best?.round} is kept instead of that of round ${round}: ${setAside}.`;
      yield { type: "log", level: "warn", message };
    }
    yield* this.#save();
    const result = this.#links.inText((findings.best ?? next).answer.report);
    yield { type: "round-end", round, verified, result };
    yield { type: "log", level: "info", message: `Round ${round} completed, verified: ${verified}` };
  }

  #promptOf(round: number): string {
    const { order, findings, earlier } = this.#checkpoint;
    const session = this.#session;
    const { best, before } = findings;
    const values = {
      query: order.query,
      earlier: earlierSection({ earlier, before }, session, () => newId(this.#deps)),
      filters: filtersPrompt(order.filters ?? {}, session.now()),
      plan: best === undefined ? session.planSection(order.plan) : "",
      data: dataSection(this.#shape, session, () => newId(this.#deps)),
    };
    if (best === undefined) return session.prompt("deepSearch", values);
    const evidence = this.#evidenceOf(best);
    const claims =
      evidence.status === "available" && session.tools.reading.own
        ? evidence.claims.map(claimLine)
        : best.answer.claims.map(plainClaimLine);
    const more = {
      round: String(round),
      max_rounds: String(order.maxRounds),
      current_result: this.#links.inText(best.answer.report),
      claims: listOf(claims),
      gaps: listOf([...stillPlanned(order, findings), ...best.answer.gaps]),
    };
    return session.prompt("verify", { ...values, ...more });
  }

  async *#save(report?: DeepSearchReport): AsyncGenerator<ResearchEvent, void, void> {
    const { id, order, findings, earlier } = this.#checkpoint;
    const answeredBy = [...this.#session.answeredBy];
    const savedAt = new Date(this.#session.now()).toISOString();
    const done = { findings, usage: this.#session.spent(), answeredBy, links: this.#links.known() };
    yield* saveCheckpoint(this.#deps.store, { id, order, earlier, ...done, report, savedAt });
  }
}

/** What the rounds searched: those up to the first result by the plan alone. */
function searchedIn({ rounds }: Findings) {
  const all = rounds.filter(isFinished).map(({ trail }) => trail);
  return { byPlan: all.slice(0, 1), all };
}

/** What a plan wants and no round has searched, as what is still open. */
function stillPlanned({ plan }: Order, findings: Findings): string[] {
  const left = plan === undefined ? [] : notSearched(plan, searchedIn(findings).all);
  return left.map((query) => `Search this first, word for word; it was planned and left out: ${query}`);
}

function unreadableRound(): ResearchError {
  const message = "The answer is plain text, not of the asked form; the result before is kept.";
  return new ResearchError("EXECUTION_ERROR", message, { reason: "unreadable" });
}

/** Why a research that is over without a result failed. */
function failureOf({ rounds }: Findings): ResearchError {
  const { code, message } = rounds.at(-1)?.failed ?? { code: "EXECUTION_ERROR", message: "No round gave a result." };
  return new ResearchError(code as ResearchErrorCode, message);
}
