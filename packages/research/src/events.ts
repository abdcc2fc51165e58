import type { GeminiRunner, RunEvent } from "@x/gemini-runner";
import type { Prompts } from "./prompts/render.js";
import type { DeepResearchReport, DeepSearchReport, SearchReport } from "./report.js";
import type { RunStore } from "./rounds/run-store.js";
import type { SearchCache } from "./search-cache.js";

/** What happens while a question is researched. */
export type ResearchEvent =
  /** The run was given an id: with a `store`, it can be resumed under it. */
  | { type: "research-start"; id: string }
  | { type: "round-start"; round: number; of: number }
  /** What the CLI does, as the runner tells it. `round` is 1 in a search of one round. */
  | { type: "step"; round: number; step: RunEvent }
  | { type: "attempt-failed"; round: number; attempt: number; of: number; reason: string }
  | { type: "correction-start"; round: number; attempt: number }
  | { type: "correction-failed"; round: number; attempt: number; reason: string }
  | { type: "wait"; round: number; ms: number }
  /** The model that was asked cannot answer now; the next in the list is asked. */
  | { type: "model-fallback"; round: number; from: string | undefined; to: string; reason: string }
  | { type: "round-end"; round: number; verified: boolean; result: string }
  | { type: "round-failed"; round: number; code: string; reason: string }
  /** A line for the log, in the words of the contract. */
  | { type: "log"; level: "debug" | "info" | "warn" | "error"; message: string };

export type SearchRun = AsyncGenerator<ResearchEvent, SearchReport, void>;
export type DeepSearchRun = AsyncGenerator<ResearchEvent, DeepSearchReport, void>;
export type DeepResearchRun = AsyncGenerator<ResearchEvent, DeepResearchReport, void>;

/** Which sources and what time a question is about. */
export interface Filters {
  /** Only these domains and what is below them. */
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  /** Only pages of the last day, week, month or year. */
  recency?: "day" | "week" | "month" | "year";
  /** Language of the report, as a BCP 47 tag or a name. */
  language?: string;
}

/** What a research may cost; when one is used up, the answer is the best so far and says that it is partial. */
export interface Budget {
  /** Runs of the CLI, corrections included. */
  maxRuns?: number;
  /** Wall clock for the whole research. */
  maxDurationMs?: number;
  /** Tokens of all models together. */
  maxTokens?: number;
}

interface SearchOptions {
  /** Model of this research. Default: that of the dependencies, else the CLI's own choice. */
  model?: string;
  /** Models that are asked instead on a minute's quota or an unknown model, in order. */
  fallbackModels?: readonly string[];
  filters?: Filters;
  budget?: Budget;
  signal?: AbortSignal;
}

export interface SearchRequest extends SearchOptions {
  query: string;
}

interface DeepSearchOptions extends SearchOptions {
  /** Default 5; below 2 counts as 2. */
  maxRounds?: number;
}

/** A new research, or one that goes on: finished rounds never run again. */
export type DeepSearchRequest =
  | (DeepSearchOptions & { query: string; resume?: undefined })
  | (DeepSearchOptions & {
      /** Id of the research, as its `research-start` event told. What is not said anew stays as it was. */
      resume: string;
      query?: string;
    });

export interface DeepResearchRequest {
  topic: string;
  /** Default `detailed`. */
  depth?: "concise" | "detailed";
  model?: string;
  signal?: AbortSignal;
}

/** What research is done with. Real by default where nothing is said. */
export interface ResearchDeps {
  /** Only `run` is needed; with `prewarm` the next round's CLI is started before the round ends. */
  runner: Pick<GeminiRunner, "run"> & Partial<Pick<GeminiRunner, "prewarm">>;
  prompts: Prompts;
  /** Model of search rounds. Default: the CLI's own choice. */
  model?: string;
  /** Model of the correction of an answer that is not JSON. Default: the CLI's own choice, also where `model` is set. */
  correctionModel?: string;
  /** For one run of the CLI. Default: the runner's. */
  timeoutMs?: number;
  /** Attempts at one answer. Default 3. */
  attempts?: number;
  /** Waits between attempts in order. Default 1 s, 2 s, 5 s. */
  delaysMs?: readonly number[];
  /** Where an answer that cannot be read is put for the correction. */
  scratch?: Scratch;
  /** Where finished rounds are kept. Default: nowhere. */
  store?: RunStore;
  /** The real page behind Google's redirect link, or `undefined`. Default: links are kept as they are. */
  resolveUrl?: ((url: string, signal?: AbortSignal) => Promise<string | undefined>) | false;
  /** Identical searches in flight share one run; finished ones are kept for its time. Default: neither. */
  cache?: SearchCache;
  /** Replaces the prompt of `deepResearch`, with `{topic}`, `{depth}` and `{model}` in single braces. */
  researchTemplate?: string;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Ids of researches, and marks that text from the web cannot guess. Default: random UUIDs. */
  newId?: () => string;
}

/** A place for one text that the CLI must read from a file. */
export interface Scratch {
  /** Writes `text` to a new file that no other call shares; gives its absolute path. */
  write(text: string): Promise<string>;
  remove(path: string): Promise<void>;
}
