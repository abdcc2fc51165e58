import { aborted } from "../aborted.js";
import { newId, type ResearchDeps } from "../deps.js";
import { ResearchError, runFailure, toResearchError } from "../errors.js";
import type { ResearchEvent } from "../events.js";
import type { PageAccess, ReadingScope, RunReads } from "../page-reading.js";
import { byPlanPrompt } from "../prompts/by-plan.js";
import { fillPrompt } from "../prompts/render.js";
import type { Usage } from "../report.js";
import type { Budget, ResearchPlan } from "../request.js";
import {
  defaultCapabilities,
  type PrewarmRequest,
  type RunnerCapabilities,
  type RunRequest,
  type RunResult,
} from "../runner.js";
import { RunTools } from "./run-tools.js";

/** What a run gave, and the pages that it read with the page tool. */
export type ResearchRun = RunRecord & { reads?: RunReads };

type RunRecord = RunResult & Required<Omit<RunResult, "text" | "model">>;

export const noUsage: Usage = { runs: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0, duration_ms: 0 };

/** Of a run of which nothing is known but its text. */
export const noRecord: Required<Omit<RunResult, "text" | "model">> = {
  models: [],
  recorded: false,
  queries: [],
  sources: [],
  failures: [],
  attributions: [],
};

/** A budget is used up. Caught where the best answer so far is known. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

interface SessionOptions extends ReadingScope {
  model?: string | undefined;
  fallbackModels?: readonly string[] | undefined;
  budget?: Budget | undefined;
  signal?: AbortSignal | undefined;
  /** Of earlier parts of the same research. */
  usage?: Usage | undefined;
  answeredBy?: readonly string[] | undefined;
}

/** One research while it goes on: its runs, its models, its budget, its end. */
export class Session {
  readonly deps: ResearchDeps;
  /** What its main runs look things up and read with. */
  readonly tools: RunTools;
  /** Aborted by the caller, or when the time of the budget is over. */
  readonly signal: AbortSignal;
  readonly usage: Usage;
  /** Models that answered, by the CLI's word, in order. */
  readonly answeredBy: Set<string>;
  readonly #asked: string | undefined;
  readonly #fallbacks: string[];
  readonly #budget: Budget;
  readonly #caller: AbortSignal | undefined;
  readonly #startedMs: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #model: string | undefined;

  constructor(
    deps: ResearchDeps,
    { model, fallbackModels = [], budget = {}, signal, usage = noUsage, answeredBy = [], ...more }: SessionOptions,
  ) {
    this.deps = deps;
    this.#asked = model ?? deps.model;
    this.#model = this.#asked;
    this.#fallbacks = fallbackModels.filter((name) => name !== this.#asked);
    this.#budget = budget;
    this.#caller = signal;
    this.tools = new RunTools(deps, this.capabilities, { files: more.files, web: more.web });
    this.usage = { ...usage };
    this.answeredBy = new Set(answeredBy);
    this.#startedMs = this.now();
    const signals = signal === undefined ? [] : [signal];
    if (budget.maxDurationMs !== undefined) {
      const late = new AbortController();
      const leftMs = Math.max(0, budget.maxDurationMs - usage.duration_ms);
      this.#timer = setTimeout(() => late.abort(), Math.min(leftMs, 2 ** 31 - 1));
      signals.push(late.signal);
    }
    this.signal = AbortSignal.any(signals);
  }

  now(): number {
    return (this.deps.now ?? Date.now)();
  }

