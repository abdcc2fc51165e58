/** What research answers with: the shapes of the contract. */

/** The answer of `search`. */
export interface SearchReport {
  /** Always `true`: a search that fails throws. */
  success: true;
  /** The report in Markdown, with citations. */
  result: string;
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
  /** `true`: an answer that was given before. */
  cached?: true;
  [more: string]: unknown;
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

/**
 * What the runs' own record says of the sources. The claims and their status are the model's, see `claims`; no page is
 * compared with a claim.
 */
export interface Evidence {
  /** `unavailable`: the CLI gave no record of its searches, so nothing can be said. */
  status: "available" | "unavailable";
  /** Pages that were cited or read, in the order they were met. */
  sources: EvidenceSource[];
  /** Addresses that the answer cites and that stand nowhere in the runs. */
  unseen: string[];
  /** Share of the cited addresses that were seen: 0 to 1; `null` when none is cited. */
  citation_accuracy: number | null;
  /** Different hosts among the sources that are cited and seen. */
  independent_hosts: number;
  /**
   * As the model words and judges them, each with those of its sources that were seen. `supported` without one becomes
   * `unsupported`.
   */
  claims: EvidenceClaim[];
  /** Rounds that said `verified` without one search that gave results. */
  unsupported_verifications: number[];
  [more: string]: unknown;
}

/** A page of a research. */
export interface EvidenceSource {
  /** Its address; behind a redirect link, that of the page where it is known. */
  url: string;
  /** Its title, or the name of its host, as the search gave it. */
  title?: string;
  /** `retrieved`: the page was read. `found`: a search named it. */
  status: "retrieved" | "found";
  /** Whether the answer cites it. */
  cited: boolean;
  [more: string]: unknown;
}

/** A statement of the report. */
export interface EvidenceClaim {
  /** The statement in the model's words. */
  text: string;
  /** Addresses of its sources that were seen. */
  sources: string[];
  /** The model's judgement, but for `supported` without a source, which becomes `unsupported`. */
  status: "supported" | "disputed" | "unsupported";
}
