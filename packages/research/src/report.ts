import type { Evidence } from "./report-evidence.js";

/** What research answers with: the shapes of the contract. */

/** The answer of `search`. */
export interface SearchReport {
  /** Always `true`: a search that fails throws. */
  success: true;
  /** The report in Markdown, with citations. */
  result: string;
  /**
   * Where an output schema was given: a value that fits it, or `null`. Leaves that nothing proves are null where the schema
   * allows that.
   */
  data?: unknown;
  /** What is known of how the report came about. */
  metadata: SearchMetadata;
}

/** What is known of how a report came about. */
export interface SearchMetadata {
  /** Milliseconds for the whole research, waits included; all its parts together when it was resumed. */
  duration_ms: number;
  /** The question as it was asked. */
  query: string;
  /** The configured model; else the one that the CLI says it used; else `auto-detected`. */
  model: string;
  /** When the research ended, in ISO 8601. */
  timestamp: string;
  /** Pages that were read, and those that the answer lists and a search found; each once. */
  sources_visited?: string[];
  /** Searches that gave results, in order. */
  search_queries_used?: string[];
  /** Why the answer is not all that it should be, in one or two sentences. */
  note?: string;
  /** What a reader should know before trusting the report; missing when there is nothing. */
  warnings?: string[];
  /** `true`: the model did not keep to the asked form; `result` is its text as it stands, without claims. */
  unstructured?: true;
  /** `true`: a budget was used up before the work was done. */
  partial?: true;
  /** The model that was asked for (`null`: the CLI's own choice) and those that answered, when `model` does not say it all. */
  models?: { asked: string | null; answered: string[] };
  /** What could not be found, in the model's words. */
  gaps?: string[];
  /** What the research cost. */
  usage?: Usage;
  /** Which sources the research saw, and what that says of the report. */
  evidence?: Evidence;
  /** Of a research with documents of the person's own: how many there were, and how many of them its runs read. */
  documents?: { given: number; read: number };
  /** Of a research that follows another one: which, and what of it this report contradicts. */
  follow_up?: FollowUp;
  /** Of a research that renews another one: what became of its claims. */
  changes?: Changes;
  /** For each leaf of `data` that is proven, by its JSON Pointer: pointers into this answer. */
  data_proof?: Record<string, { claim: string; quote?: string }>;
  /** JSON Pointers of the leaves of `data` that nothing proves; an empty one is the whole. */
  missing?: string[];
  /** Of a research with a plan: what became of it. */
  plan?: PlanFacts;
  /** `true`: an answer that was given before. */
  cached?: true;
  [more: string]: unknown;
}

/** The research that another one follows. */
export interface FollowUp {
  /** Its id. */
  of: string;
  /** What was asked. */
  query: string;
  /** When it ended, in ISO 8601; missing when it is not known. */
  at?: string;
  /** Claims of the earlier report and of this one that give different values for the same. */
  contradicts: { was: string; is: string; values: [string, string] }[];
}

/** What became of the claims of an earlier report. They are compared by their words: what is said in other words counts as changed, or as new. */
export interface Changes {
  /** Id of the earlier research. */
  of: string;
  /** When it ended, in ISO 8601; missing when it is not known. */
  at?: string;
  /** Claims of this report that the earlier one has not. */
  added: string[];
  /** Claims of the earlier report that this one has not. */
  gone: string[];
  /** Claims on the same that say something else now, with the values where they contradict each other. */
  changed: { was: string; is: string; values?: [string, string] }[];
  /** How many claims say the same as before. */
  same: number;
}

/** What became of the plan of a research. */
export interface PlanFacts {
  /** As the plan says. */
  aspects: readonly string[];
  /** As the plan says. */
  queries: readonly string[];
  /** Of them those that no search has; missing when all were searched, and when what was searched is not known. */
  not_searched?: string[];
  /** What was searched where only the plan should be; missing when there is nothing. */
  beside?: string[];
}

