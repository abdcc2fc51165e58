import type { DeepResearchReport, DeepSearchReport, PlanReport, SearchReport } from "./report.js";
import type { RunEvent } from "./runner.js";

/** What happens while a question is researched. `round` counts from 1; it is 1 in a research of one round. */
export type ResearchEvent =
  /** The research was given an id: with a `store`, it can be resumed under it. */
  | { type: "research-start"; id: string }
  /** A round begins; `of` is the number of rounds at most. */
  | { type: "round-start"; round: number; of: number }
  /** The CLI did something, as the runner tells it. */
  | { type: "step"; round: number; step: RunEvent }
  /** An answer could not be read; `of` is the number of attempts at most. */
  | { type: "attempt-failed"; round: number; attempt: number; of: number; reason: string }
  /** A run that brings the answer into the asked form begins. */
  | { type: "correction-start"; round: number; attempt: number }
  /** The correction run gave nothing that can be read either. */
  | { type: "correction-failed"; round: number; attempt: number; reason: string }
  /** The research waits for this time before its next attempt or round. */
  | { type: "wait"; round: number; ms: number }
  /** The model that was asked cannot answer now; the next in the list is asked. `from` is missing: the CLI's own choice. */
  | { type: "model-fallback"; round: number; from: string | undefined; to: string; reason: string }
  /** A round ended; `result` is the best report so far, in Markdown. */
  | { type: "round-end"; round: number; verified: boolean; result: string }
  /** A round gave nothing; `code` is that of a `ResearchError`. */
  | { type: "round-failed"; round: number; code: string; reason: string }
  /** A line for the log, in the words of the contract. */
  | { type: "log"; level: "debug" | "info" | "warn" | "error"; message: string };

/** A search: yields what happens, returns the report, throws a `ResearchError`. */
export type SearchRun = AsyncGenerator<ResearchEvent, SearchReport, void>;
/** A deep search: yields what happens, returns the report, throws a `ResearchError`. */
export type DeepSearchRun = AsyncGenerator<ResearchEvent, DeepSearchReport, void>;
/** A plan that is made: yields what happens, returns the plan, throws a `ResearchError`. */
export type PlanRun = AsyncGenerator<ResearchEvent, PlanReport, void>;
/** A run of the older tool: yields what happens, returns the report, throws a `ResearchError`. */
export type DeepResearchRun = AsyncGenerator<ResearchEvent, DeepResearchReport, void>;