  /** Of this part and the earlier ones. */
  durationMs(): number {
    return this.usage.duration_ms + Math.max(0, Math.round(this.now() - this.#startedMs));
  }

  /** The state of the cost, for a record. */
  spent(): Usage {
    return { ...this.usage, duration_ms: this.durationMs() };
  }

  /** The model that the next run asks for. */
  get model(): string | undefined {
    return this.#model;
  }

  /** What stands in `metadata.model`. */
  modelName(): string {
    return this.#model ?? [...this.answeredBy].at(-1) ?? "auto-detected";
  }

  /** What was asked and what answered, when that is more than `metadata.model` says. */
  models(): { models?: { asked: string | null; answered: string[] } } {
    const answered = [...this.answeredBy];
    if (answered.every((name) => name === this.modelName()) && this.#asked === this.#model) return {};
    return { models: { asked: this.#asked ?? null, answered } };
  }

  /** Whether the budget holds a further run. */
  get mayRunAgain(): boolean {
    return this.usage.runs < (this.#budget.maxRuns ?? Number.POSITIVE_INFINITY);
  }

  /** Throws when the caller ended the research, or when a further run is not in the budget. */
  check(): void {
    if (this.#caller?.aborted)
      throw new ResearchError("CANCELLED", "The research was cancelled.", { cause: this.#caller.reason });
    const { maxRuns, maxTokens, maxDurationMs } = this.#budget;
    if (this.signal.aborted || (maxDurationMs !== undefined && this.durationMs() >= maxDurationMs)) {
      throw new BudgetError(`the time of ${(maxDurationMs ?? 0) / 1_000} s is used up`);
    }
    if (!this.mayRunAgain) throw new BudgetError(`all ${maxRuns} runs are used up`);
    if (maxTokens !== undefined && this.usage.total_tokens >= maxTokens) {
      throw new BudgetError(`${this.usage.total_tokens} of ${maxTokens} tokens are used up`);
    }
  }

  /** What the runner can do. */
  get capabilities(): RunnerCapabilities {
    return this.deps.runner.capabilities ?? defaultCapabilities;
  }

  /** A template, filled in for a main run that begins now. */
  prompt(template: "search" | "deepSearch" | "verify" | "research", values: Readonly<Record<string, string>>): string {
    return fillPrompt(this.deps.prompts[template], values, {
      now: this.now(),
      boundary: newId(this.deps),
      searchTool: this.tools.searchTool,
      reading: this.tools.reading,
    });
  }

  /** The section of a prompt that says what is searched; empty where nothing was decided. */
  planSection(plan: ResearchPlan | undefined): string {
    const ground = { boundary: () => newId(this.deps), searchTool: this.tools.searchTool };
    return byPlanPrompt(this.deps.prompts, plan, ground);
  }

  /** What the next main run may start with: the process of it may be started now. */
  prewarmRequest(): PrewarmRequest {
    return { ...(this.#model !== undefined && { model: this.#model }), ...this.tools.granted() };
  }

  /** Runs the CLI once. When the quota of a minute is used up or the model is unknown, the next model of the list is asked. */
  async *run(
    request: RunRequest,
    round: number,
    own?: { model: string | null },
  ): AsyncGenerator<ResearchEvent, ResearchRun, void> {
    for (;;) {
      this.check();
      this.usage.runs++;
      const model = own === undefined ? this.#model : own.model;
      const granted = own === undefined ? this.tools.granted() : {};
      const access = own === undefined ? await this.tools.takeAccess() : undefined;
      try {
        // A runner that keeps no record may say nothing of it.
        const result: ResearchRun = {
          ...noRecord,
          ...(yield* this.#stepsOf({ ...request, ...granted, ...(model !== undefined && { model }) }, round, access)),
          ...(access !== undefined && { reads: await access.reads() }),
        };
        this.#count(result);
        if (own === undefined && result.model !== undefined) this.answeredBy.add(result.model);
        // What comes after the end of a budget is still an answer.
        if (this.#caller?.aborted) this.check();
        return result;
      } catch (error) {
        if (this.signal.aborted) this.check();
        const failure = runFailure(error);
        const next = this.#fallbacks[0];
        const other =
          failure?.code === "MODEL_NOT_FOUND" || (failure?.code === "QUOTA_EXCEEDED" && failure.scope !== "day");
        if (own !== undefined || next === undefined || !other) throw error;
        this.#fallbacks.shift();
        yield { type: "model-fallback", round, from: this.#model, to: next, reason: failure.message };
        const message = `${failure.message.replace(/\.?$/, ".")} Asking ${next} instead.`;
        yield { type: "log", level: "warn", message };
        this.#model = next;
      } finally {
        access?.close();
      }
    }
  }

  async *#stepsOf(
    request: RunRequest,
    round: number,
    access: PageAccess | undefined,
  ): AsyncGenerator<ResearchEvent, RunResult, void> {
    const run = this.deps.runner.run({
      ...request,
      ...(this.deps.timeoutMs !== undefined && { timeoutMs: this.deps.timeoutMs }),
      signal: this.signal,
    });
    try {
      for (;;) {
        const step = await run.next();
        if (step.done) return step.value;
        if (step.value.type === "tool-output") access?.spend(step.value.characters);
        if (step.value.type === "tool-call") access?.called?.(step.value);
        yield { type: "step", round, step: step.value };
      }
    } finally {
      // Ends the run when nobody reads on; nothing happens when it has ended.
      await run.return(undefined as never);
    }
  }

  #count(result: ResearchRun): void {
    for (const use of result.models) {
      this.usage.input_tokens += use.inputTokens;
      this.usage.output_tokens += use.outputTokens;
      this.usage.total_tokens += use.totalTokens;
    }
  }

  /** What was thrown, as the error of this research. */
  errorOf(error: unknown): ResearchError {
    if (error instanceof BudgetError) {
      return new ResearchError("EXECUTION_ERROR", `There is no answer within the budget: ${error.message}.`, {
        cause: error,
      });
    }
    return toResearchError(error);
  }

  /** Waits for this time, or until the research ends: the next `check` says why. */
  async sleep(ms: number): Promise<void> {
    if (this.deps.sleep !== undefined) {
      await this.deps.sleep(ms, this.signal).catch(() => {});
      return;
    }
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ms);
    await aborted(AbortSignal.any([this.signal, late.signal]));
    clearTimeout(timer);
  }

  /** Leaves no timer, and no access to the page tool. */
  close(): void {
    clearTimeout(this.#timer);
    this.tools.close();
  }
}