/** The answer of `planResearch`: what would be searched, and about what it would cost. Nothing has been searched. */
export interface PlanReport {
  /** Always `true`: a plan that cannot be made throws. */
  success: true;
  /** Plan and estimate in Markdown. */
  result: string;
  /** The plan, which `search` and `deepSearch` take, changed or not. */
  plan: { aspects: string[]; queries: string[] };
  /** What is known of how the plan came about; `usage` is what the plan itself cost. */
  metadata: SearchMetadata & { estimate: Estimate };
}

/** About what a research costs. */
export interface Estimate {
  /** Earlier researches that it is made from; with 0 it says no more than the number of rounds. */
  researches: number;
  /** Runs of the CLI. */
  runs: EstimatedRange;
  /** Tokens of all models; missing when no earlier research tells them. */
  total_tokens?: EstimatedRange;
  /** Milliseconds; missing when there is no earlier research. */
  duration_ms?: EstimatedRange;
}

/** From the cheapest that is likely to the dearest, with all rounds. */
export interface EstimatedRange {
  /** As the cheapest round of earlier researches, with the fewest rounds. */
  low: number;
  /** As the one in the middle; missing when there is no earlier research. */
  typical?: number;
  /** As the dearest round of earlier researches, with all rounds. */
  high: number;
}

/** What a research has cost. */
export interface Usage {
  /** Runs of the CLI, corrections included. */
  runs: number;
  /** Tokens that the models were given. */
  input_tokens: number;
  /** Tokens that the models wrote. */
  output_tokens: number;
  /** All tokens, thoughts and tools included. */
  total_tokens: number;
  /** Milliseconds; all parts together when the research was resumed. */
  duration_ms: number;
}

/** The answer of `deepSearch`. */
export interface DeepSearchReport {
  /** Always `true`: a deep search without a result throws. */
  success: true;
  /** The best report of all rounds in Markdown, with citations. */
  result: string;
  /** Whether the model said that it verified the report: its own word. */
  verified: boolean;
  /** As in {@link SearchReport}. */
  data?: unknown;
  /** What is known of how the report came about. */
  metadata: DeepSearchMetadata;
}

/** What is known of how the report of several rounds came about. */
export interface DeepSearchMetadata extends SearchMetadata {
  /** Rounds that ran, failed ones included. */
  iterations: number;
  /** The union over all rounds, in order, each page once. */
  sources_visited: string[];
  /** The union over all rounds, in order, each query once. */
  search_queries_used: string[];
  /** One entry a round, in order. */
  rounds?: RoundMetadata[];
}

/** What one round did. */
export interface RoundMetadata {
  /** Counts from 1. */
  round_number: number;
  /** Pages that the round read, and those that its answer lists and a search found. */
  sources_visited: string[];
  /** Searches of the round that gave results, in order. */
  search_queries: string[];
  /** The first words of the round's report: at most 301 characters. */
  intermediate_result_summary: string;
  /** Whether the round said that it verified the report: the model's own word. Missing when the round failed. */
  verified?: boolean;
  /** Why the report before was kept instead of this round's. */
  set_aside?: string;
  /** Why the round gave nothing. */
  error?: { code: string; message: string };
  [more: string]: unknown;
}

/** The answer of `deepResearch`, the older tool. */
export interface DeepResearchReport {
  /** Always `true`: a research that fails throws. */
  success: true;
  /** The report in Markdown. */
  report: string;
  /** What is known of how the report came about. */
  metadata: {
    /** Milliseconds for the whole research. */
    duration_ms: number;
    /** The topic as it was asked. */
    topic: string;
    /** How much was asked for. */
    depth: "concise" | "detailed";
    /** As in {@link SearchMetadata}. */
    model: string;
    /** When the research ended, in ISO 8601. */
    timestamp: string;
    /** As the model lists them. */
    sources_visited?: string[];
    /** As the model lists them. */
    search_queries_used?: string[];
    /** How often the model says it searched again. */
    iterations?: number;
  };
}
